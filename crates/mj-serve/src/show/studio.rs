//! The simulation as it is shown: a viewer's copy, and the stream of its scenes.

use super::describe::describe;
use super::overlay::encode;
use super::state::state;
use crate::watch::Picture;
use mj_record::SceneStream;
use mj_scene::Camera;
use mj_session::{Overlay, Replica, Snapshot};
use std::sync::Arc;

/// Viewer's copy of a simulation with its stream.
pub struct Studio {
    pub viewer: Replica,
    stream: SceneStream,
    number: u64,
    model: Arc<[u8]>,
    /// Overlay of the last picture, its version, and its bytes for the page.
    overlay: (Arc<Overlay>, u64, Arc<[u8]>),
    /// Reason why the last scene couldn't be computed.
    pub fault: Option<String>,
}

impl Studio {
    /// Begins with a snapshot's model; options of the scene stay as they were. The number tells streams apart.
    pub fn new(snapshot: &Snapshot, before: Option<&Self>, number: u64) -> Result<Self, String> {
        let mut viewer = Replica::new(snapshot).map_err(|e| e.to_string())?;
        if let Some(before) = before {
            viewer.options = before.viewer.options.clone();
        }
        viewer.camera = Camera::free(&snapshot.model);
        let stream = SceneStream::new(snapshot.model.clone()).map_err(|e| e.to_string())?;
        let overlay = (snapshot.overlay.clone(), 0, encode(&snapshot.overlay).into());
        let model = describe(&snapshot.model).into_bytes().into();
        Ok(Self { viewer, stream, number, model, overlay, fault: None })
    }

    /// Begins the stream anew, where too much of it is no longer needed.
    pub fn renew(&mut self, number: u64) {
        if self.stream.is_full()
            && let Ok(stream) = SceneStream::new(self.viewer.model().clone())
        {
            (self.stream, self.number) = (stream, number);
        }
    }

    /// Computes the scene of a snapshot. The last one stays where that fails.
    pub fn take(&mut self, snapshot: &Snapshot) {
        let taken = self.viewer.take(snapshot).map_err(|e| e.to_string());
        self.fault = taken.err();
    }

    /// Returns the picture.
    pub fn picture(&mut self, snapshot: &Snapshot, number: u64) -> Picture {
        let scene = self.viewer.update_scene().map_err(|e| e.to_string());
        let encoded = scene.and_then(|()| self.stream.encode(self.viewer.scene()).map_err(|e| e.to_string()));
        if let Err(error) = encoded {
            self.fault = Some(error);
        }
        let head = state(snapshot, &self.viewer, self.fault.as_deref());
        let moving = self.stream.moving();
        let mut frame = Vec::with_capacity(4 + head.len() + moving.len());
        frame.extend((head.len() as u32).to_le_bytes());
        frame.extend(head);
        frame.extend_from_slice(moving);
        if !Arc::ptr_eq(&self.overlay.0, &snapshot.overlay) {
            self.overlay = (snapshot.overlay.clone(), self.overlay.1 + 1, encode(&snapshot.overlay).into());
        }
        let (version, still) = self.stream.still();
        Picture {
            number,
            stream: self.number,
            model: self.model.clone(),
            parts: self.stream.parts().to_vec(),
            still: (version, still.clone()),
            overlay: (self.overlay.1, self.overlay.2.clone()),
            frame: frame.into(),
        }
    }
}
