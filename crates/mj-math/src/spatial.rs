//! Spatial (6-dimensional) vectors and rigid inertias.
//!
//! Rotation comes first, then translation. Motions are (angular velocity, linear velocity of the
//! point at the frame's origin); forces are (torque about the origin, force). In the engine the
//! frame has the world's orientation and its origin at the subtree's centre of mass (the manual's
//! "c" frame).

use crate::{DMat3, DVec3};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A spatial motion or force vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Spatial {
    /// Angular part (motion) or torque (force).
    pub rot: DVec3,
    /// Linear part (motion) or force (force).
    pub lin: DVec3,
}

impl Spatial {
    /// Zero.
    pub const ZERO: Self = Self { rot: DVec3::ZERO, lin: DVec3::ZERO };

    /// From its two halves.
    #[inline]
    pub const fn new(rot: DVec3, lin: DVec3) -> Self {
        Self { rot, lin }
    }

    /// Six numbers, rotation first.
    #[inline]
    #[must_use]
    pub fn to_array(self) -> [f64; 6] {
        let (r, l) = (self.rot, self.lin);
        [r.x, r.y, r.z, l.x, l.y, l.z]
    }

    /// From six numbers, rotation first. Panics if the slice is shorter.
    #[inline]
    #[must_use]
    pub fn from_slice(s: &[f64]) -> Self {
        Self::new(DVec3::new(s[0], s[1], s[2]), DVec3::new(s[3], s[4], s[5]))
    }

    /// Scalar product: the power of a force along a motion. Every other product goes into one sum, the rest into
    /// another: the numbers lie side by side, and are multiplied and added in pairs.
    #[inline]
    #[must_use]
    pub fn dot(self, o: Self) -> f64 {
        let (a, b) = (self, o);
        let even = a.rot.x * b.rot.x + a.rot.z * b.rot.z + a.lin.y * b.lin.y;
        let odd = a.rot.y * b.rot.y + a.lin.x * b.lin.x + a.lin.z * b.lin.z;
        even + odd
    }

    /// Rate of change of the motion `m` carried along with the motion `self` (self × m).
    #[inline]
    #[must_use]
    pub fn cross_motion(self, m: Self) -> Self {
        Self::new(self.rot.cross(m.rot), self.rot.cross(m.lin) + self.lin.cross(m.rot))
    }

    /// Rate of change of the force `f` carried along with the motion `self` (self ×* f).
    #[inline]
    #[must_use]
    pub fn cross_force(self, f: Self) -> Self {
        Self::new(self.rot.cross(f.rot) + self.lin.cross(f.lin), self.rot.cross(f.lin))
    }

    /// Returns the motion vector at a point offset by `r` from the present origin.
    #[inline]
    #[must_use]
    pub fn motion_at(self, r: DVec3) -> Self {
        Self::new(self.rot, self.lin + self.rot.cross(r))
    }

    /// Returns the force vector about a point offset by `r` from the present origin.
    #[inline]
    #[must_use]
    pub fn force_at(self, r: DVec3) -> Self {
        Self::new(self.rot - r.cross(self.lin), self.lin)
    }
}

impl Add for Spatial {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self::new(self.rot + o.rot, self.lin + o.lin)
    }
}

impl AddAssign for Spatial {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        self.rot += o.rot;
        self.lin += o.lin;
    }
}

impl Sub for Spatial {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Self::new(self.rot - o.rot, self.lin - o.lin)
    }
}

impl SubAssign for Spatial {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        self.rot -= o.rot;
        self.lin -= o.lin;
    }
}

impl Mul<f64> for Spatial {
    type Output = Self;
    #[inline]
    fn mul(self, s: f64) -> Self {
        Self::new(self.rot * s, self.lin * s)
    }
}

impl Neg for Spatial {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.rot, -self.lin)
    }
}

/// Inertia of a rigid body about a point: ten numbers, in the order of the reference's `cinert`
/// and `crb`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Inertia {
    /// Rotational inertia about the origin: xx, yy, zz, xy, xz, yz.
    pub i: [f64; 6],
    /// Mass times the offset of the centre of mass from the origin.
    pub h: DVec3,
    /// Mass.
    pub m: f64,
}

impl Inertia {
    /// Zero.
    pub const ZERO: Self = Self { i: [0.0; 6], h: DVec3::ZERO, m: 0.0 };

    /// Inertia about the origin of a body with principal moments `diag` along the columns of
    /// `axes`, its centre of mass at `offset` (parallel-axis theorem).
    #[inline]
    #[must_use]
    pub fn new(diag: DVec3, axes: DMat3, offset: DVec3, m: f64) -> Self {
        let (a, b, c) = (axes.x_axis, axes.y_axis, axes.z_axis);
        let r = offset;
        let term = |ai: f64, aj: f64, bi: f64, bj: f64, ci: f64, cj: f64| {
            diag.x * ai * aj + diag.y * bi * bj + diag.z * ci * cj
        };
        Self {
            i: [
                term(a.x, a.x, b.x, b.x, c.x, c.x) + m * (r.y * r.y + r.z * r.z),
                term(a.y, a.y, b.y, b.y, c.y, c.y) + m * (r.x * r.x + r.z * r.z),
                term(a.z, a.z, b.z, b.z, c.z, c.z) + m * (r.x * r.x + r.y * r.y),
                term(a.x, a.y, b.x, b.y, c.x, c.y) - m * r.x * r.y,
                term(a.x, a.z, b.x, b.z, c.x, c.z) - m * r.x * r.z,
                term(a.y, a.z, b.y, b.z, c.y, c.z) - m * r.y * r.z,
            ],
            h: r * m,
            m,
        }
    }

    /// Momentum of the motion `v`: the force-like vector I·v.
    #[inline]
    #[must_use]
    pub fn mul(&self, v: Spatial) -> Spatial {
        let (i, w) = (&self.i, v.rot);
        let iw = DVec3::new(
            i[0] * w.x + i[3] * w.y + i[4] * w.z,
            i[3] * w.x + i[1] * w.y + i[5] * w.z,
            i[4] * w.x + i[5] * w.y + i[2] * w.z,
        );
        Spatial::new(iw + self.h.cross(v.lin), v.lin * self.m - self.h.cross(w))
    }

    /// Its rotational part.
    #[inline]
    #[must_use]
    pub fn matrix(&self) -> DMat3 {
        let [xx, yy, zz, xy, xz, yz] = self.i;
        DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
    }

    /// Ten numbers in the reference's order.
    #[inline]
    #[must_use]
    pub fn to_array(self) -> [f64; 10] {
        let i = self.i;
        [i[0], i[1], i[2], i[3], i[4], i[5], self.h.x, self.h.y, self.h.z, self.m]
    }
}

impl AddAssign for Inertia {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        for k in 0..6 {
            self.i[k] += o.i[k];
        }
        self.h += o.h;
        self.m += o.m;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vec3() -> impl Strategy<Value = DVec3> {
        (-2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }
    fn spatial() -> impl Strategy<Value = Spatial> {
        (vec3(), vec3()).prop_map(|(a, b)| Spatial::new(a, b))
    }

    proptest! {
        /// The two cross products are dual: (v × m)·f = −m·(v ×* f).
        #[test]
        fn cross_products_are_dual(v in spatial(), m in spatial(), f in spatial()) {
            prop_assert!((v.cross_motion(m).dot(f) + m.dot(v.cross_force(f))).abs() < 1e-9);
        }

        /// Power does not depend on the point about which it is computed.
        #[test]
        fn power_is_invariant(v in spatial(), f in spatial(), r in vec3()) {
            prop_assert!((v.dot(f) - v.motion_at(r).dot(f.force_at(r))).abs() < 1e-9);
        }

        /// Kinetic energy of a body equals ½ m |v_com|² + ½ ωᵀ I ω.
        #[test]
        fn kinetic_energy(v in spatial(), r in vec3(), d in vec3()) {
            let d = d.abs() + 0.1;
            let inertia = Inertia::new(d, DMat3::IDENTITY, r, 1.5);
            let at_com = v.motion_at(r);
            let direct = 1.5 * at_com.lin.length_squared() + (d * v.rot * v.rot).element_sum();
            prop_assert!((v.dot(inertia.mul(v)) - direct).abs() < 1e-9);
        }
    }
}
