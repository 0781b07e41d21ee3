//! Pulls a hanging ball aside, as a mouse in a viewer does, and watches it swing: `cargo run -p mj-session --example pull`.

use mj_engine::Simulation;
use mj_scene::{MouseAction, pert};
use mj_session::{Event, Host, Replica};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pendulum = "<mujoco><worldbody><body name='ball' pos='0 0 1'><joint axis='0 1 0' damping='.05'/>
        <geom type='capsule' fromto='0 0 0 0 0 -.5' size='.02'/><geom pos='0 0 -.5' size='.1'/></body></worldbody></mujoco>";
    let mut host = Host::new(Simulation::from_xml(pendulum)?);
    let snapshot = host.snapshot();
    let mut viewer = Replica::new(&snapshot)?;
    // From −y, so that x is to the right.
    (viewer.camera.azimuth, viewer.camera.elevation) = (90.0, 0.0);
    viewer.take(&snapshot)?;
    viewer.update_scene()?;
    viewer.select(4.0 / 3.0, [0.5, 0.5])?;
    viewer.start_pulling(pert::TRANSLATE);
    host.handle(viewer.pull(MouseAction::MoveV, [0.2, 0.0]));
    for round in 0..8 {
        if round == 4 {
            host.handle(viewer.stop_pulling());
            println!("let go");
        }
        host.advance(Duration::from_millis(250), Duration::from_secs(1));
        println!("at {:.2} s: angle {:+.3} rad", host.simulation().time(), host.simulation().qpos()[0]);
    }
    host.handle(Event::Reset);
    println!("reset: angle {:+.3} rad", host.simulation().qpos()[0]);
    Ok(())
}
