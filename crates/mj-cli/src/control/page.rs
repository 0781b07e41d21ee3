//! Pages that play a trajectory.

use crate::failure::Failure;
use mj_engine::{Model, State};
use std::path::Path;

/// Frames a second of simulated time.
#[cfg(feature = "view")]
const FPS: f64 = 30.0;

/// Writes one HTML file that plays the states.
#[cfg(feature = "view")]
pub fn write(path: &Path, m: &Model, title: &str, states: &[State]) -> Result<(), Failure> {
    use mj_engine::{Data, forward};
    use mj_record::{HtmlOptions, HtmlRecorder};
    use mj_scene::{Camera, Scene, SceneOptions, category, update_scene};
    let wrong = |e: &dyn std::fmt::Display| Failure::Usage(format!("{}: {e}", path.display()));
    let mut page = HtmlRecorder::new(m, HtmlOptions { title: title.into(), ..HtmlOptions::default() });
    let (mut camera, mut scene, options) = (Camera::free(m), Scene::default(), SceneOptions::default());
    let mut d = Data::new(m).map_err(|e| wrong(&e))?;
    let mut next = f64::NEG_INFINITY;
    for state in states.iter().filter(|s| s.time.is_finite()) {
        if state.time < next {
            continue;
        }
        next = state.time + 1.0 / FPS - 0.5 * m.opt.timestep;
        d.state.clone_from(state);
        forward(m, &mut d).map_err(|e| wrong(&e))?;
        update_scene(m, &d, &options, None, &mut camera, category::ALL, &mut scene).map_err(|e| wrong(&e))?;
        page.frame(&scene, state.time).map_err(|e| wrong(&e))?;
    }
    let text = page.finish().map_err(|e| wrong(&e))?;
    std::fs::write(path, text).map_err(|source| Failure::Write { path: path.into(), source })
}

/// Without recordings, [`check`] has refused the path already.
#[cfg(not(feature = "view"))]
pub fn write(path: &Path, _: &Model, _: &str, _: &[State]) -> Result<(), Failure> {
    check(path)
}

/// Checks that a page can be written.
#[cfg(feature = "view")]
pub fn check(path: &Path) -> Result<(), Failure> {
    crate::output::check(path)
}

/// Says that pages need another build.
#[cfg(not(feature = "view"))]
pub fn check(_: &Path) -> Result<(), Failure> {
    Err(Failure::Missing { what: "recording of pages", feature: "view" })
}
