//! Numbers that look random and are the same every time.

/// A linear congruential generator.
pub struct Random(pub u64);

impl Random {
    /// In [−1, 1].
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    /// In [low, high].
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + 0.5 * (self.next() + 1.0) * (high - low)
    }
}
