//! Pushes a floating rod at its end for a tenth of a second: it moves on and turns as impulse and angular impulse say.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="rod"><freejoint/>
          <geom type="box" size=".5 .02 .02" mass="1"/><site name="end" pos=".5 0 0"/></body></worldbody></mujoco>"#,
    )?;
    sim.forward()?;
    for i in 0..=500 {
        let mut push = vec![0.0; sim.model().nv()];
        if sim.time() < 0.1 {
            sim.apply_ft(DVec3::Y * 2.0, DVec3::ZERO, sim.site("end")?.xpos(), "rod", &mut push)?;
        }
        sim.qfrc_applied_mut().copy_from_slice(&push);
        if i % 100 == 0 {
            let velocity = sim.body("rod")?.velocity();
            println!("t = {:.1} s: {:.4} m/s, {:.4} rad/s", sim.time(), velocity.lin, velocity.rot);
        }
        sim.step()?;
    }
    Ok(())
}
