//! Laws of one's own: an actuator with a soft start and a force that fades with its speed, a wind,
//! and a sensor of the power that the wind gives.
//!
//!     cargo run --release -p mj-engine --example hooks

use mj_engine::model::SensorId;
use mj_engine::{Data, Hooks, Model, UserActuator, load_str, step};
use std::sync::Arc;

/// Force of the wind on the cart, N.
const WIND: f64 = 0.3;

#[derive(Debug)]
struct Laws;

impl Hooks for Laws {
    fn control(&self, _: &Model, d: &mut Data) {
        d.state.ctrl[0] = f64::from(u8::from(d.state.time < 1.0));
    }

    fn passive(&self, _: &Model, d: &mut Data) {
        d.smooth.velocities.qfrc_passive[0] -= WIND;
    }

    /// The activation follows the control with the time constant that the model gives.
    fn act_dot(&self, a: UserActuator<'_>, act_dot: &mut [f64]) {
        act_dot[0] = (a.ctrl[0] - a.act[0]) / a.model.actuator.dynprm[a.actuator][0];
    }

    fn gain(&self, a: UserActuator<'_>) -> f64 {
        a.model.actuator.gainprm[a.actuator][0] / (1.0 + a.velocity.abs())
    }

    fn sensor(&self, _: &Model, d: &Data, _: SensorId, out: &mut [f64]) {
        out[0] = -WIND * d.state.qvel[0];
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let m = load_str(
        r#"<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
          <actuator><general joint="x" dyntype="user" dynprm=".2" gaintype="user" gainprm="5"/></actuator>
          <sensor><user name="wind power" dim="1" needstage="vel"/></sensor></mujoco>"#,
    )?;
    let mut d = Data::new(&m)?;
    d.hooks = Some(Arc::new(Laws));
    for i in 1..=1000 {
        step(&m, &mut d)?;
        if i % 200 == 0 {
            let (x, v) = (d.state.qpos[0], d.state.qvel[0]);
            println!("t = {:.1} s: x = {x:.3} m, v = {v:.3} m/s, wind gives {:.3} W", d.state.time, d.sensordata[0]);
        }
    }
    Ok(())
}
