//! A simulation that does what events ask for, at the pace of a clock.

use crate::edits::{Pull, edit};
use crate::event::Event;
use crate::history::History;
use crate::snapshot::{Pace, Snapshot, Statistics};
use mj_engine::{Data, LoadError, Model, Signature, Simulation, get_state, state_size};
use mj_model::KeyId;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most steps that one event asks for.
const MAX_STEPS: i32 = 10_000;
/// Slowest and fastest simulation, as multiples of real time.
const SPEEDS: [f64; 2] = [1e-4, 1e4];
/// Time over which the speed is measured, s.
const WINDOW: f64 = 0.5;

/// Simulation with its file, pace, history, and the body that a user pulls.
pub struct Host {
    sim: Simulation,
    file: Option<PathBuf>,
    generation: u64,
    pace: Pace,
    /// Simulated time by which the clock is ahead, s.
    due: f64,
    /// Simulated time and time of the clock since the speed was measured last, s.
    measured: [f64; 2],
    pull: Pull,
    history: History,
    /// Steps since the last snapshot.
    steps: u32,
    message: Option<std::sync::Arc<str>>,
}

impl Host {
    /// Takes a simulation with its hooks; it runs in real time.
    pub fn new(sim: Simulation) -> Self {
        let mut host = Self {
            sim,
            file: None,
            generation: 0,
            pace: Pace { speed: 1.0, ..Pace::default() },
            due: 0.0,
            measured: [0.0; 2],
            pull: Pull::default(),
            history: History::default(),
            steps: 0,
            message: None,
        };
        host.begin();
        host
    }

    /// Loads a model from a file. Where that fails, the simulation is empty, and its snapshots tell why.
    ///
    /// # Errors
    /// If not even a model of nothing loads.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let mut host = Self::new(Simulation::from_xml("<mujoco/>")?);
        host.handle(Event::Load(path.as_ref().to_path_buf()));
        Ok(host)
    }

    /// Returns the simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.sim
    }

    /// Returns whether it stands still.
    pub fn is_paused(&self) -> bool {
        self.pace.paused
    }

    /// Returns the file from which the model was loaded, or should have been.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Does what a user asks for.
    pub fn handle(&mut self, event: Event) {
        match event {
            Event::Pause(paused) => {
                self.pace.paused = paused;
                self.due = 0.0;
            }
            Event::Step(n) if n < 0 => self.seek(self.history.back().saturating_add(n.unsigned_abs() as usize)),
            Event::Step(n) => self.advance_by(n.min(MAX_STEPS)),
            Event::Seek(back) => self.seek(back),
            Event::Speed(speed) if speed.is_finite() => self.pace.speed = speed.clamp(SPEEDS[0], SPEEDS[1]),
            Event::Speed(_) | Event::Press(_) => {}
            Event::Reset => {
                self.sim.reset();
                self.changed(true);
            }
            Event::Keyframe(key) => {
                if key < self.sim.model().key.len() {
                    match self.sim.reset_to_key(KeyId::new(key)) {
                        Ok(()) => self.changed(true),
                        Err(error) => self.fail(&error),
                    }
                }
            }
            Event::Perturb(perturb) => {
                let (m, d) = self.sim.parts();
                self.pull.replace(m, d, *perturb);
                if self.pace.paused && self.pull.is_active() {
                    self.pull.place(m, d);
                    self.changed(false);
                }
            }
            Event::Load(path) => self.open(path),
            Event::Reload => {
                if let Some(path) = self.file.clone() {
                    self.open(path);
                }
            }
            Event::Control(..) | Event::Position(..) | Event::Equality(..) => {
                if edit(self.sim.data_mut(), &event) {
                    self.changed(false);
                }
            }
        }
    }

    /// Makes as many steps as the time of the clock that went by asks for, at most for as long as `budget`; what is left then is
    /// forgotten, and the simulation is slower than wanted. Returns the number of steps.
    pub fn advance(&mut self, elapsed: Duration, budget: Duration) -> u32 {
        if self.pace.paused {
            self.pace.reached = 0.0;
            self.measured = [0.0; 2];
            return 0;
        }
        let start = Instant::now();
        self.due += self.pace.speed * elapsed.as_secs_f64();
        let mut steps = 0;
        while self.due > 0.0 && self.step() {
            let timestep = self.sim.model().opt.timestep.max(f64::MIN_POSITIVE);
            self.due -= timestep;
            self.measured[0] += timestep;
            steps += 1;
            if start.elapsed() >= budget {
                self.due = self.due.min(0.0);
            }
        }
        self.measured[1] += elapsed.as_secs_f64();
        if self.measured[1] > WINDOW {
            self.pace.reached = self.measured[0] / self.measured[1];
            self.measured = [0.0; 2];
        }
        steps
    }

    /// Returns the present state for viewers.
    pub fn snapshot(&mut self) -> Snapshot {
        let steps = std::mem::take(&mut self.steps).max(1);
        let pace = Pace { history: self.history.len(), back: self.history.back(), ..self.pace };
        let mut state = Vec::new();
        let (m, d) = self.sim.parts();
        write_state(m, d, &mut state);
        let statistics = Statistics::new(m, d, steps);
        d.timing.start();
        Snapshot {
            model: self.sim.shared_model().clone(),
            generation: self.generation,
            state,
            time: self.sim.time(),
            pace: Some(pace),
            statistics,
            message: self.message.clone(),
            geoms: Vec::new(),
            look: None,
            overlay: Arc::default(),
        }
    }

    fn open(&mut self, path: PathBuf) {
        match Simulation::load(&path) {
            Ok(sim) => {
                self.sim = sim;
                self.message = None;
                self.begin();
            }
            Err(error) => self.message = Some(error.to_string().into()),
        }
        self.file = Some(path);
    }

    /// Begins with a new simulation.
    fn begin(&mut self) {
        self.generation += 1;
        self.pull = Pull::default();
        self.history.clear();
        self.sim.data_mut().timing.start();
        self.changed(true);
    }

    fn fail(&mut self, error: &dyn std::fmt::Display) {
        self.message = Some(error.to_string().into());
        self.pace.paused = true;
    }

    /// Computes what follows from a changed state, and keeps it in the history: as a new state, or in place of the shown one.
    fn changed(&mut self, new: bool) {
        self.forward();
        self.remember(new);
    }

    fn remember(&mut self, new: bool) {
        let (m, d) = self.sim.parts();
        let write = |state: &mut Vec<f64>| write_state(m, d, state);
        if new { self.history.push(write) } else { self.history.amend(write) }
    }

    fn step(&mut self) -> bool {
        let (m, d) = self.sim.parts();
        self.pull.apply(m, d);
        d.timing.resume();
        match self.sim.step() {
            Ok(()) => {
                self.steps += 1;
                self.remember(true);
                true
            }
            Err(error) => {
                self.fail(&error);
                false
            }
        }
    }

    /// Stops and makes steps: through the history first, then new ones.
    fn advance_by(&mut self, n: i32) {
        self.pace.paused = true;
        let mut left = n.max(0) as usize;
        let back = self.history.back();
        if back > 0 && left > 0 {
            let known = left.min(back);
            self.seek(back - known);
            left -= known;
        }
        while left > 0 && self.step() {
            left -= 1;
        }
        self.forward();
    }

    /// Stops and shows a state of the past.
    fn seek(&mut self, back: usize) {
        self.pace.paused = true;
        if let Some(state) = self.history.seek(back) {
            if let Err(error) = self.sim.set_state(Signature::INTEGRATION, state) {
                self.fail(&error);
            }
            self.forward();
        }
    }

    fn forward(&mut self) {
        if let Err(error) = self.sim.forward() {
            self.fail(&error);
        }
    }
}

/// Writes the state of the signature `INTEGRATION`.
pub(crate) fn write_state(m: &Model, d: &Data, out: &mut Vec<f64>) {
    out.resize(state_size(m, Signature::INTEGRATION).unwrap_or(0), 0.0);
    if get_state(m, d, Signature::INTEGRATION, out).is_err() {
        out.clear();
    }
}
