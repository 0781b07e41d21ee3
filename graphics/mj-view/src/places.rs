//! Places of widgets, for programs that drive a window.

use eframe::egui::{Rect, Response};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Places of the named widgets of a window, as they were drawn last. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Places(Arc<Mutex<BTreeMap<String, [f32; 4]>>>);

impl Places {
    /// Returns left, top, width and height of a widget in the window, pixels; None where it isn't shown.
    pub fn get(&self, name: &str) -> Option<[f32; 4]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }

    /// Keeps a widget's place.
    pub(crate) fn keep(&self, name: &str, response: &Response) {
        let scale = response.ctx.pixels_per_point();
        let Rect { min, max } = response.rect;
        let place = [min.x, min.y, max.x - min.x, max.y - min.y].map(|x| x * scale);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_string(), place);
    }

    /// Forgets all places.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
