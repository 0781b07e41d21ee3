//! Pictures, animations and pages: frames of a simulation, and files that take them.

use super::args::Args;
use super::arrays::Arrays;
use super::film::Film;
use super::output::Output;
use crate::failure::Failure;
use mj_render::{Outputs, RenderOptions, Renderer, Shading, probe};
use std::path::PathBuf;

/// Runs `mj render`.
pub fn draw(args: &Args) -> Result<(), Failure> {
    if args.probe {
        return list_adapters();
    }
    let name = args.model.as_deref().unwrap_or_default();
    let mut film = Film::open(name, args)?;
    let path = args.output.clone().unwrap_or_else(|| default_output(name));
    let options = args.shading.apply(RenderOptions { adapter: args.adapter.clone(), ..RenderOptions::default() })?;
    let model = film.model();
    let (width, height) = film.size();
    let frames = film.frames();
    let outputs = Outputs { rgb: true, depth_ids: args.depth.is_some() || args.ids.is_some() };
    let mut arrays =
        Arrays::new(args.depth.as_deref(), args.ids.as_deref(), [frames, height as usize, width as usize])?;
    // Whatever can't be written is told before the first frame is drawn.
    let mut output = Output::create(&path, &model, (width, height), args.fps, frames)?;
    if !output.wants_pictures() && options.shading != Shading::Phong {
        return Err(Failure::Usage("--shading physical: pages draw by Phong's model alone; expected a picture".into()));
    }
    let mut renderer = None;
    if output.wants_pictures() || outputs.depth_ids {
        let opened = Renderer::new(&model, &options).map_err(|e| Failure::Usage(e.to_string()))?;
        opened.warnings().iter().for_each(|warning| eprintln!("warning: {warning}"));
        renderer = Some(opened);
    }
    while let Some((scene, time)) = film.advance()? {
        let mut frame = mj_render::Frame::default();
        if let Some(renderer) = &mut renderer {
            let drawn = renderer.render_frame(scene, width, height, outputs);
            let labelled = drawn.and_then(|mut drawn| drawn.write_labels(scene).map(|()| drawn));
            frame = labelled.map_err(|e| Failure::Usage(e.to_string()))?;
        }
        output.frame(scene, time, &frame.rgb)?;
        arrays.push(&frame);
    }
    output.finish()?;
    arrays.finish()
}

fn default_output(model: &str) -> PathBuf {
    let stem = std::path::Path::new(model).file_stem().unwrap_or_default();
    PathBuf::from(stem).with_extension("png")
}

/// Prints the adapters, one a line.
fn list_adapters() -> Result<(), Failure> {
    let adapters = probe();
    if adapters.is_empty() {
        let error = mj_render::Renderer::new(&mj_engine::Model::default(), &RenderOptions::default()).err();
        return Err(Failure::Usage(error.map_or("no graphics adapter was found".into(), |e| e.to_string())));
    }
    for a in adapters {
        println!("{}  ({}, {}; driver {})", a.name, a.kind, a.backend, a.driver);
        println!("    pictures up to {0}x{0} pixels, buffers up to {1} MiB", a.max_size, a.max_buffer >> 20);
    }
    Ok(())
}
