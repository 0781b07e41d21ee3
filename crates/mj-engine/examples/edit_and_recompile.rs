//! Lets a pendulum swing, hangs a copy of it on its end, and goes on from the state that it had; prints the model.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut spec = read_spec(
        r#"<mujoco><worldbody><body name="arm"><joint name="hinge" axis="0 1 0"/>
          <geom type="capsule" size=".02" fromto="0 0 0 .5 0 0"/></body></worldbody></mujoco>"#,
    )?;
    let mut sim = Simulation::from_spec(&spec)?;
    sim.steps(200)?;
    println!("t = {:.2} s: {:.4?} rad, {:.4?} rad/s", sim.time(), sim.qpos(), sim.qvel());

    let copy = spec.clone();
    spec.attach("arm", None, &copy, spec::Part::Body("arm"), "lower_", "")?;
    spec.find_mut::<spec::Body>("lower_arm").ok_or("it was attached")?.pos.x = 0.5;
    sim.recompile(&spec)?;
    println!("t = {:.2} s: {:.4?} rad, {:.4?} rad/s", sim.time(), sim.qpos(), sim.qvel());
    sim.steps(200)?;
    println!("t = {:.2} s: {:.4?} rad, {:.4?} rad/s", sim.time(), sim.qpos(), sim.qvel());
    println!("{}", write_mjcf(&spec));
    Ok(())
}
