//! Simulates a model and writes a page that plays it: `cargo run -p mj-record --example html -- MODEL OUT.html [SECONDS]`.

use mj_engine::Simulation;
use mj_record::{HtmlOptions, HtmlRecorder};
use mj_scene::{Camera, Scene, SceneOptions, VisFlag, category, update_scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("expected a model and a file to write: html MODEL OUT.html [SECONDS]".into());
    };
    let seconds: f64 = arguments.next().map_or(Ok(10.0), |s| s.parse())?;

    let mut simulation = Simulation::load(model)?;
    let model = simulation.shared_model().clone();
    let mut options = SceneOptions::default();
    options.set_flag(VisFlag::ContactPoint, true);
    options.set_flag(VisFlag::ContactForce, true);
    let (mut camera, mut scene) = (Camera::initial(&model), Scene::default());
    let mut recorder = HtmlRecorder::new(&model, HtmlOptions::default());
    for frame in 0..=(seconds * 60.0) as u32 {
        while simulation.time() < f64::from(frame) / 60.0 {
            simulation.step()?;
        }
        simulation.forward()?;
        update_scene(&model, simulation.data(), &options, None, &mut camera, category::ALL, &mut scene)?;
        recorder.frame(&scene, simulation.time())?;
    }
    let page = recorder.finish()?;
    println!("{out}: {} bytes", page.len());
    Ok(std::fs::write(out, page)?)
}
