//! Columns of ∂r and ∂g by parameters of the model: in closed form, or by differences.

use super::arms;
use super::differences::Side;
use super::discrete::has_one_acceleration;
use super::solution::Solution;
use super::terms::{at, with_matrices_kept};
use super::weights::WeightSlopes;
use super::{Columns, Nominal, Parts};
use crate::data::Data;
use crate::pipeline::forward::{Known, evaluate};
use crate::pipeline::step::integrate;
use mj_compile::set_const;
use mj_constraint::derivative::follow_inverse_weights;
use mj_dynamics::{
    InertialDerivative, apply_ft, coefficient_slopes, differentiate_pos, in_fluid, is_free_without_children,
    joint_spring_by_stiffness,
};
use mj_math::DVec3;
use mj_model::model::{ModelParameter, RigidInertia};

use mj_model::*;
use mj_solver::CostHessian;

/// Columns by parameters, a row a parameter.
#[derive(Clone, Debug, Default)]
pub(super) struct ParameterColumns {
    columns: Columns,
    inertial: InertialDerivative,
    weights: WeightSlopes,
    solution: Solution,
    change: Vec<f64>,
}

impl ParameterColumns {
    /// Fills the columns that are in closed form, and marks the others, after [`prepare`](super::terms::prepare). The data hold the results of the present state.
    pub fn fill_closed(
        &mut self,
        m: &Model,
        d: &Data,
        n: &Nominal,
        p: &mut Parts,
        list: &[ModelParameter],
        others: &mut Vec<bool>,
    ) {
        if list.is_empty() {
            return;
        }
        let (nv, na) = (m.nv(), m.na);
        self.columns.clear(list.len(), nv, na);
        self.change.clear();
        self.change.extend(n.qacc.iter().zip(&n.over_step).map(|(a, b)| a - b));
        if list.iter().any(|p| p.field.starts_with("body_")) {
            self.inertial.compute(m, &n.state, &d.smooth.poses, &d.smooth.velocities, &n.qacc, &self.change);
        }
        let at = at(d, n, None);
        let softens = d.rows.nefc() > 0 && list.iter().any(|p| WeightSlopes::has(m, p));
        let follows = !softens || follow_inverse_weights(m, at);
        let softens = softens && follows;
        if softens {
            self.weights.find(m, list);
        }
        let closed = Closed { m, d, n, held: &p.held, inertial: &self.inertial, follows };
        for (i, parameter) in list.iter().enumerate() {
            let force = &mut self.columns.force[i * nv..(i + 1) * nv];
            let step = &mut self.columns.step[i * nv..(i + 1) * nv];
            let is_closed =
                p.constraint.add_by_parameter(m, at, parameter, force) || closed.fill(parameter, force, step);
            if let Some(change) = self.weights.of(i).filter(|_| is_closed && softens) {
                p.constraint.add_by_weights(m, at, change, force);
            }
            others.push(!is_closed);
        }
    }

    /// Fills the other columns by centered differences at given accelerations; results in `d` are lost.
    pub fn fill_others(
        &mut self,
        m: &Model,
        d: &mut Data,
        n: &Nominal,
        p: &mut Parts,
        list: &[ModelParameter],
        others: &[bool],
    ) {
        if !others.contains(&true) {
            return;
        }
        let (nv, na) = (m.nv(), m.na);
        let mut sides = [Side::default(), Side::default()];
        with_matrices_kept(d, p, |d| {
            for (i, parameter) in list.iter().enumerate().filter(|(i, _)| others[*i]) {
                let width = nudge(parameter, m, |m, side| {
                    sides[side].evaluate(m, d, n, Known::Nothing);
                    d.state.clone_from(&n.state);
                });
                let [plus, minus] = &sides;
                for (to, a, b) in [
                    (&mut self.columns.force[i * nv..(i + 1) * nv], &plus.force, &minus.force),
                    (&mut self.columns.step[i * nv..(i + 1) * nv], &plus.step, &minus.step),
                    (&mut self.columns.act[i * na..(i + 1) * na], &plus.act, &minus.act),
                ] {
                    to.iter_mut().zip(a.iter().zip(b)).for_each(|(x, (a, b))| *x = (a - b) / width);
                }
            }
        });
    }

    /// Finds how the acceleration moves with all parameters.
    pub fn find_accelerations(&mut self, nv: usize, hessian: &mut CostHessian) {
        self.solution.find_accelerations(nv, &self.columns, hessian);
    }

    /// Adds what a change of parameter `i` does to the acceleration, after [`Self::find_accelerations`].
    pub fn add_acceleration(&self, i: usize, by: f64, qacc: &mut [f64]) {
        self.solution.add_acceleration(i, by, qacc);
    }

    /// Borrows ∂r, nv numbers a parameter.
    pub fn forces(&self) -> &[f64] {
        &self.columns.force
    }

    /// Solves for the next state by all parameters.
    pub fn solve(
        &mut self,
        m: &Model,
        d: &mut Data,
        n: &Nominal,
        p: &mut Parts,
        list: &[ModelParameter],
        out: &mut Vec<f64>,
    ) {
        self.solution.find(m, d, n, &self.columns, &mut p.hessian);
        self.solution.write_parameters(m, n, &self.columns, list.len(), out);
        // The step's length acts on the state beside the forces.
        for (i, _) in list.iter().enumerate().filter(|(_, p)| is_of_whole_step(p)) {
            whole_step(m, d, &n.state, &list[i], |row, x| out[row * list.len() + i] = x);
        }
    }
}

/// Whether a parameter acts on the next state in other ways than by forces.
fn is_of_whole_step(p: &ModelParameter) -> bool {
    p.field == "opt.timestep"
}

/// Writes ∂y/∂p by differences of the whole step.
pub(super) fn of_whole_step(m: &Model, d: &mut Data, list: &[ModelParameter], out: &mut Vec<f64>) {
    let (start, count) = (d.state.clone(), list.len());
    out.resize((2 * m.nv() + m.na) * count, 0.0);
    for (i, parameter) in list.iter().enumerate() {
        whole_step(m, d, &start, parameter, |row, x| out[row * count + i] = x);
    }
}

/// Calls `f` with the rows of ∂y by one parameter, by differences of the whole step from a state, which stays.
fn whole_step(m: &Model, d: &mut Data, start: &State, parameter: &ModelParameter, mut f: impl FnMut(usize, f64)) {
    let nv = m.nv();
    let mut ends = [start.clone(), start.clone()];
    let width = nudge(parameter, m, |m, side| {
        d.state.clone_from(start);
        evaluate(m, d, Known::Nothing, false);
        integrate(m, d, mj_integrate::Reuse::Nothing);
        ends[side].clone_from(&d.state);
        d.state.clone_from(start);
    });
    let mut moved = vec![0.0; nv];
    let [plus, minus] = &ends;
    differentiate_pos(m, &mut moved, width, &minus.qpos, &plus.qpos);
    let rest = plus.qvel.iter().zip(&minus.qvel).chain(plus.act.iter().zip(&minus.act));
    let rest = rest.map(|(a, b)| (a - b) / width);
    moved.iter().copied().chain(rest).enumerate().for_each(|(row, x)| f(row, x));
}

/// Calls `f` with copies of the model in which the parameter is a little greater (side 0) and smaller (side 1). Returns the
/// difference.
pub(super) fn nudge(parameter: &ModelParameter, m: &Model, mut f: impl FnMut(&Model, usize)) -> f64 {
    let value = parameter.value(m).unwrap_or_default();
    let h = parameter.difference(m);
    for (side, x) in [value + h, value - h].into_iter().enumerate() {
        f(&edited(m, parameter, x), side);
    }
    (value + h) - (value - h)
}

/// Returns the model with another value of a parameter, and what is derived from it.
fn edited(m: &Model, parameter: &ModelParameter, value: f64) -> Model {
    let mut edited = m.clone();
    // It was found in this model, so that it can be set. Where the model can't follow, the number alone is another.
    let _ = parameter.set(&mut edited, value);
    if parameter.class(m) == Some(Class::Constant) {
        // An error leaves the rest as it is.
        let _ = set_const(&mut edited);
    }
    edited
}

/// Forms that are closed.
struct Closed<'a> {
    m: &'a Model,
    d: &'a Data,
    n: &'a Nominal,
    held: &'a [bool],
    inertial: &'a InertialDerivative,
    /// Whether all rows soften with the inverse weights alone.
    follows: bool,
}

impl Closed<'_> {
    /// Adds ∂r and ∂g by a parameter, nv each, if there is a closed form.
    fn fill(&self, p: &ModelParameter, force: &mut [f64], step: &mut [f64]) -> bool {
        let Self { m, n, .. } = *self;
        if m.opt.integrator == IntegratorType::Discrete {
            return false;
        }
        if let Some((b, along)) = p.inertia_slope(m) {
            return self.by_inertia(b, along, force, step);
        }
        let (row, k) = (p.row, p.component);
        match p.field.as_str() {
            "dof_armature" if !self.inertia_acts_elsewhere() => {
                (force[row], step[row]) = (n.qacc[row], n.qacc[row] - n.over_step[row]);
                true
            }
            "dof_damping" => {
                if !m.opt.disabled(disable::DAMPER) {
                    force[row] = n.state.qvel[row];
                    let explicit = m.opt.integrator == IntegratorType::Euler && has_one_acceleration(m);
                    step[row] = if explicit { 0.0 } else { -m.opt.timestep * n.over_step[row] };
                }
                true
            }
            "dof_frictionloss" => {
                self.by_friction_loss(row, force);
                true
            }
            "jnt_stiffness" => {
                if !m.opt.disabled(disable::SPRING) {
                    joint_spring_by_stiffness(m, &n.state, JointId::new(row), force);
                    force.iter_mut().for_each(|x| *x = -*x);
                }
                true
            }
            "qpos_spring" => self.by_rest(row, force),
            "actuator_gainprm" => self.by_coefficient(ActuatorId::new(row), true, k, force, step),
            "actuator_biasprm" => self.by_coefficient(ActuatorId::new(row), false, k, force, step),
            "opt.gravity" => self.by_gravity(row, force),
            _ => false,
        }
    }

    /// Whether constants that `set_const` derives from the inertia act in other ways than by the softness of bodies', dofs'
    /// and tendons' constraints: by that of others, or by the strength of muscles.
    fn inertia_acts_elsewhere(&self) -> bool {
        let muscle = |a: ActuatorId| {
            self.m.actuator.gaintype[a] == GainType::Muscle || self.m.actuator.biastype[a] == BiasType::Muscle
        };
        !self.follows || self.m.actuator.ids().any(muscle)
    }

    /// Whether gravity compensation pushes on bodies.
    fn lifts(&self) -> bool {
        let o = &self.m.opt;
        let passive = !(o.disabled(disable::SPRING) && o.disabled(disable::DAMPER));
        passive && !o.disabled(disable::GRAVITY)
    }

    fn by_inertia(&self, b: BodyId, along: RigidInertia, force: &mut [f64], step: &mut [f64]) -> bool {
        let Self { m, d, n, .. } = *self;
        let of_body = |j: JointId| m.jnt.bodyid[j] == b && is_free_without_children(m, j);
        let in_matrix = match m.opt.integrator {
            IntegratorType::Implicit => true,
            IntegratorType::ImplicitFast => m.jnt.ids().any(of_body),
            _ => false,
        };
        let through_actuators = m.body.gravcomp[b] != 0.0 && m.jnt.actgravcomp.as_slice().contains(&true);
        if in_matrix || through_actuators || in_fluid(m) || self.inertia_acts_elsewhere() {
            return false;
        }
        let lift = if self.lifts() { m.opt.gravity * -m.body.gravcomp[b] } else { DVec3::ZERO };
        let applied = DVec3::from_slice(&n.state.xfrc_applied[b]) + lift * m.body.mass[b];
        let (chains, r) = (&d.plan.dynamics.chains, &d.smooth);
        self.inertial.add(m, chains, &r.poses, &r.velocities, (b, along), [applied, lift], force, step);
        true
    }

    /// A dof slips with a force that is its friction loss.
    fn by_friction_loss(&self, dof: usize, force: &mut [f64]) {
        let (rows, s) = (&self.d.rows, &self.d.solution);
        let own = |i: &usize| rows.r#type[*i] == ConstraintType::FrictionDof && rows.id[*i] as usize == dof;
        if let Some(i) = (0..rows.nefc()).find(own)
            && s.efc_state[i] != mj_problem::ConstraintState::Quadratic
        {
            force[dof] = -s.efc_force[i].signum();
        }
    }

    fn by_rest(&self, address: usize, force: &mut [f64]) -> bool {
        let m = self.m;
        let own = |j: &JointId| m.jnt.qposadr[*j] as usize == address;
        let Some(j) = m.jnt.ids().find(own) else { return false };
        if !matches!(m.jnt.r#type[j], JointType::Hinge | JointType::Slide) {
            return false;
        }
        if !m.opt.disabled(disable::SPRING) {
            mj_dynamics::joint_spring_derivative(m, &self.n.state, j, |_, dof, x| force[dof] -= x);
        }
        true
    }

    fn by_coefficient(&self, a: ActuatorId, of_gain: bool, k: usize, force: &mut [f64], step: &mut [f64]) -> bool {
        let Self { m, d, n, held, .. } = *self;
        if !n.equation.has_actuators() {
            return true;
        }
        if m.tendon.actfrclimited.as_slice().contains(&true) {
            return false;
        }
        let Some(slopes) = coefficient_slopes(m, &n.state, &d.smooth, a, of_gain, k) else { return false };
        let (runs, vals) = d.smooth.transmissions.actuator_moment.row(m.actuator.outadr[a] as usize);
        let dofs = runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize);
        for (dof, x) in dofs.zip(vals).filter(|(dof, _)| !held[*dof]) {
            force[dof] -= slopes.force * x;
        }
        if slopes.slope != 0.0 && m.opt.integrator != IntegratorType::Euler {
            arms::add_damped(m, n, (runs, vals), m.opt.timestep * slopes.slope, step);
        }
        true
    }

    fn by_gravity(&self, k: usize, force: &mut [f64]) -> bool {
        let Self { m, d, .. } = *self;
        if m.opt.disabled(disable::GRAVITY) {
            return true;
        }
        let compensates = self.lifts();
        if compensates && m.jnt.actgravcomp.as_slice().contains(&true) {
            return false;
        }
        for b in m.body.ids().skip(1) {
            let lift = if compensates { m.body.gravcomp[b] } else { 0.0 };
            let weight = DVec3::AXES[k] * (-m.body.mass[b] * (1.0 - lift));
            let poses = &d.smooth.poses;
            apply_ft(m, &d.plan.dynamics.chains, poses, weight, DVec3::ZERO, poses.xipos[b], b, force);
        }
        true
    }
}
