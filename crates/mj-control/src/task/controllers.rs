//! The tasks: their starts, costs and controllers.

use super::{Controller, Problem, Task, success};
use crate::agent::{Agent, Planner};
use crate::cost::Cost;
use crate::error::ControlError;
use crate::ilqr::{Ilqr, IlqrOptions};
use crate::norm::Norm::{self, L2, Quadratic};
use crate::random::Random;
use crate::residual::Residual;
use crate::riccati::Regulator;
use crate::sampling::{Method, Sampler, SamplerOptions};
use mj_engine::model::{IntegratorType, Stage};
use mj_engine::{Data, Model, State, forward, reset_to_key};
use std::f64::consts::PI;

macro_rules! model {
    ($name:literal) => {
        include_str!(concat!("../../models/", $name, ".xml"))
    };
}

/// Simulations as their models have them.
fn plain(_: &mut Model) {}

pub(super) const ALL: &[Task] = &[
    Task {
        name: "acrobot",
        about: "swings up a pendulum of two links that is driven at its elbow, from zero controls, and balances it",
        success: "both links within 0.1 rad of upright and slower than 0.5 rad/s through the last second",
        method: "iLQR over 3 s, then LQR",
        seconds: 6.0,
        is_open: false,
        hold: 1.0,
        xml: model!("acrobot"),
        setup: acrobot,
        regulator: Some(|m, goal, _| at_goal(m, goal, 0.1)),
        is_done: success::acrobot,
        prepare: plain,
    },
    Task {
        name: "cart_pole",
        about: "swings up the pole of a cart and balances it",
        success: "pole within 0.1 rad of upright, cart within 0.3 m of the middle through the last second",
        method: "iLQR over 2.4 s, then LQR",
        seconds: 6.0,
        is_open: false,
        hold: 1.0,
        xml: model!("cart_pole"),
        setup: cart_pole,
        regulator: Some(|m, goal, _| at_goal(m, goal, 0.5)),
        is_done: success::cart_pole,
        prepare: plain,
    },
    Task {
        name: "double_pendulum",
        about: "balances two poles on a cart from a tilted start",
        success: "both poles within 0.05 rad of upright, cart within 0.1 m of the middle through the last second",
        method: "LQR",
        seconds: 8.0,
        is_open: false,
        hold: 1.0,
        xml: model!("cart_double_pendulum"),
        setup: double_pendulum,
        regulator: None,
        is_done: success::double_pendulum,
        prepare: |m| m.opt.integrator = IntegratorType::ImplicitFast,
    },
    Task {
        name: "reach",
        about: "reaches for a point with an arm whose joints have limits",
        success: "hand within 1 cm of the target, slower than 0.1 rad/s, all joints within their ranges through the last half second",
        method: "iLQR over 1 s with constraints, then LQR",
        seconds: 2.0,
        is_open: false,
        hold: 0.5,
        xml: model!("reach"),
        setup: reach,
        regulator: Some(|m, _, end| at_rest(m, end)),
        is_done: success::reach,
        prepare: plain,
    },
    Task {
        name: "push",
        about: "pushes a box to a target with the hand of an arm",
        success: "box within 3 cm of the target through the last half second",
        method: "cross-entropy method, receding horizon",
        seconds: 6.0,
        is_open: false,
        hold: 0.5,
        xml: model!("push"),
        setup: push,
        regulator: None,
        is_done: success::push,
        prepare: plain,
    },
    Task {
        name: "humanoid_stand",
        about: "stands up from a squat and keeps standing",
        success: "head above 1.3 m through the last second",
        method: "iLQR, receding horizon of 0.25 s",
        seconds: 3.0,
        is_open: true,
        hold: 1.0,
        xml: model!("humanoid"),
        setup: humanoid_stand,
        regulator: None,
        is_done: success::stand,
        prepare: plain,
    },
    Task {
        name: "quadruped",
        about: "walks forward at 0.3 m/s",
        success: "trunk above 0.2 m and 0.5 m from the start at the end",
        method: "predictive sampling, receding horizon",
        seconds: 4.0,
        is_open: true,
        hold: 0.0,
        xml: model!("quadruped"),
        setup: quadruped,
        regulator: None,
        is_done: success::quadruped,
        prepare: plain,
    },
];

fn acrobot(m: &Model, seed: u64) -> Result<Problem, ControlError> {
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

/// Cost of holding a position, with weights of position, velocity and control.
fn hold(m: &Model, target: &[f64], position: f64, velocity: f64, control: f64) -> Result<Cost, ControlError> {
    Ok(Cost::new()
        .with("position", Residual::position(m, target)?, Quadratic, position, position)
        .with("rest", Residual::velocity(m), Quadratic, velocity, velocity)
        .with("control", Residual::control(m), Quadratic, control, 0.0))
}

/// Trajectory of so many steps, to be optimized.
fn trajectory(m: &Model, cost: &Cost, steps: usize) -> Result<Controller, ControlError> {
    let ilqr = Ilqr::new(m, cost, IlqrOptions { steps, ..IlqrOptions::default() })?;
    Ok(Controller::Trajectory(Box::new(ilqr), None))
}

/// Regulator at a position that needs no force, with the weight of the controls.
fn at_goal(m: &Model, goal: &[f64], control: f64) -> Result<Regulator, ControlError> {
    let mut state = State::new(m);
    state.qpos.copy_from_slice(goal);
    Regulator::new(m, &hold(m, goal, 1.0, 0.1, control)?, &state)
}

/// Regulator at the position of a state, held against gravity by a motor at each joint.
fn at_rest(m: &Model, end: &State) -> Result<Regulator, ControlError> {
    let (mut d, mut rest) = (Data::new(m)?, end.clone());
    rest.qvel.fill(0.0);
    rest.ctrl.fill(0.0);
    d.state.clone_from(&rest);
    forward(m, &mut d)?;
    let balance = d.smooth.velocities.qfrc_bias.iter().zip(m.output.gear.iter()).map(|(f, gear)| f / gear[0]);
    rest.ctrl.iter_mut().zip(balance).for_each(|(u, f)| *u = f);
    Regulator::new(m, &hold(m, &rest.qpos, 100.0, 1.0, 0.1)?, &rest)
}

fn cart_pole(m: &Model, seed: u64) -> Result<Problem, ControlError> {
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

fn double_pendulum(m: &Model, seed: u64) -> Result<Problem, ControlError> {
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

fn reach(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([4, seed, 0]);
    let mut draw = |margin: f64| -> Vec<f64> {
        let mut within = |[lower, upper]: [f64; 2]| random.uniform(lower + margin, upper - margin);
        m.jnt.ids().map(|j| within(m.jnt.range[j])).collect()
    };
    let mut d = Data::new(m)?;
    let (first, end) = (draw(0.2), draw(0.05));
    d.state.qpos.copy_from_slice(&end);
    forward(m, &mut d)?;
    let goal = d.sensordata[..3].to_vec();
    let mut start = State::new(m);
    start.qpos.copy_from_slice(&first);
    let hand = Residual::sensor(m, "hand", &goal)?;
    let limits = Residual::function(m.nv(), Stage::Pos, |m, d, r| {
        for ((r, j), q) in r.iter_mut().zip(m.jnt.ids()).zip(&d.state.qpos) {
            let [lower, upper] = m.jnt.range[j];
            *r = (q - 0.5 * (lower + upper)) / (0.5 * (upper - lower));
        }
    });
    let cost = Cost::new()
        .with("control", Residual::control(m), Quadratic, 0.01, 0.0)
        .with("hand", hand, Quadratic, 1.0, 4000.0)
        .with("rest", Residual::velocity(m), Quadratic, 1e-3, 4.0)
        .within("limits", limits, -0.99, 0.99);
    let controller = trajectory(m, &cost, 100)?;
    Ok(Problem { start, cost, goal, controller })
}

fn push(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([5, seed, 0]);
    let mut start = State::new(m);
    (start.qpos[0], start.qpos[1]) = (random.uniform(-1.5, -1.2), random.uniform(1.8, 2.2));
    (start.qpos[2], start.qpos[3]) = (random.uniform(-0.05, 0.05), random.uniform(-0.1, 0.1));
    let goal = vec![0.5 + random.uniform(-0.05, 0.15), random.uniform(0.1, 0.25), 0.0];
    let target = goal.clone();
    let behind = Residual::function(2, Stage::Pos, move |_, d, r| {
        // The hand belongs behind the box, seen from the target.
        let (hand, seen) = (&d.sensordata[..2], &d.sensordata[3..5]);
        let to = [target[0] - seen[0], target[1] - seen[1]];
        let length = (to[0] * to[0] + to[1] * to[1]).sqrt().max(0.03);
        (0..2).for_each(|k| r[k] = hand[k] - (seen[k] - 0.1 * to[k] / length));
    });
    let cost = Cost::new()
        .with("box", Residual::sensor(m, "box", &goal)?, L2(0.02), 20.0, 40.0)
        .with("hand", behind, L2(0.05), 3.0, 3.0)
        .with("control", Residual::control(m), Quadratic, 0.01, 0.0)
        .with("rest", Residual::velocity(m), Quadratic, 0.005, 0.005);
    let options = SamplerOptions {
        method: Method::Cem { elites: 6 },
        steps: 30,
        knots: 5,
        samples: 48,
        noise: 0.4,
        least_noise: 0.05,
        seed,
        ..SamplerOptions::default()
    };
    let sampler = Sampler::new(m, &cost, options)?;
    Ok(Problem { start, cost, goal, controller: agent(Planner::Sampler(Box::new(sampler)), 2, 2) })
}

fn agent(planner: Planner, every: usize, iterations: usize) -> Controller {
    Controller::Agent(Box::new(Agent::new(planner, every, iterations)))
}

fn humanoid_stand(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([6, seed, 0]);
    let mut d = Data::new(m)?;
    reset_to_key(m, &mut d, "stand")?;
    let stand = d.state.qpos.clone();
    reset_to_key(m, &mut d, "squat")?;
    let mut start = d.state.clone();
    start.qvel.iter_mut().skip(6).for_each(|v| *v = random.uniform(-0.1, 0.1));
    let height = Residual::sensor(m, "head_pos", &[0.0, 0.0, 1.6])?;
    let posture = Residual::Position { target: stand, dofs: (3..m.nv()).collect() };
    let cost = Cost::new()
        .with("height", height, Quadratic, 20.0, 200.0)
        .with("upright", Residual::sensor(m, "upright", &[0.0, 0.0, 1.0])?, Quadratic, 5.0, 50.0)
        .with("posture", posture, Quadratic, 0.5, 5.0)
        .with("rest", Residual::velocity(m), Norm::Quadratic, 0.01, 0.1)
        .with("control", Residual::control(m), Quadratic, 0.05, 0.0);
    let ilqr = Ilqr::new(m, &cost, IlqrOptions { steps: 50, parallel: true, ..IlqrOptions::default() })?;
    Ok(Problem { start, cost, goal: Vec::new(), controller: agent(Planner::Ilqr(Box::new(ilqr)), 4, 1) })
}

fn quadruped(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut d = Data::new(m)?;
    reset_to_key(m, &mut d, "home")?;
    let start = d.state.clone();
    let home = start.ctrl.clone();
    let trunk = Residual::function(2, Stage::Pos, |_, d, r| {
        (r[0], r[1]) = (d.sensordata[2] - 0.3, d.sensordata[1]);
    });
    let cost = Cost::new()
        .with("speed", Residual::sensor(m, "trunk_linvel", &[0.3, 0.0, 0.0])?, Quadratic, 4.0, 4.0)
        .with("trunk", trunk, Quadratic, 50.0, 50.0)
        .with("turn", Residual::sensor(m, "trunk_quat", &[1.0, 0.0, 0.0, 0.0])?, Quadratic, 10.0, 10.0)
        .with("control", Residual::Control { target: home.clone() }, Quadratic, 0.02, 0.0);
    let options = SamplerOptions { steps: 60, knots: 5, samples: 16, noise: 0.15, seed, ..SamplerOptions::default() };
    let mut sampler = Sampler::new(m, &cost, options)?;
    sampler.start(m, &home)?;
    let goal = vec![0.5];
    Ok(Problem { start, cost, goal, controller: agent(Planner::Sampler(Box::new(sampler)), 10, 1) })
}
