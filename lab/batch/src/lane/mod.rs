//! Lanes: one number of each of several worlds, on which kernels are written once.
//!
//! Every operation acts on each lane alone, in the order of the source, and multiply-add rounds once everywhere. So a
//! world's bits depend neither on the width nor on its neighbours.

mod dispatch;
mod pair;
mod scalar;
mod simd;
pub mod spatial;
mod trig;

pub use dispatch::{Kernel, NoInstructions, Width, dispatch, native_512};
pub use pair::Pair;
pub use simd::{Double, Single};

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// One number of each of [`Lane::WIDTH`] worlds.
pub trait Lane:
    Copy
    + Debug
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Number of worlds.
    const WIDTH: usize;
    /// Distance from 1 to the next number.
    const EPSILON: f64;
    /// Evidence that the processor has the instructions.
    type Isa: Copy + Debug + Send + Sync + 'static;
    /// A truth value of each world.
    type Mask: Copy;

    /// Returns `x` in every lane.
    fn splat(isa: Self::Isa, x: f64) -> Self;
    /// Returns `x` in every lane, with the evidence of `self`.
    fn like(self, x: f64) -> Self;
    /// Returns self + a·b, rounded once.
    fn plus(self, a: Self, b: Self) -> Self;
    /// Returns self − a·b, rounded once.
    fn minus(self, a: Self, b: Self) -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns the absolute value.
    fn abs(self) -> Self;
    /// Returns the smaller number.
    fn min(self, o: Self) -> Self;
    /// Returns the greater number.
    fn max(self, o: Self) -> Self;
    /// Returns where self < o.
    fn lt(self, o: Self) -> Self::Mask;
    /// Returns `a` where the mask is true and `b` elsewhere.
    fn select(self, mask: Self::Mask, b: Self) -> Self;
    /// Returns where both are true.
    fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns where either is true.
    fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns whether the mask is true anywhere.
    fn any(self, a: Self::Mask) -> bool;
    /// Returns the number of world `i`.
    fn get(self, i: usize) -> f64;
    /// Sets the number of world `i`.
    fn set(&mut self, i: usize, x: f64);

    /// Returns the nearest whole number, for numbers of less than a quarter of 1/[`Self::EPSILON`].
    #[inline(always)]
    fn round(self) -> Self {
        let big = self.like(1.5 / Self::EPSILON);
        (self + big) - big
    }
}
