//! Start and cost of a hand that turns a cube.

use super::Problem;
use super::common::agent;
use crate::agent::Planner;
use crate::cost::Cost;
use crate::error::ControlError;
use crate::norm::Norm::{L2, Quadratic};
use crate::residual::Residual;
use crate::sampling::{Method, Sampler, SamplerOptions};
use mj_engine::model::Stage;
use mj_engine::{Model, State};
use mj_math::random::Random;
use std::f64::consts::FRAC_PI_2;

/// Controls of fingers that stand around the cube.
const OPEN: [f64; 3] = [0.0, 0.1, -0.5];

/// Distance of the fingers' last joints from the cube's middle at which they hold it, m.
const REACH: f64 = 0.055;

pub(super) fn cube(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([8, seed, 0]);
    let mut start = State::new(m);
    let fingers = OPEN.repeat(3);
    start.qpos[..9].copy_from_slice(&fingers);
    start.ctrl.copy_from_slice(&fingers);
    (9..11).for_each(|i| start.qpos[i] += random.uniform(-0.005, 0.005));
    let first = random.uniform(-0.3, 0.3);
    (start.qpos[12], start.qpos[15]) = ((0.5 * first).cos(), (0.5 * first).sin());
    let angle = first + if seed.is_multiple_of(2) { FRAC_PI_2 } else { -FRAC_PI_2 };
    let goal = vec![0.0, 0.0, 0.025, (0.5 * angle).cos(), (0.5 * angle).sin()];
    let target = goal.clone();
    let turn = Residual::function(3, Stage::Pos, move |_, d, r| r.copy_from_slice(&rotation(&d.sensordata, &target)));
    let tips = Residual::function(3, Stage::Pos, |_, d, r| {
        for (i, r) in r.iter_mut().enumerate() {
            let tip = &d.sensordata[7 + 3 * i..];
            let cube = &d.sensordata[..3];
            *r = (tip[0] - cube[0]).hypot(tip[1] - cube[1]) - REACH;
        }
    });
    let cost = Cost::new()
        .with("turn", turn, L2(0.1), 10.0, 20.0)
        .with("place", Residual::sensor(m, "cube_pos", &goal[..3])?, Quadratic, 4e3, 4e3)
        .with("tips", tips, Quadratic, 100.0, 100.0)
        .with("control", Residual::Control { target: fingers.clone() }, Quadratic, 0.02, 0.0);
    let options = SamplerOptions {
        method: Method::Cem { elites: 6 },
        steps: 50,
        knots: 6,
        samples: 48,
        noise: 0.3,
        least_noise: 0.1,
        seed,
        ..SamplerOptions::default()
    };
    let mut sampler = Sampler::new(m, &cost, options)?;
    sampler.start(m, &fingers)?;
    Ok(Problem { start, cost, goal, controller: agent(Planner::Sampler(Box::new(sampler)), 4, 2) })
}

/// Rotation of the cube from the goal about its upright axis, twice the vector part of the quaternion.
pub(super) fn rotation(sensordata: &[f64], goal: &[f64]) -> [f64; 3] {
    let q = &sensordata[3..7];
    let (c, s) = (goal[3], goal[4]);
    // Conjugate of the goal, times q.
    let w = c * q[0] + s * q[3];
    let vector = [c * q[1] + s * q[2], c * q[2] - s * q[1], c * q[3] - s * q[0]];
    vector.map(|x| 2.0 * x * w.signum())
}
