//! Actuators and springs with known answers, through the whole pipeline.

use mj_engine::{Data, Model, forward, load_str, step};
use mj_model::OutputId;

/// A slider of 1 kg on which the elements given act.
fn slider(joint: &str, rest: &str) -> (Model, Data) {
    let xml = format!(
        r#"<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody><body>
          <joint name="x" type="slide" axis="1 0 0" {joint}/><geom size="0.1" mass="1"/>
        </body></worldbody>{rest}</mujoco>"#
    );
    let m = load_str(&xml).unwrap_or_else(|e| panic!("{e}"));
    let d = Data::new(&m).unwrap();
    (m, d)
}

fn force(d: &Data) -> f64 {
    d.smooth.actuation.actuator_force[OutputId::new(0)]
}

/// A muscle that can pull its joint from limit to limit has the limits for its length range, but for
/// how far the soft limits give.
#[test]
fn length_range_of_a_muscle_is_that_of_its_joint() {
    let (m, _) = slider(r#"range="-0.3 0.5""#, r#"<actuator><muscle joint="x" gear="2"/></actuator>"#);
    let [lower, upper] = m.output.lengthrange[OutputId::new(0)];
    assert!((lower + 0.6).abs() < 0.03 && (upper - 1.0).abs() < 0.03, "{lower} {upper}");
    let (m, _) = slider(
        r#"range="-0.3 0.5""#,
        r#"<compiler><lengthrange uselimit="true"/></compiler><actuator><muscle joint="x"/></actuator>"#,
    );
    assert_eq!(m.output.lengthrange[OutputId::new(0)], [-0.3, 0.5]);
}

/// An unlimited joint never settles: an error that names the actuator.
#[test]
fn a_muscle_without_an_end_is_an_error() {
    let xml = r#"<mujoco><worldbody><body><joint name="x"/><geom size="0.1"/></body></worldbody>
      <actuator><muscle name="biceps" joint="x"/></actuator></mujoco>"#;
    let error = load_str(xml).unwrap_err().to_string();
    assert!(error.contains("biceps") && error.contains("lengthrange"), "{error}");
}

#[test]
fn a_delayed_control_arrives_late() {
    let (m, mut d) = slider("", r#"<actuator><motor joint="x" nsample="5" delay="0.004"/></actuator>"#);
    for i in 0..10 {
        d.state.ctrl[0] = f64::from(i);
        step(&m, &mut d).unwrap();
        assert_eq!(force(&d), f64::from((i - 4).max(0)), "step {i}");
    }
}

#[test]
fn all_controls_of_an_actuator_are_delayed() {
    let (m, mut d) = slider(
        "",
        r#"<actuator><pid joint="x" kp="0" kv="0" input="pos vel ff" nsample="5" delay="0.004"/></actuator>"#,
    );
    for i in 0..10 {
        d.state.ctrl.copy_from_slice(&[0.3, 0.2, f64::from(i)]);
        step(&m, &mut d).unwrap();
        assert_eq!(force(&d), f64::from((i - 4).max(0)), "step {i}");
    }
}

#[test]
fn a_sensor_with_an_interval_keeps_its_reading() {
    let (m, mut d) = slider("", r#"<sensor><clock nsample="3" interval="0.003"/></sensor>"#);
    let mut seen = Vec::new();
    for _ in 0..7 {
        step(&m, &mut d).unwrap();
        seen.push((d.sensordata[0] * 1000.0).round());
    }
    assert_eq!(seen, [0.0, 0.0, 0.0, 3.0, 3.0, 3.0, 6.0]);
}

/// PID with feedforward: the parts of the force add up.
#[test]
fn a_pid_servo_adds_its_parts() {
    let (m, mut d) = slider("", r#"<actuator><pid joint="x" kp="7" kv="2" ki="3" input="pos vel ff"/></actuator>"#);
    assert_eq!((m.nu(), m.na), (3, 1));
    (d.state.qpos[0], d.state.qvel[0], d.state.act[0]) = (0.2, 0.5, 0.1);
    d.state.ctrl.copy_from_slice(&[1.0, 0.7, 0.25]);
    forward(&m, &mut d).unwrap();
    assert!((force(&d) - (7.0 * 0.8 + 2.0 * 0.2 + 3.0 * 0.1 + 0.25)).abs() < 1e-12);
    assert!((d.smooth.actuation.act_dot[0] - 0.8).abs() < 1e-12);
}

/// A motor runs up to its speed without load, V/K, with the time constant m R/K².
#[test]
fn a_motor_runs_up_exponentially() {
    let (m, mut d) = slider("", r#"<actuator><dcmotor joint="x" motorconst="2" resistance="8"/></actuator>"#);
    d.state.ctrl[0] = 6.0;
    for _ in 0..2000 {
        step(&m, &mut d).unwrap();
    }
    let want = 3.0 * (1.0 - (-1.0f64).exp());
    assert!((d.state.qvel[0] - want).abs() < 1e-3, "{}", d.state.qvel[0]);
}

/// An orientation servo turns its body to the orientation commanded, whichever way its axes lie.
#[test]
fn an_orientation_servo_reaches_its_target() {
    let xml = r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="b" type="ball"/>
        <geom type="box" size="0.1 0.2 0.3" mass="1"/></body></worldbody>
      <actuator><orientation joint="b" kp="5" dampratio="1"/></actuator></mujoco>"#;
    let m = load_str(xml).unwrap();
    let mut d = Data::new(&m).unwrap();
    assert_eq!((m.nu(), m.nout()), (3, 3));
    let target = [0.4, -1.1, 0.7];
    d.state.ctrl.copy_from_slice(&target);
    for _ in 0..5000 {
        step(&m, &mut d).unwrap();
    }
    for (length, u) in d.smooth.transmissions.actuator_length.iter().zip(target) {
        assert!((length - u).abs() < 1e-3);
    }
}

/// Adhesion holds a ball under a ceiling against its weight, and drops it when switched off.
#[test]
fn adhesion_holds_until_it_is_switched_off() {
    let xml = r#"<mujoco><worldbody><geom type="box" size="1 1 0.1" pos="0 0 1.1"/>
        <body name="ball" pos="0 0 0.901"><freejoint/><geom size="0.1" mass="0.2"/></body></worldbody>
      <actuator><adhesion body="ball" gain="5" ctrlrange="0 1"/></actuator></mujoco>"#;
    let m = load_str(xml).unwrap();
    let mut d = Data::new(&m).unwrap();
    d.state.ctrl[0] = 1.0;
    (0..500).for_each(|_| step(&m, &mut d).unwrap());
    assert!(d.state.qpos[2] > 0.89, "{}", d.state.qpos[2]);
    d.state.ctrl[0] = 0.0;
    (0..500).for_each(|_| step(&m, &mut d).unwrap());
    assert!(d.state.qpos[2] < 0.5, "{}", d.state.qpos[2]);
}

/// A spring pulled beyond its yield point stays pulled out.
#[test]
fn a_yielding_spring_stays_pulled_out() {
    let (m, mut d) = slider(r#"stiffness="100" damping="5" springyield="0.05""#, "");
    d.state.qpos[0] = 0.4;
    (0..5000).for_each(|_| step(&m, &mut d).unwrap());
    assert!((d.state.plastic[0] - 0.35).abs() < 1e-3);
    assert!((d.state.qpos[0] - d.state.plastic[0]).abs() < 1e-6);
}
