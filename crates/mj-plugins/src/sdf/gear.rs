//! Spur gear with involute teeth.

use super::form::{by_columns, positive, shape};
use mj_math::{DVec3, real};
use mj_model::plugin::{ConfigError, PluginType, SdfPlugin};
use std::f64::consts::PI;

/// Measures of a gear that follow from its settings.
#[derive(Debug)]
struct Gear {
    /// Angle by which it is turned.
    alpha: f64,
    /// Pitch diameter.
    diameter: f64,
    half_thickness: f64,
    /// Radius of the hole.
    inner: f64,
    /// Radii of the teeth's tips and roots, and of the circle from which the involutes come.
    tip: f64,
    root: f64,
    base: f64,
    /// Angle from tooth to tooth, and of a tooth's gap.
    stride: f64,
    gap: f64,
}

pub(super) fn plugin() -> PluginType {
    let attributes = [("alpha", 0.0), ("diameter", 2.8), ("teeth", 25.0), ("thickness", 0.2), ("innerdiameter", -1.0)];
    shape("mujoco.sdf.gear", attributes, |[alpha, diameter, teeth, thickness, innerdiameter]| {
        let (diameter, teeth) = (positive("diameter", diameter)?, positive("teeth", teeth)?);
        // Pressure angle, after the number of teeth.
        let psi = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
        let radius = diameter / 2.0;
        let per_length = teeth / diameter;
        let tip = (diameter + 2.0 * (1.0 / per_length)) / 2.0;
        let height = 2.2 / per_length;
        let base = diameter * real::cos(psi) / 2.0;
        let pressure = real::acos(base / radius);
        let stride = PI / per_length / radius;
        let inner = if innerdiameter >= 0.0 { innerdiameter / 2.0 } else { tip - height - 0.14 * diameter };
        let gear = Gear {
            alpha,
            diameter,
            half_thickness: positive("thickness", thickness)? / 2.0,
            inner,
            tip,
            root: tip - height,
            base,
            stride,
            gap: stride / 2.0 - 2.0 * (real::tan(pressure) - pressure),
        };
        let finite = [gear.base, gear.gap, gear.stride].iter().all(|x| x.is_finite());
        if finite && gear.root > 0.0 && gear.root != gear.base {
            Ok(gear)
        } else {
            Err(ConfigError::new("teeth", format!("no gear has {teeth} teeth on a diameter of {diameter}")))
        }
    })
}

/// Remainder of a division that rounds down.
fn modulo(x: f64, y: f64) -> f64 {
    x - y * (x / y).floor()
}

/// Union whose edge is rounded by k.
fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

/// Intersection whose edge is rounded by k.
fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    a.max(b).max(-smooth_union(a.max(-b), b.max(-a), k))
}

impl Gear {
    /// Distance from the gear's outline in the plane.
    fn outline(&self, x: f64, y: f64) -> f64 {
        let rho = (x * x + y * y).sqrt();
        if self.inner - rho > 0.0 {
            return self.inner - rho;
        }
        if self.tip - rho < -0.2 {
            return rho - self.tip;
        }
        let angle = real::atan2(y, x) + self.alpha;
        let within = |angle: f64| modulo(angle + self.gap / 2.0, self.stride) - self.gap / 2.0;
        // Angles from both flanks of the tooth.
        let flanks = [within(angle), within(-angle - self.gap)];
        let mut tooth = -1.0e6f64;
        if self.base < rho {
            let roll = real::acos(self.base / rho);
            let tangent = (rho * rho - self.base * self.base).sqrt();
            let [a, b] = flanks.map(|flank| tangent - self.base * (flank + roll));
            tooth = a.max(b);
        }
        let [a, b] = flanks.map(|flank| flank - (self.stride - self.gap));
        let tooth = a.max(b).max(tooth);
        let tooth = smooth_intersection(rho - self.tip, tooth, 0.0035 * self.diameter);
        let body = smooth_union(rho - self.root, tooth, self.base - self.root);
        body.max(-(rho - self.inner))
    }

    /// Distance of a point above the plane whose outline is so far away.
    fn extruded(&self, outline: f64, z: f64) -> f64 {
        let above = z.abs() - self.half_thickness;
        let (out, up) = (outline.max(0.0), above.max(0.0));
        outline.max(above).min(0.0) + (out * out + up * up).sqrt()
    }
}

impl SdfPlugin for Gear {
    fn distance(&self, p: DVec3) -> f64 {
        self.extruded(self.outline(p.x, p.y), p.z)
    }

    fn bounds(&self) -> DVec3 {
        let reach = self.diameter / 2.0 * 1.25;
        DVec3::new(reach, reach, self.half_thickness * 1.1)
    }

    fn distance_gradient(&self, p: DVec3) -> (f64, DVec3) {
        by_columns(p, |x, y| self.outline(x, y), |&outline, z| self.extruded(outline, z))
    }
}
