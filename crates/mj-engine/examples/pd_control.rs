//! Holds a double pendulum at given angles by PD control with gravity compensation: the angles and the torques.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><body><joint name="shoulder" axis="0 1 0"/><geom size=".03" fromto="0 0 0 .4 0 0" type="capsule"/>
          <body pos=".4 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".03" fromto="0 0 0 .3 0 0" type="capsule"/></body>
        </body></worldbody><actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator></mujoco>"#,
    )?;
    let (goal, kp, kd) = ([-0.6, 0.9], 40.0, 4.0);
    sim.forward()?;
    for i in 0..=1000 {
        for k in 0..2 {
            let bias = sim.data().smooth.velocities.qfrc_bias[k];
            sim.ctrl_mut()[k] = bias + kp * (goal[k] - sim.qpos()[k]) - kd * sim.qvel()[k];
        }
        if i % 200 == 0 {
            println!("t = {:.1} s: angles {:+.3?} rad, torques {:+.2?} N m", sim.time(), sim.qpos(), sim.ctrl());
        }
        sim.step()?;
    }
    Ok(())
}
