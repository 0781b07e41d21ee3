//! Scenes of a simulation, frame by frame.

use super::args::Args;
use crate::failure::Failure;
use crate::{bundled, keyframe, options, state, suggest};
use mj_engine::{Data, Model, forward, step};
use mj_model::ObjType;
use mj_scene::{Camera, CameraKind, Scene, SceneOptions, VisualSettings, category, update_scene};
use std::sync::Arc;

/// Most frames of an animation.
const MAX_FRAMES: f64 = 1e6;

/// A simulation that is looked at.
pub struct Film {
    model: Arc<Model>,
    data: Data,
    scene: Scene,
    options: SceneOptions,
    camera: Camera,
    size: (u32, u32),
    frames: usize,
    fps: f64,
    start: f64,
    next: usize,
}

impl Film {
    /// Loads the model, sets the state, and steps to the first frame.
    pub fn open(name: &str, args: &Args) -> Result<Self, Failure> {
        let frames = frames(args)?;
        let mut m = bundled::open(name)?.model;
        options::set(&mut m, &args.set)?;
        let mut d = bundled::data(name, &m)?;
        if let Some(key) = &args.key {
            d.state.set_key(&m, keyframe::find(&m, key)?);
        }
        if let Some(path) = &args.state {
            state::read(path, &m, &mut d)?;
        }
        (0..args.steps).try_for_each(|_| step(&m, &mut d))?;
        let mut scene = Scene::default();
        let options = args.appearance.apply(&mut scene)?;
        let camera = turned(camera(&m, &args.camera)?, args)?;
        let size = size(&m, args.size.as_deref())?;
        let start = d.state.time;
        Ok(Self { model: m.into(), data: d, scene, options, camera, size, frames, fps: args.fps, start, next: 0 })
    }

    /// Returns the model.
    pub fn model(&self) -> Arc<Model> {
        self.model.clone()
    }

    /// Returns width and height, pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Steps to the next frame; returns its scene and time, s, or none after the last.
    pub fn advance(&mut self) -> Result<Option<(&Scene, f64)>, Failure> {
        if self.next == self.frames {
            return Ok(None);
        }
        let (m, d) = (&*self.model, &mut self.data);
        let time = self.start + self.next as f64 / self.fps;
        // Half a step early is nearer than half a step late.
        while self.next > 0 && d.state.time + 0.5 * m.opt.timestep < time {
            step(m, d)?;
        }
        forward(m, d)?;
        update_scene(m, d, &self.options, None, &mut self.camera, category::ALL, &mut self.scene)
            .map_err(|e| Failure::Usage(e.to_string()))?;
        self.next += 1;
        Ok(Some((&self.scene, d.state.time)))
    }
}

/// Returns the number of frames that the arguments ask for.
fn frames(args: &Args) -> Result<usize, Failure> {
    if !(args.fps > 0.0 && args.fps <= 1000.0) {
        return Err(Failure::Usage(format!(
            "--fps {}: expected more than 0 and at most 1000 frames a second",
            args.fps
        )));
    }
    match args.duration {
        None => Ok(1),
        Some(s) if s > 0.0 && s * args.fps <= MAX_FRAMES => Ok(((s * args.fps).round() as usize).max(1)),
        Some(s) => {
            let most = MAX_FRAMES / args.fps;
            Err(Failure::Usage(format!("--duration {s}: expected more than 0 and at most {most} seconds")))
        }
    }
}

/// Returns a camera by name, by number, or a free one.
fn camera(m: &Model, word: &str) -> Result<Camera, Failure> {
    if word == "free" {
        return Ok(Camera::free(m));
    }
    if let Some(id) = m.names.find(ObjType::Camera, word) {
        return Ok(Camera::fixed(id as i32));
    }
    if let Some(id) = word.parse::<usize>().ok().filter(|&id| id < m.cam.len()) {
        return Ok(Camera::fixed(id as i32));
    }
    let named = m.names.all(ObjType::Camera).iter().map(String::as_str).filter(|n| !n.is_empty());
    let names: Vec<&str> = named.chain(["free"]).collect();
    let hint = suggest::hint(word, names.iter().copied());
    let known = names.join(", ");
    Err(Failure::Usage(format!(
        "--camera {word}: no such camera{hint}; the model has {} and knows {known}",
        m.cam.len()
    )))
}

/// Turns and moves a free camera as the arguments ask for.
fn turned(mut camera: Camera, args: &Args) -> Result<Camera, Failure> {
    let given = [("--azimuth", args.azimuth), ("--elevation", args.elevation), ("--distance", args.distance)];
    let Some((option, _)) = given.iter().find(|(_, value)| value.is_some()) else { return Ok(camera) };
    if camera.r#type != CameraKind::Free {
        return Err(Failure::Usage(format!("{option}: expected a free camera, and this one is the model's")));
    }
    if let Some((option, Some(value))) = given.iter().find(|(_, value)| value.is_some_and(|v| !v.is_finite())) {
        return Err(Failure::Usage(format!("{option} {value}: expected a finite number")));
    }
    if let Some(distance) = args.distance.filter(|&d| d <= 0.0) {
        return Err(Failure::Usage(format!("--distance {distance}: expected more than 0 m")));
    }
    camera.azimuth = args.azimuth.unwrap_or(camera.azimuth);
    camera.elevation = args.elevation.unwrap_or(camera.elevation);
    camera.distance = args.distance.unwrap_or(camera.distance);
    Ok(camera)
}

/// Returns the size of pictures.
fn size(m: &Model, given: Option<&str>) -> Result<(u32, u32), Failure> {
    let wrong = |text: &str| Failure::Usage(format!("--size {text}: expected WxH in pixels, e.g. 640x480"));
    match given {
        Some(text) => {
            let (width, height) = text.split_once(['x', 'X']).ok_or_else(|| wrong(text))?;
            let side = |s: &str| s.trim().parse::<u32>().ok().filter(|&n| n > 0);
            side(width).zip(side(height)).ok_or_else(|| wrong(text))
        }
        None => {
            let global = VisualSettings::new(&m.vis).global;
            Ok((global.offwidth.max(1) as u32, global.offheight.max(1) as u32))
        }
    }
}
