//! One world.

use super::Lane;

macro_rules! scalar {
    ($t:ty) => {
        impl Lane for $t {
            const WIDTH: usize = 1;
            const EPSILON: f64 = <$t>::EPSILON as f64;
            type Isa = ();
            type Mask = bool;

            #[inline(always)]
            fn splat((): (), x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn like(self, x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn plus(self, a: Self, b: Self) -> Self {
                a.mul_add(b, self)
            }
            #[inline(always)]
            fn minus(self, a: Self, b: Self) -> Self {
                (-a).mul_add(b, self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn min(self, o: Self) -> Self {
                if self < o { self } else { o }
            }
            #[inline(always)]
            fn max(self, o: Self) -> Self {
                if self > o { self } else { o }
            }
            #[inline(always)]
            fn lt(self, o: Self) -> bool {
                self < o
            }
            #[inline(always)]
            fn select(self, mask: bool, b: Self) -> Self {
                if mask { self } else { b }
            }
            #[inline(always)]
            fn and(self, a: bool, b: bool) -> bool {
                a && b
            }
            #[inline(always)]
            fn or(self, a: bool, b: bool) -> bool {
                a || b
            }
            #[inline(always)]
            fn any(self, a: bool) -> bool {
                a
            }
            #[inline(always)]
            fn get(self, _: usize) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn set(&mut self, _: usize, x: f64) {
                *self = x as $t;
            }
        }
    };
}

scalar!(f64);
scalar!(f32);
