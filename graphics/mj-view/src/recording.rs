//! Recordings of states.

use crate::error::ViewError;
use mj_engine::{Data, QueryError, forward};
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

    /// Appends a state, if the last one is long enough ago; after ten minutes at 60 frames a second no more are taken.
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
        // A reset goes back in time, which a page can't.
        let (mut shown, mut last) = (0.0, None);
        for frame in 0..self.0.len() {
            self.0.restore(frame, m, &mut d)?;
            forward(m, &mut d).map_err(QueryError::from)?;
            let time = d.state.time;
            shown += last.map_or(0.0, |last| if time > last { time - last } else { INTERVAL });
            last = Some(time);
            update_scene(m, &d, options, None, &mut camera, category::ALL, &mut scene)?;
            page.frame(&scene, shown)?;
        }
        Ok(page.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_engine::Simulation;

    /// Returns the page of a ball, with a reset on the way.
    fn page(gravity: &str) -> String {
        let xml = format!(
            "<mujoco><option gravity='{gravity}'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
        );
        let mut sim = Simulation::from_xml(&xml).expect("compiles");
        let model = sim.shared_model().clone();
        let mut recording = Recording::new(&model).expect("begins");
        for frame in 0..10 {
            sim.steps(10).expect("runs");
            if frame == 5 {
                sim.reset();
            }
            recording.push(&model, sim.data()).expect("takes it");
        }
        assert_eq!(recording.len(), 10);
        recording.page(&model, &Camera::free(&model), &SceneOptions::default()).expect("is written")
    }

    #[test]
    fn a_page_shows_what_moves_and_goes_on_after_a_reset() {
        let (still, falling) = (page("0 0 0"), page("0 0 -9.81"));
        assert!(still.starts_with("<!DOCTYPE html>"));
        assert!(falling.len() > still.len(), "{} {}", falling.len(), still.len());
    }
}
