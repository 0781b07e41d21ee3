//! The change of a cost along a line.

/// Change of the cost along a line, relative to its start, with its first two derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// Change of the cost.
    pub cost: f64,
    /// First derivative along the line.
    pub d1: f64,
    /// Second derivative along the line.
    pub d2: f64,
}

impl std::ops::AddAssign for Slope {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        self.cost += o.cost;
        self.d1 += o.d1;
        self.d2 += o.d2;
    }
}

/// Change of the cost D c (x − c/2) from (x0, c0) to (x1, c1); see the text of [`cost`](super).
#[inline]
pub(super) fn change(d: f64, x0: f64, c0: f64, x1: f64, c1: f64, step: f64) -> f64 {
    let error = (x1 - x0 - step).abs();
    // Broken models bring numbers that are none.
    debug_assert!(error.is_nan() || error <= 1e-9 * (x0.abs() + x1.abs() + 1.0));
    d * (c0 * step + (c1 - c0) * (x1 - 0.5 * (c0 + c1)))
}
