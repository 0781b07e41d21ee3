//! Forces of a surrounding fluid on bodies, as functions of their velocity relative to it (the
//! manual's "Fluid forces").

use crate::buffers::{Poses, Velocities};
use crate::chains::Chains;
use crate::jacobian::apply_ft;
use crate::velocity::body_velocity;
use mj_math::{DMat3, DVec3, MINVAL, Spatial};
use mj_model::*;
use std::f64::consts::PI;

/// Adds the fluid's forces on all bodies to `qfrc_fluid`: by the ellipsoid model for bodies any of
/// whose geoms ask for it, by the box that is equivalent to their inertia for the others.
pub(crate) fn fluid(m: &Model, chains: &Chains, poses: &Poses, vel: &mut Velocities) {
    for b in m.body.ids() {
        if m.body.mass[b] < MINVAL {
            continue;
        }
        let geoms = || id_range(m.body.geomadr[b], m.body.geomnum[b]);
        if geoms().any(|g| m.geom.fluid[g][0] > 0.0) {
            for g in geoms().filter(|&g| m.geom.fluid[g][0] != 0.0) {
                let at = (poses.geom_xpos[g], poses.geom_xmat[g]);
                let v = relative_velocity(m, poses, vel, b, at);
                let shape = Ellipsoid::new(m, g);
                let wrench = shape.force(v, m.opt.density, m.opt.viscosity) * m.geom.fluid[g][0];
                apply(m, chains, poses, b, at, wrench, &mut vel.qfrc_fluid);
            }
        } else {
            let at = (poses.xipos[b], poses.ximat[b]);
            let v = relative_velocity(m, poses, vel, b, at);
            let wrench = box_force(m.body.inertia[b], m.body.mass[b], v, m.opt.density, m.opt.viscosity);
            apply(m, chains, poses, b, at, wrench, &mut vel.qfrc_fluid);
        }
    }
}

/// Velocity of body `b` at a frame, in that frame, relative to the wind.
fn relative_velocity(m: &Model, poses: &Poses, vel: &Velocities, b: BodyId, at: (DVec3, DMat3)) -> Spatial {
    let v = body_velocity(m, poses, vel, b, at.0);
    let inverse = at.1.transpose();
    Spatial::new(inverse * v.rot, inverse * (v.lin - m.opt.wind))
}

/// Applies a wrench given in a frame of body `b`, at the frame's origin.
fn apply(m: &Model, chains: &Chains, poses: &Poses, b: BodyId, at: (DVec3, DMat3), w: Spatial, qfrc: &mut [f64]) {
    apply_ft(m, chains, poses, at.1 * w.lin, at.1 * w.rot, at.0, b, qfrc);
}

/// Stokes resistance of a sphere of mean diameter, and quadratic drag of the box with the same mass
/// and inertia.
fn box_force(inertia: DVec3, mass: f64, v: Spatial, density: f64, viscosity: f64) -> Spatial {
    let side = |a: f64, b: f64, c: f64| ((a + b - c).max(MINVAL) / mass * 6.0).sqrt();
    let i = inertia;
    let size = DVec3::new(side(i.y, i.z, i.x), side(i.x, i.z, i.y), side(i.x, i.y, i.z));
    let mut f = Spatial::ZERO;
    if viscosity > 0.0 {
        let d = size.element_sum() / 3.0;
        f.rot = v.rot * (-PI * d * d * d * viscosity);
        f.lin = v.lin * (-3.0 * PI * d * viscosity);
    }
    if density > 0.0 {
        let area = DVec3::new(size.y * size.z, size.x * size.z, size.x * size.y);
        f.lin -= v.lin * v.lin.abs() * area * (0.5 * density);
        let p4 = size * size * size * size;
        let spread = DVec3::new(p4.y + p4.z, p4.x + p4.z, p4.x + p4.y);
        f.rot -= v.rot * v.rot.abs() * size * spread * (density / 64.0);
    }
    f
}

/// A geom as an ellipsoid in the fluid, with its coefficients.
struct Ellipsoid {
    /// Half axes.
    size: DVec3,
    /// Drag: blunt, slender, angular.
    blunt: f64,
    slender: f64,
    angular: f64,
    /// Lift: Kutta, Magnus.
    kutta: f64,
    magnus: f64,
    /// Mass and inertia of the fluid that moves along, per density.
    virtual_mass: DVec3,
    virtual_inertia: DVec3,
}

impl Ellipsoid {
    fn new(m: &Model, g: GeomId) -> Self {
        let s = m.geom.size[g];
        let size = match m.geom.r#type[g] {
            GeomType::Sphere => DVec3::splat(s.x),
            GeomType::Capsule => DVec3::new(s.x, s.x, s.y + s.x),
            GeomType::Cylinder => DVec3::new(s.x, s.x, s.y),
            _ => s,
        };
        let [_, blunt, slender, angular, kutta, magnus, rest @ ..] = m.geom.fluid[g];
        Self {
            size,
            blunt,
            slender,
            angular,
            kutta,
            magnus,
            virtual_mass: DVec3::from_slice(&rest),
            virtual_inertia: DVec3::from_slice(&rest[3..]),
        }
    }

    /// Wrench at velocity `v`, both in the geom's frame.
    fn force(&self, v: Spatial, density: f64, viscosity: f64) -> Spatial {
        let Spatial { rot: w, lin: u } = v;
        // Momentum of the fluid that moves along, without the part that acceleration would add.
        let (p, l) = (self.virtual_mass * u * density, self.virtual_inertia * w * density);
        let mut f = Spatial::new(p.cross(u) + l.cross(w), p.cross(w));

        let s = self.size;
        let (max, min) = (s.max_element(), s.min_element());
        let mid = s.element_sum() - max - min;

        // The ellipsoid's shadow along the velocity, and the cosine between the velocity and the
        // normal where it meets the surface.
        let squared = |x: DVec3| x * x;
        let cross_sections = DVec3::new(s.y * s.z, s.z * s.x, s.x * s.y);
        let normal = squared(cross_sections) * u;
        let denominator = (squared(squared(cross_sections)) * squared(u)).element_sum();
        let numerator = squared(cross_sections * u).element_sum();
        let shadow = PI * (denominator / numerator.max(MINVAL)).sqrt();
        let speed = u.length();
        let cos = numerator / (speed * denominator).max(MINVAL);

        let volume = 4.0 / 3.0 * PI * s.x * s.y * s.z;
        f.lin += w.cross(u) * (self.magnus * density * volume);
        f.lin += normal.cross(u).cross(u) * (self.kutta * density * cos * shadow);

        // Drag: Stokes' for the sphere of mean diameter, plus a part quadratic in the speed.
        let diameter = 2.0 / 3.0 * s.element_sum();
        let widest = PI * max * mid;
        let linear = viscosity * 3.0 * PI * diameter
            + density * speed * (shadow * self.blunt + self.slender * (widest - shadow));
        f.lin -= u * linear;

        let moment = |a: f64, b: f64, c: f64| 8.0 / 15.0 * PI * a * b.max(c).powi(4);
        let moments = DVec3::new(moment(s.x, s.y, s.z), moment(s.y, s.z, s.x), moment(s.z, s.x, s.y));
        let greatest = 8.0 / 15.0 * PI * mid * max.powi(4);
        let swept = w * (moments * self.angular + (DVec3::splat(greatest) - moments) * self.slender);
        f.rot -= w * (viscosity * PI * diameter.powi(3) + density * swept.length());
        f
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of side 1 that moves along x.
    #[test]
    fn drag_of_a_cube() {
        let v = Spatial::new(DVec3::ZERO, DVec3::new(-2.0, 0.0, 0.0));
        let f = box_force(DVec3::splat(1.0 / 6.0), 1.0, v, 3.0, 0.0);
        assert!((f.lin - DVec3::new(0.5 * 3.0 * 4.0, 0.0, 0.0)).length() < 1e-12 && f.rot == DVec3::ZERO);
        let f = box_force(DVec3::splat(1.0 / 6.0), 1.0, v, 0.0, 0.5);
        assert!((f.lin.x - 3.0 * PI * 0.5 * 2.0).abs() < 1e-12);
    }

    /// Drag only takes power out, whichever way the ellipsoid moves.
    #[test]
    fn drag_dissipates() {
        let e = Ellipsoid {
            size: DVec3::new(0.1, 0.2, 0.3),
            blunt: 0.5,
            slender: 0.25,
            angular: 1.5,
            kutta: 1.0,
            magnus: 1.0,
            virtual_mass: DVec3::new(0.01, 0.02, 0.03),
            virtual_inertia: DVec3::new(0.001, 0.002, 0.003),
        };
        for k in 0..20 {
            let x = |i: i32| f64::from((k * 7 + i * 5) % 11 - 5);
            let v = Spatial::new(DVec3::new(x(1), x(2), x(3)), DVec3::new(x(4), x(5), x(6)));
            assert!(e.force(v, 1.2, 0.01).dot(v) < 0.0 || v == Spatial::ZERO);
        }
    }
}
