//! Jacobians of a time step in closed form, and by differences where there is none.
//!
//! The step is a solution of two equations. The acceleration a balances the forces,
//!
//! ```text
//! r(q, v, u, a) = M a + c − τ − Jᵀf(Ja − a_ref) = 0,
//! ```
//!
//! which is the optimum of the constraint problem, and the acceleration a' over the step follows from it by
//! the integrator's matrix, M̂ a' = M a. So (implicit differentiation),
//!
//! ```text
//! ∂a = −(M + JᵀHJ)⁻¹ ∂r,   ∂a' = M̂⁻¹ (M ∂a + ∂g),   g = M a − M̂ a',
//! ```
//!
//! where ∂r and ∂g are taken at given accelerations: derivatives of *inverse* dynamics, which need no solver. With the
//! integrator `discrete` a is that over the step already, and M its effective inertia ([`discrete`]).
//! They come column by column from the crates that own the forces or, for a block of columns that these don't
//! cover, from differences of r and g.

mod arms;
mod coverage;
mod differences;
mod discrete;
mod terms;

pub use coverage::Differences;
pub(crate) use coverage::{damping_by_position, matrix_by_input, matrix_by_velocity};

use crate::data::Data;
use crate::differences::{Transition, TransitionError, check, transition_fd};
use crate::pipeline::{Known, evaluate, integrate};
use mj_constraint::derivative::ForceDerivative;
use mj_dynamics::{
    ArmDerivative, BiasCurvature, FluidDerivative, PositionDerivative, TangentStep, VelocityDerivative, damping_slope,
    has_implicit_damping, in_fluid, mul_m,
};
use mj_integrate::{EffectiveInertia, EulerWorkspace, ImplicitWorkspace, Reuse};
use mj_math::{Spatial, dense};
use mj_model::{IntegratorType, Model, State};
use mj_solver::CostHessian;

/// Jacobians of a time step, y = step(x, u), row-major: dy = A dx + B du, where x and y hold position (in the
/// tangent space, nv), velocity (nv) and activation (na), nx in all. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct StepDerivative {
    /// ∂y/∂x, nx×nx.
    pub a: Vec<f64>,
    /// ∂y/∂u, nx×nu.
    pub b: Vec<f64>,
    /// What had to be found by differences.
    pub differences: Differences,
    nominal: Nominal,
    columns: Columns,
    parts: Option<Parts>,
    transition: Transition,
    /// Change of position and velocity of the column at hand.
    dq: Vec<f64>,
    dv: Vec<f64>,
}

/// The step that is differentiated.
#[derive(Clone, Debug, Default)]
struct Nominal {
    /// State before it.
    state: State,
    /// Acceleration, and that over the step: (v' − v)/h.
    qacc: Vec<f64>,
    over_step: Vec<f64>,
    /// Velocity and activation after it.
    qvel: Vec<f64>,
}

/// A row an input: position, velocity (nv each), activation (na), control (nu).
#[derive(Clone, Debug, Default)]
struct Columns {
    /// ∂r, nv each.
    force: Vec<f64>,
    /// ∂g, then ∂a', nv each.
    step: Vec<f64>,
    /// Change of the activations after the step, na each.
    act: Vec<f64>,
}

/// Derivatives by the crates that own them.
#[derive(Clone, Debug)]
struct Parts {
    nv: usize,
    velocity: VelocityDerivative,
    position: PositionDerivative,
    constraint: ForceDerivative,
    arms: ArmDerivative,
    /// Where an integrator's matrix holds the bias force.
    curvature: Option<BiasCurvature>,
    /// Where a fluid pushes on bodies.
    fluid: Option<FluidDerivative>,
    /// What the integrator `discrete` adds.
    step: discrete::StepTerms,
    /// M + JᵀHJ and its factor.
    hessian: CostHessian,
    work: Vec<f64>,
    /// What a force at each dof does to a': a row a dof, padded.
    response: Vec<f64>,
    tangent: TangentStep,
    /// hD: what Euler's matrix has on its diagonal beside M.
    damping: Vec<f64>,
    /// By how much the acceleration differs from that over the step.
    change: Vec<f64>,
    /// No wrench on any body.
    wrenchless: Vec<Spatial>,
    /// Inertia and factors of integrators, put aside during differences.
    matrices: (Vec<f64>, EulerWorkspace, ImplicitWorkspace, EffectiveInertia),
}

impl Parts {
    fn new(m: &Model) -> Self {
        Self {
            nv: m.nv(),
            velocity: VelocityDerivative::new(m),
            position: PositionDerivative::new(m),
            constraint: ForceDerivative::new(m),
            arms: ArmDerivative::new(m),
            curvature: None,
            fluid: in_fluid(m).then(|| FluidDerivative::new(m)),
            step: Default::default(),
            hessian: CostHessian::default(),
            work: Vec::new(),
            response: Vec::new(),
            tangent: TangentStep::default(),
            damping: Vec::new(),
            change: Vec::new(),
            wrenchless: vec![Spatial::ZERO; m.body.len()],
            matrices: Default::default(),
        }
    }
}

/// Jacobians of [`step`](crate::step) at the present state by position, velocity, activation and control, at
/// the accelerations that forward dynamics finds there: give the solver a tight tolerance. A control at a
/// limit of its range counts as within it; beyond it there is nothing.
///
/// Covered are rigid bodies with all joints and their springs and dampers, tendons, actuators with simple laws on
/// joints, tendons, sites and slider-cranks, muscles, friction loss, limits, all equalities, and contacts of all
/// shapes, and forces of fluids, for the integrators Euler, `implicitfast`, `implicit` and `discrete` (but for muscles with the
/// last). What else a model has (adhesion, armature of spatial tendons, …) makes one or
/// more of the four blocks of columns (position, velocity, activation, control) be found by centered differences of
/// inverse dynamics; `out.differences` says which and why. So does a tendon's path where it has a corner. With
/// hooks or the no-slip solver, all of it is by differences of the step.
///
/// The state comes out as it went in; other results in `d` are those of the present state, or if there were
/// differences, of one nearby.
///
/// # Errors
/// As [`transition_fd`].
pub fn step_derivative(m: &Model, d: &mut Data, out: &mut StepDerivative) -> Result<(), TransitionError> {
    check(m)?;
    out.differences = coverage::of(m, d);
    find(m, d, out)
}

/// The same by centered differences of inverse dynamics in all blocks: the solver runs once, not for every
/// column as in [`transition_fd`], which also tells what sensors do.
///
/// # Errors
/// As [`transition_fd`].
pub fn step_differences(m: &Model, d: &mut Data, out: &mut StepDerivative) -> Result<(), TransitionError> {
    check(m)?;
    out.differences = Differences { step: coverage::of(m, d).step, ..Differences::asked_for() };
    find(m, d, out)
}

fn find(m: &Model, d: &mut Data, out: &mut StepDerivative) -> Result<(), TransitionError> {
    if out.differences.step.is_some() {
        transition_fd(m, d, differences::EPS, true, &mut out.transition)?;
        out.a.clone_from(&out.transition.a);
        out.b.clone_from(&out.transition.b);
        return Ok(());
    }
    let (nv, na, nu) = (m.nv(), m.na, m.nu());
    out.nominal.find(m, d);
    out.columns.reset(nv, na, nu);
    let mut parts = out.parts.take().filter(|p| p.nv == nv).unwrap_or_else(|| Parts::new(m));
    terms::fill(m, d, &out.nominal, &mut parts, &mut out.columns, &mut out.differences);
    // Differences lose the results of the present state, and the solver's factor with them.
    out.solve_force(m, d, &mut parts);
    out.assemble(m, &mut parts.tangent);
    out.parts = Some(parts);
    Ok(())
}

impl Nominal {
    /// Makes the step; leaves the state at its beginning, with the results there.
    fn find(&mut self, m: &Model, d: &mut Data) {
        evaluate(m, d, Known::Nothing, false);
        self.state.clone_from(&d.state);
        self.qacc.clone_from(&d.qacc);
        integrate(m, d, Reuse::Nothing);
        self.qvel.clone_from(&d.state.qvel);
        let h = m.opt.timestep;
        self.over_step.clear();
        if has_one_acceleration(m) {
            self.over_step.clone_from(&self.qacc);
        } else {
            self.over_step.extend(self.qvel.iter().zip(&self.state.qvel).map(|(b, a)| (b - a) / h));
        }
        d.state.clone_from(&self.state);
    }
}

impl Columns {
    fn reset(&mut self, nv: usize, na: usize, nu: usize) {
        let n = 2 * nv + na + nu;
        for (list, width) in [(&mut self.force, nv), (&mut self.step, nv), (&mut self.act, na)] {
            list.clear();
            list.resize(n * width, 0.0);
        }
        // An activation stays unless something changes it.
        for i in 0..na {
            self.act[(2 * nv + i) * na + i] = 1.0;
        }
    }
}

impl StepDerivative {
    /// From ∂r and ∂g to ∂a' = M̂⁻¹(∂g − M H⁻¹ ∂r), H = M + JᵀHJ: what a force at one dof does, M̂⁻¹M H⁻¹, is found once,
    /// and each column is a sum of it.
    fn solve_force(&mut self, m: &Model, d: &mut Data, p: &mut Parts) {
        let nv = m.nv();
        if nv == 0 {
            return;
        }
        p.damping.clear();
        p.damping.extend(m.dof.ids().map(|i| m.opt.timestep * damping_slope(m, i, self.nominal.state.qvel[i.index()])));
        let width = nv.next_multiple_of(dense::COMBINED);
        p.response.clear();
        p.response.resize(nv * width, 0.0);
        for (i, row) in p.response.chunks_exact_mut(width).enumerate() {
            let row = &mut row[..nv];
            row[i] = -1.0;
            p.hessian.solve(row);
            if m.opt.integrator == IntegratorType::Discrete {
                let right = |k| if k == i { -1.0 } else { 0.0 };
                d.ws.discrete.inertia().solve_turning_blocks(m, right, row);
            }
            p.work.clear();
            p.work.extend_from_slice(row);
            over_step(m, d, &p.damping, &p.work, row);
        }
        p.work.clear();
        p.work.resize(width, 0.0);
        for (r, g) in self.columns.force.chunks_exact(nv).zip(self.columns.step.chunks_exact_mut(nv)) {
            if !has_one_acceleration(m) && g.iter().any(|&x| x != 0.0) {
                solve_matrix(m, d, g);
            }
            dense::combine(&mut p.work, r, &p.response);
            g.iter_mut().zip(&p.work).for_each(|(g, x)| *g += x);
        }
    }

    /// From ∂a' to the next state.
    fn assemble(&mut self, m: &Model, tangent: &mut TangentStep) {
        let (nv, na, nu) = (m.nv(), m.na, m.nu());
        let (nx, h) = (2 * nv + na, m.opt.timestep);
        self.a.resize(nx * nx, 0.0);
        self.b.resize(nx * nu, 0.0);
        tangent.set(m, &self.nominal.qvel, h);
        let Self { dq, dv, .. } = self;
        dq.resize(nv, 0.0);
        dv.resize(nv, 0.0);
        for c in 0..nx + nu {
            dq.fill(0.0);
            if c < nv {
                dq[c] = 1.0;
            }
            let over_step = &self.columns.step[c * nv..(c + 1) * nv];
            dv.iter_mut().zip(over_step).for_each(|(v, a)| *v = h * a);
            if (nv..2 * nv).contains(&c) {
                dv[c - nv] += 1.0;
            }
            tangent.apply(dq, dv);
            let act = &self.columns.act[c * na..(c + 1) * na];
            let (out, width, column) = if c < nx { (&mut self.a, nx, c) } else { (&mut self.b, nu, c - nx) };
            for (r, x) in dq.iter().chain(&*dv).chain(act).enumerate() {
                out[r * width + column] = *x;
            }
        }
    }
}

/// Whether the acceleration is that over the step: M̂ = M.
fn has_one_acceleration(m: &Model) -> bool {
    match m.opt.integrator {
        IntegratorType::Euler => !has_implicit_damping(m),
        kind => kind == IntegratorType::Discrete,
    }
}

/// M̂⁻¹ M a into `out`, which holds a.
fn over_step(m: &Model, d: &Data, damping: &[f64], a: &[f64], out: &mut [f64]) {
    if has_one_acceleration(m) {
        return;
    }
    if m.opt.integrator != IntegratorType::Euler {
        mul_m(m, &d.inertia, a, out);
        return solve_matrix(m, d, out);
    }
    // M̂ = M + hD with a diagonal D: M̂⁻¹M a = a − M̂⁻¹ hD a.
    out.iter_mut().zip(damping).for_each(|(x, b)| *x *= b);
    solve_matrix(m, d, out);
    out.iter_mut().zip(a).for_each(|(x, a)| *x = a - *x);
}

/// M̂⁻¹ x in place, of the step that was made last.
fn solve_matrix(m: &Model, d: &Data, x: &mut [f64]) {
    if m.opt.integrator == IntegratorType::Euler {
        d.ws.euler.solve(m, x);
    } else {
        d.ws.implicit.solve(m, &d.inertia.M, x);
    }
}
