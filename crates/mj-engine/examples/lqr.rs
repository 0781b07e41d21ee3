//! Balances a cart-pole by LQR: A and B are the closed-form Jacobians of a step, the gain comes from Riccati's equation.
use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/><body><joint axis="0 1 0"/>
        <geom size=".03" pos="0 0 .6"/></body></body></worldbody><actuator><motor joint="x"/></actuator></mujoco>"#,
    )?;
    let step = sim.step_derivative()?;
    let (a, b) = (DMat4::from_cols_slice(&step.a).transpose(), DVec4::from_slice(&step.b));
    let (mut p, mut k) = (DMat4::IDENTITY, DVec4::ZERO);
    for _ in 0..5000 {
        k = a.transpose() * (p.transpose() * b) / (0.1 + b.dot(p * b));
        p = DMat4::IDENTITY + a.transpose() * p * (a - DMat4::from_cols(b * k.x, b * k.y, b * k.z, b * k.w));
    }
    sim.set_state(Signature::QPOS, &[0.0, 0.3])?;
    for _ in 0..8 {
        println!("{:.0} s: cart and pole at {:+.4?}", sim.time(), sim.qpos());
        for _ in 0..500 {
            sim.set_ctrl(0, -k.dot(DVec4::from_slice(&sim.get_state(Signature::QPOS | Signature::QVEL)?)))?;
            sim.step()?;
        }
    }
    Ok(())
}
