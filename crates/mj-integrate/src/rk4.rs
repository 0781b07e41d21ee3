//! Fourth-order Runge-Kutta.

use crate::{Rates, System, advance, inverse_dexp};
use mj_dynamics::{Transmissions, integrate_joints};
use mj_math::{DVec3, dense};
use mj_model::{JointType, Model};

/// Weight of the previous stage's rate in each later stage's state: the classical tableau, whose
/// only entries are these.
const A: [f64; 3] = [0.5, 0.5, 1.0];
/// Weights of the stages' rates in the step.
const B: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Memory of [`rk4`].
#[derive(Clone, Debug, Default)]
pub struct Rk4Workspace {
    /// State at the start of the step.
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    /// Rates of the last stage: position in the tangent space at the start, activation,
    /// acceleration.
    dq: Vec<f64>,
    dact: Vec<f64>,
    dv: Vec<f64>,
    /// Weighted sums of the stages' rates.
    sum_q: Vec<f64>,
    sum_act: Vec<f64>,
    sum_v: Vec<f64>,
    /// Transmissions at the start of the step, kept for plastic springs.
    start: Transmissions,
}

impl Rk4Workspace {
    /// Returns the rate in the tangent space at the start of the last step with which positions went on, nv.
    pub fn rate(&self) -> &[f64] {
        &self.sum_q
    }
}

/// One step of the classical fourth-order Runge-Kutta method. `forward` must have been called at
/// the present state; afterwards the system holds the state one time step on.
///
/// Positions are written as `q ⊕ u` with u in the tangent space at the start of the step, so that
/// orientations are fourth-order accurate too: a stage's angular velocity ω at `u` enters as
/// u̇ = dexp⁻¹(u) ω (Munthe-Kaas, "High order Runge-Kutta methods on manifolds", 1999).
pub fn rk4(m: &Model, sys: &mut impl System, ws: &mut Rk4Workspace) {
    let h = m.opt.timestep;
    let s = sys.state();
    let time = s.time;
    ws.qpos.clone_from(&s.qpos);
    ws.qvel.clone_from(&s.qvel);
    ws.act.clone_from(&s.act);
    // Plastic tendons yield by what their length changes to first order from the start of the step.
    let plastic = m.nplastic > 0;
    if plastic {
        ws.start.clone_from(sys.parts().1);
    }
    for sum in [&mut ws.sum_q, &mut ws.sum_v] {
        sum.clear();
        sum.resize(m.nv(), 0.0);
    }
    ws.sum_act.clear();
    ws.sum_act.resize(m.na, 0.0);
    ws.dq.clear();
    ws.dq.resize(m.nv(), 0.0);

    for (stage, b) in B.into_iter().enumerate() {
        if stage > 0 {
            // State of this stage: the start plus the previous stage's rates.
            let step = h * A[stage - 1];
            let s = sys.state();
            s.qpos.clone_from(&ws.qpos);
            for joints in &s.awake.joints {
                integrate_joints(m, joints.clone(), &mut s.qpos, &ws.dq, step);
            }
            for dofs in s.awake.dofs.iter().cloned() {
                let rates = ws.qvel[dofs.clone()].iter().zip(&ws.dv[dofs.clone()]);
                s.qvel[dofs].iter_mut().zip(rates).for_each(|(v, (start, rate))| *v = start + step * rate);
            }
            let rates = ws.act.iter().zip(&ws.dact);
            s.act.iter_mut().zip(rates).for_each(|(a, (start, rate))| *a = start + step * rate);
            s.time = time + step;
            sys.forward();
        }
        let (qacc, act_dot) = sys.rates();
        ws.dv.clear();
        ws.dv.extend_from_slice(qacc);
        ws.dact.clear();
        ws.dact.extend_from_slice(act_dot);
        let offset = if stage > 0 { h * A[stage - 1] } else { 0.0 };
        tangent_rate(m, &sys.state().qvel, offset, &mut ws.dq);
        dense::axpy(&mut ws.sum_q, b, &ws.dq);
        dense::axpy(&mut ws.sum_v, b, &ws.dv);
        dense::axpy(&mut ws.sum_act, b, &ws.dact);
    }

    let (s, trans) = sys.parts();
    s.qpos.clone_from(&ws.qpos);
    s.qvel.clone_from(&ws.qvel);
    s.act.clone_from(&ws.act);
    s.time = time;
    let trans = if plastic { &ws.start } else { trans };
    advance(m, s, trans, Rates { act_dot: &ws.sum_act, qacc: &ws.sum_v, qvel: Some(&ws.sum_q) });
}

/// Turns velocities at the position `offset * dq` into rates in the tangent space at the start;
/// `dq` holds the previous stage's rates and receives this one's.
fn tangent_rate(m: &Model, qvel: &[f64], offset: f64, dq: &mut [f64]) {
    for j in m.jnt.ids() {
        let d = m.jnt.dofadr[j].index();
        let rot = match m.jnt.r#type[j] {
            JointType::Free => {
                dq[d..d + 3].copy_from_slice(&qvel[d..d + 3]);
                d + 3
            }
            JointType::Ball => d,
            JointType::Slide | JointType::Hinge => {
                dq[d] = qvel[d];
                continue;
            }
        };
        let u = DVec3::from_slice(&dq[rot..]) * offset;
        let w = DVec3::from_slice(&qvel[rot..]);
        inverse_dexp(u, w).write_to_slice(&mut dq[rot..]);
    }
}
