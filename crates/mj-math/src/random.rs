//! Random numbers that follow from what they are for, whichever thread draws them.

use crate::real;
use std::f64::consts::TAU;

/// Generator of numbers for a key, by SplitMix64.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Makes the generator of a key of three numbers.
    pub fn new(key: [u64; 3]) -> Self {
        let mut random = Self(0);
        for k in key {
            random.0 ^= k;
            random.0 = random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Draws a number between two limits.
    pub fn uniform(&mut self, lower: f64, upper: f64) -> f64 {
        lower + (upper - lower) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws a normal number with mean 0 and variance 1.
    pub fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.uniform(0.0, 1.0), self.uniform(0.0, TAU));
        (-2.0 * real::log(a)).sqrt() * real::cos(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_normal_numbers() {
        let mut random = Random::new([1, 2, 3]);
        let drawn: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = drawn.iter().sum::<f64>() / 20_000.0;
        let variance = drawn.iter().map(|x| x * x).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        assert_ne!(Random::new([1, 2, 3]).normal(), Random::new([1, 3, 2]).normal());
    }
}
