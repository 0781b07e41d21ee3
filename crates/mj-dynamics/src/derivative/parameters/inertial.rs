//! How inverse dynamics depends on the mass, the centre of mass and the inertia of a body.
//!
//! With the centre of mass at c, its acceleration c̈ against gravity, the body's angular velocity ω and acceleration α, and the
//! inertia I about c, a body needs the force f = m c̈ at c and the torque I α + ω × I ω. These are linear in m and I, and c
//! moves with the inertial frame:
//!
//! ```text
//! ∂c̈ = α × e + ω × (ω × e),   ∂(torque of f) = e × f.
//! ```

use crate::buffers::{Poses, Velocities};
use crate::rigid::chains::Chains;
use crate::rigid::jacobian::apply_ft;
use crate::rigid::rne::world_acceleration;
use mj_math::{DVec3, Spatial};
use mj_model::model::RigidInertia;
use mj_model::*;

/// Accelerations of bodies, of which derivatives by inertial parameters are made. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct InertialDerivative {
    /// Acceleration against gravity of each body, about the centre of mass of its tree, with the part of velocities.
    acceleration: IdVec<BodyId, Spatial>,
    /// Motion by another acceleration, from rest and without gravity.
    change: IdVec<BodyId, Spatial>,
}

impl InertialDerivative {
    /// Computes the accelerations of bodies at the accelerations `qacc` of the dofs, and the motions by `change` (nv each).
    /// Needs velocities.
    pub fn compute(&mut self, m: &Model, s: &State, poses: &Poses, vel: &Velocities, qacc: &[f64], change: &[f64]) {
        self.acceleration.resize(m.body.len(), Spatial::ZERO);
        self.change.resize(m.body.len(), Spatial::ZERO);
        self.acceleration[BodyId::WORLD] = world_acceleration(m);
        for b in m.body.ids().skip(1) {
            let parent = m.body.parentid[b];
            let (mut a, mut c) = (self.acceleration[parent], self.change[parent]);
            for d in id_range(m.body.dofadr[b], m.body.dofnum[b]) {
                let (cdof, i) = (poses.cdof[d], DofId::index(d));
                a += vel.cdof_dot[d] * s.qvel[i] + cdof * qacc[i];
                c += cdof * change[i];
            }
            (self.acceleration[b], self.change[b]) = (a, c);
        }
    }

    /// Adds to `force` (nv) what inverse dynamics M q̈ + c does along a change of the inertia of body `b`, and to `step` what
    /// M times the change of acceleration does. `applied` is a force at the centre of mass that inverse dynamics takes off, and what it
    /// is by the mass.
    #[allow(clippy::too_many_arguments)] // results, body, change, and where they go
    pub fn add(
        &self,
        m: &Model,
        chains: &Chains,
        poses: &Poses,
        vel: &Velocities,
        (b, along): (BodyId, RigidInertia),
        [applied, applied_by_mass]: [DVec3; 2],
        force: &mut [f64],
        step: &mut [f64],
    ) {
        let center = poses.xipos[b];
        let arm = center - poses.subtree_com[m.body.rootid[b]];
        let (v, a, x) = (vel.cvel[b], self.acceleration[b], self.change[b]);
        let (w, alpha) = (v.rot, a.rot);
        let acceleration = a.lin + alpha.cross(arm) + w.cross(v.lin + w.cross(arm));
        let change = x.lin + x.rot.cross(arm);
        let mass = m.body.mass[b];
        let axes = poses.xmat[b];
        let e = axes * along.center;
        let turned = |rot: DVec3| rot.cross(e);
        let turning = |rot: DVec3| axes * (along.inertia * (axes.transpose() * rot));
        let by_r = [
            (acceleration - applied_by_mass) * along.mass + (turned(alpha) + w.cross(turned(w))) * mass,
            e.cross(acceleration * mass - applied) + turning(alpha) + w.cross(turning(w)),
        ];
        let by_g = [change * along.mass + turned(x.rot) * mass, e.cross(change * mass) + turning(x.rot)];
        for ([f, torque], out) in [(by_r, force), (by_g, step)] {
            apply_ft(m, chains, poses, f, torque, center, b, out);
        }
    }
}
