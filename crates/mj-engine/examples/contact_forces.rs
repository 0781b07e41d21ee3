//! Lists the contacts of a table on a floor with their forces, which add up to its weight.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1"/><body pos="0 0 .42"><freejoint/>
          <geom name="top" type="box" size=".5 .3 .02" mass="8"/>
          <geom name="leg1" type="capsule" size=".03" fromto="-.4 -.2 0 -.4 -.2 -.38" mass="1"/>
          <geom name="leg2" type="capsule" size=".03" fromto="-.4 .2 0 -.4 .2 -.38" mass="1"/>
          <geom name="leg3" type="capsule" size=".03" fromto=".4 0 0 .4 0 -.38" mass="1"/></body></worldbody></mujoco>"#,
    )?;
    sim.steps(1000)?;
    let mut sum = DVec3::ZERO;
    for (i, contact) in sim.contacts().iter().enumerate() {
        let force = sim.contact_wrench(i)?.lin;
        if let Some([above, below]) = contact.geoms() {
            println!("{} on {}: {force:.3} N", sim.geom(above)?.name(), sim.geom(below)?.name());
        }
        sum += force;
    }
    println!("together {sum:.3} N, against a weight of {:.3} N", 11.0 * 9.81);
    Ok(())
}
