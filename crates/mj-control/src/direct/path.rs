//! Paths: positions at equal times, the velocities and accelerations between them, and how these move with the positions.

use mj_engine::model::JointType;
use mj_engine::{Model, differentiate_pos, integrate_pos};
use mj_math::{DVec3, inverse_dexp};

/// Positions q_0 … q_N with the velocity before the first: v_t = (q_t ⊖ q_{t−1})/h, a_t = (v_{t+1} − v_t)/h, as semi-implicit Euler
/// steps have them.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// Positions, (N + 1) × nq.
    pub qpos: Vec<f64>,
    /// Velocities, (N + 1) × nv; the first is given.
    pub qvel: Vec<f64>,
    /// Accelerations, N × nv.
    pub qacc: Vec<f64>,
}

impl Path {
    /// Number of steps N.
    pub fn steps(&self, m: &Model) -> usize {
        self.qacc.len().checked_div(m.nv()).unwrap_or(0)
    }

    /// Finds velocities and accelerations from the positions and the first velocity.
    pub(super) fn differentiate(&mut self, m: &Model, first: &[f64]) {
        let (nq, nv, h) = (m.nq(), m.nv(), m.opt.timestep);
        let steps = (self.qpos.len() / nq.max(1)).saturating_sub(1);
        self.qvel.resize((steps + 1) * nv, 0.0);
        self.qacc.resize(steps * nv, 0.0);
        self.qvel[..nv].copy_from_slice(first);
        for t in 0..steps {
            let [from, to] = [t, t + 1].map(|t| &self.qpos[t * nq..(t + 1) * nq]);
            differentiate_pos(m, &mut self.qvel[(t + 1) * nv..(t + 2) * nv], h, from, to);
            for i in 0..nv {
                self.qacc[t * nv + i] = (self.qvel[(t + 1) * nv + i] - self.qvel[t * nv + i]) / h;
            }
        }
    }

    /// Makes of it `from` with all positions but the first moved, by nv numbers each.
    pub(super) fn set_moved(&mut self, m: &Model, from: &Self, by: &[f64]) {
        let (nq, nv) = (m.nq(), m.nv());
        self.qpos.clone_from(&from.qpos);
        for (q, by) in self.qpos[nq..].chunks_exact_mut(nq).zip(by.chunks_exact(nv)) {
            integrate_pos(m, q, by, 1.0);
        }
        self.differentiate(m, &from.qvel[..nv]);
    }
}

/// Rotations of a model: first dofs of its ball and free joints' turning parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Rotations(Vec<usize>);

impl Rotations {
    pub fn of(m: &Model) -> Self {
        let first = |j| match m.jnt.r#type[j] {
            JointType::Free => Some(m.jnt.dofadr[j].index() + 3),
            JointType::Ball => Some(m.jnt.dofadr[j].index()),
            _ => None,
        };
        Self(m.jnt.ids().filter_map(first).collect())
    }

    /// Adds to a row by the positions what one by the velocity v = (q ⊖ p)/h is of these: to `by_q` and to `by_p`, where both are
    /// wanted.
    pub fn add_through_velocity(&self, h: f64, v: &[f64], row: &[f64], by_q: &mut [f64], by_p: Option<&mut [f64]>) {
        let along = |sign: f64, out: &mut [f64]| {
            let scale = sign / h;
            mj_math::dense::axpy(out, scale, row);
            for &first in &self.0 {
                // The other end turns in its own axes: the left differential is the right one of −u.
                let u = DVec3::from_slice(&v[first..]) * (sign * h);
                let part = DVec3::from_slice(&row[first..]);
                for j in 0..3 {
                    out[first + j] += scale * (part.dot(inverse_dexp(u, DVec3::AXES[j])) - part[j]);
                }
            }
        };
        along(1.0, by_q);
        if let Some(by_p) = by_p {
            along(-1.0, by_p);
        }
    }
}
