//! Reads an accelerometer by its name, in a box that falls, strikes the floor and lies still.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .5"><freejoint/>
          <geom type="box" size=".1 .1 .1"/><site name="middle"/></body></worldbody>
          <sensor><accelerometer name="felt" site="middle"/></sensor></mujoco>"#,
    )?;
    for i in 0..500 {
        sim.step()?;
        if i % 50 == 0 || sim.sensor("felt")?.vector().length() > 150.0 {
            println!("t = {:.3} s: {:7.2} m/s² upwards", sim.time(), sim.sensor("felt")?.vector().z);
        }
    }
    if let Err(e) = sim.sensor("fell") {
        println!("{e}");
    }
    Ok(())
}
