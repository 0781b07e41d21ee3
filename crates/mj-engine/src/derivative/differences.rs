//! Blocks of columns by centered differences of r and g, at given accelerations: no solver runs.

use super::{Columns, Nominal};
use crate::data::Data;
use crate::pipeline::discrete;
use crate::pipeline::forward::{Known, actuation, position, velocity};
use crate::pipeline::step::integrate;
use mj_constraint::forces_at;
use mj_dynamics::integrate_joints;
use mj_integrate::{Reuse, mul_euler, mul_implicit};
use mj_model::{ControlId, DofId, IntegratorType, Model, disable};

/// Step of the differences.
pub(super) const EPS: f64 = 1e-6;

/// Columns that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Control,
    Activation,
    Velocity,
    Position,
}

/// Fills a block. Each kind leaves alone the results that the next one of [`Block`] uses.
pub(super) fn by_differences(m: &Model, d: &mut Data, n: &Nominal, block: Block, out: &mut Columns) {
    let (nv, na, nu) = (m.nv(), m.na, m.nu());
    let (first, count, known) = match block {
        Block::Position => (0, nv, Known::Nothing),
        Block::Velocity => (nv, nv, Known::Position),
        Block::Activation => (2 * nv, na, Known::Velocity),
        Block::Control => (2 * nv + na, nu, Known::Velocity),
    };
    let mut sides = [Side::default(), Side::default()];
    for i in 0..count {
        let mut steps = [0.0; 2];
        for (k, side) in sides.iter_mut().enumerate() {
            steps[k] = nudge_input(m, d, n, block, i, k);
            side.evaluate(m, d, n, known);
            d.state.clone_from(&n.state);
        }
        let width = steps[0] - steps[1];
        let [plus, minus] = &sides;
        let column = first + i;
        for (to, a, b) in [
            (&mut out.force[column * nv..(column + 1) * nv], &plus.force, &minus.force),
            (&mut out.step[column * nv..(column + 1) * nv], &plus.step, &minus.step),
            (&mut out.act[column * na..(column + 1) * na], &plus.act, &minus.act),
        ] {
            for ((x, a), b) in to.iter_mut().zip(a).zip(b) {
                *x = if width > 0.0 { (a - b) / width } else { 0.0 };
            }
        }
    }
}

/// Moves an input up (side 0) or down (side 1), as far as its range lets it. Returns by how much.
pub(super) fn nudge_input(m: &Model, d: &mut Data, n: &Nominal, block: Block, i: usize, side: usize) -> f64 {
    let steps = if block == Block::Control { within_range(m, i, n.state.ctrl[i]) } else { [EPS, -EPS] };
    let by = steps[side];
    match block {
        Block::Control => d.state.ctrl[i] += by,
        Block::Activation => d.state.act[i] += by,
        Block::Velocity => d.state.qvel[i] += by,
        Block::Position => {
            let joint = m.dof.jntid[DofId::new(i)].index();
            let mut direction = vec![0.0; m.nv()];
            direction[i] = 1.0;
            integrate_joints(m, joint..joint + 1, &mut d.state.qpos, &direction, by);
        }
    }
    by
}

/// Steps up and down that leave a control in its range.
fn within_range(m: &Model, i: usize, u: f64) -> [f64; 2] {
    let c = ControlId::new(i);
    if !m.control.ctrllimited[c] || m.opt.disabled(disable::CLAMPCTRL) {
        return [EPS, -EPS];
    }
    let [lower, upper] = m.control.ctrlrange[c];
    let inside = (lower..=upper).contains(&u);
    [if inside && u + EPS <= upper { EPS } else { 0.0 }, if inside && u - EPS >= lower { -EPS } else { 0.0 }]
}

/// r, g and the next activation at a nudged state.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    pub force: Vec<f64>,
    pub step: Vec<f64>,
    pub act: Vec<f64>,
}

impl Side {
    pub fn evaluate(&mut self, m: &Model, d: &mut Data, n: &Nominal, known: Known) {
        let nv = m.nv();
        if known < Known::Position {
            position(m, d);
        }
        if known < Known::Velocity {
            velocity(m, d);
        }
        actuation(m, d);
        let over_step = m.opt.integrator == IntegratorType::Discrete;
        if over_step {
            discrete::prepare_inverse(m, d);
        }
        let s = &mut d.solution;
        let (force, state, qfrc) = (&mut s.efc_force, &mut s.efc_state, &mut s.qfrc_constraint);
        forces_at(&d.rows, &n.qacc, &mut d.ws.rows, force, state, qfrc);
        self.force.resize(nv, 0.0);
        self.step.resize(nv, 0.0);
        if over_step {
            d.qacc.copy_from_slice(&n.qacc);
            discrete::force(m, d);
            self.force.copy_from_slice(&d.qfrc_inverse);
        } else {
            d.smooth.inertia.mul(m, &n.qacc, &mut self.force);
        }
        // M̂ a'.
        if over_step || !n.equation.is_step() {
            self.step.copy_from_slice(&self.force);
        } else if m.opt.integrator == IntegratorType::Euler {
            mul_euler(m, &d.state, &d.smooth.inertia, &n.over_step, &mut self.step);
        } else {
            mul_implicit(
                m,
                &d.plan.dynamics.chains,
                &d.state,
                &d.smooth,
                &n.over_step,
                &mut self.step,
                &mut d.ws.implicit,
            );
        }
        for i in 0..nv {
            self.step[i] = self.force[i] - self.step[i];
            self.force[i] -= d.smooth.actuation.qfrc_smooth[i] + d.solution.qfrc_constraint[i];
        }
        if !n.equation.has_actuators() {
            self.force.iter_mut().zip(&d.smooth.actuation.qfrc_actuator).for_each(|(f, a)| *f += a);
        }
        if m.na > 0 && n.equation.is_step() {
            integrate(m, d, Reuse::Nothing);
        }
        self.act.clone_from(&d.state.act);
    }
}
