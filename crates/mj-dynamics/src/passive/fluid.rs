//! Forces of a surrounding fluid on bodies, as functions of their velocity relative to it (the
//! manual's "Fluid forces").

use crate::buffers::{Poses, Velocities};
use crate::rigid::chains::Chains;
use crate::rigid::jacobian::apply_ft;
use crate::rigid::velocity::body_velocity;
use mj_math::{DMat3, DVec3, MINVAL, Spatial};
use mj_model::*;
use std::f64::consts::PI;

/// Shape that stands for a body, or one of its geoms, in the fluid.
pub(crate) enum FluidShape {
    /// The box with the body's mass and inertia.
    Box(BoxShape),
    /// A geom as an ellipsoid, and the scale of its force.
    Ellipsoid(Ellipsoid, f64),
}

impl FluidShape {
    /// Wrench at the velocity `v`, both in the shape's frame.
    pub(crate) fn force(&self, m: &Model, v: Spatial) -> Spatial {
        let (density, viscosity) = (m.opt.density, m.opt.viscosity);
        match self {
            Self::Box(shape) => shape.force(v, density, viscosity),
            Self::Ellipsoid(shape, scale) => shape.force(v, density, viscosity) * *scale,
        }
    }
}

/// Adds the fluid's forces on all bodies to `qfrc_fluid`.
pub(crate) fn fluid(m: &Model, awake: &Awake, chains: &Chains, poses: &Poses, vel: &mut Velocities) {
    // Taken out while the velocities are read.
    let mut qfrc = std::mem::take(&mut vel.qfrc_fluid);
    for_each_shape(m, awake, poses, vel, |b, at, v, shape| {
        let wrench = shape.force(m, v);
        apply_ft(m, chains, poses, at.1 * wrench.lin, at.1 * wrench.rot, at.0, b, &mut qfrc);
    });
    vel.qfrc_fluid = qfrc;
}

/// Calls `f` with each body on which the fluid acts, a frame of it, its velocity there relative to
/// the fluid and its shape, both in that frame: ellipsoids for bodies any of whose geoms ask for it,
/// the box that is equivalent to their inertia for the others.
pub(crate) fn for_each_shape(
    m: &Model,
    awake: &Awake,
    poses: &Poses,
    vel: &Velocities,
    mut f: impl FnMut(BodyId, (DVec3, DMat3), Spatial, FluidShape),
) {
    for b in awake.bodies.iter().flat_map(Clone::clone).map(BodyId::new) {
        if m.body.mass[b] < MINVAL {
            continue;
        }
        let geoms = || id_range(m.body.geomadr[b], m.body.geomnum[b]);
        if geoms().any(|g| m.geom.fluid[g][0] > 0.0) {
            for g in geoms().filter(|&g| m.geom.fluid[g][0] != 0.0) {
                let at = (poses.geom_xpos[g], poses.geom_xmat[g]);
                let shape = FluidShape::Ellipsoid(Ellipsoid::new(m, g), m.geom.fluid[g][0]);
                f(b, at, relative_velocity(m, poses, vel, b, at), shape);
            }
        } else {
            let at = (poses.xipos[b], poses.ximat[b]);
            let shape = FluidShape::Box(BoxShape::new(m.body.inertia[b], m.body.mass[b]));
            f(b, at, relative_velocity(m, poses, vel, b, at), shape);
        }
    }
}

/// Velocity of body `b` at a frame, in that frame, relative to the wind.
fn relative_velocity(m: &Model, poses: &Poses, vel: &Velocities, b: BodyId, at: (DVec3, DMat3)) -> Spatial {
    let v = body_velocity(m, poses, vel, b, at.0);
    let inverse = at.1.transpose();
    Spatial::new(inverse * v.rot, inverse * (v.lin - m.opt.wind))
}

/// The box with a body's mass and inertia, by its sides.
pub(crate) struct BoxShape {
    size: DVec3,
}

impl BoxShape {
    pub(crate) fn new(inertia: DVec3, mass: f64) -> Self {
        let side = |a: f64, b: f64, c: f64| ((a + b - c).max(MINVAL) / mass * 6.0).sqrt();
        let i = inertia;
        Self { size: DVec3::new(side(i.y, i.z, i.x), side(i.x, i.z, i.y), side(i.x, i.y, i.z)) }
    }

    /// Resistance to slow translation and rotation: Stokes' for a sphere of mean diameter.
    pub(crate) fn linear(&self, viscosity: f64) -> (f64, f64) {
        let d = self.size.element_sum() / 3.0;
        (3.0 * PI * d * viscosity, PI * d * d * d * viscosity)
    }

    /// Resistance to fast translation and rotation, by the square of the speed along each axis.
    pub(crate) fn quadratic(&self, density: f64) -> (DVec3, DVec3) {
        let size = self.size;
        let area = DVec3::new(size.y * size.z, size.x * size.z, size.x * size.y);
        let p4 = size * size * size * size;
        let spread = DVec3::new(p4.y + p4.z, p4.x + p4.z, p4.x + p4.y);
        (area * (0.5 * density), size * spread * (density / 64.0))
    }

    /// Wrench at velocity `v`, both in the box's frame.
    pub(crate) fn force(&self, v: Spatial, density: f64, viscosity: f64) -> Spatial {
        let (slow, turn) = self.linear(viscosity);
        let (drag, swirl) = self.quadratic(density);
        Spatial::new(-v.rot * (v.rot.abs() * swirl + turn), -v.lin * (v.lin.abs() * drag + slow))
    }
}

/// A geom as an ellipsoid in the fluid, with its coefficients.
pub(crate) struct Ellipsoid {
    /// Half axes.
    pub(crate) size: DVec3,
    /// Drag: blunt, slender, angular.
    pub(crate) blunt: f64,
    pub(crate) slender: f64,
    pub(crate) angular: f64,
    /// Lift: Kutta, Magnus.
    pub(crate) kutta: f64,
    pub(crate) magnus: f64,
    /// Mass and inertia of the fluid that moves along, per density.
    pub(crate) virtual_mass: DVec3,
    pub(crate) virtual_inertia: DVec3,
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
    pub(crate) fn force(&self, v: Spatial, density: f64, viscosity: f64) -> Spatial {
        let Spatial { rot: w, lin: u } = v;
        // Momentum of the fluid that moves along, without the part that acceleration would add.
        let (p, l) = (self.virtual_mass * u * density, self.virtual_inertia * w * density);
        let mut f = Spatial::new(p.cross(u) + l.cross(w), p.cross(w));

        let shadow = self.shadow(u);
        f.lin += w.cross(u) * (self.magnus * density * self.volume());
        f.lin += shadow.normal.cross(u).cross(u) * (self.kutta * density * shadow.cos * shadow.area);

        // Drag: Stokes' for the sphere of mean diameter, plus a part quadratic in the speed.
        let (slow, turn) = self.stokes(viscosity);
        let area = shadow.area * self.blunt + self.slender * (self.widest() - shadow.area);
        f.lin -= u * (slow + density * u.length() * area);
        f.rot -= w * (turn + density * (w * self.swept_moments()).length());
        f
    }

    pub(crate) fn volume(&self) -> f64 {
        let s = self.size;
        4.0 / 3.0 * PI * s.x * s.y * s.z
    }

    /// Products of the other two half axes.
    pub(crate) fn cross_sections(&self) -> DVec3 {
        let s = self.size;
        DVec3::new(s.y * s.z, s.z * s.x, s.x * s.y)
    }

    /// Area of the widest section.
    pub(crate) fn widest(&self) -> f64 {
        let (max, mid) = self.greatest();
        PI * max * mid
    }

    /// The greatest two half axes.
    fn greatest(&self) -> (f64, f64) {
        let (max, min) = (self.size.max_element(), self.size.min_element());
        (max, self.size.element_sum() - max - min)
    }

    /// The ellipsoid's shadow along the velocity `u`.
    pub(crate) fn shadow(&self, u: DVec3) -> Shadow {
        let squares = self.cross_sections() * self.cross_sections();
        let denominator = (squares * squares * (u * u)).element_sum();
        let numerator = (squares * (u * u)).element_sum();
        // Only a body at rest has none; bodies as thin as a leaf have very little.
        let some = |x: f64| x.max(f64::MIN_POSITIVE);
        Shadow {
            area: PI * (denominator / some(numerator)).sqrt(),
            cos: numerator / some(u.length() * denominator),
            normal: squares * u,
            numerator,
            denominator,
        }
    }

    /// Resistance to slow translation and rotation: Stokes' for the sphere of mean diameter.
    pub(crate) fn stokes(&self, viscosity: f64) -> (f64, f64) {
        let diameter = 2.0 / 3.0 * self.size.element_sum();
        (viscosity * 3.0 * PI * diameter, viscosity * PI * diameter * diameter * diameter)
    }

    /// Factors of the angular velocity in the resistance to fast rotation.
    pub(crate) fn swept_moments(&self) -> DVec3 {
        let s = self.size;
        let moment = |a: f64, b: f64, c: f64| 8.0 / 15.0 * PI * a * fourth(b.max(c));
        let moments = DVec3::new(moment(s.x, s.y, s.z), moment(s.y, s.z, s.x), moment(s.z, s.x, s.y));
        let (max, mid) = self.greatest();
        let greatest = 8.0 / 15.0 * PI * mid * fourth(max);
        moments * self.angular + (DVec3::splat(greatest) - moments) * self.slender
    }
}

/// x⁴.
fn fourth(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// The shadow of an ellipsoid along a velocity.
pub(crate) struct Shadow {
    /// Its area: π √(denominator/numerator).
    pub(crate) area: f64,
    /// Factor that makes the cosine between the velocity and the normal where it meets the surface.
    pub(crate) cos: f64,
    /// That normal, not of unit length.
    pub(crate) normal: DVec3,
    pub(crate) numerator: f64,
    pub(crate) denominator: f64,
}

/// Whether a fluid pushes on bodies.
pub fn in_fluid(m: &Model) -> bool {
    let passive = !(m.opt.disabled(disable::SPRING) && m.opt.disabled(disable::DAMPER));
    passive && (m.opt.density > 0.0 || m.opt.viscosity > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of side 1 that moves along x.
    #[test]
    fn drag_of_a_cube() {
        let v = Spatial::new(DVec3::ZERO, DVec3::new(-2.0, 0.0, 0.0));
        let cube = BoxShape::new(DVec3::splat(1.0 / 6.0), 1.0);
        let f = cube.force(v, 3.0, 0.0);
        assert!((f.lin - DVec3::new(0.5 * 3.0 * 4.0, 0.0, 0.0)).length() < 1e-12 && f.rot.length() == 0.0);
        let f = cube.force(v, 0.0, 0.5);
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
