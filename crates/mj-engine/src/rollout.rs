//! Many trajectories of one model, in parallel.

use crate::data::Data;
use crate::entry::{check_data, check_state};
use crate::errors::step::DataError;
use crate::errors::step::StepError;
use crate::pipeline::step::{forward, step};
use mj_model::{Model, State, Warning};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A batch can't be simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// The model can't be simulated.
    #[error(transparent)]
    Model(#[from] DataError),
    /// An array of another size than the batch's.
    #[error("rollout array `{array}` has {got} numbers; batch × steps × row is {expected}")]
    Length {
        /// Name.
        array: &'static str,
        /// Numbers that the batch has.
        expected: usize,
        /// Numbers given.
        got: usize,
    },
    /// A start is not a state of the model.
    #[error("the start of simulation {simulation} is not a state of this model: {error}")]
    Start {
        /// Number of the simulation.
        simulation: usize,
        /// What doesn't fit.
        error: StepError,
    },
    /// The data to copy were made for another model.
    #[error(transparent)]
    Data(StepError),
    /// A step was refused.
    #[error("simulation {simulation}, step {step}: {error}")]
    Step {
        /// Number of the simulation.
        simulation: usize,
        /// Number of the step.
        step: usize,
        /// Why.
        error: StepError,
    },
}

/// Where a batch's trajectories go: the caller's arrays, batch × steps × row, row-major; an empty one
/// is left out. Rows are of the state after each step, sensor readings of the state before it.
#[derive(Debug, Default)]
pub struct RolloutArrays<'a> {
    /// Time, seconds.
    pub time: &'a mut [f64],
    /// Positions, rows of nq.
    pub qpos: &'a mut [f64],
    /// Velocities, rows of nv.
    pub qvel: &'a mut [f64],
    /// Activations, rows of na.
    pub act: &'a mut [f64],
    /// Sensor readings, rows of nsensordata.
    pub sensordata: &'a mut [f64],
}

/// End of a simulation of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolloutEnd {
    /// Steps made. Rows after them repeat the last.
    pub steps: usize,
    /// Warning of the number that went bad, if that ended it early; none if a plan's `stop` did.
    pub bad: Option<Warning>,
}

type Drive<'a> = dyn Fn(usize, usize, &mut State) + Sync + 'a;
type Feedback<'a> = dyn Fn(usize, usize, &Model, &mut Data) + Sync + 'a;
type Vary<'a> = dyn Fn(usize, &mut Model) + Sync + 'a;
type Stop<'a> = dyn Fn(usize, &Model, &Data) -> bool + Sync + 'a;
type Progress<'a> = dyn Fn(usize) + Sync + 'a;

/// Plan of a batch of simulations. Functions get the number of the simulation first, and are called from several
/// threads.
#[derive(Clone, Copy, Default)]
pub struct RolloutPlan<'a> {
    /// Number of steps.
    pub steps: usize,
    /// Data of the batch's model of which each simulation gets a copy: with its hooks, its solver, colliders and filter of
    /// contacts. Fresh data where not given.
    pub data: Option<&'a Data>,
    /// Called before each step with its number and the state, to set controls or applied forces.
    pub drive: Option<&'a Drive<'a>>,
    /// Called before each step with its number, the model and the data, for controllers that read sensors, poses or contacts.
    /// These are what the last step computed, at the state from which it left, as after [`step`](crate::step); before the
    /// first step they are those of the start. A controller that needs those of the present state calls
    /// [`forward`](crate::forward) or [stages](crate::stages) of it, or is a hook.
    pub feedback: Option<&'a Feedback<'a>>,
    /// Makes the model of a simulation from the batch's: sizes, meshes and what else is an asset must stay. A copy is
    /// made for a thread, not for each simulation, and handed on from one to the next: set all that any sets. Assets
    /// are shared, and not copied at all.
    pub vary: Option<&'a Vary<'a>>,
    /// Called after each step: whether the simulation ends here.
    pub stop: Option<&'a Stop<'a>>,
    /// Whether a simulation goes on from the reset state where a number goes bad, as [`step`](crate::step) does.
    pub through_resets: bool,
    /// Called with the number of simulations done whenever one is, from any thread.
    pub progress: Option<&'a Progress<'a>>,
}

impl<'a> RolloutPlan<'a> {
    /// Makes a plan of a number of steps, driven by a function of the numbers of simulation and step and of the state.
    pub fn new(steps: usize, drive: &'a Drive<'a>) -> Self {
        Self { steps, drive: Some(drive), ..Self::default() }
    }

    /// Makes a plan of a number of steps with controls as they are in the starts.
    pub fn of(steps: usize) -> Self {
        Self { steps, ..Self::default() }
    }

    /// Adds a controller that reads model and data.
    #[must_use]
    pub fn feedback(self, feedback: &'a Feedback<'a>) -> Self {
        Self { feedback: Some(feedback), ..self }
    }

    /// Adds a function that makes the model of each simulation from the batch's.
    #[must_use]
    pub fn vary(self, vary: &'a Vary<'a>) -> Self {
        Self { vary: Some(vary), ..self }
    }

    /// Adds a function that ends a simulation.
    #[must_use]
    pub fn stop(self, stop: &'a Stop<'a>) -> Self {
        Self { stop: Some(stop), ..self }
    }
}

/// Simulates a model from each of the given states into the caller's arrays. A simulation that goes bad ends there, with
/// the last good state in the rows that remain.
///
/// The threads of the current rayon pool take one simulation after the other; each starts from data
/// of its own, so that the result is the same, bit for bit, for any number of threads.
///
/// Example: [`rollout_plan`].
///
/// # Errors
/// If the options of the model, or of a variation, ask for something that the engine doesn't support yet, an array has not
/// the batch's size, a start is not a state of the model, or a controller or hook resizes a vector.
pub fn rollout_into(
    m: &Model,
    starts: &[State],
    plan: RolloutPlan<'_>,
    out: &mut RolloutArrays<'_>,
) -> Result<Vec<RolloutEnd>, RolloutError> {
    let rows = Rows::split(m, starts.len(), plan.steps, out)?;
    run(m, starts, &plan, rows).map(|done| done.into_iter().map(|(_, end)| end).collect())
}

/// Simulates a model from each of the given states, as [`rollout_into`], and returns what happened: of a simulation that
/// ended early, the steps that it made.
///
/// ```
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><option timestep="0.001"/><worldbody><body><joint type="slide" axis="0 0 1"/><geom size=".1"/></body>
///     </worldbody></mujoco>"#,
/// )?;
/// let mut starts = vec![State::new(&m); 2];
/// starts[1].qpos[0] = 1.0;
/// let fallen = rollout_plan(&m, &starts, RolloutPlan::of(100))?;
/// assert!((fallen[1].qvel[99] + 9.81 * 0.1).abs() < 1e-12);
/// assert!((fallen[1].qpos[99] - fallen[0].qpos[99] - 1.0).abs() < 1e-12);
///
/// // With a force that carries the weight, nothing moves.
/// let weight = 9.81 * m.body.mass[find::<model::BodyId>(&m, 1)?];
/// let held = rollout(&m, &starts, 100, |_, _, state| state.qfrc_applied[0] = weight)?;
/// assert!(held[1].qpos[99] > 1.0 - 1e-9);
///
/// // Into arrays of the caller.
/// let [mut time, mut qpos, mut qvel] = [(); 3].map(|()| vec![0.0; 2 * 100]);
/// let (mut act, mut sensordata) = (Vec::new(), Vec::new());
/// let mut out = RolloutArrays {
///     time: &mut time,
///     qpos: &mut qpos,
///     qvel: &mut qvel,
///     act: &mut act,
///     sensordata: &mut sensordata,
/// };
/// let ends = rollout_into(&m, &starts, RolloutPlan::of(100), &mut out)?;
/// assert_eq!(ends[0].steps, 100);
/// assert_eq!(qvel[199], fallen[1].qvel[99]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`rollout_into`].
pub fn rollout_plan(m: &Model, starts: &[State], plan: RolloutPlan<'_>) -> Result<Vec<Trajectory>, RolloutError> {
    let records = starts.iter().map(|_| Trajectory::with_capacity(m, plan.steps));
    let done = run(m, starts, &plan, records.collect::<Vec<_>>())?;
    Ok(done.into_iter().map(|(trajectory, _)| trajectory).collect())
}

/// What keeps the states of a simulation.
trait Record: Send {
    /// Keeps the state after step `n`.
    fn keep(&mut self, n: usize, d: &Data);
    /// The simulation is over.
    fn end(&mut self, end: &RolloutEnd);
}

/// Runs all simulations of a batch; returns their records and ends.
fn run<R: Record>(
    m: &Model,
    starts: &[State],
    plan: &RolloutPlan<'_>,
    records: Vec<R>,
) -> Result<Vec<(R, RolloutEnd)>, RolloutError> {
    for (simulation, start) in starts.iter().enumerate() {
        check_state(m, start).map_err(|error| RolloutError::Start { simulation, error })?;
    }
    let first = first_data(m, plan.data)?;
    let done = AtomicUsize::new(0);
    let one = |varied: &mut Option<Model>, (i, (start, mut record)): (usize, (&State, R))| {
        let (m, data) = match (plan.vary, varied) {
            (Some(vary), Some(varied)) => {
                vary(i, varied);
                (&*varied, first.for_variation(varied)?)
            }
            _ => (m, first.clone()),
        };
        let end = simulate(m, i, plan, &mut started(data, start), &mut record)?;
        record.end(&end);
        if let Some(progress) = plan.progress {
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok((record, end))
    };
    in_turn(starts.iter().zip(records), || plan.vary.map(|_| m.clone()), one)
}

/// Data in the reset state with what the given data carry, of which each simulation gets a copy.
fn first_data(m: &Model, given: Option<&Data>) -> Result<Data, RolloutError> {
    let Some(given) = given else { return Ok(Data::new(m)?) };
    check_data(m, given).map_err(RolloutError::Data)?;
    Ok(given.for_variation(m)?)
}

/// Calls `f` with the number of each item and the item, from all threads of the current rayon pool, each of which has its own
/// `init`. A thread that is done takes the next item that nobody has: none waits longer than the last item takes, whatever
/// the items cost. (Handed out in pieces of consecutive items, the costly ones could be in one piece.)
fn in_turn<T: Send, S, R: Send, E: Send>(
    items: impl Iterator<Item = T> + Send,
    init: impl Fn() -> S + Send + Sync,
    f: impl Fn(&mut S, (usize, T)) -> Result<R, E> + Send + Sync,
) -> Result<Vec<R>, E> {
    let numbered = |s: &mut S, (i, item)| Ok((i, f(s, (i, item))?));
    let mut done = items.enumerate().par_bridge().map_init(init, numbered).collect::<Result<Vec<_>, E>>()?;
    done.sort_unstable_by_key(|(i, _)| *i);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// Data of its own for a simulation.
fn started(mut d: Data, start: &State) -> Data {
    // What sleeps stays asleep where it begins as the model does.
    let awake = std::mem::take(&mut d.state.awake);
    d.state.clone_from(start);
    d.state.awake = awake;
    d
}

/// One simulation of a batch.
fn simulate(
    m: &Model,
    i: usize,
    plan: &RolloutPlan<'_>,
    d: &mut Data,
    record: &mut impl Record,
) -> Result<RolloutEnd, RolloutError> {
    const BAD: [Warning; 3] = [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc];
    let refused = |step: usize| move |error| RolloutError::Step { simulation: i, step, error };
    if plan.feedback.is_some() {
        forward(m, d).map_err(refused(0))?;
    }
    for n in 0..plan.steps {
        if let Some(drive) = plan.drive {
            drive(i, n, &mut d.state);
        }
        if let Some(feedback) = plan.feedback {
            feedback(i, n, m, d);
        }
        step(m, d).map_err(refused(n))?;
        let bad = BAD.into_iter().find(|&kind| d.warning(kind).number > 0).filter(|_| !plan.through_resets);
        if bad.is_some() {
            return Ok(RolloutEnd { steps: n, bad });
        }
        record.keep(n, d);
        if plan.stop.is_some_and(|stop| stop(i, m, d)) {
            return Ok(RolloutEnd { steps: n + 1, bad });
        }
    }
    Ok(RolloutEnd { steps: plan.steps, bad: None })
}

/// The arrays of one simulation, each with the length of its rows.
struct Rows<'a>([(&'a mut [f64], usize); 5]);

impl<'a> Rows<'a> {
    /// The arrays of all simulations.
    fn split(
        m: &Model,
        batch: usize,
        steps: usize,
        out: &'a mut RolloutArrays<'_>,
    ) -> Result<Vec<Rows<'a>>, RolloutError> {
        let mut rows: Vec<_> = (0..batch).map(|_| Rows([(); 5].map(|()| (Default::default(), 0)))).collect();
        let arrays = [
            ("time", &mut *out.time, 1),
            ("qpos", &mut *out.qpos, m.nq()),
            ("qvel", &mut *out.qvel, m.nv()),
            ("act", &mut *out.act, m.na),
            ("sensordata", &mut *out.sensordata, m.nsensordata),
        ];
        for (k, (array, numbers, width)) in arrays.into_iter().enumerate() {
            let (got, each) = (numbers.len(), steps.saturating_mul(width));
            let expected = batch.saturating_mul(each);
            if got == 0 {
                continue;
            }
            if got != expected {
                return Err(RolloutError::Length { array, expected, got });
            }
            for (rows, numbers) in rows.iter_mut().zip(numbers.chunks_exact_mut(each)) {
                rows.0[k] = (numbers, width);
            }
        }
        Ok(rows)
    }

    /// Fills the rows from `n` on with the one before; with zeros if there is none.
    fn repeat_last(&mut self, n: usize) {
        for (rows, width) in &mut self.0 {
            let at = (n * *width).min(rows.len());
            let (before, after) = rows.split_at_mut(at);
            match before.len().checked_sub(*width) {
                Some(last) if *width > 0 => {
                    after.chunks_exact_mut(*width).for_each(|row| row.copy_from_slice(&before[last..]));
                }
                _ => after.fill(0.0),
            }
        }
    }
}

impl Record for Rows<'_> {
    fn keep(&mut self, n: usize, d: &Data) {
        let time = [d.state.time];
        let sources = [&time[..], &d.state.qpos, &d.state.qvel, &d.state.act, &d.sensordata];
        for ((to, width), from) in self.0.iter_mut().zip(sources) {
            if !to.is_empty() {
                to[n * *width..(n + 1) * *width].copy_from_slice(from);
            }
        }
    }

    fn end(&mut self, end: &RolloutEnd) {
        self.repeat_last(end.steps);
    }
}

/// States and sensor readings after each step, one row a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Time, seconds.
    pub time: Vec<f64>,
    /// Positions, steps × nq.
    pub qpos: Vec<f64>,
    /// Velocities, steps × nv.
    pub qvel: Vec<f64>,
    /// Activations, steps × na.
    pub act: Vec<f64>,
    /// Sensor readings, steps × nsensordata; as `step` leaves them, of the state before it.
    pub sensordata: Vec<f64>,
    /// Warning of the number that went bad, if that ended it early; none if a plan's `stop` did.
    pub bad: Option<Warning>,
}

impl Trajectory {
    fn with_capacity(m: &Model, steps: usize) -> Self {
        let rows = |n: usize| Vec::with_capacity(steps.saturating_mul(n));
        Self {
            time: rows(1),
            qpos: rows(m.nq()),
            qvel: rows(m.nv()),
            act: rows(m.na),
            sensordata: rows(m.nsensordata),
            bad: None,
        }
    }
}

impl Record for Trajectory {
    fn keep(&mut self, _: usize, d: &Data) {
        self.time.push(d.state.time);
        self.qpos.extend_from_slice(&d.state.qpos);
        self.qvel.extend_from_slice(&d.state.qvel);
        self.act.extend_from_slice(&d.state.act);
        self.sensordata.extend_from_slice(&d.sensordata);
    }

    fn end(&mut self, end: &RolloutEnd) {
        self.bad = end.bad;
    }
}

/// Simulates a model for a number of steps from each of the given states, through resets where numbers go bad, as
/// [`step`](crate::step) makes them.
///
/// Before each step, `drive` gets the number of the simulation, the number of the step and the state, to set controls
/// or applied forces. Threads and bits are as with [`rollout_into`].
///
/// Example: [`rollout_plan`].
///
/// # Errors
/// As [`rollout_into`].
pub fn rollout(
    m: &Model,
    starts: &[State],
    steps: usize,
    drive: impl Fn(usize, usize, &mut State) + Sync,
) -> Result<Vec<Trajectory>, RolloutError> {
    rollout_plan(m, starts, RolloutPlan { through_resets: true, ..RolloutPlan::new(steps, &drive) })
}
