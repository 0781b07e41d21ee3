//! Four numbers at a time, as the source says, where the compiler would choose otherwise: of sums of products row
//! by row it makes gathers, and comparisons keep it from vectors at all.
//!
//! A lane does what a number alone would do, so that the results are the same, bit for bit, on processors that have such
//! vectors and on those that haven't; but for [`Four::plus`] and [`Four::minus`], which round once where the processor
//! has an instruction for them and twice where it hasn't. With the feature `deterministic` it is never asked.

mod points;

pub use points::Points;

use pulp::{Scalar256b, Simd, f64x4};
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Where vectors of four come from: the processor's own or arrays.
pub trait Lanes: Simd<f64s = f64x4> {
    /// a·b + c, rounded once if that is an instruction.
    fn product_and(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4;

    /// c − a·b, rounded once if that is an instruction.
    fn product_from(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4;
}

#[cfg(target_arch = "x86_64")]
impl Lanes for pulp::x86::V3 {
    #[inline(always)]
    fn product_and(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
        self.mul_add_f64s(a, b, c)
    }

    #[inline(always)]
    fn product_from(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
        self.negate_mul_add_f64s(a, b, c)
    }
}

impl Lanes for Scalar256b {
    #[inline(always)]
    fn product_and(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
        self.add_f64s(self.mul_f64s(a, b), c)
    }

    #[inline(always)]
    fn product_from(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
        self.sub_f64s(c, self.mul_f64s(a, b))
    }
}

/// A kernel over vectors of four. Mark `run`, and whatever it calls that is hot, `#[inline(always)]`.
pub trait FourKernel {
    /// Result of the kernel.
    type Output;

    /// Runs it.
    fn run<S: Lanes>(self, s: S) -> Self::Output;
}

/// Runs a kernel with the processor's vectors of four, or without; with the feature `deterministic` always without.
#[inline(always)]
pub fn four<K: FourKernel>(kernel: K) -> K::Output {
    #[cfg(all(target_arch = "x86_64", not(feature = "deterministic")))]
    if let Some(v3) = pulp::x86::V3::try_new() {
        return v3.vectorize(Native(kernel, v3));
    }
    narrow(kernel)
}

/// Runs a kernel without vectors: what is very short gains nothing from the choice.
#[inline(always)]
pub fn narrow<K: FourKernel>(kernel: K) -> K::Output {
    kernel.run(Scalar256b)
}

#[cfg(all(target_arch = "x86_64", not(feature = "deterministic")))]
struct Native<K>(K, pulp::x86::V3);

#[cfg(all(target_arch = "x86_64", not(feature = "deterministic")))]
impl<K: FourKernel> pulp::NullaryFnOnce for Native<K> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.0.run(self.1)
    }
}

/// A vector of four.
#[derive(Clone, Copy, Debug)]
pub struct Four<S: Lanes> {
    s: S,
    x: f64x4,
}

impl<S: Lanes> Four<S> {
    /// Four numbers.
    #[inline(always)]
    pub fn new(s: S, x: &[f64; 4]) -> Self {
        Self { s, x: pulp::cast(*x) }
    }

    /// One number in all lanes.
    #[inline(always)]
    pub fn splat(s: S, x: f64) -> Self {
        Self { s, x: s.splat_f64s(x) }
    }

    /// One number in all lanes of another such vector.
    #[inline(always)]
    pub fn like(self, x: f64) -> Self {
        Self::splat(self.s, x)
    }

    /// The four numbers.
    #[inline(always)]
    pub fn get(self) -> [f64; 4] {
        pulp::cast(self.x)
    }

    /// Their sum: the first and the third, the second and the fourth, then both.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let x = self.get();
        (x[0] + x[2]) + (x[1] + x[3])
    }

    /// `self` + a·b.
    #[inline(always)]
    pub fn plus(self, a: Self, b: Self) -> Self {
        Self { s: self.s, x: self.s.product_and(a.x, b.x, self.x) }
    }

    /// `self` − a·b.
    #[inline(always)]
    pub fn minus(self, a: Self, b: Self) -> Self {
        Self { s: self.s, x: self.s.product_from(a.x, b.x, self.x) }
    }

    /// Square roots.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self { s: self.s, x: self.s.sqrt_f64s(self.x) }
    }

    /// The greater of both; `self` where one is not a number.
    #[inline(always)]
    pub fn max(self, o: Self) -> Self {
        self.lt(o).select(o, self)
    }

    /// The lesser of both; `self` where one is not a number.
    #[inline(always)]
    pub fn min(self, o: Self) -> Self {
        o.lt(self).select(o, self)
    }

    /// Without their signs.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Self { s: self.s, x: self.s.abs_f64s(self.x) }
    }

    /// Where `self` < `o`; false where one of them is not a number.
    #[inline(always)]
    pub fn lt(self, o: Self) -> Mask<S> {
        Mask { s: self.s, m: self.s.less_than_f64s(self.x, o.x) }
    }

    /// Where `self` ≤ `o`; false where one of them is not a number.
    #[inline(always)]
    pub fn le(self, o: Self) -> Mask<S> {
        Mask { s: self.s, m: self.s.less_than_or_equal_f64s(self.x, o.x) }
    }

    /// The lanes of `self` where those of `x` are negative, zero elsewhere.
    #[inline(always)]
    pub fn where_negative(self, x: Self) -> Self {
        let zero = self.s.splat_f64s(0.0);
        Self { s: self.s, x: self.s.select_f64s(self.s.less_than_f64s(x.x, zero), self.x, zero) }
    }
}

impl<S: Lanes> Add for Four<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { s: self.s, x: self.s.add_f64s(self.x, o.x) }
    }
}

impl<S: Lanes> AddAssign for Four<S> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<S: Lanes> Sub for Four<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { s: self.s, x: self.s.sub_f64s(self.x, o.x) }
    }
}

impl<S: Lanes> Div for Four<S> {
    type Output = Self;

    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self { s: self.s, x: self.s.div_f64s(self.x, o.x) }
    }
}

impl<S: Lanes> Neg for Four<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { s: self.s, x: self.s.neg_f64s(self.x) }
    }
}

/// A yes or no for each lane.
#[derive(Clone, Copy, Debug)]
pub struct Mask<S: Lanes> {
    s: S,
    m: S::m64s,
}

impl<S: Lanes> Mask<S> {
    /// The lanes of `yes` where this holds, of `no` elsewhere.
    #[inline(always)]
    pub fn select(self, yes: Four<S>, no: Four<S>) -> Four<S> {
        Four { s: self.s, x: self.s.select_f64s(self.m, yes.x, no.x) }
    }

    /// Each lane's answer.
    #[inline(always)]
    pub fn get(self) -> [bool; 4] {
        self.select(Four::splat(self.s, 1.0), Four::splat(self.s, 0.0)).get().map(|x| x != 0.0)
    }

    /// Whether it holds in some lane.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.get().iter().any(|&x| x)
    }
}

impl<S: Lanes> BitAnd for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, o: Self) -> Self {
        Self { s: self.s, m: self.s.and_m64s(self.m, o.m) }
    }
}

impl<S: Lanes> BitOr for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, o: Self) -> Self {
        Self { s: self.s, m: self.s.or_m64s(self.m, o.m) }
    }
}

impl<S: Lanes> Not for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let yes = Four::splat(self.s, 0.0);
        let all = yes.le(yes);
        Self { s: self.s, m: self.s.xor_m64s(self.m, all.m) }
    }
}

impl<S: Lanes> Mul for Four<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { s: self.s, x: self.s.mul_f64s(self.x, o.x) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// (a + b·c − a)·where(a < 0), and its sum.
    struct Some4([[f64; 4]; 3]);

    impl FourKernel for Some4 {
        type Output = ([f64; 4], f64);

        #[inline(always)]
        fn run<S: Lanes>(self, s: S) -> Self::Output {
            let [a, b, c] = self.0.map(|x| Four::new(s, &x));
            let mut x = a + b * c;
            x += Four::splat(s, 1.0) - a;
            let x = x.where_negative(a);
            (x.get(), x.sum())
        }
    }

    /// max(a, b)/c and √(a·a) where a ≤ b and not b < c, min(|a|, b) elsewhere; and the answers.
    struct Chosen([[f64; 4]; 3]);

    impl FourKernel for Chosen {
        type Output = ([f64; 4], [bool; 4], bool);

        #[inline(always)]
        fn run<S: Lanes>(self, s: S) -> Self::Output {
            let [a, b, c] = self.0.map(|x| Four::new(s, &x));
            let yes = a.le(b) & !b.lt(c);
            let either = (yes | b.lt(c)).select(a.max(b) / c, (a * a).sqrt());
            (yes.select(either, a.abs().min(b)).get(), yes.get(), yes.any())
        }
    }

    /// a ± b·c.
    struct Products([[f64; 4]; 3]);

    impl FourKernel for Products {
        type Output = ([f64; 4], [f64; 4]);

        #[inline(always)]
        fn run<S: Lanes>(self, s: S) -> Self::Output {
            let [a, b, c] = self.0.map(|x| Four::new(s, &x));
            (a.plus(b, c).get(), a.minus(b, c).get())
        }
    }

    proptest! {
        /// Each lane chooses for itself.
        #[test]
        fn lanes_choose(a in prop::array::uniform4(-3.0..3.0f64), b in prop::array::uniform4(-3.0..3.0f64), c in prop::array::uniform4(-3.0..3.0f64)) {
            let yes = |l: usize| a[l] <= b[l] && b[l] >= c[l];
            let want: Vec<f64> = (0..4).map(|l| if yes(l) { a[l].max(b[l]) / c[l] } else { a[l].abs().min(b[l]) }).collect();
            for (x, chosen, any) in [four(Chosen([a, b, c])), narrow(Chosen([a, b, c]))] {
                prop_assert_eq!(x.as_slice(), &want);
                prop_assert_eq!(chosen, std::array::from_fn(yes));
                prop_assert_eq!(any, (0..4).any(yes));
            }
        }

        /// Products are added and subtracted within rounding of what numbers alone make.
        #[test]
        fn products_are_added(a in prop::array::uniform4(-3.0..3.0f64), b in prop::array::uniform4(-3.0..3.0f64), c in prop::array::uniform4(-3.0..3.0f64)) {
            for (sum, difference) in [four(Products([a, b, c])), narrow(Products([a, b, c]))] {
                for l in 0..4 {
                    prop_assert!((sum[l] - (a[l] + b[l] * c[l])).abs() < 1e-14);
                    prop_assert!((difference[l] - (a[l] - b[l] * c[l])).abs() < 1e-14);
                }
            }
        }

        /// A lane does what a number alone does, with vectors and without.
        #[test]
        fn lanes_are_numbers(a in prop::array::uniform4(-3.0..3.0f64), b in prop::array::uniform4(-3.0..3.0f64), c in prop::array::uniform4(-3.0..3.0f64)) {
            let want: Vec<f64> = (0..4).map(|l| if a[l] < 0.0 { (a[l] + b[l] * c[l]) + (1.0 - a[l]) } else { 0.0 }).collect();
            for (x, sum) in [four(Some4([a, b, c])), narrow(Some4([a, b, c]))] {
                prop_assert_eq!(x.as_slice(), &want);
                prop_assert_eq!(sum, (want[0] + want[2]) + (want[1] + want[3]));
            }
        }
    }
}
