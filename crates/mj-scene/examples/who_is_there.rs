//! Prints which geoms stand at some places of the picture: `cargo run -p mj-scene --example who_is_there [MODEL.xml]`.

use mj_engine::prelude::*;
use mj_scene::{Camera, Scene, SceneOptions, category, select, update_scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "models/humanoid.xml".into());
    let mut sim = Simulation::load(path)?;
    sim.forward()?;
    let (m, d) = (sim.model(), sim.data());
    let options = SceneOptions::default();
    let mut camera = Camera::free(m);
    let mut scene = Scene::default();
    update_scene(m, d, &options, None, &mut camera, category::ALL, &mut scene)?;
    println!("{} geoms, {} lights", scene.geoms.len(), scene.lights.len());
    for y in [0.8, 0.6, 0.4, 0.2] {
        for x in [0.2, 0.4, 0.5, 0.6, 0.8] {
            let name = match select(m, d, &options, 4.0 / 3.0, [x, y], &scene)? {
                Some(found) => m.names.describe(model::ObjType::Body, found.body.index()),
                None => "–".into(),
            };
            print!("{name:>24}");
        }
        println!();
    }
    Ok(())
}
