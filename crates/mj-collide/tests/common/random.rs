//! Numbers at random, the same in every run.

/// Marsaglia's xorshift ("Xorshift RNGs", 2003) of 64 bits, from a seed that is not zero.
pub struct Random(pub u64);

impl Random {
    /// A number in 0..1.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
