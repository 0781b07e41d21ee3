//! Feasible lengths of actuators, found by simulation: the actuator pulls, then pushes, against
//! nothing but limits and equality constraints until its length settles.
//!
//! Manual: Modeling, "Actuator length range".

use crate::data::Data;
use crate::errors::element::{self, ElementError, ElementKey};
use crate::pipeline::step;
use mj_math::{MINVAL, dense};
use mj_model::spec::LengthRange;
use mj_model::*;

/// Finds the length ranges that the settings ask for, and enters them into the model. Problems go to
/// `diag`, each with the place of its actuator.
///
/// Example: [`set_length_range`].
pub fn set_length_ranges(m: &mut Model, spec: &Spec, diag: &mut Diagnostics) {
    let settings = &spec.compiler.lengthrange;
    let mut open = Vec::new();
    for a in m.actuator.ids() {
        match wanted(m, a, settings) {
            Wanted::Nothing => {}
            Wanted::Limits(range) => set(m, a, range),
            Wanted::Search => open.push(a),
        }
    }
    if open.is_empty() {
        return;
    }
    let free = without_forces(m, settings);
    for (a, result) in open.iter().zip(find_all(&free, &open, settings, spec.compiler.usethread)) {
        match result {
            Ok(range) => set(m, *a, range),
            Err(message) => {
                let loc = spec.actuators.get(a.index()).map_or(Loc::NONE, |a| a.loc);
                let what = m.names.describe(ObjType::Actuator, a.index());
                diag.error(loc, format!("{what}: {message}")).help("give its feasible lengths as `lengthrange`");
            }
        }
    }
}

/// Finds the feasible lengths of one actuator and enters them into the model (`mj_setLengthRange`). Returns the range
/// that the model has then: where the settings leave out this kind of actuator, or keep a range that is given, it is the
/// one that it had.
///
/// ```
/// use mj_engine::model::{Diagnostics, LengthRangeMode};
/// use mj_engine::*;
///
/// let mut spec = read_spec(
///     r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0" range="-30 60"/><geom size=".1" pos="0 0 .5"/></body>
///     </worldbody><actuator><motor name="a" joint="j" gear="2"/></actuator></mujoco>"#,
/// )?;
/// let mut m = compile(&spec)?;
/// let all = spec::LengthRange { mode: LengthRangeMode::All, ..Default::default() };
/// // The limits of the joint, times the gear.
/// let [lower, upper] = set_length_range(&mut m, "a", &all)?;
/// assert!((lower + 2.0 * 30f64.to_radians()).abs() < 0.05 && (upper - 2.0 * 60f64.to_radians()).abs() < 0.05);
///
/// // Those of all actuators, as the spec's settings ask.
/// let mut again = compile(&spec)?;
/// spec.compiler.lengthrange = all;
/// let mut problems = Diagnostics::default();
/// set_length_ranges(&mut again, &spec, &mut problems);
/// assert!(problems.list.is_empty());
/// assert_eq!(again.output.lengthrange, m.output.lengthrange);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such actuator, its length doesn't settle, or the simulation that looks for it is unstable.
pub fn set_length_range(
    m: &mut Model,
    actuator: impl ElementKey<ActuatorId>,
    settings: &LengthRange,
) -> Result<[f64; 2], LengthRangeError> {
    let a = element::find(m, actuator)?;
    match wanted(m, a, settings) {
        Wanted::Nothing => {}
        Wanted::Limits(range) => set(m, a, range),
        Wanted::Search => {
            let free = without_forces(m, settings);
            let found = Data::new(&free).map_err(|e| e.to_string()).and_then(|mut d| find(&free, &mut d, a, settings));
            let failed = |problem| LengthRangeError::Search {
                actuator: m.names.describe(ObjType::Actuator, a.index()),
                problem,
            };
            let range = found.map_err(failed)?;
            set(m, a, range);
        }
    }
    Ok(m.output.lengthrange[first_output(m, a)])
}

/// Feasible lengths were not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LengthRangeError {
    /// An actuator that the model doesn't have.
    #[error(transparent)]
    Element(#[from] ElementError),
    /// The length doesn't settle, or the simulation is unstable.
    #[error("{actuator}: {problem}; give its feasible lengths as `lengthrange`")]
    Search {
        /// The actuator, by name.
        actuator: String,
        /// What happened.
        problem: String,
    },
}

/// What the settings want for an actuator.
enum Wanted {
    /// The range stays.
    Nothing,
    /// The limits of the joint or tendon.
    Limits([f64; 2]),
    /// A simulation that looks for it.
    Search,
}

fn wanted(m: &Model, a: ActuatorId, settings: &LengthRange) -> Wanted {
    let [lower, upper] = m.output.lengthrange[first_output(m, a)];
    if !is_wanted(m, a, settings.mode) || (settings.useexisting && lower < upper) {
        return Wanted::Nothing;
    }
    target_limits(m, a).filter(|_| settings.uselimit).map_or(Wanted::Search, Wanted::Limits)
}

fn set(m: &mut Model, a: ActuatorId, range: [f64; 2]) {
    let o = first_output(m, a);
    m.output.lengthrange[o] = range;
}

fn first_output(m: &Model, a: ActuatorId) -> OutputId {
    OutputId::new(m.actuator.outadr[a] as usize)
}

fn is_wanted(m: &Model, a: ActuatorId, mode: LengthRangeMode) -> bool {
    let (gain, bias) = (m.actuator.gaintype[a], m.actuator.biastype[a]);
    let muscle = gain == GainType::Muscle || bias == BiasType::Muscle;
    let user = gain == GainType::User || bias == BiasType::User;
    match mode {
        LengthRangeMode::None => false,
        LengthRangeMode::Muscle => muscle,
        LengthRangeMode::MuscleUser => muscle || user,
        LengthRangeMode::All => true,
    }
}

/// Limits of the joint or tendon that an actuator acts on.
fn target_limits(m: &Model, a: ActuatorId) -> Option<[f64; 2]> {
    let i = usize::try_from(m.actuator.trnid[a][0]).ok()?;
    match m.actuator.trntype[a] {
        TrnType::Joint | TrnType::JointInParent => {
            let j = JointId::new(i);
            m.jnt.limited[j].then(|| m.jnt.range[j])
        }
        TrnType::Tendon => {
            let t = TendonId::new(i);
            m.tendon.limited[t].then(|| m.tendon.range[t])
        }
        _ => None,
    }
}

/// The model without forces of its own but those of limits and equality constraints.
fn without_forces(m: &Model, settings: &LengthRange) -> Model {
    let mut free = m.clone();
    let o = &mut free.opt;
    o.disableflags = disable::FRICTIONLOSS
        | disable::CONTACT
        | disable::SPRING
        | disable::DAMPER
        | disable::GRAVITY
        | disable::ACTUATION
        | disable::SENSOR;
    if settings.timestep > 0.0 {
        o.timestep = settings.timestep;
    }
    // What is left has one solution, whichever the solver, and no damping to integrate.
    (o.solver, o.integrator, o.noslip_iterations) = (SolverType::Newton, IntegratorType::Euler, 0);
    o.enableflags &= enable::DIAGEXACT;
    free
}

type Found = Result<[f64; 2], String>;

/// Ranges of several actuators, in their order; they are shared among threads, whose number does not
/// change the result.
fn find_all(m: &Model, actuators: &[ActuatorId], settings: &LengthRange, threads: bool) -> Vec<Found> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let n = if threads { cores.min(actuators.len()).max(1) } else { 1 };
    let some = |part: &[ActuatorId]| -> Vec<Found> {
        match Data::new(m) {
            Ok(mut d) => part.iter().map(|&a| find(m, &mut d, a, settings)).collect(),
            Err(unsupported) => part.iter().map(|_| Err(unsupported.to_string())).collect(),
        }
    };
    let share = actuators.len().div_ceil(n);
    std::thread::scope(|scope| {
        let parts: Vec<_> = actuators.chunks(share).map(|part| (part, scope.spawn(move || some(part)))).collect();
        parts
            .into_iter()
            .flat_map(|(part, thread)| {
                thread.join().unwrap_or_else(|_| vec![Err("the simulation failed".to_string()); part.len()])
            })
            .collect()
    })
}

/// Range of one actuator: its least length when it pulls, and its greatest when it pushes.
fn find(m: &Model, d: &mut Data, a: ActuatorId, settings: &LengthRange) -> Found {
    let ends = [-1.0, 1.0].map(|sign| settled(m, d, a, sign, settings));
    let [pulled, pushed] = [ends[0]?, ends[1]?];
    let range = [pulled[0], pushed[1]];
    let width = range[1] - range[0];
    if width.is_nan() || width <= 0.0 {
        return Err(format!("its length range came out as {} to {}, which is empty", range[0], range[1]));
    }
    for [lower, upper] in [pulled, pushed] {
        if upper - lower > settings.tolrange * width {
            return Err(format!("its length does not settle: it still went from {lower} to {upper} at the end"));
        }
    }
    Ok(range)
}

/// Least and greatest length over the end of a simulation in which the actuator pushes in the
/// direction `sign`.
fn settled(
    m: &Model,
    d: &mut Data,
    a: ActuatorId,
    sign: f64,
    settings: &LengthRange,
) -> Result<[f64; 2], &'static str> {
    let o = OutputId::new(m.actuator.outadr[a] as usize);
    let (mut lower, mut upper) = (f64::INFINITY, f64::NEG_INFINITY);
    d.reset(m);
    while d.state.time < settings.inttotal {
        let length = pushed_step(m, d, o, sign, settings);
        // A reset: numbers went bad.
        if d.state.time == 0.0 {
            return Err("the simulation that was to find its length range is unstable");
        }
        if d.state.time > settings.inttotal - settings.interval {
            (lower, upper) = (lower.min(length), upper.max(length));
        }
    }
    Ok([lower, upper])
}

/// A time step with damped velocities, in which the actuator causes an acceleration of the wanted
/// norm. Returns the length before the step.
fn pushed_step(m: &Model, d: &mut Data, o: OutputId, sign: f64, settings: &LengthRange) -> f64 {
    let decay = mj_math::real::exp(-m.opt.timestep / settings.timeconst.max(0.01));
    d.state.qvel.iter_mut().for_each(|v| *v *= decay);
    step::first_part(m, d);
    let force = &mut d.state.qfrc_applied;
    force.fill(0.0);
    d.smooth.transmissions.actuator_moment.for_each_in_row(o.index(), |dof, x| force[dof] = x);
    let mut acceleration = force.clone();
    d.smooth.inertia.solve(m, &mut acceleration);
    let norm = |v: &[f64]| dense::dot(v, v).sqrt();
    let scale = sign * settings.accel / norm(&acceleration).max(MINVAL);
    force.iter_mut().for_each(|f| *f *= scale);
    let size = norm(force);
    if settings.maxforce > 0.0 && size > settings.maxforce {
        force.iter_mut().for_each(|f| *f *= settings.maxforce / size);
    }
    let length = d.smooth.transmissions.actuator_length[o];
    step::second_part(m, d);
    length
}
