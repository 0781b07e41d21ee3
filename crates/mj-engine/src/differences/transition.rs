//! Jacobians of a time step by finite differences.

use super::Workers;
use crate::data::Data;
use crate::pipeline::{Known, evaluate, integrate};
use mj_dynamics::{differentiate_pos, integrate_pos};
use mj_model::{ControlId, IntegratorType, Model, State, enable};

/// Finite differences of a step are not defined for a model.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
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
    /// The step to differentiate by.
    #[error("the step of finite differences must be positive and finite, not {0}")]
    Step(f64),
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
    /// ∂s/∂x, nsensordata×nx.
    pub c: Vec<f64>,
    /// ∂s/∂u, nsensordata×nu.
    pub d: Vec<f64>,
    /// One row a column of (A; C) and (B; D): nx + nsensordata numbers.
    columns: Vec<f64>,
    workers: Workers<Scratch>,
}

/// What one thread needs: outputs at the nudged states, and a direction to nudge in.
#[derive(Clone, Debug, Default)]
struct Scratch {
    plus: Output,
    minus: Output,
    direction: Vec<f64>,
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
    fn read(&mut self, d: &Data) {
        self.qpos.clone_from(&d.state.qpos);
        self.qvel.clone_from(&d.state.qvel);
        self.act.clone_from(&d.state.act);
        self.sensors.clone_from(&d.sensordata);
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
struct Nominal<'a> {
    m: &'a Model,
    /// State before the step, and results after it.
    state: State,
    next: Output,
    eps: f64,
    centered: bool,
}

/// Jacobians of [`step`](crate::step) at the present state, by differences of size `eps`: forward,
/// or centered, which costs twice as much and is much more exact. Orientations differ by rotation
/// vectors. A control is nudged only within its range: at a limit the difference is one-sided, and
/// zero where there is room on neither side.
///
/// Nudged controls and activations use the results of the position and velocity stages again,
/// nudged velocities those of the position stage. Columns are
/// computed by rayon's threads (in the current pool), each in a copy of `d`; the result does not
/// depend on their number. The state comes out as it went in; other results in `d` do not. For
/// exact differences give the solver a tolerance well below `eps`.
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
    check(m)?;
    if !(eps.is_finite() && eps > 0.0) {
        return Err(TransitionError::Step(eps));
    }
    let (nv, na, nu, ns) = (m.nv(), m.na, m.nu(), m.nsensordata);
    let nx = 2 * nv + na;

    let mut nominal = Nominal { m, state: d.state.clone(), next: Output::default(), eps, centered };
    evaluate(m, d, Known::Nothing, true);
    integrate(m, d, false);
    nominal.next.read(d);
    nominal.restore(d);

    let height = nx + ns;
    out.columns.clear();
    out.columns.resize((nx + nu) * height, 0.0);
    out.workers.engage(nx + nu, d);
    // Each kind leaves alone the results that the next one uses.
    if height > 0 {
        let (state, control) = out.columns.split_at_mut(nx * height);
        let (position, rest) = state.split_at_mut(nv * height);
        let (velocity, activation) = rest.split_at_mut(nv * height);
        for (input, columns) in [
            (Input::Control, control),
            (Input::Activation, activation),
            (Input::Velocity, velocity),
            (Input::Position, position),
        ] {
            out.workers.share(columns, height, d, |i, d, w, column| nominal.column(input, i, d, w, column));
        }
    }
    nominal.restore(d);

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

/// Whether Jacobians of a step are defined for a model.
pub(crate) fn check(m: &Model) -> Result<(), TransitionError> {
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

impl Nominal<'_> {
    /// Puts the state back to where the step started.
    fn restore(&self, d: &mut Data) {
        d.state.clone_from(&self.state);
    }

    /// Differences by entry `i` of an input.
    fn column(&self, input: Input, i: usize, d: &mut Data, w: &mut Scratch, column: &mut [f64]) {
        let (mut forward, mut backward) = (true, self.centered);
        if let Input::Control = input {
            let (u, c) = (self.state.ctrl[i], ControlId::new(i));
            if self.m.control.ctrllimited[c] {
                let [lower, upper] = self.m.control.ctrlrange[c];
                let fits = |a: f64, b: f64| a >= lower && b <= upper;
                forward = fits(u, u + self.eps);
                backward = (self.centered || !forward) && fits(u - self.eps, u);
            }
        }
        if forward {
            self.nudged(input, i, self.eps, d, &mut w.direction);
            w.plus.read(d);
            self.restore(d);
        }
        if backward {
            self.nudged(input, i, -self.eps, d, &mut w.direction);
            w.minus.read(d);
            self.restore(d);
        }
        match (forward, backward) {
            (true, true) => self.difference(&w.minus, &w.plus, 2.0 * self.eps, column),
            (true, false) => self.difference(&self.next, &w.plus, self.eps, column),
            (false, true) => self.difference(&w.minus, &self.next, self.eps, column),
            (false, false) => column.fill(0.0),
        }
    }

    /// A step from the state with entry `i` of an input changed by `by`.
    fn nudged(&self, input: Input, i: usize, by: f64, d: &mut Data, direction: &mut Vec<f64>) {
        let m = self.m;
        let known = match input {
            Input::Control => {
                d.state.ctrl[i] += by;
                Known::Velocity
            }
            Input::Activation => {
                d.state.act[i] += by;
                Known::Velocity
            }
            Input::Velocity => {
                d.state.qvel[i] += by;
                Known::Position
            }
            Input::Position => {
                direction.clear();
                direction.resize(m.nv(), 0.0);
                direction[i] = 1.0;
                integrate_pos(m, &mut d.state.qpos, direction, by);
                Known::Nothing
            }
        };
        evaluate(m, d, known, true);
        // The matrix of Euler's rule depends on no control. The others' does, where a control scales
        // a muscle or a damper.
        integrate(m, d, m.opt.integrator == IntegratorType::Euler && known == Known::Velocity);
    }

    /// (to − from)/by of all results.
    fn difference(&self, from: &Output, to: &Output, by: f64, column: &mut [f64]) {
        let nv = self.m.nv();
        let (position, rest) = column.split_at_mut(nv);
        differentiate_pos(self.m, position, by, &from.qpos, &to.qpos);
        let (velocity, rest) = rest.split_at_mut(nv);
        let (activation, sensors) = rest.split_at_mut(self.m.na);
        for (out, a, b) in
            [(velocity, &from.qvel, &to.qvel), (activation, &from.act, &to.act), (sensors, &from.sensors, &to.sensors)]
        {
            for ((x, a), b) in out.iter_mut().zip(a).zip(b) {
                *x = (b - a) / by;
            }
        }
    }
}
