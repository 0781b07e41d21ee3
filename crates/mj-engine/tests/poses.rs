//! Poses are computed by need in a step, and all of them when asked for.

use mj_engine::{Data, complete, forward, load, step};

const MODELS: [&str; 6] = ["arm_gripper", "humanoid", "lamp", "quadruped", "tendon_finger", "four_bar"];

#[test]
fn a_step_reads_no_pose_that_it_leaves_out() {
    let mut left_out = 0;
    for name in MODELS {
        let m = load(format!("{}/../../models/{name}.xml", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let (mut all, mut needed) = (Data::new(&m).unwrap(), Data::new(&m).unwrap());
        all.every_pose = true;
        for d in [&mut all, &mut needed] {
            d.state.ctrl.fill(0.1);
            d.state.qvel.fill(0.3);
            (0..3).for_each(|_| step(&m, d));
        }
        // What a step leaves as it was, is either fixed or was left out; then it may be anything.
        let nan = f64::NAN;
        let moved = all.poses.geom_xpos.iter().zip(needed.poses.geom_xpos.iter_mut());
        left_out += moved.filter(|(x, y)| x != y).map(|(_, y)| y.x = nan).count();
        let moved = all.poses.site_xpos.iter().zip(needed.poses.site_xpos.iter_mut());
        left_out += moved.filter(|(x, y)| x != y).map(|(_, y)| y.x = nan).count();
        let turned = all.poses.site_xmat.iter().zip(needed.poses.site_xmat.iter_mut());
        left_out += turned.filter(|(x, y)| x != y).map(|(_, y)| y.x_axis.x = nan).count();
        for _ in 0..50 {
            step(&m, &mut all);
            step(&m, &mut needed);
            assert_eq!(all.state.qpos, needed.state.qpos, "{name}");
            assert_eq!(all.sensordata, needed.sensordata, "{name}");
        }

        complete(&m, &mut all);
        complete(&m, &mut needed);
        assert_eq!(all.poses, needed.poses, "{name}: completed");
        all.state.clone_from(&needed.state);
        step(&m, &mut all);
        forward(&m, &mut needed);
        complete(&m, &mut all);
        assert_eq!(all.poses, needed.poses, "{name}: forward");
    }
    assert!(left_out > 0);
}
