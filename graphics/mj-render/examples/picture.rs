//! Draws a model from a file: `cargo run -p mj-render --example picture -- MODEL.xml PICTURE.png [WIDTH HEIGHT [CAMERA]]`.

use mj_engine::Simulation;
use mj_record::{FrameSink, PngFile};
use mj_render::{Outputs, RenderOptions, RenderSimulation, Renderer};
use mj_scene::{Camera, SceneOptions};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, picture, rest @ ..] = arguments.as_slice() else {
        return Err("usage: picture MODEL.xml PICTURE.png [WIDTH HEIGHT [CAMERA]]".into());
    };
    let (width, height) = match rest {
        [width, height, ..] => (width.parse()?, height.parse()?),
        _ => (640, 480),
    };
    let mut simulation = Simulation::load(model)?;
    simulation.forward()?;
    let mut camera = match rest.get(2) {
        Some(number) => Camera::fixed(number.parse()?),
        None => Camera::free(simulation.model()),
    };
    let mut renderer = Renderer::new(simulation.model(), &RenderOptions::default())?;
    for warning in renderer.warnings() {
        eprintln!("warning: {warning}");
    }
    let options = SceneOptions::default();
    let frame = renderer.render_simulation_as(&simulation, &mut camera, &options, width, height, Outputs::RGB)?;

    let mut file = PngFile::new(picture, width, height)?;
    file.write(&frame.rgb)?;
    file.finish()?;
    Ok(())
}
