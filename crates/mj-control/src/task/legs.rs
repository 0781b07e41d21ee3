//! Starts and costs of a humanoid and a quadruped.

use super::Problem;
use super::common::agent;
use crate::agent::Planner;
use crate::cost::Cost;
use crate::error::ControlError;
use crate::ilqr::{Ilqr, IlqrOptions};
use crate::norm::Norm::Quadratic;
use crate::residual::Residual;
use crate::sampling::{Method, Sampler, SamplerOptions};
use mj_engine::model::{SensorId, Stage};
use mj_engine::{Data, Model, State, find, reset_to_key};
use mj_math::random::Random;
use std::f64::consts::TAU;

/// Time in which a falling body is caught, s: the point over which the feet belong is where the centre of mass will be.
const CATCH: f64 = 0.3;

/// Frequency of the quadruped's steps, Hz, and height of its feet above the ground at their highest, m.
const TROT: f64 = 2.0;
const LIFT: f64 = 0.07;

pub(super) fn humanoid_stand(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([6, seed, 0]);
    let mut start = key(m, "squat")?;
    start.qvel.iter_mut().skip(6).for_each(|v| *v = random.uniform(-0.1, 0.1));
    let cost = upright(m)?.with("posture", posture(m)?, Quadratic, 1.0, 4.0).with(
        "speed",
        horizontal(m, 0.0)?,
        Quadratic,
        4.0,
        8.0,
    );
    receding(m, start, cost)
}

pub(super) fn humanoid_walk(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let mut random = Random::new([7, seed, 0]);
    let mut start = key(m, "stand")?;
    start.qvel.iter_mut().skip(6).for_each(|v| *v = random.uniform(-0.1, 0.1));
    let cost = upright(m)?
        .with("posture", posture(m)?, Quadratic, 0.3, 0.3)
        .with("speed", horizontal(m, 0.7)?, Quadratic, 8.0, 8.0)
        .with("forward", Residual::sensor(m, "forward", &[1.0, 0.0, 0.0])?, Quadratic, 5.0, 5.0);
    receding(m, start, cost)
}

/// State of a keyframe.
fn key(m: &Model, name: &str) -> Result<State, ControlError> {
    let mut d = Data::new(m)?;
    reset_to_key(m, &mut d, name)?;
    Ok(d.state)
}

/// First number of a sensor.
fn place(m: &Model, name: &str) -> Result<usize, ControlError> {
    let id: SensorId = find(m, name)?;
    Ok(m.sensor.adr[id] as usize)
}

/// Cost of keeping upright above the feet.
fn upright(m: &Model) -> Result<Cost, ControlError> {
    let [head, com, vel] = [place(m, "head_pos")?, place(m, "com")?, place(m, "com_vel")?];
    let feet = [place(m, "foot_left")?, place(m, "foot_right")?];
    let height = Residual::function(1, Stage::Pos, move |_, d, r| {
        let s = &d.sensordata;
        r[0] = s[head + 2] - 0.5 * (s[feet[0] + 2] + s[feet[1] + 2]) - 1.45;
    });
    // The soles reach further to the front than to the back of the ankles.
    let balance = Residual::function(2, Stage::Vel, move |_, d, r| {
        let s = &d.sensordata;
        for (k, r) in r.iter_mut().enumerate() {
            let ahead = if k == 0 { 0.04 } else { 0.0 };
            *r = s[com + k] + CATCH * s[vel + k] - 0.5 * (s[feet[0] + k] + s[feet[1] + k]) - ahead;
        }
    });
    Ok(Cost::new()
        .with("height", height, Quadratic, 40.0, 100.0)
        .with("balance", balance, Quadratic, 30.0, 100.0)
        .with("upright", Residual::sensor(m, "upright", &[0.0, 0.0, 1.0])?, Quadratic, 5.0, 20.0)
        .with("rest", Residual::velocity(m), Quadratic, 0.01, 0.02)
        .with("control", Residual::control(m), Quadratic, 0.05, 0.0))
}

/// Difference of the joints from those of the posture `stand`.
fn posture(m: &Model) -> Result<Residual, ControlError> {
    Ok(Residual::Position { target: key(m, "stand")?.qpos, dofs: (6..m.nv()).collect() })
}

/// Difference of the centre of mass's horizontal velocity from one to the front.
fn horizontal(m: &Model, speed: f64) -> Result<Residual, ControlError> {
    let vel = place(m, "com_vel")?;
    Ok(Residual::function(2, Stage::Vel, move |_, d, r| {
        (r[0], r[1]) = (d.sensordata[vel] - speed, d.sensordata[vel + 1]);
    }))
}

/// Problem that iterative LQR solves anew at every other step.
fn receding(m: &Model, start: State, cost: Cost) -> Result<Problem, ControlError> {
    let ilqr = Ilqr::new(m, &cost, IlqrOptions { steps: 40, parallel: true, ..IlqrOptions::default() })?;
    Ok(Problem { start, cost, goal: Vec::new(), controller: agent(Planner::Ilqr(Box::new(ilqr)), 2, 1) })
}

pub(super) fn quadruped(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let start = key(m, "home")?;
    let home = start.ctrl.clone();
    let feet = [place(m, "fl")?, place(m, "rr")?, place(m, "fr")?, place(m, "rl")?];
    let [pos, up] = [place(m, "trunk_pos")?, place(m, "trunk_quat")?];
    let trunk = Residual::function(2, Stage::Pos, move |_, d, r| {
        let lowest = feet.map(|foot| d.sensordata[foot + 2]).into_iter().fold(f64::INFINITY, f64::min);
        (r[0], r[1]) = (d.sensordata[pos + 2] - lowest.min(0.1) - 0.3, d.sensordata[pos + 1]);
    });
    // A trot: the feet of a diagonal leave the ground together.
    let steps = Residual::function(4, Stage::Pos, move |_, d, r| {
        for (i, r) in r.iter_mut().enumerate() {
            let phase = TROT * d.state.time + if i < 2 { 0.0 } else { 0.5 };
            *r = d.sensordata[feet[i] + 2] - 0.024 - LIFT * (TAU * phase).sin().max(0.0);
        }
    });
    let turn = Residual::function(3, Stage::Pos, move |_, d, r| {
        let q = &d.sensordata[up..up + 4];
        (0..3).for_each(|k| r[k] = 2.0 * q[0].signum() * q[k + 1]);
    });
    let cost = Cost::new()
        .with("speed", Residual::sensor(m, "trunk_vel", &[0.3, 0.0, 0.0])?, Quadratic, 2.0, 2.0)
        .with("trunk", trunk, Quadratic, 60.0, 60.0)
        .with("steps", steps, Quadratic, 60.0, 60.0)
        .with("turn", turn, Quadratic, 6.0, 6.0)
        .with("control", Residual::Control { target: home.clone() }, Quadratic, 0.05, 0.0);
    let options = SamplerOptions {
        method: Method::Cem { elites: 5 },
        steps: 70,
        knots: 6,
        samples: 40,
        noise: 0.25,
        least_noise: 0.08,
        seed,
        ..SamplerOptions::default()
    };
    let mut sampler = Sampler::new(m, &cost, options)?;
    sampler.start(m, &home)?;
    let goal = vec![0.5];
    Ok(Problem { start, cost, goal, controller: agent(Planner::Sampler(Box::new(sampler)), 4, 1) })
}
