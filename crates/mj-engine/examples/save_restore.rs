//! Saves the state of a heap of boxes, goes on, and goes on once more from what was saved: bit for bit as before.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
          <replicate count="8" offset=".02 .03 .25"><body pos="0 0 .2"><freejoint/><geom type="box" size=".1 .08 .06"/>
          </body></replicate></worldbody></mujoco>"#,
    )?;
    sim.steps(300)?;
    let saved = sim.save();
    let numbers = sim.get_state(Signature::INTEGRATION)?;
    println!("t = {} s: saved, also as a vector of {} numbers", sim.time(), numbers.len());
    sim.steps(500)?;
    let first = sim.save();
    println!("t = {} s: top box at {:.6} m", sim.time(), sim.qpos()[sim.model().nq() - 5]);
    sim.restore(&saved)?;
    sim.steps(500)?;
    println!("t = {} s: once more, {}", sim.time(), if sim.save() == first { "the same bits" } else { "different" });
    sim.set_state(Signature::INTEGRATION, &numbers)?;
    sim.steps(500)?;
    println!("from the vector: {}", if sim.save() == first { "the same bits" } else { "different" });
    Ok(())
}
