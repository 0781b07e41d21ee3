//! Bowl: a hollow sphere without its cap, of some thickness.

use super::form::{positive, shape};
use mj_math::DVec3;
use mj_model::plugin::{ConfigError, PluginType, SdfPlugin};

/// Part of a sphere below a height, of half a thickness to both sides.
#[derive(Debug)]
struct Bowl {
    height: f64,
    radius: f64,
    thickness: f64,
    /// Radius of the rim.
    width: f64,
}

pub(super) fn plugin() -> PluginType {
    shape("mujoco.sdf.bowl", [("height", 0.4), ("radius", 1.0), ("thickness", 0.02)], |[height, radius, thickness]| {
        let (radius, thickness) = (positive("radius", radius)?, positive("thickness", thickness)?);
        if height.abs() > radius {
            return Err(ConfigError::new("height", format!("{height} is more than the radius, {radius}")));
        }
        Ok(Bowl { height, radius, thickness, width: (radius * radius - height * height).sqrt() })
    })
}

impl SdfPlugin for Bowl {
    fn distance(&self, p: DVec3) -> f64 {
        let rho = (p.x * p.x + p.y * p.y).sqrt();
        let surface = if self.height * rho < self.width * p.z {
            // The rim is nearest.
            ((rho - self.width).powi(2) + (p.z - self.height).powi(2)).sqrt()
        } else {
            ((rho * rho + p.z * p.z).sqrt() - self.radius).abs()
        };
        surface - self.thickness
    }

    fn bounds(&self) -> DVec3 {
        DVec3::splat(self.radius + self.thickness)
    }
}
