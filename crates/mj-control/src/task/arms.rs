//! Starts and costs of arms that reach and push.

use super::Problem;
use super::common::{agent, trajectory};
use crate::agent::Planner;
use crate::cost::Cost;
use crate::error::ControlError;
use crate::norm::Norm::{L2, Quadratic};
use crate::residual::Residual;
use crate::sampling::{Method, Sampler, SamplerOptions};
use mj_engine::model::Stage;
use mj_engine::{Data, Model, State, forward, inverse};
use mj_math::random::Random;

pub(super) fn reach(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let [start, end] = random_positions(m, &mut Random::new([4, seed, 0]));
    reaching(m, start, &end, 100, 0.01)
}

/// Part of the time of the fastest minimum-jerk movement in which a time-optimal one is done.
const FAST: f64 = 0.85;

pub(super) fn reach_fast(m: &Model, seed: u64) -> Result<Problem, ControlError> {
    let [start, end] = random_positions(m, &mut Random::new([9, seed, 0]));
    let deadline = FAST * minimum_jerk_time(m, &start, &end)?;
    let mut problem = reaching(m, start, &end, 120, 1e-4)?;
    problem.goal.push(deadline);
    Ok(problem)
}

/// Positions to begin and to end with, away from the joints' limits.
fn random_positions(m: &Model, random: &mut Random) -> [Vec<f64>; 2] {
    [0.2, 0.05].map(|margin| {
        let mut within = |[lower, upper]: [f64; 2]| random.uniform(lower + margin, upper - margin);
        m.jnt.ids().map(|j| within(m.jnt.range[j])).collect()
    })
}

/// Problem of reaching the point where the hand is at the position `end`.
fn reaching(m: &Model, from: Vec<f64>, end: &[f64], steps: usize, control: f64) -> Result<Problem, ControlError> {
    let mut d = Data::new(m)?;
    d.state.qpos.copy_from_slice(end);
    forward(m, &mut d)?;
    let goal = d.sensordata[..3].to_vec();
    let mut start = State::new(m);
    start.qpos = from;
    let hand = Residual::sensor(m, "hand", &goal)?;
    let limits = Residual::function(m.nv(), Stage::Pos, |m, d, r| {
        for ((r, j), q) in r.iter_mut().zip(m.jnt.ids()).zip(&d.state.qpos) {
            let [lower, upper] = m.jnt.range[j];
            *r = (q - 0.5 * (lower + upper)) / (0.5 * (upper - lower));
        }
    });
    let cost = Cost::new()
        .with("control", Residual::control(m), Quadratic, control, 0.0)
        .with("hand", hand, Quadratic, 100.0 * control, 4000.0)
        .with("rest", Residual::velocity(m), Quadratic, 0.1 * control, 4.0)
        .within("limits", limits, -0.99, 0.99);
    let controller = trajectory(m, &cost, steps)?;
    Ok(Problem { start, cost, goal, controller })
}

/// Least time, s, of a movement of all joints along a polynomial of minimum jerk (Flash and Hogan, 1985) that the motors'
/// limits allow.
fn minimum_jerk_time(m: &Model, from: &[f64], to: &[f64]) -> Result<f64, ControlError> {
    let mut d = Data::new(m)?;
    let mut fits = |time: f64| -> Result<bool, ControlError> {
        for k in 0..=60 {
            let s = k as f64 / 60.0;
            let p = [
                s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s),
                30.0 * (s * (1.0 - s)).powi(2) / time,
                60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (time * time),
            ];
            for i in 0..m.nv() {
                let span = to[i] - from[i];
                (d.state.qpos[i], d.state.qvel[i], d.qacc[i]) = (from[i] + span * p[0], span * p[1], span * p[2]);
            }
            inverse(m, &mut d)?;
            let allowed = |(f, gear): (&f64, &[f64; 6])| f.abs() <= gear[0];
            if !d.qfrc_inverse.iter().zip(m.output.gear.iter()).all(allowed) {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let (mut short, mut long) = (0.0, 0.1);
    while !fits(long)? && long < 100.0 {
        (short, long) = (long, 2.0 * long);
    }
    for _ in 0..20 {
        let middle = 0.5 * (short + long);
        *(if fits(middle)? { &mut long } else { &mut short }) = middle;
    }
    Ok(long)
}

pub(super) fn push(m: &Model, seed: u64) -> Result<Problem, ControlError> {
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
