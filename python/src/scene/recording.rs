//! Recordings that play in a browser.

use super::{D, M, SceneCore};
use crate::error;
use crate::model::ModelCore;
use mj_record::{HtmlOptions, HtmlRecorder};
use mj_scene::Scene;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Scenes with their times.
#[pyclass(name = "Recording", module = "mj._core", subclass, frozen)]
pub struct RecordingCore {
    frames: Mutex<Vec<(Scene, f64)>>,
    model: Py<ModelCore>,
}

#[pymethods]
impl RecordingCore {
    /// Makes a recording without frames.
    #[new]
    #[pyo3(signature = (model, *_args, **_kwargs))]
    fn new(
        model: M,
        _args: &Bound<'_, pyo3::types::PyTuple>,
        _kwargs: Option<&Bound<'_, pyo3::types::PyDict>>,
    ) -> Self {
        Self { frames: Mutex::new(Vec::new()), model: model.clone().unbind() }
    }

    /// Appends a scene, at the time of the data.
    fn _add(&self, d: D, scene: &SceneCore) {
        let time = d.get().time(d.py());
        let scene = scene.look().clone();
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).push((scene, time));
    }

    fn __len__(&self) -> usize {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Returns the page.
    fn _page(&self, py: Python, title: String, autoplay: bool) -> PyResult<String> {
        let m = self.model.get().change(|m| Ok(m.clone()))?;
        let page = py.detach(|| {
            let mut recorder = HtmlRecorder::new(&m, HtmlOptions { title, autoplay, ..HtmlOptions::default() });
            for (scene, time) in &*self.frames.lock().unwrap_or_else(PoisonError::into_inner) {
                recorder.frame(scene, *time)?;
            }
            recorder.finish()
        });
        page.map_err(error::value)
    }
}
