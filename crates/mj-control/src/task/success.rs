//! Conditions of success: functions of the state, the results there, and the goal of a problem.

use super::hand::rotation;
use mj_engine::{Data, Model};
use std::f64::consts::PI;

/// Simulated time of the humanoid's walk, s.
pub(super) const WALK: f64 = 4.0;

/// Distance of an angle from another, within half a turn.
fn turn(angle: f64, from: f64) -> f64 {
    ((angle - from + PI).rem_euclid(2.0 * PI) - PI).abs()
}

/// Both links of the acrobot within 0.1 rad of upright, slower than 0.5 rad/s.
pub(super) fn acrobot(_: &Model, d: &Data, _: &[f64]) -> bool {
    let (q, v) = (&d.state.qpos, &d.state.qvel);
    turn(q[0], PI) < 0.1 && turn(q[1], 0.0) < 0.1 && v.iter().all(|v| v.abs() < 0.5)
}

/// Pole within 0.1 rad of upright, cart within 0.3 m of the middle.
pub(super) fn cart_pole(_: &Model, d: &Data, _: &[f64]) -> bool {
    d.state.qpos[0].abs() < 0.3 && turn(d.state.qpos[1], 0.0) < 0.1
}

/// Both poles within 0.05 rad of upright, cart within 0.1 m of the middle of its rail.
pub(super) fn double_pendulum(_: &Model, d: &Data, _: &[f64]) -> bool {
    let q = &d.state.qpos;
    (q[0] - 1.2).abs() < 0.1 && turn(q[1], 0.0) < 0.05 && turn(q[1] + q[2], 0.0) < 0.05
}

/// Hand within 1 cm of the target and slower than 0.1 rad/s, all joints within their ranges.
pub(super) fn reach(m: &Model, d: &Data, goal: &[f64]) -> bool {
    let near = distance(&d.sensordata[..3], goal) < 0.01;
    near && within(m, d) && d.state.qvel.iter().all(|v| v.abs() < 0.1)
}

/// Condition of [`reach`] from the time on that is the goal's fourth number; before it, all joints within their ranges.
pub(super) fn reach_fast(m: &Model, d: &Data, goal: &[f64]) -> bool {
    if d.state.time < goal[3] { within(m, d) } else { reach(m, d, &goal[..3]) }
}

fn within(m: &Model, d: &Data) -> bool {
    m.jnt.ids().zip(&d.state.qpos).all(|(j, q)| m.jnt.range[j][0] <= *q && *q <= m.jnt.range[j][1])
}

/// Box within 3 cm of the target.
pub(super) fn push(_: &Model, d: &Data, goal: &[f64]) -> bool {
    distance(&d.sensordata[3..5], &goal[..2]) < 0.03
}

/// Head of the humanoid above 1.3 m.
pub(super) fn stand(_: &Model, d: &Data, _: &[f64]) -> bool {
    d.sensordata[2] > 1.3
}

/// Head of the humanoid above 1.3 m; at the end, further forward than 1 m.
pub(super) fn walk(m: &Model, d: &Data, _: &[f64]) -> bool {
    d.sensordata[2] > 1.3 && (d.state.time < WALK - 0.5 * m.opt.timestep || d.sensordata[0] > 1.0)
}

/// Cube within 0.2 rad of its goal, on the palm.
pub(super) fn cube(_: &Model, d: &Data, goal: &[f64]) -> bool {
    let turn = rotation(&d.sensordata, goal).iter().map(|x| x * x).sum::<f64>().sqrt();
    turn < 0.2 && distance(&d.sensordata[..3], &goal[..3]) < 0.03
}

/// Trunk of the quadruped above 0.2 m, further forward than the goal.
pub(super) fn quadruped(_: &Model, d: &Data, goal: &[f64]) -> bool {
    d.sensordata[2] > 0.2 && d.sensordata[0] > goal[0]
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
