//! Screenshots and recordings, in files of the current folder.

use crate::error::ViewError;
use crate::view::View;
use mj_engine::Data;
use mj_model::Model;
use mj_record::{FrameSink, HtmlOptions, HtmlRecorder, PngFile, RecordError, StateLog};
use mj_scene::{Camera, Scene, SceneOptions, category, update_scene};
use std::path::PathBuf;

/// Most frames of a recording.
const FRAMES: usize = 36_000;
/// Shortest time between two frames, s.
const INTERVAL: f64 = 1.0 / 60.0;

/// States of a recording that is going on.
#[derive(Debug)]
pub(crate) struct Recording(StateLog);

impl Recording {
    pub fn new(m: &Model) -> Result<Self, ViewError> {
        Ok(Self(StateLog::new(m)?))
    }

    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Appends a state, if the last one is long enough ago; after an hour at 30 frames a second no more are taken.
    pub fn push(&mut self, m: &Model, d: &Data) -> Result<(), ViewError> {
        let last = self.0.len().checked_sub(1).and_then(|last| self.0.time(last));
        let new = last.is_none_or(|last| (d.state.time - last).abs() >= INTERVAL);
        if new && self.0.len() < FRAMES {
            self.0.push(m, d)?;
        }
        Ok(())
    }

    /// Returns a page that plays the states with a camera and options.
    fn page(&self, m: &Model, camera: &Camera, options: &SceneOptions) -> Result<String, ViewError> {
        let (mut d, mut scene, mut camera) = (Data::new(m)?, Scene::default(), camera.clone());
        let mut page = HtmlRecorder::new(m, HtmlOptions::default());
        for frame in 0..self.0.len() {
            self.0.restore(frame, m, &mut d)?;
            update_scene(m, &d, options, None, &mut camera, category::ALL, &mut scene)?;
            page.frame(&scene, d.state.time)?;
        }
        Ok(page.finish()?)
    }
}

/// Starts a recording, or ends it and writes its page. Returns a message for the user.
pub(crate) fn record(view: &mut View) -> Result<String, ViewError> {
    let replica = &view.replica;
    let Some(recording) = view.recording.take() else {
        view.recording = Some(Recording::new(replica.model())?);
        return Ok("recording".into());
    };
    let page = recording.page(replica.model(), &replica.camera, &replica.options)?;
    let path = free_path(replica.model(), "html");
    let wrong = |source| RecordError::File { path: path.clone(), source };
    std::fs::write(&path, page).map_err(wrong)?;
    Ok(format!("wrote {}", path.display()))
}

/// Writes the picture to a file. Returns a message for the user.
pub(crate) fn screenshot(view: &mut View) -> Result<String, ViewError> {
    let size = view.picture.size;
    let image = view.picture.image(&mut view.replica, size)?;
    let path = free_path(view.replica.model(), "png");
    let mut file = PngFile::new(&path, image.width, image.height)?;
    file.write(&image.rgb)?;
    file.finish()?;
    Ok(format!("wrote {}", path.display()))
}

/// Returns a file of the current folder that isn't there yet, named after the model.
fn free_path(m: &Model, ending: &str) -> PathBuf {
    let letters = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = m.modelname.chars().map(letters).collect();
    let name = if name.is_empty() { "mj" } else { &name };
    let paths = (1..).map(|k| PathBuf::from(format!("{name}-{k}.{ending}")));
    paths.into_iter().find(|path| !path.exists()).unwrap_or_default()
}
