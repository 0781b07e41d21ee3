//! States of simulations for viewers.

use mj_engine::{Data, Model, WarningStat};
use mj_scene::SceneGeom;
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
    /// Warnings so far, in the order of `mjtWarning`.
    pub warnings: [WarningStat; 9],
}

impl Statistics {
    /// Returns those of data whose stages were timed over some steps.
    pub(crate) fn new(d: &Data, steps: u32) -> Self {
        Self {
            niter: d.solution.niter(),
            ncon: d.contacts.len(),
            nefc: d.rows.nefc(),
            stages: d.timing.total.map(|total| total / steps.max(1)),
            warnings: d.warnings,
        }
    }
}
