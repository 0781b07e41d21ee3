//! Linear maps between spatial vectors.

use crate::{DMat3, DVec3, Spatial};
use std::ops::{Add, AddAssign};

/// A linear map from motions to forces or to motions, in blocks: of the rotation (or torque) and of the translation (or force)
/// by rotation and by translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialMap {
    /// Rotation by rotation.
    pub rot_rot: DMat3,
    /// Rotation by translation.
    pub rot_lin: DMat3,
    /// Translation by rotation.
    pub lin_rot: DMat3,
    /// Translation by translation.
    pub lin_lin: DMat3,
}

impl SpatialMap {
    /// Zero.
    pub const ZERO: Self =
        Self { rot_rot: DMat3::ZERO, rot_lin: DMat3::ZERO, lin_rot: DMat3::ZERO, lin_lin: DMat3::ZERO };

    /// x ↦ v × x, of motions.
    #[must_use]
    pub fn cross_motion(v: Spatial) -> Self {
        let (rot, lin) = (cross(v.rot), cross(v.lin));
        Self { rot_rot: rot, rot_lin: DMat3::ZERO, lin_rot: lin, lin_lin: rot }
    }

    /// x ↦ x ×* f, from motions to forces.
    #[must_use]
    pub fn carried_force(f: Spatial) -> Self {
        let (torque, force) = (cross(-f.rot), cross(-f.lin));
        Self { rot_rot: torque, rot_lin: force, lin_rot: force, lin_lin: DMat3::ZERO }
    }

    /// x ↦ f (v·x).
    #[must_use]
    pub fn outer(f: Spatial, v: Spatial) -> Self {
        Self {
            rot_rot: outer(f.rot, v.rot),
            rot_lin: outer(f.rot, v.lin),
            lin_rot: outer(f.lin, v.rot),
            lin_lin: outer(f.lin, v.lin),
        }
    }

    /// Its value for `v`.
    #[inline]
    #[must_use]
    pub fn mul(&self, v: Spatial) -> Spatial {
        Spatial::new(self.rot_rot * v.rot + self.rot_lin * v.lin, self.lin_rot * v.rot + self.lin_lin * v.lin)
    }

    /// Another map, then this one.
    #[must_use]
    pub fn after(&self, o: &Self) -> Self {
        Self {
            rot_rot: self.rot_rot * o.rot_rot + self.rot_lin * o.lin_rot,
            rot_lin: self.rot_rot * o.rot_lin + self.rot_lin * o.lin_lin,
            lin_rot: self.lin_rot * o.rot_rot + self.lin_lin * o.lin_rot,
            lin_lin: self.lin_rot * o.rot_lin + self.lin_lin * o.lin_lin,
        }
    }

    /// Half its sum with its transpose.
    #[must_use]
    pub fn symmetric(&self) -> Self {
        let half = |a: DMat3, b: DMat3| (a + b.transpose()) * 0.5;
        Self {
            rot_rot: half(self.rot_rot, self.rot_rot),
            rot_lin: half(self.rot_lin, self.lin_rot),
            lin_rot: half(self.lin_rot, self.rot_lin),
            lin_lin: half(self.lin_lin, self.lin_lin),
        }
    }

    /// All of it times a number.
    #[must_use]
    pub fn scaled(self, s: f64) -> Self {
        Self {
            rot_rot: self.rot_rot * s,
            rot_lin: self.rot_lin * s,
            lin_rot: self.lin_rot * s,
            lin_lin: self.lin_lin * s,
        }
    }
}

impl Add for SpatialMap {
    type Output = Self;

    fn add(self, o: Self) -> Self {
        Self {
            rot_rot: self.rot_rot + o.rot_rot,
            rot_lin: self.rot_lin + o.rot_lin,
            lin_rot: self.lin_rot + o.lin_rot,
            lin_lin: self.lin_lin + o.lin_lin,
        }
    }
}

impl AddAssign for SpatialMap {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

/// The matrix of x ↦ v × x.
#[inline]
#[must_use]
pub fn cross(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// a bᵀ.
#[inline]
#[must_use]
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_what_they_say() {
        let some = |k: f64| Spatial::new(DVec3::new(k, 0.3 - k, 0.2), DVec3::new(-0.4, 0.1 * k, 1.0 + k));
        let (v, x, f) = (some(0.5), some(-1.2), some(0.7));
        let near = |a: Spatial, b: Spatial| (a - b).to_array().iter().all(|x| x.abs() < 1e-14);
        assert!(near(SpatialMap::cross_motion(v).mul(x), v.cross_motion(x)));
        assert!(near(SpatialMap::carried_force(f).mul(x), x.cross_force(f)));
        let (a, b) = (SpatialMap::carried_force(f), SpatialMap::cross_motion(v));
        assert!(near(a.after(&b).mul(x), v.cross_motion(x).cross_force(f)));
        assert!(near((a + b.scaled(2.0)).mul(x), x.cross_force(f) + v.cross_motion(x) * 2.0));
        assert!((outer(x.rot, x.lin) * v.rot - x.rot * x.lin.dot(v.rot)).length() < 1e-15);
        assert!(near(SpatialMap::outer(f, v).mul(x), f * v.dot(x)));
        let s = a.symmetric();
        assert!((v.dot(s.mul(x)) - x.dot(s.mul(v))).abs() < 1e-14);
    }
}
