//! Shows a simulation that this program steps itself, with a controller of its own and a geom of its own:
//! `cargo run -p mj-view --example passive`.

use mj_engine::Simulation;
use mj_scene::{SceneGeom, SceneShape};
use mj_session::{Event, Passive};
use mj_view::ViewOptions;
use std::time::{Duration, Instant};

const CART: &str = r#"<mujoco><worldbody><light pos="0 -2 3" dir="0 2 -3"/><geom type="plane" size="3 3 .1" pos="0 0 -1"/>
    <body><joint name="slider" type="slide" axis="1 0 0" damping=".1"/><geom type="box" size=".15 .08 .06" mass="1"/>
      <body><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .6" size=".03" mass=".1"/></body></body>
    </worldbody><actuator><motor joint="slider" ctrllimited="true" ctrlrange="-20 20"/></actuator></mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (passive, client) = Passive::new();
    // The window has the main thread, the program another, which ends with the window.
    let program = std::thread::spawn(move || balance(passive).map_err(|error| error.to_string()));
    mj_view::run(client, ViewOptions { title: "cart".into(), ..ViewOptions::default() })?;
    program.join().unwrap_or(Ok(()))?;
    Ok(())
}

/// Balances the pole, and shows the cart's way.
fn balance(mut passive: Passive) -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(CART)?;
    let model = sim.shared_model().clone();
    sim.qpos_mut()[1] = 0.1;
    while passive.is_watched() {
        let start = Instant::now();
        let [x, angle] = [sim.qpos()[0], sim.qpos()[1]];
        let [speed, turn] = [sim.qvel()[0], sim.qvel()[1]];
        sim.set_ctrl(0, 3.0 * x + 4.0 * speed + 50.0 * angle + 10.0 * turn)?;
        sim.step()?;
        passive.geoms = vec![mark(x)];
        if passive.sync(&model, sim.data_mut()).contains(&Event::Reset) {
            sim.reset();
            sim.qpos_mut()[1] = 0.1;
        }
        std::thread::sleep(Duration::from_secs_f64(model.opt.timestep).saturating_sub(start.elapsed()));
    }
    Ok(())
}

/// Returns a ball below the cart.
fn mark(x: f64) -> SceneGeom {
    SceneGeom {
        r#type: SceneShape::Sphere,
        pos: [x as f32, 0.0, -0.3],
        size: [0.05; 3],
        rgba: [1.0, 0.4, 0.1, 1.0],
        ..SceneGeom::default()
    }
}
