//! Implements lanes over registers of the processor, by pulp.

use super::Lane;
use pulp::{Simd, bytemuck};
use std::ops::{Add, Div, Mul, Neg, Sub};

macro_rules! register {
    ($(#[$doc:meta])* $name:ident, $t:ty, $v:ident, $mask:ident, $splat:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $neg:ident,
     $fma:ident, $fnma:ident, $sqrt:ident, $abs:ident, $min:ident, $max:ident, $lt:ident, $select:ident, $and:ident, $or:ident, $first:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<S: Simd> {
            isa: S,
            v: S::$v,
        }

        impl<S: Simd> Add for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn add(self, o: Self) -> Self {
                Self { v: self.isa.$add(self.v, o.v), ..self }
            }
        }
        impl<S: Simd> Sub for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, o: Self) -> Self {
                Self { v: self.isa.$sub(self.v, o.v), ..self }
            }
        }
        impl<S: Simd> Mul for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn mul(self, o: Self) -> Self {
                Self { v: self.isa.$mul(self.v, o.v), ..self }
            }
        }
        impl<S: Simd> Div for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn div(self, o: Self) -> Self {
                Self { v: self.isa.$div(self.v, o.v), ..self }
            }
        }
        impl<S: Simd> Neg for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self { v: self.isa.$neg(self.v), ..self }
            }
        }

        impl<S: Simd> Lane for $name<S> {
            const WIDTH: usize = size_of::<S::$v>() / size_of::<$t>();
            const EPSILON: f64 = <$t>::EPSILON as f64;
            type Isa = S;
            type Mask = S::$mask;

            #[inline(always)]
            fn splat(isa: S, x: f64) -> Self {
                Self { isa, v: isa.$splat(x as $t) }
            }
            #[inline(always)]
            fn like(self, x: f64) -> Self {
                Self::splat(self.isa, x)
            }
            #[inline(always)]
            fn plus(self, a: Self, b: Self) -> Self {
                Self { v: self.isa.$fma(a.v, b.v, self.v), ..self }
            }
            #[inline(always)]
            fn minus(self, a: Self, b: Self) -> Self {
                Self { v: self.isa.$fnma(a.v, b.v, self.v), ..self }
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                Self { v: self.isa.$sqrt(self.v), ..self }
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Self { v: self.isa.$abs(self.v), ..self }
            }
            #[inline(always)]
            fn min(self, o: Self) -> Self {
                Self { v: self.isa.$min(self.v, o.v), ..self }
            }
            #[inline(always)]
            fn max(self, o: Self) -> Self {
                Self { v: self.isa.$max(self.v, o.v), ..self }
            }
            #[inline(always)]
            fn lt(self, o: Self) -> Self::Mask {
                self.isa.$lt(self.v, o.v)
            }
            #[inline(always)]
            fn select(self, mask: Self::Mask, b: Self) -> Self {
                Self { v: self.isa.$select(mask, self.v, b.v), ..self }
            }
            #[inline(always)]
            fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
                self.isa.$and(a, b)
            }
            #[inline(always)]
            fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
                self.isa.$or(a, b)
            }
            #[inline(always)]
            fn any(self, a: Self::Mask) -> bool {
                self.isa.$first(a) < Self::WIDTH
            }
            #[inline(always)]
            fn get(self, i: usize) -> f64 {
                f64::from(bytemuck::cast_slice::<S::$v, $t>(std::slice::from_ref(&self.v))[i])
            }
            #[inline(always)]
            fn set(&mut self, i: usize, x: f64) {
                bytemuck::cast_slice_mut::<S::$v, $t>(std::slice::from_mut(&mut self.v))[i] = x as $t;
            }
        }
    };
}

register!(
    /// A register of 64-bit numbers.
    Double, f64, f64s, m64s, splat_f64s, add_f64s, sub_f64s, mul_f64s, div_f64s, neg_f64s,
    mul_add_f64s, negate_mul_add_f64s, sqrt_f64s, abs_f64s, min_f64s, max_f64s, less_than_f64s, select_f64s, and_m64s, or_m64s, first_true_m64s
);
register!(
    /// A register of 32-bit numbers.
    Single, f32, f32s, m32s, splat_f32s, add_f32s, sub_f32s, mul_f32s, div_f32s, neg_f32s,
    mul_add_f32s, negate_mul_add_f32s, sqrt_f32s, abs_f32s, min_f32s, max_f32s, less_than_f32s, select_f32s, and_m32s, or_m32s, first_true_m32s
);
