//! Draws what the cameras of 64 simulations see, on one sheet: `cargo run --release -p mj-render --example batch -- SHEET.png`.

use mj_engine::Simulation;
use mj_record::{FrameSink, PngFile};
use mj_render::{Outputs, RenderOptions, RenderSimulation, Renderer};
use mj_scene::{Camera, SceneOptions};
use std::error::Error;
use std::time::Instant;

/// A cart with a pole, which its own camera follows.
const CART: &str = r#"<mujoco><visual><quality shadowsize="256"/></visual><worldbody><light pos="0 -1 3" dir="0 .3 -1"/>
    <geom type="plane" size="4 4 .1" pos="0 0 -.1" rgba=".5 .6 .5 1"/>
    <body><joint type="slide" axis="1 0 0"/><camera name="eye" pos="0 -2 .4" xyaxes="1 0 0 0 0 1"/>
      <geom type="box" size=".2 .1 .05" rgba=".8 .4 .2 1" mass="1"/>
      <body><joint axis="0 1 0" damping=".01"/><geom type="capsule" fromto="0 0 0 0 0 .7" size=".03" mass=".1"/></body></body>
    </worldbody></mujoco>"#;

/// Simulations in a row of the sheet, and rows.
const SIDE: usize = 8;
/// Width and height of a picture, pixels.
const SIZE: [usize; 2] = [80, 60];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: batch SHEET.png")?;
    let first = Simulation::from_xml(CART)?;
    // All share one model, and one renderer with its assets.
    let model = first.shared_model().clone();
    let mut renderer = Renderer::new(&model, &RenderOptions::default())?;
    let mut simulations = Vec::new();
    for number in 0..SIDE * SIDE {
        let mut simulation = Simulation::new(model.clone())?;
        simulation.qpos_mut()[1] = 0.02 * (number as f64 - 31.5);
        simulations.push(simulation);
    }
    for simulation in &mut simulations {
        simulation.steps(150)?;
        simulation.forward()?;
    }

    let start = Instant::now();
    let [width, height] = SIZE;
    let mut sheet = vec![0; 3 * SIDE * width * SIDE * height];
    for (number, simulation) in simulations.iter().enumerate() {
        let (mut eye, options) = (Camera::fixed(0), SceneOptions::default());
        let size = (width as u32, height as u32);
        let frame = renderer.render_simulation_as(simulation, &mut eye, &options, size.0, size.1, Outputs::RGB)?;
        let (row, column) = (number / SIDE, number % SIDE);
        for (y, line) in frame.rgb.chunks_exact(3 * width).enumerate() {
            let at = 3 * width * ((row * height + y) * SIDE + column);
            sheet[at..at + line.len()].copy_from_slice(line);
        }
    }
    println!("{} pictures in {:.0} ms", simulations.len(), 1e3 * start.elapsed().as_secs_f64());
    let mut file = PngFile::new(path, (SIDE * width) as u32, (SIDE * height) as u32)?;
    file.write(&sheet)?;
    file.finish()?;
    Ok(())
}
