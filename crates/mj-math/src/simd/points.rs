//! F64x4 points or directions at a time.

use super::{F64x4, Mask, Simd};
use glam::DVec3;
use std::array::from_fn;
use std::ops::{Add, Mul, Sub};

/// F64x4 points or directions: their coordinates side by side.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Points<S: Simd> {
    /// The first coordinates.
    pub x: F64x4<S>,
    /// The second coordinates.
    pub y: F64x4<S>,
    /// The third coordinates.
    pub z: F64x4<S>,
}

impl<S: Simd> Points<S> {
    /// F64x4 points.
    #[inline(always)]
    pub fn new(s: S, p: [DVec3; 4]) -> Self {
        Self { x: F64x4::new(s, &p.map(|p| p.x)), y: F64x4::new(s, &p.map(|p| p.y)), z: F64x4::new(s, &p.map(|p| p.z)) }
    }

    /// One point in all lanes.
    #[inline(always)]
    pub fn splat(s: S, p: DVec3) -> Self {
        Self { x: F64x4::splat(s, p.x), y: F64x4::splat(s, p.y), z: F64x4::splat(s, p.z) }
    }

    /// The four points.
    #[inline(always)]
    pub fn get(self) -> [DVec3; 4] {
        let (x, y, z) = (self.x.get(), self.y.get(), self.z.get());
        from_fn(|l| DVec3::new(x[l], y[l], z[l]))
    }

    /// Inner products, lane by lane.
    #[inline(always)]
    pub fn dot(self, o: Self) -> F64x4<S> {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Cross products, lane by lane.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self { x: self.y * o.z - o.y * self.z, y: self.z * o.x - o.z * self.x, z: self.x * o.y - o.x * self.y }
    }

    /// Squares of the lengths.
    #[inline(always)]
    pub fn length_squared(self) -> F64x4<S> {
        self.dot(self)
    }

    /// Lengths.
    #[inline(always)]
    pub fn length(self) -> F64x4<S> {
        self.length_squared().sqrt()
    }

    /// The points of `yes` where the mask holds, of `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: Mask<S>, yes: Self, no: Self) -> Self {
        Self { x: mask.select(yes.x, no.x), y: mask.select(yes.y, no.y), z: mask.select(yes.z, no.z) }
    }
}

impl<S: Simd> Add for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl<S: Simd> Sub for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl<S: Simd> Mul<F64x4<S>> for Points<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, o: F64x4<S>) -> Self {
        Self { x: self.x * o, y: self.y * o, z: self.z * o }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, dispatch, scalar};
    use proptest::prelude::*;

    /// a × (b − a·c) + c where a·b < |c|², c elsewhere; with c the same in all lanes.
    struct Mixed([DVec3; 4], [DVec3; 4], DVec3);

    impl Kernel for Mixed {
        type Output = [DVec3; 4];

        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> [DVec3; 4] {
            let (a, b, c) = (Points::new(s, self.0), Points::new(s, self.1), Points::splat(s, self.2));
            let p = a.cross(b - a * a.dot(c)) + c * b.length();
            Points::select(a.dot(b).lt(c.length_squared()), p, c).get()
        }
    }

    proptest! {
        #[test]
        fn lanes_are_points(
            a in prop::array::uniform4(prop::array::uniform3(-2.0..2.0f64)),
            b in prop::array::uniform4(prop::array::uniform3(-2.0..2.0f64)),
            c in prop::array::uniform3(-2.0..2.0f64),
        ) {
            let (a, b, c) = (a.map(DVec3::from), b.map(DVec3::from), DVec3::from(c));
            let want: [DVec3; 4] = from_fn(|l| {
                let (a, b) = (a[l], b[l]);
                if a.dot(b) < c.length_squared() { a.cross(b - a * a.dot(c)) + c * b.length() } else { c }
            });
            for got in [dispatch(Mixed(a, b, c)), scalar(Mixed(a, b, c))] {
                for (got, want) in got.into_iter().zip(want) {
                    prop_assert!((got - want).length() < 1e-13, "{got} {want}");
                }
            }
        }
    }
}
