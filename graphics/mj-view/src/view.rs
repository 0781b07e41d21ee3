//! All that a window has of one model.

use crate::error::ViewError;
use crate::picture::Picture;
use crate::plots::Plots;
use crate::recording::Recording;
use mj_model::{BodyId, ObjType};
use mj_render::RenderOptions;
use mj_scene::{Camera, CameraKind};
use mj_session::inputs::Slider;
use mj_session::{Replica, Snapshot, inputs};

/// Viewer's data, pictures and plots of one model.
pub(crate) struct View {
    pub replica: Replica,
    pub picture: Picture,
    pub plots: Plots,
    pub recording: Option<Recording>,
    pub controls: Vec<Slider>,
    pub joints: Vec<Slider>,
    /// Whether the next picture differs from the last.
    pub stale: bool,
}

impl View {
    pub fn new(snapshot: &Snapshot, options: &RenderOptions) -> Result<Self, ViewError> {
        Ok(Self {
            replica: Replica::new(snapshot)?,
            picture: Picture::new(&snapshot.model, options)?,
            plots: Plots::new(&snapshot.model),
            recording: None,
            controls: inputs::controls(&snapshot.model),
            joints: inputs::joints(&snapshot.model).collect(),
            stale: true,
        })
    }

    /// Takes a new snapshot.
    pub fn take(&mut self, snapshot: &Snapshot) -> Result<(), ViewError> {
        self.replica.take(snapshot)?;
        self.plots.push(self.replica.data(), &snapshot.statistics);
        self.stale = true;
        if let Some(recording) = &mut self.recording {
            recording.push(self.replica.model(), self.replica.data())?;
        }
        Ok(())
    }

    /// Returns the name of an element, or its kind and number.
    pub fn name(&self, kind: ObjType, id: usize) -> String {
        self.replica.model().names.display(kind, id)
    }

    /// Returns the number of the camera: −1 of the free one, −2 of one that tracks, else that of a fixed one.
    pub fn camera(&self) -> i32 {
        match self.replica.camera.r#type {
            CameraKind::Fixed => self.replica.camera.fixedcamid,
            CameraKind::Tracking => -2,
            _ => -1,
        }
    }

    /// Looks through a camera by its number; numbers beyond the last begin again. One that tracks follows the selected body.
    pub fn look_through(&mut self, number: i32) {
        let count = self.replica.model().cam.len() as i32;
        let selected = self.replica.perturb.select;
        self.replica.camera = match number {
            -2 if selected > 0 => {
                let lookat = self.replica.data().smooth.poses.xpos[BodyId::new(selected as usize)];
                let free = self.free_camera();
                Camera { r#type: CameraKind::Tracking, trackbodyid: selected, lookat, ..free }
            }
            0.. if number < count => Camera::fixed(number),
            _ => self.free_camera(),
        };
        self.stale = true;
    }

    /// Returns a free camera where the last one was.
    fn free_camera(&self) -> Camera {
        match self.replica.camera.r#type {
            CameraKind::Free | CameraKind::Tracking => {
                Camera { r#type: CameraKind::Free, ..self.replica.camera.clone() }
            }
            _ => Camera::free(self.replica.model()),
        }
    }
}
