//! After a step, every pose is that of the state from which the step left.

use mj_engine::{Data, forward, load, step};

const MODELS: [&str; 6] = ["arm_gripper", "humanoid", "lamp", "quadruped", "tendon_finger", "four_bar"];

#[test]
fn a_step_leaves_the_poses_of_the_state_it_left() {
    for name in MODELS {
        let m = load(mj_testkit::bundled(name)).unwrap();
        let mut d = Data::new(&m).unwrap();
        d.state.ctrl.fill(0.1);
        d.state.qvel.fill(0.3);
        (0..20).for_each(|_| step(&m, &mut d).unwrap());
        let mut before = Data::new(&m).unwrap();
        before.state.clone_from(&d.state);
        step(&m, &mut d).unwrap();
        forward(&m, &mut before).unwrap();
        assert_eq!(d.smooth.poses, before.smooth.poses, "{name}");
        forward(&m, &mut d).unwrap();
        assert_ne!(d.smooth.poses, before.smooth.poses, "{name}");
    }
}
