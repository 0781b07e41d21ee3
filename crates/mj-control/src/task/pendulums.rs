//! Starts and costs of pendulums: a swing-up, and poles on carts.

use super::common::{at_goal, hold, trajectory};
use super::{Controller, Problem};
use crate::cost::Cost;
use crate::error::ControlError;
use crate::norm::Norm::Quadratic;
use crate::residual::Residual;
use mj_engine::{Model, State};
use mj_math::random::Random;
use std::f64::consts::PI;

pub(super) fn acrobot(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([1, seed, 0]);
    let mut start = State::new(m);
    start.qpos.iter_mut().for_each(|q| *q = random.uniform(-0.1, 0.1));
    let upright = |start: &State| vec![if start.qpos[0] < 0.0 { -PI } else { PI }, 0.0];
    let target = upright(&start);
    let cost = Cost::new()
        .with("control", Residual::control(m), Quadratic, 0.02, 0.0)
        .with("upright", Residual::position(m, &target)?, Quadratic, 0.0, 400.0)
        .with("rest", Residual::velocity(m), Quadratic, 1e-4, 40.0);
    let controller = trajectory(m, &cost, 300)?;
    Ok(Problem { start, cost, goal: target, controller })
}

pub(super) fn cart_pole(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([2, seed, 0]);
    let mut start = State::new(m);
    start.qpos[0] = random.uniform(-0.3, 0.3);
    start.qpos[1] = PI + random.uniform(-0.2, 0.2);
    let target = vec![0.0, if start.qpos[1] < PI { 0.0 } else { 2.0 * PI }];
    let cost = Cost::new()
        .with("control", Residual::control(m), Quadratic, 0.05, 0.0)
        .with("position", Residual::position(m, &target)?, Quadratic, 0.01, 200.0)
        .with("rest", Residual::velocity(m), Quadratic, 1e-3, 20.0);
    let controller = trajectory(m, &cost, 120)?;
    Ok(Problem { start, cost, goal: target, controller })
}

pub(super) fn double_pendulum(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([3, seed, 0]);
    let target = vec![1.2, 0.0, 0.0];
    let cost = hold(m, &target, 1.0, 0.1, 0.1)?;
    let regulator = at_goal(m, &target, 0.1)?;
    let mut start = State::new(m);
    start.qpos.copy_from_slice(&target);
    start.qpos[0] += random.uniform(-0.2, 0.2);
    (1..3).for_each(|i| start.qpos[i] += random.uniform(-0.05, 0.05));
    Ok(Problem { start, cost, goal: target, controller: Controller::Regulator(Box::new(regulator)) })
}
