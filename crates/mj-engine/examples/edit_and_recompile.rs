//! Lets a pendulum swing, hangs a second one on it, and goes on from the state that it had.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut spec = read_spec(
        r#"<mujoco><worldbody><body name="upper"><joint name="shoulder" axis="0 1 0"/>
          <geom type="capsule" size=".02" fromto="0 0 0 .5 0 0"/></body></worldbody></mujoco>"#,
    )?;
    let mut sim = Simulation::from_spec(&spec)?;
    sim.steps(200)?;
    println!("t = {:.2} s: {:.4?} rad, {:.4?} rad/s", sim.time(), sim.qpos(), sim.qvel());
    let mut lower = spec.worldbody.bodies[0].clone();
    (lower.name, lower.pos.x) = ("lower".into(), 0.5);
    lower.joints[0].name = "elbow".into();
    spec.worldbody.bodies[0].bodies.push(lower);
    sim.recompile(&spec)?;
    println!("t = {:.2} s: {:.4?} rad, {:.4?} rad/s", sim.time(), sim.qpos(), sim.qvel());
    sim.steps(200)?;
    println!("t = {:.2} s: {:.4?} rad, {:.4?} rad/s", sim.time(), sim.qpos(), sim.qvel());
    Ok(())
}
