//! Simulations that are shown in browsers while a program steps them.

use super::{Any, D, M, columns, records};
use crate::data::{Access, DataCore};
use crate::error;
use mj_serve::{ServeOptions, Server};
use mj_session::{Event, Overlay, OverlayImage, OverlayText, Pace, Passive};
use numpy::PyReadonlyArray3;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The program's end, and the server that shows it.
struct Shown {
    passive: Passive,
    server: Server,
}

/// A simulation that is shown until it is closed.
#[pyclass(name = "Viewer", module = "mj._core", frozen)]
pub struct ViewerCore(Mutex<Option<Shown>>);

impl ViewerCore {
    fn lock(&self) -> MutexGuard<'_, Option<Shown>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what users ask of the program: a word and a number.
fn wish(event: Event) -> Option<(&'static str, f64)> {
    Some(match event {
        Event::Pause(paused) => ("pause", f64::from(u8::from(paused))),
        Event::Step(steps) => ("step", steps.into()),
        Event::Speed(speed) => ("speed", speed),
        Event::Keyframe(key) => ("keyframe", key as f64),
        Event::Reset => ("reset", 0.0),
        Event::Reload => ("reload", 0.0),
        Event::Press(key) => ("press", key.into()),
        _ => return None,
    })
}

/// Font, place, left and right column.
type Text = (i32, i32, String, String);
/// Left, bottom, width and height as shares of the picture's, and rows of colours from the top on.
type Image<'py> = ([f32; 4], PyReadonlyArray3<'py, u8>);

fn image((rect, pixels): Image) -> PyResult<OverlayImage> {
    let view = pixels.as_array();
    let side = |axis: usize| u32::try_from(view.shape()[axis]).map_err(error::value);
    let (height, width) = (side(0)?, side(1)?);
    if view.shape()[2] != 3 {
        return Err(error::value(format!("an image has {} channels; expected 3", view.shape()[2])));
    }
    Ok(OverlayImage { rect, width, height, rgb: view.iter().copied().collect() })
}

#[pymethods]
impl ViewerCore {
    /// Starts to serve at an address of this machine; port 0 is any free one.
    #[new]
    fn new(py: Python, host: &str, port: u16) -> PyResult<Self> {
        let (passive, client) = Passive::new();
        let server = py.detach(|| Server::start(client, (host, port), ServeOptions::default()));
        let server = server.map_err(|e| PyOSError::new_err(format!("{host}:{port}: {e}")))?;
        Ok(Self(Mutex::new(Some(Shown { passive, server }))))
    }

    /// URL of the page, with its token; None after it was closed.
    #[getter]
    fn url(&self, py: Python) -> Option<String> {
        py.detach(|| self.lock().as_ref().map(|shown| shown.server.url()))
    }

    /// Number of browsers that watch.
    #[getter]
    fn watchers(&self, py: Python) -> usize {
        py.detach(|| self.lock().as_ref().map_or(0, |shown| shown.server.watchers()))
    }

    /// Makes browsers read meshes, height fields and textures anew.
    fn _renew(&self, py: Python) {
        py.detach(|| self.lock().as_mut().map(|shown| shown.passive.renew()));
    }

    /// Asks browsers to look through a camera, or with options; None: those of the browser.
    fn _look(&self, py: Python, camera: Option<Any>, options: Option<Any>) -> PyResult<()> {
        let (camera, options) = (camera.map(records::camera).transpose()?, options.map(records::options).transpose()?);
        py.detach(|| self.lock().as_mut().map(|shown| shown.passive.look(camera, options)));
        Ok(())
    }

    /// Sets the texts and images that are shown over the picture from the next state on.
    fn _overlay(&self, py: Python, texts: Vec<Text>, images: Vec<Image>) -> PyResult<()> {
        let text = |(font, gridpos, left, right)| OverlayText { font, gridpos, left, right };
        let texts = texts.into_iter().map(text).collect();
        let images = images.into_iter().map(image).collect::<PyResult<_>>()?;
        let overlay = Arc::new(Overlay { texts, images });
        py.detach(|| self.lock().as_mut().map(|shown| shown.passive.overlay = overlay));
        Ok(())
    }

    /// Shows the state, writes what users changed, and returns what else they ask for. `geoms` are columns; `pace` is whether
    /// the simulation stands still, and its speeds, wanted and reached.
    fn _sync(
        &self,
        m: M,
        d: D,
        geoms: Option<&Bound<'_, PyDict>>,
        pace: Option<(bool, f64, f64)>,
    ) -> PyResult<Vec<(&'static str, f64)>> {
        let geoms = geoms.map(columns::geoms).transpose()?.unwrap_or_default();
        let pace = pace.map(|(paused, speed, reached)| Pace { paused, speed, reached, ..Pace::default() });
        let model = m.get().current(m.py())?;
        let events = DataCore::call(d, m, Access::Change, |_, d| {
            let mut shown = self.lock();
            let Some(shown) = shown.as_mut() else { return Vec::new() };
            (shown.passive.geoms, shown.passive.pace) = (geoms, pace);
            shown.passive.sync(&model, d)
        });
        Ok(events?.into_iter().filter_map(wish).collect())
    }

    /// Ends the server.
    fn close(&self, py: Python) {
        py.detach(|| {
            // Dropped outside the lock: its threads end first.
            let shown = self.lock().take();
            drop(shown);
        });
    }
}
