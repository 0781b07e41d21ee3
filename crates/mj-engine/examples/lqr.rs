//! Balances a cart-pole by LQR: A and B are the closed-form Jacobians of a step, the gain comes from Riccati's equation.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/><body><joint axis="0 1 0"/>
          <geom type="capsule" size=".02" fromto="0 0 .1 0 0 .6" mass=".1"/></body></body></worldbody>
          <actuator><motor joint="x"/></actuator></mujoco>"#,
    )?;
    let mut step = StepDerivative::default();
    sim.step_derivative(&mut step)?;
    let (a, b) = (DMat4::from_cols_slice(&step.a).transpose(), DVec4::from_slice(&step.b));
    let (mut p, mut k) = (DMat4::IDENTITY, DVec4::ZERO);
    for _ in 0..5000 {
        k = a.transpose() * (p * b) / (0.1 + b.dot(p * b));
        p = DMat4::IDENTITY + a.transpose() * p * (a - DMat4::from_cols(b * k.x, b * k.y, b * k.z, b * k.w));
    }
    sim.qpos_mut()[1] = 0.3;
    for i in 0..=2500 {
        let [q, v] = [sim.qpos(), sim.qvel()];
        if i % 500 == 0 {
            println!("t = {:.1} s: cart at {:+.4} m, pole at {:+.4} rad", sim.time(), q[0], q[1]);
        }
        sim.ctrl_mut()[0] = -k.dot(DVec4::new(q[0], q[1], v[0], v[1]));
        sim.step()?;
    }
    Ok(())
}
