//! Controls as functions of time through a few knots.

/// Interpolation between knots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interpolation {
    /// The knot before.
    Zero,
    /// A line between the knots beside.
    #[default]
    Linear,
    /// A cubic through the knots beside, with the slopes of their neighbours (Catmull and Rom).
    Cubic,
}

/// Writes the value at `at` (in knots, from the first on; held beyond both ends) of a spline with rows of `out`'s length.
pub(crate) fn interpolate(knots: &[f64], at: f64, kind: Interpolation, out: &mut [f64]) {
    let (nu, count) = (out.len(), knots.len() / out.len().max(1));
    if nu == 0 || count == 0 {
        return;
    }
    let last = count - 1;
    let i = (at.max(0.0).floor() as usize).min(last);
    let t = (at - i as f64).clamp(0.0, 1.0);
    let knot = |i: isize, k: usize| knots[i.clamp(0, last as isize) as usize * nu + k];
    let i = i as isize;
    for (k, x) in out.iter_mut().enumerate() {
        let (a, b) = (knot(i, k), knot(i + 1, k));
        *x = match kind {
            Interpolation::Zero => a,
            Interpolation::Linear => a + t * (b - a),
            Interpolation::Cubic => {
                let (da, db) = (0.5 * (b - knot(i - 1, k)), 0.5 * (knot(i + 2, k) - a));
                let (t2, t3) = (t * t, t * t * t);
                a * (2.0 * t3 - 3.0 * t2 + 1.0) + b * (3.0 * t2 - 2.0 * t3) + da * (t3 - 2.0 * t2 + t) + db * (t3 - t2)
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_are_met_and_held_beyond_the_ends() {
        for kind in [Interpolation::Zero, Interpolation::Linear, Interpolation::Cubic] {
            for (at, want) in [(-1.0, 1.0), (0.0, 1.0), (1.0, 3.0), (2.0, 2.0), (9.0, 2.0)] {
                let mut out = [0.0; 1];
                interpolate(&[1.0, 3.0, 2.0], at, kind, &mut out);
                assert_eq!(out, [want], "{kind:?} {at}");
            }
        }
        let mut out = [0.0; 1];
        interpolate(&[1.0, 3.0, 2.0], 0.5, Interpolation::Linear, &mut out);
        assert_eq!(out, [2.0]);
        // A line is a cubic too, inside.
        interpolate(&[0.0, 1.0, 2.0, 3.0], 1.25, Interpolation::Cubic, &mut out);
        assert_eq!(out, [1.25]);
    }
}
