//! Derivative of fluid forces by velocity.

use super::entries::Entries;
use crate::buffers::Smooth;
use crate::passive::fluid::{BoxShape, Ellipsoid, FluidShape, Shadow, for_each_shape};
use crate::rigid::chains::Chains;
use crate::rigid::jacobian::BodyPoint;
use mj_math::block::Run;
use mj_math::spatial_map::{cross, outer};
use mj_math::{DMat3, DVec3, MINVAL, Spatial, SpatialMap};
use mj_model::*;
use std::f64::consts::PI;

/// Which part of the derivative of the fluid's forces by velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FluidPart {
    /// All of it.
    All,
    /// Its symmetric part.
    Symmetric,
    /// The symmetric part of drag's: what takes out power.
    Drag,
}

/// Scratch memory: motions of a chain of dofs, and their products with the derivative of a body's force.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FluidScratch {
    motions: Vec<Spatial>,
    images: Vec<Spatial>,
}

impl FluidScratch {
    /// Adds Jᵀ b J, where `motion` gives the columns of J for the dofs of `chain`, which must be
    /// all that move one body.
    fn add_body_force(
        &mut self,
        out: &mut Entries<'_>,
        chain: &[Run],
        motion: impl Fn(usize) -> Spatial,
        b: &SpatialMap,
    ) {
        self.motions.clear();
        self.motions.extend(chain.iter().flat_map(|r| r.start..r.start + r.len).map(|d| motion(d as usize)));
        self.images.clear();
        self.images.extend(self.motions.iter().map(|&v| b.mul(v)));
        let dofs = chain.iter().flat_map(|r| r.start..r.start + r.len);
        for (i, dof) in dofs.enumerate() {
            // The row of a dof is the chain up to it.
            let row = out.pattern.row(dof as usize);
            for (k, at) in row.enumerate() {
                out.lower[at] += self.motions[i].dot(self.images[k]);
                out.upper[at] += self.motions[k].dot(self.images[i]);
            }
        }
    }
}

/// Adds the derivative of the fluid's forces on all bodies.
pub(super) fn add(
    m: &Model,
    chains: &Chains,
    awake: &Awake,
    r: &Smooth,
    part: FluidPart,
    scratch: &mut FluidScratch,
    out: &mut Entries<'_>,
) {
    for_each_shape(m, awake, &r.poses, &r.velocities, |b, at, v, shape| {
        let local = shape.slope(m, v, part);
        let place = Place::new(m, chains, r, b, at);
        scratch.add_body_force(out, place.point.chain, |d| place.motion(d), &local);
    });
}

impl FluidShape {
    /// A part of its derivative by the velocity.
    pub(super) fn slope(&self, m: &Model, v: Spatial, part: FluidPart) -> SpatialMap {
        let (density, viscosity) = (m.opt.density, m.opt.viscosity);
        match (self, part) {
            (Self::Box(shape), _) => shape.slope(v, density, viscosity),
            (Self::Ellipsoid(shape, scale), FluidPart::All) => shape.slope(v, density, viscosity).scaled(*scale),
            (Self::Ellipsoid(shape, scale), FluidPart::Symmetric) => {
                shape.slope(v, density, viscosity).symmetric().scaled(*scale)
            }
            (Self::Ellipsoid(shape, scale), FluidPart::Drag) => shape.drag(v, density, viscosity).scaled(*scale),
        }
    }
}

/// Motions of dofs in the frame of a shape.
pub(super) struct Place<'a> {
    pub point: BodyPoint<'a>,
    inverse: DMat3,
}

impl<'a> Place<'a> {
    pub fn new(m: &Model, chains: &'a Chains, r: &'a Smooth, b: BodyId, at: (DVec3, DMat3)) -> Self {
        Self { point: BodyPoint::new(m, chains, &r.poses, b, at.0), inverse: at.1.transpose() }
    }

    /// Returns the motion by one of the dofs that move the body.
    pub fn motion(&self, dof: usize) -> Spatial {
        self.local(self.point.motion(dof))
    }

    /// A motion about the shape's place.
    pub fn local(&self, v: Spatial) -> Spatial {
        Spatial::new(self.inverse * v.rot, self.inverse * v.lin)
    }
}

impl BoxShape {
    /// Derivative of [`Self::force`] by the velocity.
    fn slope(&self, v: Spatial, density: f64, viscosity: f64) -> SpatialMap {
        let (drag, swirl) = self.quadratic(density);
        let (slow, turn) = self.linear(viscosity);
        let diagonal = |linear: f64, quadratic: DVec3, v: DVec3| {
            DMat3::from_diagonal(DVec3::splat(-linear) - quadratic * v.abs() * 2.0)
        };
        SpatialMap { rot_rot: diagonal(turn, swirl, v.rot), lin_lin: diagonal(slow, drag, v.lin), ..SpatialMap::ZERO }
    }
}

impl Ellipsoid {
    /// Derivative of [`Self::force`] by the velocity.
    fn slope(&self, v: Spatial, density: f64, viscosity: f64) -> SpatialMap {
        let mut d = self.carried_slope(v, density);
        // Magnus' force is bilinear.
        let magnus = self.magnus * density * self.volume();
        d.lin_rot -= cross(v.lin) * magnus;
        d.lin_lin += cross(v.rot) * magnus;
        d.lin_lin += self.lift_slope(v.lin, density) + self.drag_slope(v.lin, density, viscosity);
        d.rot_rot += self.torque_slope(v.rot, density, viscosity);
        d
    }

    /// The symmetric part of what drag adds to [`Self::slope`].
    fn drag(&self, v: Spatial, density: f64, viscosity: f64) -> SpatialMap {
        let rot_rot = self.torque_slope(v.rot, density, viscosity);
        let lin_lin = self.drag_slope(v.lin, density, viscosity);
        SpatialMap { rot_rot, lin_lin, ..SpatialMap::ZERO }.symmetric()
    }

    /// Of the fluid that moves along.
    fn carried_slope(&self, v: Spatial, density: f64) -> SpatialMap {
        let Spatial { rot: w, lin: u } = v;
        let (mass, inertia) = (self.virtual_mass * density, self.virtual_inertia * density);
        SpatialMap {
            rot_rot: cross(inertia * w) - cross(w) * DMat3::from_diagonal(inertia),
            rot_lin: cross(mass * u) - cross(u) * DMat3::from_diagonal(mass),
            lin_rot: cross(mass * u),
            lin_lin: -cross(w) * DMat3::from_diagonal(mass),
        }
    }

    /// Of Kutta's lift, by translation.
    fn lift_slope(&self, u: DVec3, density: f64) -> DMat3 {
        let speed = u.length();
        if speed < MINVAL {
            return DMat3::ZERO;
        }
        let Shadow { normal: n, numerator, denominator, .. } = self.shadow(u);
        let squares = self.cross_sections() * self.cross_sections();
        let speed2 = speed * speed;
        let (by_numerator, by_denominator) = self.log_slopes(n, numerator, denominator);

        // Lift g·l, with g ∝ cosine·shadow and l = (n×u)×u = u (n·u) − n (u·u).
        let lift = u * numerator - n * speed2;
        let lift_slope =
            DMat3::from_diagonal(DVec3::splat(numerator) - squares * speed2) + outer(u, n) * 2.0 - outer(n, u) * 2.0;
        let g = PI * self.kutta * density / speed * (numerator / denominator.max(f64::MIN_POSITIVE)).sqrt();
        let g_slope = (by_numerator - by_denominator - u / speed2) * g;
        lift_slope * g + outer(lift, g_slope)
    }

    /// Of drag, by translation: −(linear + density·speed·a)·u, with a the effective area.
    fn drag_slope(&self, u: DVec3, density: f64, viscosity: f64) -> DMat3 {
        let (linear, _) = self.stokes(viscosity);
        let speed = u.length();
        if speed < MINVAL {
            return DMat3::from_diagonal(DVec3::splat(-linear));
        }
        let Shadow { area, normal: n, numerator, denominator, .. } = self.shadow(u);
        let (by_numerator, by_denominator) = self.log_slopes(n, numerator, denominator);
        let area_slope = (by_denominator - by_numerator) * (area * (self.blunt - self.slender));
        let area = area * self.blunt + self.slender * (self.widest() - area);
        let rate_slope = (u * (area / speed) + area_slope * speed) * density;
        -DMat3::from_diagonal(DVec3::splat(linear + density * speed * area)) - outer(u, rate_slope)
    }

    /// Gradients of the logarithms of the shadow's numerator and denominator, halved. Both are
    /// positive, but tiny for bodies as thin as a leaf.
    fn log_slopes(&self, n: DVec3, numerator: f64, denominator: f64) -> (DVec3, DVec3) {
        let squares = self.cross_sections() * self.cross_sections();
        (n / numerator.max(f64::MIN_POSITIVE), squares * n / denominator.max(f64::MIN_POSITIVE))
    }

    /// Of the torque, by rotation.
    fn torque_slope(&self, w: DVec3, density: f64, viscosity: f64) -> DMat3 {
        let (_, linear) = self.stokes(viscosity);
        let moments = self.swept_moments();
        let swept = (w * moments).length();
        let mut slope = DMat3::from_diagonal(DVec3::splat(-linear - density * swept));
        if swept > MINVAL {
            slope -= outer(w, w * moments * moments) * (density / swept);
        }
        slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn differences(force: impl Fn(Spatial) -> Spatial, v: Spatial) -> [Spatial; 6] {
        let h = 1e-6;
        std::array::from_fn(|k| {
            let mut e = [0.0; 6];
            e[k] = h;
            let e = Spatial::from_slice(&e);
            (force(v + e) - force(v - e)) * (0.5 / h)
        })
    }

    fn check(slope: SpatialMap, want: [Spatial; 6]) {
        let scale = want.iter().map(|c| c.dot(*c).sqrt()).fold(1.0, f64::max);
        for (k, want) in want.into_iter().enumerate() {
            let mut e = [0.0; 6];
            e[k] = 1.0;
            let got = slope.mul(Spatial::from_slice(&e));
            let error = got - want;
            assert!(error.dot(error).sqrt() < 1e-6 * scale, "column {k}: {got:?} against {want:?}");
        }
    }

    proptest! {
        #[test]
        fn slopes_match_differences(x in prop::collection::vec(-2.0..2.0f64, 6), p in prop::collection::vec(0.1..1.0f64, 14)) {
            let v = Spatial::from_slice(&x);
            let (density, viscosity) = (1.3, 0.2);
            let e = Ellipsoid {
                size: DVec3::from_slice(&p),
                blunt: p[3],
                slender: p[4],
                angular: p[5],
                kutta: p[6],
                magnus: p[7],
                virtual_mass: DVec3::from_slice(&p[8..]),
                virtual_inertia: DVec3::from_slice(&p[11..]),
            };
            check(e.slope(v, density, viscosity), differences(|v| e.force(v, density, viscosity), v));
            let b = BoxShape::new(DVec3::from_slice(&p) + 1.0, p[3]);
            check(b.slope(v, density, viscosity), differences(|v| b.force(v, density, viscosity), v));
        }
    }
}
