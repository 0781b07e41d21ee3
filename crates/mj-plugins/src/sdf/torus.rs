//! Torus about the z axis.

use super::form::{positive, shape};
use mj_math::DVec3;
use mj_model::plugin::{PluginType, SdfPlugin};

/// Torus of the radius of its ring, and of the tube.
#[derive(Debug)]
struct Torus {
    ring: f64,
    tube: f64,
}

pub(super) fn plugin() -> PluginType {
    shape("mujoco.sdf.torus", [("radius1", 0.35), ("radius2", 0.15)], |[ring, tube]| {
        Ok(Torus { ring: positive("radius1", ring)?, tube: positive("radius2", tube)? })
    })
}

impl Torus {
    /// Distance from the axis, and vector in the plane of the axis from the ring's circle: outwards, up.
    fn ring_distance(&self, p: DVec3) -> (f64, f64) {
        let rho = (p.x * p.x + p.y * p.y).sqrt();
        (rho, rho - self.ring)
    }
}

impl SdfPlugin for Torus {
    fn distance(&self, p: DVec3) -> f64 {
        let (_, out) = self.ring_distance(p);
        (out * out + p.z * p.z).sqrt() - self.tube
    }

    fn bounds(&self) -> DVec3 {
        DVec3::new(self.ring + self.tube, self.ring + self.tube, self.tube)
    }

    fn distance_gradient(&self, p: DVec3) -> (f64, DVec3) {
        let (rho, out) = self.ring_distance(p);
        let length = (out * out + p.z * p.z).sqrt();
        let gradient = DVec3::new(out * (p.x / rho), out * (p.y / rho), p.z) / length.max(mj_math::MINVAL);
        (length - self.tube, gradient)
    }
}
