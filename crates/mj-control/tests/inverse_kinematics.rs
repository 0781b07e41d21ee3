//! Inverse kinematics finds poses that kinematics made, and keeps the joints within their ranges.

use mj_control::*;
use mj_engine::prelude::*;
use mj_engine::{DQuat, find, kinematics};
use proptest::prelude::*;

/// An arm of six hinges with a tool, and a free body.
fn arm() -> Model {
    load_str(
        "<mujoco><compiler angle='radian'/><default><joint range='-2.5 2.5' limited='true'/><geom size='.03' mass='1'/></default>
         <worldbody><body><joint axis='0 0 1'/><geom/><body pos='0 0 .3'><joint axis='0 1 0'/><geom/>
         <body pos='.3 0 0'><joint axis='0 1 0'/><geom/><body pos='.3 0 0'><joint axis='1 0 0'/><geom/>
         <body pos='.1 0 0'><joint axis='0 1 0'/><geom/><body name='hand' pos='.1 0 0'><joint axis='1 0 0'/><geom/>
         <site name='tool' pos='.05 0 .02' euler='.3 .2 .1'/></body></body></body></body></body></body>
         <body pos='1 0 0'><freejoint/><geom name='ball'/></body></worldbody></mujoco>",
    )
    .unwrap()
}

fn site_pose(m: &Model, qpos: &[f64]) -> (DVec3, DQuat) {
    let mut d = Data::new(m).unwrap();
    d.state.qpos.copy_from_slice(qpos);
    kinematics(m, &mut d).unwrap();
    let id: mj_engine::model::SiteId = find(m, "tool").unwrap();
    (d.smooth.poses.site_xpos[id], DQuat::from_mat3(&d.smooth.poses.site_xmat[id]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// From near a position, the pose that it makes is found to the last digits.
    #[test]
    fn poses_are_found(q in prop::array::uniform6(-2.0..2.0f64), off in prop::array::uniform6(-0.15..0.15f64)) {
        let m = arm();
        let mut qpos = m.qpos0.clone();
        qpos[..6].copy_from_slice(&q);
        let (position, rotation) = site_pose(&m, &qpos);
        (0..6).for_each(|i| qpos[i] += off[i]);
        let targets = [Target::position(Frame::site(&m, "tool").unwrap(), position).with_rotation(rotation, 0.3)];
        let found = inverse_kinematics(&m, &qpos, &targets, &InverseKinematicsOptions::default()).unwrap();
        prop_assert!(found.error < 1e-6, "{found:?}");
        let (reached, turned) = site_pose(&m, &found.qpos);
        prop_assert!((reached - position).length() < 1e-6 && turned.dot(rotation).abs() > 1.0 - 1e-9);
        // Nothing else moves.
        prop_assert_eq!(&found.qpos[6..], &m.qpos0[6..]);
    }

    /// A target out of reach leaves every joint within its range, at a minimum: small moves don't come nearer.
    #[test]
    fn ranges_are_kept(x in -3.0..3.0f64, y in -3.0..3.0f64, z in -2.0..2.0f64) {
        let m = arm();
        let goal = DVec3::new(x, y, z);
        let start: Vec<f64> = m.qpos0.iter().enumerate().map(|(i, q)| if i < 6 { 0.3 } else { *q }).collect();
        let targets = [Target::position(Frame::site(&m, "tool").unwrap(), goal)];
        let options = InverseKinematicsOptions { iterations: 500, ..Default::default() };
        let found = inverse_kinematics(&m, &start, &targets, &options).unwrap();
        prop_assert!(found.qpos[..6].iter().all(|q| q.abs() <= 2.5));
        for (i, step) in (0..6).flat_map(|i| [(i, 1e-3), (i, -1e-3)]) {
            let mut near = found.qpos.clone();
            near[i] = (near[i] + step).clamp(-2.5, 2.5);
            prop_assert!((site_pose(&m, &near).0 - goal).length() > found.error - 1e-6, "dof {i}: {found:?}");
        }
    }
}

/// Two targets, one of a free body's geom; only some dofs may move.
#[test]
fn several_targets_are_weighed() {
    let m = arm();
    let hand = Target::position(Frame::body(&m, "hand").unwrap(), DVec3::new(0.4, 0.2, 0.4));
    let ball = Target::position(Frame::geom(&m, "ball").unwrap(), DVec3::new(0.5, 0.5, 0.5));
    let mut start = m.qpos0.clone();
    start[..6].fill(0.2);
    let found = inverse_kinematics(&m, &start, &[hand, ball], &InverseKinematicsOptions::default()).unwrap();
    assert!(found.error < 1e-8 && found.converged, "{found:?}");
    assert!((found.qpos[6] - 0.5).abs() < 1e-9);
    let options = InverseKinematicsOptions { dofs: Some(vec![0, 1, 2]), ..Default::default() };
    let found = inverse_kinematics(&m, &start, &[hand, ball], &options).unwrap();
    assert_eq!(found.qpos[3..], start[3..]);
}

#[test]
fn bad_input_is_an_error() {
    let m = arm();
    let target = Target::position(Frame::site(&m, "tool").unwrap(), DVec3::ZERO);
    let solve = |qpos: &[f64], t: Target, dofs| {
        let options = InverseKinematicsOptions { dofs, ..Default::default() };
        inverse_kinematics(&m, qpos, &[t], &options).unwrap_err().to_string()
    };
    assert_eq!(solve(&[0.0], target, None), "array `qpos` has 1 numbers; expected 13");
    let bad = Target { position: Some((DVec3::ZERO, f64::NAN)), ..target };
    assert!(solve(&m.qpos0, bad, None).contains("`weight` is NaN"));
    assert!(solve(&m.qpos0, target, Some(vec![99])).contains("`dofs` is 99"));
    assert!(Frame::site(&m, "tol").unwrap_err().to_string().contains("tool"));
}
