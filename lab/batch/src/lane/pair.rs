//! Twice as many worlds.

use super::Lane;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Two lanes as one: twice the width on a processor with half the register.
#[derive(Clone, Copy, Debug)]
pub struct Pair<L>(L, L);

macro_rules! operator {
    ($trait:ident, $f:ident) => {
        impl<L: Lane> $trait for Pair<L> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self {
                Self(self.0.$f(o.0), self.1.$f(o.1))
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl<L: Lane> Neg for Pair<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl<L: Lane> Lane for Pair<L> {
    const WIDTH: usize = 2 * L::WIDTH;
    const EPSILON: f64 = L::EPSILON;
    type Isa = L::Isa;
    type Mask = (L::Mask, L::Mask);

    #[inline(always)]
    fn splat(isa: L::Isa, x: f64) -> Self {
        Self(L::splat(isa, x), L::splat(isa, x))
    }
    #[inline(always)]
    fn like(self, x: f64) -> Self {
        Self(self.0.like(x), self.1.like(x))
    }
    #[inline(always)]
    fn plus(self, a: Self, b: Self) -> Self {
        Self(self.0.plus(a.0, b.0), self.1.plus(a.1, b.1))
    }
    #[inline(always)]
    fn minus(self, a: Self, b: Self) -> Self {
        Self(self.0.minus(a.0, b.0), self.1.minus(a.1, b.1))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(self.0.min(o.0), self.1.min(o.1))
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(self.0.max(o.0), self.1.max(o.1))
    }
    #[inline(always)]
    fn lt(self, o: Self) -> Self::Mask {
        (self.0.lt(o.0), self.1.lt(o.1))
    }
    #[inline(always)]
    fn select(self, mask: Self::Mask, b: Self) -> Self {
        Self(self.0.select(mask.0, b.0), self.1.select(mask.1, b.1))
    }
    #[inline(always)]
    fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
        (self.0.and(a.0, b.0), self.1.and(a.1, b.1))
    }
    #[inline(always)]
    fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
        (self.0.or(a.0, b.0), self.1.or(a.1, b.1))
    }
    #[inline(always)]
    fn any(self, a: Self::Mask) -> bool {
        self.0.any(a.0) || self.1.any(a.1)
    }
    #[inline(always)]
    fn get(self, i: usize) -> f64 {
        if i < L::WIDTH { self.0.get(i) } else { self.1.get(i - L::WIDTH) }
    }
    #[inline(always)]
    fn set(&mut self, i: usize, x: f64) {
        if i < L::WIDTH { self.0.set(i, x) } else { self.1.set(i - L::WIDTH, x) }
    }
}
