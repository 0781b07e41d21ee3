//! Forward dynamics and stepping.

use crate::check;
use crate::data::{Data, smooth_results};
use crate::inverse;
use crate::sensor;
use crate::timing::StageTimer;
use crate::wrench;
use mj_constraint as constraint;
use mj_dynamics::{self as dynamics, Touch, Transmissions};
use mj_integrate::{EulerInputs, System, euler, implicit, rk4};
use mj_model::*;
use mj_solver::{ConstraintSolver, Method, Problem, Settings};

/// One time step: checks, forward dynamics, integration.
///
/// Non-finite or huge numbers are caught as the reference does: a warning is counted and the state
/// reset, unless `autoreset` is disabled. Allocates nothing once the buffers have grown to the
/// greatest number of contacts met.
pub fn step(m: &Model, d: &mut Data) {
    check::state(m, d);
    forward(m, d);
    advance(m, d);
}

/// The rest of a time step once positions and velocities have been dealt with: forces, acceleration,
/// integration.
pub(crate) fn finish_step(m: &Model, d: &mut Data) {
    actuation(m, d);
    solve(m, d);
    advance(m, d);
}

/// Takes the state one time step on, once the acceleration is known.
fn advance(m: &Model, d: &mut Data) {
    if check::acceleration(m, d) && !m.opt.disabled(disable::AUTORESET) {
        forward(m, d);
    }
    sensor::record(m, d);
    if m.opt.enabled(enable::FWDINV) {
        inverse::compare(m, d);
    }
    integrate(m, d, false);
}

/// Takes the state one time step on, from the results of forward dynamics. With `factored`, the
/// integrator uses the matrix that it factored last.
pub(crate) fn integrate(m: &Model, d: &mut Data, factored: bool) {
    let lifted = match m.opt.integrator {
        IntegratorType::Rk4 => {
            let mut ws = std::mem::take(&mut d.ws.rk4);
            rk4(m, &mut Stages { m, d }, &mut ws);
            d.ws.rk4 = ws;
            None
        }
        IntegratorType::Implicit | IntegratorType::ImplicitFast => {
            let r = smooth_results!(d);
            implicit(m, &mut d.state, r, &d.solution.qfrc_constraint, factored, &mut d.ws.implicit)
        }
        _ => {
            let inputs = EulerInputs {
                inertia: &d.inertia,
                transmissions: &d.transmissions,
                qfrc_smooth: &d.actuation.qfrc_smooth,
                qfrc_constraint: &d.solution.qfrc_constraint,
                qacc: &d.qacc,
                act_dot: &d.actuation.act_dot,
                factored,
            };
            euler(m, &mut d.state, inputs, &mut d.ws.euler)
        }
    };
    if let Some(dof) = lifted {
        d.warn(Warning::Inertia, dof.index());
    }
    // The last acceleration, of the last stage with Runge-Kutta, starts the next step's solver.
    d.state.qacc_warmstart.copy_from_slice(&d.qacc);
    d.timing.lap(StageTimer::Integrate);
}

/// Forward dynamics: everything up to the acceleration, and the sensors, at the present state.
pub fn forward(m: &Model, d: &mut Data) {
    evaluate(m, d, Known::Nothing, true);
}

/// What of the results is that of the present state already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// Nothing.
    Nothing,
    /// What depends on position only.
    Position,
    /// What depends on position and velocity.
    Velocity,
}

/// The stages of forward dynamics from the first that is not known, with or without sensors.
pub(crate) fn evaluate(m: &Model, d: &mut Data, known: Known, sensors: bool) {
    d.timing.lap(StageTimer::Other);
    if known < Known::Position {
        position(m, d);
        if sensors {
            sensor::position(m, d);
        }
    }
    if known < Known::Velocity {
        velocity(m, d);
        if sensors {
            sensor::velocity(m, d);
        }
    }
    actuation(m, d);
    solve(m, d);
    if sensors {
        sensor::acceleration(m, d);
    }
}

/// Stages that depend on position only.
pub(crate) fn position(m: &Model, d: &mut Data) {
    dynamics::kinematics(m, &d.state, &mut d.poses);
    dynamics::com_pos(m, &mut d.poses);
    dynamics::cameras_and_lights(m, &mut d.poses);
    dynamics::tendons(m, &d.state, &d.ws.chains, &d.poses, &mut d.transmissions);
    dynamics::transmission(m, &d.state, &d.ws.chains, &d.poses, &mut d.transmissions);
    d.timing.lap(StageTimer::Kinematics);
    dynamics::crb(m, &d.poses, &mut d.inertia);
    dynamics::add_tendon_armature(m, &d.transmissions, &mut d.inertia);
    if let Some(dof) = dynamics::factor(m, &mut d.inertia) {
        d.warn(Warning::Inertia, dof.index());
    }
    d.timing.lap(StageTimer::Inertia);
    collision(m, d);
    d.timing.lap(StageTimer::Collision);
    constraint::make_rows(
        m,
        &d.state,
        &d.ws.chains,
        &d.poses,
        &d.transmissions,
        &mut d.contacts,
        &mut d.ws.rows,
        &mut d.rows,
    );
    let (ws, list) = (&d.ws, &d.contacts.list);
    if ws.pulls_contacts {
        dynamics::adhesion_moments(m, &ws.chains, &d.poses, || touches(m, list), &mut d.transmissions);
    }
    d.timing.lap(StageTimer::Constraint);
}

/// Contacts; with `speculative` on, those too that the velocities bring about within the step.
fn collision(m: &Model, d: &mut Data) {
    let (xpos, xmat) = (&d.poses.geom_xpos, &d.poses.geom_xmat);
    if !m.opt.enabled(enable::SPECULATIVE) {
        return mj_collide::collide(m, xpos, xmat, &mut d.ws.collide, &mut d.contacts);
    }
    dynamics::com_vel(m, &d.state, &d.poses, &mut d.velocities);
    let velocity = |g| dynamics::body_velocity(m, &d.poses, &d.velocities, m.geom.bodyid[g], xpos[g]);
    mj_collide::collide_ahead(m, xpos, xmat, velocity, &mut d.ws.collide, &mut d.contacts);
}

/// Contacts as adhesion sees them: with those in the gap, but without those that move no dof.
fn touches<'a>(m: &'a Model, list: &'a [mj_collide::Contact]) -> impl Iterator<Item = Touch> + 'a {
    list.iter().filter(|c| c.exclude <= 1).map(|c| Touch {
        body: c.geom.map(|g| m.geom.bodyid[g]),
        point: c.pos,
        normal: c.frame[0],
        adhesion: c.adhesion,
    })
}

/// Stages that depend on position and velocity.
pub(crate) fn velocity(m: &Model, d: &mut Data) {
    let work = &mut d.ws.smooth;
    dynamics::transmission_velocities(m, &d.state, &d.transmissions, work, &mut d.velocities);
    dynamics::com_vel(m, &d.state, &d.poses, &mut d.velocities);
    dynamics::passive(m, &d.state, &d.ws.chains, &d.poses, &d.transmissions, &mut d.velocities);
    if d.ws.sticks {
        dynamics::stick(m, &d.ws.chains, &d.poses, touches(m, &d.contacts.list), &mut d.velocities);
    }
    dynamics::bias(m, &d.state, &d.poses, &d.transmissions, &mut d.velocities, work);
    d.timing.lap(StageTimer::Velocity);
    constraint::reference(m, &d.state, &d.ws.chains, &d.poses, &d.velocities, &d.contacts, &mut d.ws.rows, &mut d.rows);
    d.timing.lap(StageTimer::Constraint);
}

/// Actuator forces and the acceleration without constraints.
pub(crate) fn actuation(m: &Model, d: &mut Data) {
    let bad = dynamics::actuation(m, &d.state, &d.transmissions, &d.velocities, &mut d.ws.smooth, &mut d.actuation);
    if let Some(control) = bad {
        d.warn(Warning::BadCtrl, control.index());
    }
    dynamics::acceleration(m, &d.state, &d.ws.chains, &d.poses, &d.inertia, &d.velocities, &mut d.actuation);
    d.timing.lap(StageTimer::Actuation);
}

/// Constraint forces and the acceleration.
fn solve(m: &Model, d: &mut Data) {
    let problem = Problem {
        pattern: &m.m_pattern,
        m: &d.inertia.M,
        ld: &d.inertia.qLD,
        dinv: &d.inertia.qLDiagInv,
        tree: &d.ws.tree,
        qfrc_smooth: &d.actuation.qfrc_smooth,
        qacc_smooth: &d.actuation.qacc_smooth,
        qacc_warmstart: &d.state.qacc_warmstart,
        rows: d.rows.view(),
        settings: settings(&m.opt),
    };
    let solver = &mut d.ws.solver;
    solver.method = match m.opt.solver {
        SolverType::Newton => Method::Newton,
        SolverType::Cg => Method::Cg,
        SolverType::Pgs => Method::Pgs,
    };
    solver.noslip_iterations = u32::try_from(m.opt.noslip_iterations).unwrap_or(0);
    solver.noslip_tolerance = m.opt.noslip_tolerance;
    solver.solve(&problem, &mut d.solution);
    d.qacc.copy_from_slice(&d.solution.qacc);
    d.timing.lap(StageTimer::Solver);
}

fn settings(o: &Options) -> Settings {
    let count = |n: i32| u32::try_from(n).unwrap_or(0);
    Settings {
        iterations: count(o.iterations),
        tolerance: o.tolerance,
        ls_iterations: count(o.ls_iterations),
        ls_tolerance: o.ls_tolerance,
        warmstart: !o.disabled(disable::WARMSTART),
        islands: !o.disabled(disable::ISLAND),
    }
}

/// The stages of forward dynamics as Runge-Kutta evaluates them.
struct Stages<'a> {
    m: &'a Model,
    d: &'a mut Data,
}

impl System for Stages<'_> {
    fn state(&mut self) -> &mut State {
        &mut self.d.state
    }
    fn rates(&self) -> (&[f64], &[f64]) {
        (&self.d.qacc, &self.d.actuation.act_dot)
    }
    fn parts(&mut self) -> (&mut State, &Transmissions) {
        (&mut self.d.state, &self.d.transmissions)
    }
    fn forward(&mut self) {
        self.d.timing.lap(StageTimer::Integrate);
        evaluate(self.m, self.d, Known::Nothing, false);
    }
}

/// Computes what [`forward`] leaves out unless a sensor needs it: energy, subtree momenta, body
/// accelerations and forces.
pub fn complete(m: &Model, d: &mut Data) {
    d.energy = [
        dynamics::potential_energy(m, &d.state, &d.poses, &d.transmissions),
        dynamics::kinetic_energy(m, &d.state, &d.inertia, &mut d.ws.smooth),
    ];
    dynamics::subtree_vel(m, &d.poses, &mut d.velocities);
    wrench::body_forces(m, d);
}
