//! States of simulations for viewers.

use crate::overlay::Overlay;
use mj_engine::{Data, Model, describe_warning};
use mj_model::Warning;
use mj_scene::{Camera, SceneGeom, SceneOptions};
use std::sync::Arc;
use std::time::Duration;

/// State of a simulation at one time, with all that a viewer needs to compute the rest.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Model, shared: a copy of the pointer.
    pub model: Arc<Model>,
    /// Count of the models so far: it changes where another one was loaded.
    pub generation: u64,
    /// State of the signature `INTEGRATION`.
    pub state: Vec<f64>,
    /// Time of the simulation, s.
    pub time: f64,
    /// Whether it runs and how fast; None: its program steps it.
    pub pace: Option<Pace>,
    /// Counts and times of the last step.
    pub statistics: Statistics,
    /// Last failure, such as the diagnostics of a model that failed to load.
    pub message: Option<Arc<str>>,
    /// Geoms that the program shows beside those of the model.
    pub geoms: Vec<SceneGeom>,
    /// View that the program asks for; a viewer takes it once, and goes on from there.
    pub look: Option<Arc<Look>>,
    /// Texts and images that the program shows over the picture.
    pub overlay: Arc<Overlay>,
}

/// View that a program asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// Count of the views so far.
    pub number: u64,
    /// Camera; None: the viewer's.
    pub camera: Option<Camera>,
    /// Flags, groups, frames and labels; None: the viewer's.
    pub options: Option<SceneOptions>,
}

/// Whether a simulation runs, and how fast.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Whether it stands still.
    pub paused: bool,
    /// Wanted speed, as a multiple of real time.
    pub speed: f64,
    /// Speed that was reached lately; 0 where it stands still.
    pub reached: f64,
    /// How many states the history holds.
    pub history: usize,
    /// How many states before the newest one it is.
    pub back: usize,
}

/// Counts and times of the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Iterations of the constraint solver.
    pub niter: u32,
    /// Number of contacts.
    pub ncon: usize,
    /// Number of constraint rows.
    pub nefc: usize,
    /// Mean time of each stage in a step, in the order of [`StageTimer::NAMES`](mj_engine::StageTimer::NAMES).
    pub stages: [Duration; 10],
    /// Warnings so far, a text for each kind.
    pub warnings: Vec<String>,
}

impl Statistics {
    /// Returns those of data whose stages were timed over some steps.
    pub(crate) fn new(m: &Model, d: &Data, steps: u32) -> Self {
        let warned = Warning::KEYWORDS.iter().filter(|(_, kind)| d.warning(*kind).number > 0);
        Self {
            niter: d.solution.niter(),
            ncon: d.contacts.len(),
            nefc: d.rows.nefc(),
            stages: d.timing.total.map(|total| total / steps.max(1)),
            warnings: warned.map(|(_, kind)| describe_warning(m, d, *kind)).collect(),
        }
    }
}
