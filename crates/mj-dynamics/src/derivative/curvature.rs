//! Derivative of the bias force's own derivative by velocity, where integrators have that in their matrix.
//!
//! The bias force is gravity's and a quadratic form of the velocities, c = c₀(q) + Q_q(v, v). So its derivative by
//! velocity along x is symmetric in v and x,
//!
//! ```text
//! ∂c/∂v x = 2 Q_q(v, x) = ½ [c(q, v + x) − c(q, v − x)],
//! ```
//!
//! whose derivative by v is ∂c/∂v at the velocity x, and by q half the difference of ∂c/∂q at v + x and at v − x.

use super::position::{Motion, PositionDerivative};
use super::velocity::{BiasOf, VelocityDerivative};
use crate::buffers::{Smooth, Velocities};
use crate::rigid::velocity::com_vel;
use mj_math::Spatial;
use mj_model::*;

/// Derivative of (∂c/∂v) x, c the bias force, for a given x. Reuse it: it keeps its memory.
#[derive(Clone, Debug)]
pub struct BiasCurvature {
    /// By velocity: the pattern is that of each dof with all its ancestors, entries as in [`VelocityDerivative`], negated.
    pub by_velocity: VelocityDerivative,
    /// By position, doubled; the other, with the wrong sign, is to be subtracted from it.
    by_position: [PositionDerivative; 2],
    state: State,
    velocities: Velocities,
    still: Vec<f64>,
    wrenchless: Vec<Spatial>,
}

impl BiasCurvature {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        Self {
            by_velocity: VelocityDerivative::new(m),
            by_position: [0; 2].map(|_| PositionDerivative::new(m)),
            state: State::new(m),
            velocities: Velocities::new(m),
            still: vec![0.0; m.nv()],
            wrenchless: vec![Spatial::ZERO; m.body.len()],
        }
    }

    /// Computes all of it at a state that is wholly awake, of whose results `r` are, along `x` (nv). Of `bodies` that are
    /// not all, the entries of the others by position have no meaning.
    pub fn compute(&mut self, m: &Model, s: &State, r: &Smooth, x: &[f64], bodies: BiasOf) {
        self.state.awake.clone_from(&s.awake);
        for (out, sign) in self.by_position.iter_mut().zip([1.0, -1.0]) {
            self.state.qvel.clear();
            self.state.qvel.extend(s.qvel.iter().zip(x).map(|(v, x)| v + sign * x));
            com_vel(m, &self.state, &r.poses, &mut self.velocities);
            let motion = Motion::Moving(&self.velocities);
            out.compute(m, &self.state, &r.poses, &r.inertia, motion, &self.still, &self.wrenchless);
        }
        self.state.qvel.copy_from_slice(x);
        com_vel(m, &self.state, &r.poses, &mut self.velocities);
        let d = &mut self.by_velocity;
        d.clear();
        d.subtract_bias(m, &self.state, &r.poses, &r.inertia, &self.velocities, bodies);
    }

    /// Calls `f` with the dof that moves, the dof whose force changes, and the change by position and by velocity, for dofs
    /// `first..end` of which one is an ancestor of the other, or the same.
    pub fn for_each(&self, dofs: std::ops::Range<usize>, mut f: impl FnMut(usize, usize, [f64; 2])) {
        let [plus, minus] = &self.by_position;
        let v = &self.by_velocity;
        for i in dofs.clone() {
            for at in v.pattern.row(i) {
                let j = v.pattern.colind[at] as usize;
                if j < dofs.start {
                    continue;
                }
                f(j, i, [0.5 * (plus.lower[at] - minus.lower[at]), -v.lower[at]]);
                if j != i {
                    f(i, j, [0.5 * (plus.upper[at] - minus.upper[at]), -v.upper[at]]);
                }
            }
        }
    }
}
