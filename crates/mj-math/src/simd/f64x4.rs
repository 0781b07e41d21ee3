//! Vectors of four numbers, and masks of four lanes.

use super::Simd;
use pulp::{Simd as _, f64x4};
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// A vector of four.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct F64x4<S: Simd> {
    s: S,
    x: f64x4,
}

impl<S: Simd> F64x4<S> {
    /// F64x4 numbers.
    #[inline(always)]
    pub fn new(s: S, x: &[f64; 4]) -> Self {
        Self { s, x: pulp::cast(*x) }
    }

    /// One number in all lanes.
    #[inline(always)]
    pub fn splat(s: S, x: f64) -> Self {
        Self { s, x: s.isa().splat_f64s(x) }
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
        Self { s: self.s, x: self.s.isa().sqrt_f64s(self.x) }
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
        Self { s: self.s, x: self.s.isa().abs_f64s(self.x) }
    }

    /// Where `self` < `o`; false where one of them is not a number.
    #[inline(always)]
    pub fn lt(self, o: Self) -> Mask<S> {
        Mask { s: self.s, m: self.s.isa().less_than_f64s(self.x, o.x) }
    }

    /// Where `self` ≤ `o`; false where one of them is not a number.
    #[inline(always)]
    pub fn le(self, o: Self) -> Mask<S> {
        Mask { s: self.s, m: self.s.isa().less_than_or_equal_f64s(self.x, o.x) }
    }

    /// The lanes of `self` where those of `x` are negative, zero elsewhere.
    #[inline(always)]
    pub fn where_negative(self, x: Self) -> Self {
        let zero = self.s.isa().splat_f64s(0.0);
        Self { s: self.s, x: self.s.isa().select_f64s(self.s.isa().less_than_f64s(x.x, zero), self.x, zero) }
    }
}

impl<S: Simd> Add for F64x4<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { s: self.s, x: self.s.isa().add_f64s(self.x, o.x) }
    }
}

impl<S: Simd> AddAssign for F64x4<S> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<S: Simd> Sub for F64x4<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { s: self.s, x: self.s.isa().sub_f64s(self.x, o.x) }
    }
}

impl<S: Simd> Div for F64x4<S> {
    type Output = Self;

    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self { s: self.s, x: self.s.isa().div_f64s(self.x, o.x) }
    }
}

impl<S: Simd> Neg for F64x4<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { s: self.s, x: self.s.isa().neg_f64s(self.x) }
    }
}

/// A yes or no for each lane.
#[derive(Clone, Copy, Debug)]
pub struct Mask<S: Simd> {
    s: S,
    m: <S::Isa as pulp::Simd>::m64s,
}

impl<S: Simd> Mask<S> {
    /// The lanes of `yes` where this holds, of `no` elsewhere.
    #[inline(always)]
    pub fn select(self, yes: F64x4<S>, no: F64x4<S>) -> F64x4<S> {
        F64x4 { s: self.s, x: self.s.isa().select_f64s(self.m, yes.x, no.x) }
    }

    /// Each lane's answer.
    #[inline(always)]
    pub fn get(self) -> [bool; 4] {
        self.select(F64x4::splat(self.s, 1.0), F64x4::splat(self.s, 0.0)).get().map(|x| x != 0.0)
    }

    /// Whether it holds in some lane.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.get().iter().any(|&x| x)
    }
}

impl<S: Simd> BitAnd for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, o: Self) -> Self {
        Self { s: self.s, m: self.s.isa().and_m64s(self.m, o.m) }
    }
}

impl<S: Simd> BitOr for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, o: Self) -> Self {
        Self { s: self.s, m: self.s.isa().or_m64s(self.m, o.m) }
    }
}

impl<S: Simd> Not for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let yes = F64x4::splat(self.s, 0.0);
        let all = yes.le(yes);
        Self { s: self.s, m: self.s.isa().xor_m64s(self.m, all.m) }
    }
}

impl<S: Simd> Mul for F64x4<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { s: self.s, x: self.s.isa().mul_f64s(self.x, o.x) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, dispatch, scalar};
    use proptest::prelude::*;

    /// (a + b·c − a)·where(a < 0), and its sum.
    struct Some4([[f64; 4]; 3]);

    impl Kernel for Some4 {
        type Output = ([f64; 4], f64);

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Self::Output {
            let [a, b, c] = self.0.map(|x| F64x4::new(s, &x));
            let mut x = a + b * c;
            x += F64x4::splat(s, 1.0) - a;
            let x = x.where_negative(a);
            (x.get(), x.sum())
        }
    }

    /// max(a, b)/c and √(a·a) where a ≤ b and not b < c, min(|a|, b) elsewhere; and the answers.
    struct Chosen([[f64; 4]; 3]);

    impl Kernel for Chosen {
        type Output = ([f64; 4], [bool; 4], bool);

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Self::Output {
            let [a, b, c] = self.0.map(|x| F64x4::new(s, &x));
            let yes = a.le(b) & !b.lt(c);
            let either = (yes | b.lt(c)).select(a.max(b) / c, (a * a).sqrt());
            (yes.select(either, a.abs().min(b)).get(), yes.get(), yes.any())
        }
    }

    /// a ± b·c.
    struct Sums([[f64; 4]; 3]);

    impl Kernel for Sums {
        type Output = ([f64; 4], [f64; 4]);

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Self::Output {
            let [a, b, c] = self.0.map(|x| F64x4::new(s, &x));
            (a.plus(b, c).get(), a.minus(b, c).get())
        }
    }

    proptest! {
        /// Each lane chooses for itself.
        #[test]
        fn lanes_choose(a in prop::array::uniform4(-3.0..3.0f64), b in prop::array::uniform4(-3.0..3.0f64), c in prop::array::uniform4(-3.0..3.0f64)) {
            let yes = |l: usize| a[l] <= b[l] && b[l] >= c[l];
            let want: Vec<f64> = (0..4).map(|l| if yes(l) { a[l].max(b[l]) / c[l] } else { a[l].abs().min(b[l]) }).collect();
            for (x, chosen, any) in [dispatch(Chosen([a, b, c])), scalar(Chosen([a, b, c]))] {
                prop_assert_eq!(x.as_slice(), &want);
                prop_assert_eq!(chosen, std::array::from_fn(yes));
                prop_assert_eq!(any, (0..4).any(yes));
            }
        }

        /// Products are added and subtracted within rounding of what numbers alone make.
        #[test]
        fn products_are_added(a in prop::array::uniform4(-3.0..3.0f64), b in prop::array::uniform4(-3.0..3.0f64), c in prop::array::uniform4(-3.0..3.0f64)) {
            for (sum, difference) in [dispatch(Sums([a, b, c])), scalar(Sums([a, b, c]))] {
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
            for (x, sum) in [dispatch(Some4([a, b, c])), scalar(Some4([a, b, c]))] {
                prop_assert_eq!(x.as_slice(), &want);
                prop_assert_eq!(sum, (want[0] + want[2]) + (want[1] + want[3]));
            }
        }
    }
}
