//! Jacobians of a time step by finite differences.

use super::Workers;
use super::moved::{Moved, separate_trees};
use super::neighbours::Neighbours;
use crate::checks::coverage::{damping_by_position, matrix_by_input, matrix_by_velocity};
use crate::data::Data;
use crate::entry::admit;
use crate::errors::step::StepError;
use crate::pipeline::forward::{Evaluation, Known, evaluate_by};
use crate::pipeline::step::integrate;
use mj_collide::{Contacts, PreviousContacts};
use mj_dynamics::activation_range;
use mj_dynamics::{differentiate_pos, integrate_joints};
use mj_integrate::{ImplicitWorkspace, Reuse};
use mj_math::PaddedFactor;
use mj_model::{ControlId, DofId, IntegratorType, Model, State, enable};
use mj_solver::Changed;

/// Finite differences of a step are not defined for a model.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransitionError {
    /// Runge-Kutta's method has no stages to use again.
    #[error("transition Jacobians are not supported for integrator RK4; choose Euler, implicit or implicitfast")]
    Rk4,
    /// Repeated evaluations would put trees to sleep, or wake them.
    #[error("transition Jacobians are not supported while trees may sleep; disable the flag `sleep`")]
    Sleep,
    /// Delays are part of no state vector.
    #[error("transition Jacobians are not supported for models with delays (nhistory = {0})")]
    Delays(usize),
    /// Data and model don't fit together, or a hook calls.
    #[error(transparent)]
    Data(#[from] StepError),
    /// The step to differentiate by.
    #[error("the step of finite differences must be positive and finite, not {0}")]
    Step(f64),
    /// A parameter, by its place in the list, is none of the model.
    #[error("parameter number {0} is none of this model: find it in the model that it is for")]
    Parameter(usize),
}

/// Jacobians of a time step, y = step(x, u) with sensors s, all row-major:
///
/// dy = A dx + B du,  ds = C dx + D du,
///
/// where x and y hold position (in the tangent space, nv), velocity (nv) and activation (na), nx in
/// all. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Transition {
    /// ∂y/∂x, nx×nx.
    pub a: Vec<f64>,
    /// ∂y/∂u, nx×nu.
    pub b: Vec<f64>,
    /// ∂s/∂x, nsensordata×nx; empty where sensors are left out.
    pub c: Vec<f64>,
    /// ∂s/∂u, nsensordata×nu; empty where sensors are left out.
    pub d: Vec<f64>,
    /// One row a column of (A; C) and (B; D): nx + nsensordata numbers.
    columns: Vec<f64>,
    workers: Workers<Scratch>,
    nominal: Nominal,
}

/// What one thread needs: outputs at the nudged states, a direction to nudge in, the solution to start from.
#[derive(Clone, Debug, Default)]
struct Scratch {
    plus: Output,
    minus: Output,
    direction: Vec<f64>,
    /// What the integrator's memory has of its matrix at the state in the middle.
    kept: Reuse,
    optimum: Neighbours,
    moved: Moved,
}

/// Results of a step.
#[derive(Clone, Debug, Default)]
struct Output {
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    sensors: Vec<f64>,
}

impl Output {
    fn read(&mut self, d: &Data, sensors: bool) {
        self.qpos.clone_from(&d.state.qpos);
        self.qvel.clone_from(&d.state.qvel);
        self.act.clone_from(&d.state.act);
        if sensors {
            self.sensors.clone_from(&d.sensordata);
        }
    }
}

/// An input of the step.
#[derive(Clone, Copy, Debug)]
enum Input {
    Control,
    Activation,
    Velocity,
    Position,
}

/// What all columns share.
#[derive(Clone, Debug, Default)]
struct Nominal {
    /// State before the step, and results after it.
    start: Start,
    next: Output,
    way: Way,
    /// Whether the integrator's matrix changes with each control, and with each activation.
    matrix_by_control: Vec<bool>,
    matrix_by_activation: Vec<bool>,
    matrix: ImplicitWorkspace,
    contacts: Contacts,
}

/// The part of a state that nudges and a step change.
#[derive(Clone, Debug, Default)]
struct Start {
    time: f64,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    plastic: Vec<f64>,
    ctrl: Vec<f64>,
    qacc_warmstart: Vec<f64>,
    /// All of it, where hooks may change anything.
    state: Option<State>,
}

impl Start {
    fn keep(&mut self, d: &Data) {
        let from = &d.state;
        self.time = from.time;
        self.qpos.clone_from(&from.qpos);
        self.qvel.clone_from(&from.qvel);
        self.act.clone_from(&from.act);
        self.plastic.clone_from(&from.plastic);
        self.ctrl.clone_from(&from.ctrl);
        self.qacc_warmstart.clone_from(&from.qacc_warmstart);
        self.state = d.hooks.is_some().then(|| from.clone());
    }

    fn restore(&self, d: &mut Data) {
        let to = &mut d.state;
        if let Some(state) = &self.state {
            to.clone_from(state);
            return;
        }
        to.time = self.time;
        to.qpos.copy_from_slice(&self.qpos);
        to.qvel.copy_from_slice(&self.qvel);
        to.act.copy_from_slice(&self.act);
        to.plastic.copy_from_slice(&self.plastic);
        to.ctrl.copy_from_slice(&self.ctrl);
        to.qacc_warmstart.copy_from_slice(&self.qacc_warmstart);
    }
}

/// How to difference.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    eps: f64,
    centered: bool,
    sensors: bool,
    /// Whether the integrator's matrix changes with the velocities.
    matrix_by_velocity: bool,
    /// What positions leave of it.
    under_position: Reuse,
    /// Whether a tree's poses and velocities say nothing of another's, and no force but those of constraints does.
    separate_trees: bool,
}

/// Jacobians of [`step`](crate::step) at the present state, by differences of size `eps`: forward,
/// or centered, which costs twice as much and is much more exact. Orientations differ by rotation
/// vectors. A control is nudged only within its range: at a limit the difference is one-sided, and
/// zero where there is room on neither side.
///
/// Nudged controls and activations use the results of the position and velocity stages again,
/// nudged velocities those of the position stage. The constraint solver (Newton's, whichever the
/// model names) runs once: nudged problems are solved from
/// its solution, exactly whatever its tolerance, and only where many constraints come or go it runs again. (Not so
/// with a solver of your own, the no-slip solver, and projected Gauss–Seidel with the integrator `discrete`: these run for
/// every column, and should have a tolerance well below `eps`.) Columns are computed by rayon's threads (in the current pool),
/// each in a copy of `d`; the result does not depend on their number. The state comes out as it went in; other
/// results in `d` do not.
///
/// ```
/// use mj_engine::model::model::ModelParameter;
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><option timestep="0.01"/><worldbody><body name="cart"><joint name="x" type="slide"/>
///     <geom size=".1" mass="1"/></body></worldbody><actuator><motor joint="x"/></actuator></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// d.state.ctrl[0] = 0.5;
/// // v′ = v + h u/m, x′ = x + h v′.
/// let h = 0.01;
/// let is = |a: &[f64], b: &[f64]| {
///     let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
///     close(a, &[1.0, h, 0.0, 1.0]) && close(b, &[h * h, h])
/// };
/// let mut t = Transition::default();
/// transition_fd(&m, &mut d, 1e-6, true, &mut t)?;
/// assert!(is(&t.a, &t.b));
/// state_transition_fd(&m, &mut d, 1e-6, true, &mut t)?;
/// assert!(is(&t.a, &t.b) && t.c.is_empty());
///
/// let mut exact = StepDerivative::default();
/// step_derivative(&m, &mut d, &mut exact)?;
/// assert!(is(&exact.a, &exact.b));
/// step_differences(&m, &mut d, &mut exact)?;
/// assert!(is(&exact.a, &exact.b));
/// // By the mass: ∂v′/∂m = −h u/m².
/// let mass = ModelParameter::parse(&m, "body_mass[cart]")?;
/// parameter_derivative(&m, &mut d, &[mass], &mut exact)?;
/// assert!((exact.p[1] + h * 0.5).abs() < 1e-6);
/// sensor_derivative(&m, &mut d, &[], &mut exact)?;
/// assert!(exact.c.iter().zip(&t.c).all(|(a, b)| (a - b).abs() < 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// For the integrator RK4, for models with delays, and if `eps` is not positive.
pub fn transition_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    out: &mut Transition,
) -> Result<(), TransitionError> {
    difference(m, d, Way { eps, centered, sensors: true, ..Way::default() }, out)
}

/// Computes the Jacobians A and B as [`transition_fd`] does, without those of sensors.
///
/// Example: [`transition_fd`].
///
/// # Errors
/// As [`transition_fd`].
pub fn state_transition_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    out: &mut Transition,
) -> Result<(), TransitionError> {
    difference(m, d, Way { eps, centered, sensors: false, ..Way::default() }, out)
}

fn difference(m: &Model, d: &mut Data, way: Way, out: &mut Transition) -> Result<(), TransitionError> {
    check(m, d)?;
    if !(way.eps.is_finite() && way.eps > 0.0) {
        return Err(TransitionError::Step(way.eps));
    }
    let (nv, na, nu, ns) = (m.nv(), m.na, m.nu(), if way.sensors { m.nsensordata } else { 0 });
    let nx = 2 * nv + na;
    out.workers.recruit(nx + nu);
    let first = out.workers.first();
    out.nominal.find(m, d, way, &mut first.optimum);
    first.moved.forget();
    first.kept = Reuse::Factor;
    out.workers.equip(d);

    let height = nx + ns;
    out.columns.resize((nx + nu) * height, 0.0);
    // Each kind leaves alone the results that the next one uses.
    if height > 0 {
        let nominal = &out.nominal;
        let (state, control) = out.columns.split_at_mut(nx * height);
        let (position, rest) = state.split_at_mut(nv * height);
        let (velocity, activation) = rest.split_at_mut(nv * height);
        for (input, columns) in [
            (Input::Control, control),
            (Input::Activation, activation),
            (Input::Velocity, velocity),
            (Input::Position, position),
        ] {
            out.workers.share(columns, height, d, |i, d, w, column| nominal.column(m, input, i, d, w, column));
        }
    }

    let column = |k: usize| &out.columns[k * height..(k + 1) * height];
    let fill = |matrix: &mut Vec<f64>, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>| {
        matrix.clear();
        matrix.extend(rows.flat_map(|r| columns.clone().map(move |c| column(c)[r])));
    };
    fill(&mut out.a, 0..nx, 0..nx);
    fill(&mut out.b, 0..nx, nx..nx + nu);
    fill(&mut out.c, nx..height, 0..nx);
    fill(&mut out.d, nx..height, nx..nx + nu);
    Ok(())
}

/// Checks that Jacobians of a step are defined for a model, and that the data fit it.
pub(crate) fn check(m: &Model, d: &mut Data) -> Result<(), TransitionError> {
    admit(m, d, "a derivative of the step")?;
    if m.opt.integrator == IntegratorType::Rk4 {
        return Err(TransitionError::Rk4);
    }
    if m.opt.enabled(enable::SLEEP) {
        return Err(TransitionError::Sleep);
    }
    if m.nhistory > 0 {
        return Err(TransitionError::Delays(m.nhistory));
    }
    Ok(())
}

impl Nominal {
    /// Makes the step; leaves the state at its beginning.
    fn find(&mut self, m: &Model, d: &mut Data, way: Way, optimum: &mut Neighbours) {
        let under_position = if damping_by_position(m) { Reuse::Nothing } else { Reuse::Derivative };
        self.way = Way { matrix_by_velocity: matrix_by_velocity(m), under_position, ..way };
        self.find_inputs_of_matrix(m);
        self.start.keep(d);
        d.ws.kinetic_known = false;
        let all = Evaluation { known: Known::Nothing, sensors: way.sensors, factored: true, moved: None, before: None };
        evaluate_by(m, d, all, |m, d| optimum.find(m, d));
        // The factor of the inertia has other bits where it is that of some trees.
        let any_factor = optimum.needs_factor(m) && PaddedFactor::suits(&m.m_pattern);
        self.way.separate_trees = separate_trees(m, d) && !any_factor;
        self.contacts.list.clone_from(&d.contacts.list);
        integrate(m, d, Reuse::Nothing);
        if self.matrix_by_control.contains(&true) || self.matrix_by_activation.contains(&true) {
            self.matrix.copy_matrix(&d.ws.implicit);
        }
        self.next.read(d, way.sensors);
        self.start.restore(d);
    }

    fn find_inputs_of_matrix(&mut self, m: &Model) {
        for (list, len) in [(&mut self.matrix_by_control, m.nu()), (&mut self.matrix_by_activation, m.na)] {
            list.clear();
            list.resize(len, false);
        }
        for a in m.actuator.ids().filter(|&a| matrix_by_input(m, a)) {
            let first = m.actuator.ctrladr[a] as usize;
            self.matrix_by_control[first..first + m.actuator.ctrlnum[a] as usize].fill(true);
            if let Some(states) = activation_range(m, a) {
                self.matrix_by_activation[states].fill(true);
            }
        }
    }

    /// Differences by entry `i` of an input.
    fn column(&self, m: &Model, input: Input, i: usize, d: &mut Data, w: &mut Scratch, column: &mut [f64]) {
        let Way { eps, centered, .. } = self.way;
        let (mut forward, mut backward) = (true, centered);
        if let Input::Control = input {
            let (u, c) = (self.start.ctrl[i], ControlId::new(i));
            if m.control.ctrllimited[c] {
                let [lower, upper] = m.control.ctrlrange[c];
                let fits = |a: f64, b: f64| a >= lower && b <= upper;
                forward = fits(u, u + eps);
                backward = (centered || !forward) && fits(u - eps, u);
            }
        }
        if forward {
            self.nudged(m, input, i, eps, d, w);
            w.plus.read(d, self.way.sensors);
            self.start.restore(d);
        }
        if backward {
            self.nudged(m, input, i, -eps, d, w);
            w.minus.read(d, self.way.sensors);
            self.start.restore(d);
        }
        match (forward, backward) {
            (true, true) => difference_by(m, &w.minus, &w.plus, 2.0 * eps, column),
            (true, false) => difference_by(m, &self.next, &w.plus, eps, column),
            (false, true) => difference_by(m, &w.minus, &self.next, eps, column),
            (false, false) => column.fill(0.0),
        }
    }

    /// A step from the state with entry `i` of an input changed by `by`.
    fn nudged(&self, m: &Model, input: Input, i: usize, by: f64, d: &mut Data, w: &mut Scratch) {
        let unless = |changes: bool| if changes { Reuse::Nothing } else { Reuse::Factor };
        let (known, changed, reuse) = match input {
            Input::Control => {
                d.state.ctrl[i] += by;
                (Known::Velocity, Changed::Forces, unless(self.matrix_by_control[i]))
            }
            Input::Activation => {
                d.state.act[i] += by;
                (Known::Velocity, Changed::Forces, unless(self.matrix_by_activation[i]))
            }
            Input::Velocity => {
                d.state.qvel[i] += by;
                (Known::Position, Changed::Forces, unless(self.way.matrix_by_velocity))
            }
            Input::Position => {
                w.direction.clear();
                w.direction.resize(m.nv(), 0.0);
                w.direction[i] = 1.0;
                // The other joints' coordinates keep their bits.
                let joint = m.dof.jntid[DofId::new(i)].index();
                integrate_joints(m, joint..joint + 1, &mut d.state.qpos, &w.direction, by);
                w.moved.mark_bodies(m, DofId::new(i));
                // A sensor of kinetic energy reads that of the step before: here it would be another column's.
                d.ws.kinetic_known = false;
                (Known::Nothing, Changed::All, self.way.under_position)
            }
        };
        let Scratch { optimum, moved, .. } = w;
        let factored = optimum.needs_factor(m);
        let separate = self.way.separate_trees && known < Known::Velocity;
        if separate {
            moved.find_trees(m, i);
        }
        let Moved { awake, bodies, .. } = moved;
        let trees = separate.then_some(awake);
        let before = Some(PreviousContacts { contacts: &self.contacts, moved: bodies });
        let how = Evaluation { known, sensors: self.way.sensors, factored, moved: trees, before };
        evaluate_by(m, d, how, |m, d| optimum.solve(m, d, changed));
        if w.kept < reuse {
            d.ws.implicit.copy_matrix(&self.matrix);
        }
        w.kept = reuse;
        integrate(m, d, reuse);
    }
}

/// (to − from)/by of all results.
fn difference_by(m: &Model, from: &Output, to: &Output, by: f64, column: &mut [f64]) {
    let nv = m.nv();
    let (position, rest) = column.split_at_mut(nv);
    differentiate_pos(m, position, by, &from.qpos, &to.qpos);
    let (velocity, rest) = rest.split_at_mut(nv);
    let (activation, sensors) = rest.split_at_mut(m.na);
    for (out, a, b) in
        [(velocity, &from.qvel, &to.qvel), (activation, &from.act, &to.act), (sensors, &from.sensors, &to.sensors)]
    {
        for ((x, a), b) in out.iter_mut().zip(a).zip(b) {
            *x = (b - a) / by;
        }
    }
}
