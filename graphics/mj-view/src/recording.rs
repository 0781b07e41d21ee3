//! Recordings of states.

use crate::error::ViewError;
use mj_engine::Data;
use mj_model::Model;
use mj_record::{HtmlOptions, HtmlRecorder, StateLog};
use mj_scene::{Camera, Scene, SceneOptions, category, update_scene};

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
    pub fn page(&self, m: &Model, camera: &Camera, options: &SceneOptions) -> Result<String, ViewError> {
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
