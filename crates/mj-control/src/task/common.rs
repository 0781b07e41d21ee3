//! Costs, regulators and controllers that tasks share.

use super::Controller;
use crate::agent::{Agent, Planner};
use crate::cost::Cost;
use crate::error::ControlError;
use crate::ilqr::{Ilqr, IlqrOptions};
use crate::norm::Norm::Quadratic;
use crate::residual::Residual;
use crate::riccati::Regulator;
use mj_engine::{Data, Model, State, forward};

/// Cost of holding a position, with weights of position, velocity and control.
pub(super) fn hold(
    m: &Model,
    target: &[f64],
    position: f64,
    velocity: f64,
    control: f64,
) -> Result<Cost, ControlError> {
    Ok(Cost::new()
        .with("position", Residual::position(m, target)?, Quadratic, position, position)
        .with("rest", Residual::velocity(m), Quadratic, velocity, velocity)
        .with("control", Residual::control(m), Quadratic, control, 0.0))
}

/// Trajectory of so many steps, to be optimized.
pub(super) fn trajectory(m: &Model, cost: &Cost, steps: usize) -> Result<Controller, ControlError> {
    let ilqr = Ilqr::new(m, cost, IlqrOptions { steps, ..IlqrOptions::default() })?;
    Ok(Controller::Trajectory(Box::new(ilqr), None))
}

/// Regulator at a position that needs no force, with the weight of the controls.
pub(super) fn at_goal(m: &Model, goal: &[f64], control: f64) -> Result<Regulator, ControlError> {
    let mut state = State::new(m);
    state.qpos.copy_from_slice(goal);
    Regulator::new(m, &hold(m, goal, 1.0, 0.1, control)?, &state)
}

/// Regulator at the position of a state, held against gravity by a motor at each joint.
pub(super) fn at_rest(m: &Model, end: &State) -> Result<Regulator, ControlError> {
    let (mut d, mut rest) = (Data::new(m)?, end.clone());
    rest.qvel.fill(0.0);
    rest.ctrl.fill(0.0);
    d.state.clone_from(&rest);
    forward(m, &mut d)?;
    let balance = d.smooth.velocities.qfrc_bias.iter().zip(m.output.gear.iter()).map(|(f, gear)| f / gear[0]);
    rest.ctrl.iter_mut().zip(balance).for_each(|(u, f)| *u = f);
    Regulator::new(m, &hold(m, &rest.qpos, 100.0, 1.0, 0.1)?, &rest)
}

pub(super) fn agent(planner: Planner, every: usize, iterations: usize) -> Controller {
    Controller::Agent(Box::new(Agent::new(planner, every, iterations)))
}
