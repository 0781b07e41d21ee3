//! Finds masses and damping of a double pendulum from a noisy log, and writes the report as a page.
//!
//!     cargo run --release -p mj-identify --example pendulum -- report.html

use mj_engine::{Data, load_str, step};
use mj_identify::{Identification, LogBuilder, Options, Unknown, report};

const MODEL: &str = r#"<mujoco>
  <option timestep="0.005" integrator="implicitfast"><flag contact="disable"/></option>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.05"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03" mass="1"/>
      <body name="lower" pos="0 0 -.5">
        <joint name="elbow" axis="0 1 0" damping="0.02"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".03" mass="0.6"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="torque" joint="shoulder"/></actuator>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let truth = load_str(MODEL)?;
    let mut d = Data::new(&truth)?;
    let (mut ctrl, mut qpos, mut qvel) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..600 {
        d.state.ctrl[0] = 3.0 * (0.03 * k as f64).sin();
        // Not random, but as good as it for an example.
        let noise = |i: f64| 0.01 * (k as f64 * 7.13 + i * 1.7).sin();
        qpos.extend(d.state.qpos.iter().enumerate().map(|(i, q)| q + noise(i as f64)));
        qvel.extend(d.state.qvel.iter().enumerate().map(|(i, v)| v + 5.0 * noise(i as f64 + 0.5)));
        ctrl.extend_from_slice(&d.state.ctrl);
        step(&truth, &mut d)?;
    }
    let log = LogBuilder { ctrl: Some(ctrl), qpos: Some(qpos), qvel: Some(qvel), ..LogBuilder::default() };
    let log = log.build(&truth)?;

    let names = ["body_mass[upper]", "body_mass[lower]", "dof_damping[shoulder]", "dof_damping[elbow]"];
    let unknowns = names.iter().map(|n| Unknown::parse(&truth, n)).collect::<Result<Vec<_>, _>>()?;
    let mut model = truth.clone();
    for u in &unknowns {
        let x = u.parameter.value(&truth).unwrap_or_default();
        u.parameter.set(&mut model, 2.0 * x)?;
    }
    let options = Options { window: 100, ..Options::default() };
    let fit = Identification { model, start: None, unknowns: unknowns.clone(), options }.fit(&log, |i| {
        println!("cost {:.3}", i.cost);
        true
    })?;
    for (e, u) in fit.estimates.iter().zip(&unknowns) {
        let right = u.parameter.value(&truth).unwrap_or_default();
        println!("{:22} {:.5} ± {:.5}, in truth {right}", e.name, e.value, e.std);
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, report(&fit, &log))?;
    }
    Ok(())
}
