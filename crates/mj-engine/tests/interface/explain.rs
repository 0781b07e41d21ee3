//! A state in words.

use mj_engine::{Data, Model, explain, forward, load_str};

fn told(xml: &str, change: impl Fn(&Model, &mut Data)) -> Vec<String> {
    let m = load_str(xml).unwrap();
    let mut d = Data::new(&m).unwrap();
    change(&m, &mut d);
    explain(&m, &d)
}

const BALL: &str = r#"<mujoco><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 1"><freejoint name="free"/><geom name="skin" size=".1"/></body>
</worldbody></mujoco>"#;

const ARM: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
  <body name="arm"><joint name="hinge" axis="0 1 0" range="-1 1" limited="true"/><geom size=".1" pos="1 0 0"/></body>
</worldbody>
<actuator><motor name="drive" joint="hinge" ctrlrange="-1 1" ctrllimited="true"/></actuator></mujoco>"#;

#[test]
fn nothing_is_told_of_a_quiet_state() {
    assert_eq!(told(BALL, |m, d| forward(m, d).unwrap()), Vec::<String>::new());
    assert_eq!(told(ARM, |m, d| forward(m, d).unwrap()), Vec::<String>::new());
}

#[test]
fn numbers_that_are_not_finite_are_named_with_their_owner() {
    let list = told(BALL, |_, d| d.state.qvel[4] = f64::NAN);
    assert_eq!(list, ["qvel[4] is NaN: joint `free` of body `ball`"]);
    let list = told(ARM, |_, d| d.state.ctrl[0] = f64::INFINITY);
    assert!(list[0].starts_with("ctrl[0] is inf: actuator `drive`"), "{list:?}");
}

#[test]
fn a_deep_contact_is_told_with_its_depth() {
    // The ball's lowest point is 0.04 below the floor, 40% of its radius.
    let list = told(BALL, |m, d| {
        d.state.qpos[2] = 0.06;
        forward(m, d).unwrap();
    });
    assert_eq!(list.len(), 1, "{list:?}");
    assert!(list[0].starts_with("geom `floor` and geom `skin` are 0.04 m inside of each other, 40%"), "{list:?}");
    // A light touch is as it should be.
    let touch = told(BALL, |m, d| {
        d.state.qpos[2] = 0.095;
        forward(m, d).unwrap();
    });
    assert!(touch.is_empty(), "{touch:?}");
}

#[test]
fn an_exceeded_limit_is_told_with_its_range() {
    let list = told(ARM, |m, d| {
        d.state.qpos[0] = 1.5;
        forward(m, d).unwrap();
    });
    assert_eq!(list, ["the limit of joint `hinge` is exceeded by 0.5, its range is -1 to 1"]);
}

#[test]
fn a_motion_too_fast_for_the_step_is_told() {
    let list = told(BALL, |_, d| d.state.qvel[2] = -1e9);
    assert!(
        list[0].starts_with("joint `free` of body `ball` moves by 2000000 m in one step (1000000000 m/s)"),
        "{list:?}"
    );
}

#[test]
fn a_rotation_too_fast_for_the_step_and_a_clamped_control_are_told() {
    let list = told(ARM, |m, d| {
        d.state.qvel[0] = 400.0;
        d.state.ctrl[0] = -3.0;
        forward(m, d).unwrap();
    });
    assert!(list[0].starts_with("joint `hinge` of body `arm` turns by 0.80 rad in one step (400 rad/s)"), "{list:?}");
    assert_eq!(list[1], "the control -3 of actuator `drive` counts as one within -1 to 1");
}

#[test]
fn a_warning_that_was_raised_comes_first() {
    let list = told(BALL, |m, d| {
        d.state.qpos[0] = f64::NAN;
        mj_engine::step(m, d).unwrap();
    });
    assert!(list[0].contains("body `ball`: the position of joint `free` is not finite"), "{list:?}");
}

#[test]
fn a_solver_that_stopped_short_is_told_and_more_than_three_of_a_kind_are_counted() {
    let mut bodies = String::new();
    for x in 0..6 {
        bodies += &format!(r#"<body pos="{x} 0 .05"><freejoint/><geom size=".1 .2 .08" type="box"/></body>"#);
    }
    let xml = format!(
        r#"<mujoco><option iterations="1" tolerance="1e-14"/><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"#
    );
    let list = told(&xml, |m, d| {
        d.state.qvel[0] = 3.0;
        forward(m, d).unwrap();
    });
    assert!(list.iter().any(|s| s.starts_with("the constraint solver stopped short: at t = 0")), "{list:?}");
    assert!(list.iter().any(|s| s.ends_with("(and 21 more)")), "{list:?}");
}
