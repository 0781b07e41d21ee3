//! Laws of the user's own, where the pipeline calls for them.

use mj_engine::model::{SensorId, Stage};
use mj_engine::{CustomRows, Data, Hooks, Model, UserActuator, forward, load_str, step};
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

/// Holds the site of a pendulum of two links on the line z = x, as no equality of the language does.
#[derive(Debug)]
struct OnALine;

impl Hooks for OnALine {
    fn equality(&self, m: &Model, d: &Data, rows: &mut CustomRows) {
        let site = m.site.ids().next().unwrap();
        let p = d.smooth.poses.site_xpos[site];
        let mut jac = mj_engine::Jacobian::default();
        mj_engine::jac_site(m, d, site, &mut jac).unwrap();
        let row = rows.push(p.z - p.x, [0.01, 1.0], [0.99, 0.99, 0.001, 0.5, 2.0]);
        for (dof, x) in row.iter_mut().enumerate() {
            let v = jac.translation(dof).unwrap();
            *x = v.z - v.x;
        }
    }
}

#[test]
fn an_equality_of_a_hook_holds() {
    let m = load_str(
        r#"<mujoco><option timestep="0.002"/><worldbody><body><joint name="a" axis="0 1 0" damping=".1"/>
             <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>
             <body pos="0 0 -.5"><joint name="b" axis="0 1 0" damping=".1"/>
               <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/><site name="tip" pos="-.3 0 -.3"/></body></body>
           </worldbody><equality><joint name="off" joint1="a" joint2="b" active="false"/></equality></mujoco>"#,
    )
    .unwrap();
    let site = m.site.ids().next().unwrap();
    let error = |d: &Data| {
        let p = d.smooth.poses.site_xpos[site];
        (p.z - p.x).abs()
    };
    let run = |hooks: Option<Arc<dyn Hooks>>| {
        let mut d = Data::new(&m).unwrap();
        d.hooks = hooks;
        d.state.qpos[0] = 0.4;
        let mut worst = 0.0f64;
        for k in 0..2000 {
            step(&m, &mut d).unwrap();
            if k > 500 {
                worst = worst.max(error(&d));
            }
        }
        (worst, d)
    };
    let (free, _) = run(None);
    assert!(free > 0.1, "{free}");
    let (held, mut d) = run(Some(Arc::new(OnALine)));
    assert!(held < 2e-3, "{held}");
    // It is a row like others, behind those of the model.
    forward(&m, &mut d).unwrap();
    let row = mj_engine::constraint_row(&m, &d, 0).unwrap();
    assert_eq!(row.source, mj_engine::RowSource::Custom(0));
    assert!(row.force != 0.0 && mj_engine::describe_row(&m, &d, 0).contains("hook"));
    mj_engine::complete(&m, &mut d);
    // What the row does is in the forces of the joints: M a + c = τ + Jᵀf.
    let mut jac = vec![0.0; m.nv()];
    d.rows.jac.for_each_in_row(0, |c, x| jac[c] = x);
    for i in 0..m.nv() {
        assert!((d.solution.qfrc_constraint[i] - jac[i] * row.force).abs() < 1e-9);
    }
}
