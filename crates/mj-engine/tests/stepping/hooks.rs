//! Laws of the user's own, where the pipeline calls for them.

use mj_engine::model::{SensorId, Stage};
use mj_engine::{Data, Hooks, Model, UserActuator, forward, load_str, step};
use std::sync::Arc;

const MODEL: &str = r#"<mujoco><option gravity="0 0 0" integrator="%"/><worldbody><body>
    <joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body></worldbody>
  <actuator><general name="a" joint="x" dyntype="user" gaintype="user" biastype="user" actdim="2" dynprm="3"/></actuator>
  <sensor><user name="power" dim="2" needstage="acc" cutoff="5"/></sensor></mujoco>"#;

#[derive(Debug)]
struct Spring;

impl Hooks for Spring {
    fn control(&self, _: &Model, d: &mut Data) {
        d.state.ctrl[0] = 0.5 + d.state.time;
    }
    fn passive(&self, _: &Model, d: &mut Data) {
        d.smooth.velocities.qfrc_passive[0] -= 7.0 * d.state.qpos[0];
    }
    fn act_dot(&self, a: UserActuator<'_>, act_dot: &mut [f64]) {
        act_dot[0] = a.act[1];
        act_dot[1] = a.model.actuator.dynprm[a.actuator][0] * (a.ctrl[0] - a.act[0]);
    }
    fn gain(&self, a: UserActuator<'_>) -> f64 {
        10.0 + a.length
    }
    fn bias(&self, a: UserActuator<'_>) -> f64 {
        -3.0 * a.velocity
    }
    fn sensor(&self, m: &Model, d: &Data, s: SensorId, out: &mut [f64]) {
        assert_eq!(m.sensor.dim[s], 2);
        out[0] = d.smooth.actuation.qfrc_actuator[0] * d.state.qvel[0];
        out[1] = 1e3;
    }
}

fn model(integrator: &str) -> (Model, Data) {
    let m = load_str(&MODEL.replace('%', integrator)).unwrap_or_else(|e| panic!("{e}"));
    let d = Data::new(&m).unwrap();
    (m, d)
}

#[test]
fn every_law_enters_where_it_belongs() {
    let (m, mut d) = model("Euler");
    d.hooks = Some(Arc::new(Spring));
    (d.state.qpos[0], d.state.qvel[0], d.state.time) = (0.2, 0.4, 1.0);
    d.state.act.copy_from_slice(&[0.7, -0.1]);
    forward(&m, &mut d).unwrap();
    assert_eq!(d.state.ctrl[0], 1.5);
    assert_eq!(d.smooth.actuation.act_dot, [-0.1, 3.0 * (1.5 - 0.7)]);
    // The last activation drives.
    let force = 10.2 * -0.1 - 3.0 * 0.4;
    assert!((d.smooth.actuation.qfrc_actuator[0] - force).abs() < 1e-14);
    assert!((d.qacc[0] - (force - 7.0 * 0.2) / 2.0).abs() < 1e-14);
    assert!((d.sensordata[0] - force * 0.4).abs() < 1e-14);
    assert_eq!(d.sensordata[1], 5.0, "cut off");
}

#[test]
fn without_hooks_the_gain_is_one() {
    let (m, mut d) = model("Euler");
    d.state.act.copy_from_slice(&[0.7, -0.1]);
    forward(&m, &mut d).unwrap();
    assert_eq!(d.smooth.actuation.act_dot, [0.0, 0.0]);
    assert_eq!(d.smooth.actuation.qfrc_actuator[0], -0.1);
    assert_eq!(d.sensordata, [0.0, 0.0]);
}

/// Runge-Kutta's method asks at each of its stages: a harmonic oscillator comes out to its order.
#[test]
fn integrators_evaluate_hooks_at_every_stage() {
    #[derive(Debug)]
    struct Passive;
    impl Hooks for Passive {
        fn passive(&self, _: &Model, d: &mut Data) {
            d.smooth.velocities.qfrc_passive[0] -= 8.0 * d.state.qpos[0];
        }
    }
    let (m, mut d) = model("RK4");
    d.hooks = Some(Arc::new(Passive));
    d.state.qpos[0] = 1.0;
    (0..500).for_each(|_| step(&m, &mut d).unwrap());
    assert!((d.state.qpos[0] - (2.0 * d.state.time).cos()).abs() < 1e-9);
}

/// Sets a control right before the actuation stage, and writes the readings of a stage.
#[derive(Debug)]
struct Stagewise;

impl Hooks for Stagewise {
    fn before_actuation(&self, _: &Model, d: &mut Data) {
        d.state.ctrl[0] = 2.0 * d.state.qpos[0];
    }
    fn after_sensors(&self, _: &Model, d: &mut Data, stage: Stage) {
        assert_eq!(stage, Stage::Acc);
        d.sensordata.copy_from_slice(&[3.0, 9.0]);
    }
}

#[test]
fn hooks_of_a_stage_change_its_data() {
    let (m, mut d) = model("Euler");
    d.hooks = Some(Arc::new(Stagewise));
    d.state.qpos[0] = 0.25;
    forward(&m, &mut d).unwrap();
    assert_eq!(d.state.ctrl[0], 0.5);
    assert_eq!(d.sensordata, [3.0, 5.0], "cut off");
}
