//! Forward dynamics: the stages in order.

use crate::data::timing::StageTimer;
use crate::data::{Data, Laws};
use crate::energy::potential_energy;
use crate::entry;
use crate::pipeline::problem::constraint_problem;
use crate::pipeline::{continuous, discrete};
use crate::sensor;
use crate::sleep;
use crate::wrench;
use mj_collide::{FlexPoses, PreviousContacts};
use mj_constraint::{self as constraint, RowInputs, Rows};
use mj_dynamics::{self as dynamics, Smooth, Touch, UserActuators};
use mj_model::*;
use mj_problem::{ConstraintSolver, ConstraintState, Problem};
use mj_solver::{BuiltIn, Method};

/// Results that are already those of the present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// Nothing.
    Nothing,
    /// Stages that depend on position alone.
    Position,
    /// Stages that depend on position and velocity.
    Velocity,
}

/// Runs the stages of forward dynamics from the first that is not known, with or without sensors.
pub(crate) fn evaluate(m: &Model, d: &mut Data, known: Known, sensors: bool) {
    evaluate_by(m, d, Evaluation { known, sensors, factored: true, moved: None, before: None }, solve);
}

/// Which stages [`evaluate_by`] runs.
pub(crate) struct Evaluation<'a> {
    /// Results that are not computed again.
    pub known: Known,
    /// Whether sensors are read.
    pub sensors: bool,
    /// Whether the inertia is factored, and the unconstrained acceleration found: the solver may do without.
    pub factored: bool,
    /// The trees whose positions or velocities are others than at the last evaluation, as if they alone were awake.
    /// Not for models with tendons or laws that see more than one tree.
    pub moved: Option<&'a mut Awake>,
    /// Contacts of a state from which some bodies have moved, as one.
    pub before: Option<PreviousContacts<'a>>,
}

/// Runs stages for these trees alone.
fn for_trees(d: &mut Data, awake: &mut Option<&mut Awake>, stages: impl FnOnce(&mut Data)) {
    let Some(awake) = awake else { return stages(d) };
    std::mem::swap(&mut d.state.awake, *awake);
    stages(d);
    std::mem::swap(&mut d.state.awake, *awake);
}

/// Runs the stages of forward dynamics as `how` says, with `solve` for the constraint forces and the acceleration.
pub(crate) fn evaluate_by(m: &Model, d: &mut Data, how: Evaluation<'_>, solve: impl FnOnce(&Model, &mut Data)) {
    let Evaluation { known, sensors, factored, mut moved, before } = how;
    d.timing.lap(StageTimer::Other);
    if known < Known::Position {
        sleep::by_touch(m, d);
        for_trees(d, &mut moved, |d| position_stage(m, d, factored));
        constraint_stage(m, d, before);
        if sensors {
            sensor::position(m, d);
        }
    }
    if known < Known::Velocity {
        for_trees(d, &mut moved, |d| smooth_velocity(m, d));
        reference(m, d);
        if sensors {
            sensor::velocity(m, d);
        }
    }
    call_control(m, d);
    actuator_forces(m, d);
    if factored {
        dynamics::unconstrained_acceleration(m, &d.state, &d.smooth.inertia, &mut d.smooth.actuation);
    }
    d.timing.lap(StageTimer::Actuation);
    solve(m, d);
    if sensors {
        sensor::acceleration(m, d);
    }
}

/// Factors the inertia and computes the unconstrained acceleration, which [`evaluate_by`] may leave out.
pub(crate) fn factor(m: &Model, d: &mut Data) {
    factor_inertia(m, d);
    dynamics::unconstrained_acceleration(m, &d.state, &d.smooth.inertia, &mut d.smooth.actuation);
}

/// Factors the joint-space inertia.
pub(crate) fn factor_inertia(m: &Model, d: &mut Data) {
    if let Some(dof) = d.smooth.inertia.factor(m, &d.state.awake) {
        // An inertia that is not a number comes from coordinates that are none, of which other warnings tell.
        if !d.smooth.inertia.M.iter().any(|x| x.is_nan()) {
            d.warn(Warning::Inertia, dof.index());
        }
    }
}

/// Lets the control hook set controls, where there is one.
pub(crate) fn call_control(m: &Model, d: &mut Data) {
    if let Some(hooks) = d.hooks.clone().filter(|_| !m.opt.disabled(disable::ACTUATION)) {
        entry::inside_hook(m, d, |d| hooks.control(m, d));
    }
}

/// Runs the stages that depend on position only.
pub(crate) fn position(m: &Model, d: &mut Data) {
    sleep::by_touch(m, d);
    position_stage(m, d, true);
    constraint_stage(m, d, None);
}

/// Computes poses, tendons and inertia.
fn position_stage(m: &Model, d: &mut Data, factored: bool) {
    dynamics::kinematics(m, &d.state, &mut d.smooth.poses);
    dynamics::com_pos(m, &d.state.awake, &mut d.smooth.poses);
    dynamics::cameras_and_lights(m, &mut d.smooth.poses);
    place_flexes(m, d);
    let plan = &d.plan.dynamics;
    dynamics::tendons(m, &plan.tendons, &d.state, &d.smooth.poses, &mut d.ws.smooth, &mut d.smooth.transmissions);
    sleep::by_tendons(m, d);
    let plan = &d.plan.dynamics;
    dynamics::transmission(m, &plan.actuators, &d.state, &plan.chains, &d.smooth.poses, &mut d.smooth.transmissions);
    d.timing.lap(StageTimer::Kinematics);
    dynamics::crb(m, &d.state.awake, &d.smooth.poses, &mut d.smooth.inertia);
    dynamics::add_tendon_armature(m, &d.state.awake, &d.smooth.transmissions, &mut d.smooth.inertia);
    if factored {
        factor_inertia(m, d);
    }
    d.timing.lap(StageTimer::Inertia);
}

/// Places the vertices of flexes and measures their edges.
fn place_flexes(m: &Model, d: &mut Data) {
    if !m.flex.is_empty() {
        mj_deformable::vertices(m, &d.plan.flexes, &d.smooth.poses, &mut d.flexes);
        mj_deformable::rod_frames(m, &d.state, &d.plan.flexes, &d.smooth.poses, &mut d.flexes);
        mj_deformable::edges(m, &d.plan.dynamics.chains, &d.smooth.poses, &mut d.flexes);
    }
}

/// Finds contacts and makes constraint rows.
fn constraint_stage(m: &Model, d: &mut Data, before: Option<PreviousContacts<'_>>) {
    collision(m, d, before);
    d.contacts.list.extend_from_slice(&d.ws.added);
    if sleep::by_contacts(m, d) {
        collision(m, d, None);
        d.contacts.list.extend_from_slice(&d.ws.added);
    }
    d.ws.added.clear();
    sleep::by_equalities(m, d);
    d.timing.lap(StageTimer::Collision);
    make_constraint(m, d);
}

/// Constraint rows of the present contacts.
pub(crate) fn make_constraint(m: &Model, d: &mut Data) {
    d.ws.custom.start(m.nv());
    if let Some(hooks) = d.hooks.clone().filter(|_| !m.opt.disabled(disable::EQUALITY | disable::CONSTRAINT)) {
        let mut custom = std::mem::take(&mut d.ws.custom);
        entry::inside_hook(m, d, |d| hooks.equality(m, d, &mut custom));
        d.ws.custom = custom;
    }
    let chains = &d.plan.dynamics.chains;
    let custom = Some(&d.ws.custom);
    let inputs = RowInputs { chains, smooth: &d.smooth, flexes: &d.flexes, contacts: &d.contacts, custom };
    constraint::make_rows(m, &d.state, inputs, &mut d.ws.rows, &mut d.rows);
    // Until the rows are solved, whoever reads forces finds one for each.
    let n = d.rows.nefc();
    d.rows.vel.resize(n, 0.0);
    d.rows.aref.resize(n, 0.0);
    d.solution.efc_force.resize(n, 0.0);
    d.solution.efc_state.resize(n, ConstraintState::Satisfied);
    if d.plan.pulls_contacts {
        let (contacts, rows) = (&d.contacts, &d.rows);
        let Smooth { poses, transmissions, .. } = &mut d.smooth;
        dynamics::adhesion_moments(m, chains, poses, || touches(m, contacts, rows), transmissions);
    }
    d.timing.lap(StageTimer::Constraint);
}

/// Contacts; with `speculative` on, those too that the velocities bring about within the step.
pub(crate) fn collision(m: &Model, d: &mut Data, before: Option<PreviousContacts<'_>>) {
    geom_collision(m, d, before);
    if !m.flex.is_empty() {
        let flexes = FlexPoses {
            vert_xpos: &d.flexes.vert_xpos,
            elem_aabb: &d.flexes.elem_aabb,
            elem_section: &d.flexes.sections.elem,
            vert_section: &d.flexes.sections.vert,
        };
        let (xpos, xmat) = (&d.smooth.poses.geom_xpos, &d.smooth.poses.geom_xmat);
        mj_collide::collide_flexes(m, &d.state.awake, xpos, xmat, flexes, &mut d.ws.collide, &mut d.contacts);
    }
}

/// Contacts of geoms with each other.
fn geom_collision(m: &Model, d: &mut Data, before: Option<PreviousContacts<'_>>) {
    let (awake, xpos, xmat) = (&d.state.awake, &d.smooth.poses.geom_xpos, &d.smooth.poses.geom_xmat);
    if !m.opt.enabled(enable::SPECULATIVE) {
        if let Some(before) = before {
            return mj_collide::collide_incremental(m, awake, xpos, xmat, before, &mut d.ws.collide, &mut d.contacts);
        }
        return mj_collide::collide(m, awake, xpos, xmat, &mut d.ws.collide, &mut d.contacts);
    }
    dynamics::com_vel(m, &d.state, &d.smooth.poses, &mut d.smooth.velocities);
    let velocity = |g| dynamics::body_velocity(m, &d.smooth.poses, &d.smooth.velocities, m.geom.bodyid[g], xpos[g]);
    mj_collide::collide_ahead(m, awake, xpos, xmat, velocity, &mut d.ws.collide, &mut d.contacts);
}

/// Contacts as adhesion sees them: with those in the gap, but without those that move no dof.
fn touches<'a>(m: &'a Model, list: &'a [mj_collide::Contact], rows: &'a Rows) -> impl Iterator<Item = Touch> + 'a {
    list.iter().zip(&rows.contacts).filter(|(_, of)| of.exclude <= 1).map(|(c, _)| Touch {
        body: c.bodies(m),
        point: c.pos,
        normal: c.frame[0],
        adhesion: c.adhesion,
    })
}

/// Runs the stages that depend on position and velocity.
pub(crate) fn velocity(m: &Model, d: &mut Data) {
    smooth_velocity(m, d);
    reference(m, d);
}

/// Velocities, passive and bias forces.
fn smooth_velocity(m: &Model, d: &mut Data) {
    d.ws.kinetic_known = false;
    let (plan, work, r) = (&d.plan.dynamics, &mut d.ws.smooth, &mut d.smooth);
    dynamics::transmission_velocities(m, &plan.actuators, &d.state, &r.transmissions, work, &mut r.velocities);
    dynamics::com_vel(m, &d.state, &r.poses, &mut r.velocities);
    mj_deformable::edge_velocities(&d.state, &mut d.flexes);
    passive(m, d);
    bias(m, d);
    d.timing.lap(StageTimer::Velocity);
}

/// Passive forces.
pub(crate) fn passive(m: &Model, d: &mut Data) {
    let (plan, r) = (&d.plan.dynamics, &mut d.smooth);
    dynamics::passive(m, &d.state, &plan.chains, &r.poses, &r.transmissions, &mut r.velocities);
    if !m.flex.is_empty() {
        flex_forces(m, d);
    }
    let (plan, r) = (&d.plan.dynamics, &mut d.smooth);
    dynamics::apply_adhesion(m, &plan.chains, &r.poses, touches(m, &d.contacts, &d.rows), &mut r.velocities);
    dynamics::plugin_forces(m, &d.plan.dynamics, &d.state, &r.poses, &mut r.velocities, &mut d.ws.plugin_wrenches);
    if let Some(hooks) = d.hooks.clone() {
        entry::inside_hook(m, d, |d| hooks.passive(m, d));
        d.smooth.velocities.qfrc_passive.resize(m.nv(), 0.0);
    }
}

/// Adds the forces of flexes to the springs, the dampers and their sum.
fn flex_forces(m: &Model, d: &mut Data) {
    if m.opt.disabled(disable::SPRING) && m.opt.disabled(disable::DAMPER) {
        return;
    }
    let (chains, r) = (&d.plan.dynamics.chains, &mut d.smooth);
    mj_deformable::add_forces(m, &d.state, &d.plan.flexes, chains, &r.poses, &mut d.flexes, &mut r.velocities);
    mj_deformable::add_interpolated_forces(m, &d.state, chains, &r.poses, &mut d.flexes, &mut r.velocities);
    d.rows.passive.add_forces(&mut r.velocities.qfrc_spring);
    d.rows.passive.add_forces(&mut r.velocities.qfrc_passive);
}

/// Coriolis, centrifugal and gravitational forces.
pub(crate) fn bias(m: &Model, d: &mut Data) {
    let work = &mut d.ws.smooth;
    dynamics::bias(m, &d.state, &d.smooth.poses, &d.smooth.transmissions, &mut d.smooth.velocities, work);
}

/// Velocities of the constraint rows, and what they aim at.
pub(crate) fn reference(m: &Model, d: &mut Data) {
    let (chains, custom) = (&d.plan.dynamics.chains, Some(&d.ws.custom));
    let inputs = RowInputs { chains, smooth: &d.smooth, flexes: &d.flexes, contacts: &d.contacts, custom };
    constraint::reference(m, &d.state, inputs, &mut d.ws.rows, &mut d.rows);
    d.timing.lap(StageTimer::Constraint);
}

/// Actuator forces and the acceleration without constraints.
pub(crate) fn actuation(m: &Model, d: &mut Data) {
    actuator_forces(m, d);
    dynamics::unconstrained_acceleration(m, &d.state, &d.smooth.inertia, &mut d.smooth.actuation);
    d.timing.lap(StageTimer::Actuation);
}

/// Actuator forces and the sum of all forces but constraints.
pub(crate) fn actuator_forces(m: &Model, d: &mut Data) {
    if let Some(hooks) = d.hooks.clone() {
        entry::inside_hook(m, d, |d| hooks.before_actuation(m, d));
    }
    let laws = d.hooks.as_deref().map(Laws);
    let user = laws.as_ref().map(|l| l as &dyn UserActuators);
    let (trans, vel) = (&d.smooth.transmissions, &d.smooth.velocities);
    let bad = dynamics::actuation(
        m,
        &d.plan.dynamics.actuators,
        &d.state,
        trans,
        vel,
        user,
        &mut d.ws.smooth,
        &mut d.smooth.actuation,
    );
    if let Some(control) = bad {
        d.warn(Warning::BadCtrl, control.index());
    }
    dynamics::smooth_force(
        m,
        &d.state,
        &d.plan.dynamics.chains,
        &d.smooth.poses,
        &d.smooth.velocities,
        &mut d.smooth.actuation,
    );
}

/// Assembles the constraint problem that the last call of [`forward`](crate::forward) solved, for any [`ConstraintSolver`].
/// With the integrator `discrete` it is that of the step, in the effective inertia; the couplings of tendons and
/// actuators are its first rows then.
///
/// Example: [`contact_force`](crate::contact_force).
pub fn problem<'a>(m: &'a Model, d: &'a Data) -> Problem<'a> {
    if m.opt.integrator == IntegratorType::Discrete {
        discrete::problem(m, d)
    } else {
        constraint_problem(m, &d.state, &d.plan.tree, &d.smooth, &d.rows)
    }
}

/// Constraint forces and the acceleration.
pub(crate) fn solve(m: &Model, d: &mut Data) {
    if d.solver.is_none() {
        prepare_solver(m, &mut d.ws.solver);
        d.ws.solver.threads = d.solver_threads;
    }
    if continuous::applies(m) {
        discrete::solve_without_constraints(m, d);
    } else if m.opt.integrator == IntegratorType::Discrete {
        discrete::solve(m, d);
    } else {
        let problem = constraint_problem(m, &d.state, &d.plan.tree, &d.smooth, &d.rows);
        match &mut d.solver {
            Some(solver) => solver.solve(&problem, &mut d.solution),
            None => d.ws.solver.solve(&problem, &mut d.solution),
        }
        d.qacc.copy_from_slice(&d.solution.qacc);
    }
    d.timing.lap(StageTimer::Solver);
}

fn prepare_solver(m: &Model, solver: &mut BuiltIn) {
    solver.method = match m.opt.solver {
        SolverType::Newton => Method::Newton,
        SolverType::Cg => Method::Cg,
        SolverType::Pgs => Method::Pgs,
    };
    solver.noslip_iterations = u32::try_from(m.opt.noslip_iterations).unwrap_or(0);
    solver.noslip_tolerance = m.opt.noslip_tolerance;
}

/// Computes what [`forward`](crate::forward) leaves out unless a sensor needs it: energy, subtree momenta, body
/// accelerations and forces.
///
/// Example: [stages](crate::stages#example).
pub fn complete(m: &Model, d: &mut Data) {
    d.energy = [potential_energy(m, d), dynamics::kinetic_energy(m, &d.state, &d.smooth.inertia, &mut d.ws.smooth)];
    dynamics::subtree_vel(m, &d.smooth.poses, &mut d.smooth.velocities);
    wrench::body_forces(m, d);
}
