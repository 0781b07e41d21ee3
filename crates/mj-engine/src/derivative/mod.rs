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
mod differences;
mod discrete;
mod inverse;
mod parameters;
mod sensors;
mod solution;
mod terms;
mod weights;

use crate::checks::coverage::{self, Differences};
use crate::data::Data;
pub use inverse::{InverseDerivative, inverse_derivative};
pub use sensors::sensor_derivative;

use crate::differences::{Transition, TransitionError, check, transition_fd};
use crate::pipeline::forward::{Known, evaluate};
use crate::pipeline::inverse::constraint_forces;
use crate::pipeline::step::integrate;
use mj_constraint::derivative::ForceDerivative;
use mj_dynamics::{ArmDerivative, BiasCurvature, FluidDerivative, PositionDerivative, VelocityDerivative, in_fluid};
use mj_integrate::{EffectiveInertia, EulerWorkspace, ImplicitWorkspace, Reuse};
use mj_math::Spatial;
use mj_model::model::ModelParameter;
use mj_model::{Model, State};
use mj_solver::CostHessian;

/// Jacobians of a time step, y = step(x, u), row-major: dy = A dx + B du, where x and y hold position (in the
/// tangent space, nv), velocity (nv) and activation (na), nx in all. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct StepDerivative {
    /// ∂y/∂x, nx×nx.
    pub a: Vec<f64>,
    /// ∂y/∂u, nx×nu.
    pub b: Vec<f64>,
    /// ∂y/∂p for the parameters given to [`parameter_derivative`], nx×np.
    pub p: Vec<f64>,
    /// ∂s/∂x of the sensors, nsensordata×nx; this and the next two are empty but after [`sensor_derivative`].
    pub c: Vec<f64>,
    /// ∂s/∂u, nsensordata×nu.
    pub d: Vec<f64>,
    /// ∂s/∂p, nsensordata×np.
    pub s: Vec<f64>,
    /// Blocks that were found by differences.
    pub differences: Differences,
    /// Whether each parameter's column was found by differences.
    pub by_differences: Vec<bool>,
    nominal: Nominal,
    columns: Columns,
    parts: Option<Parts>,
    parameters: parameters::ParameterColumns,
    solution: solution::Solution,
    transition: Transition,
}

/// The equation r = 0 whose derivative is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Equation {
    /// That of a step, with g.
    #[default]
    Step,
    /// Inverse dynamics less the actuators' forces.
    InverseLessActuators,
    /// Inverse dynamics.
    Inverse,
}

/// Where the derivative is taken.
#[derive(Clone, Debug, Default)]
struct Nominal {
    equation: Equation,
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
    /// ∂g, nv each.
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
    /// The factor of M + JᵀHJ for a step, the matrix itself for inverse dynamics.
    hessian: CostHessian,
    by_acceleration: Vec<f64>,
    /// Dofs whose actuator force is at a limit of their joint.
    held: Vec<bool>,
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
            by_acceleration: Vec::new(),
            held: Vec::new(),
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
/// Example: [`transition_fd`](crate::transition_fd).
///
/// # Errors
/// As [`transition_fd`].
pub fn step_derivative(m: &Model, d: &mut Data, out: &mut StepDerivative) -> Result<(), TransitionError> {
    check(m, d)?;
    out.differences = coverage::of(m, d);
    find(m, d, &[], out)
}

/// Computes the Jacobians of [`step`](crate::step) as [`step_derivative`] does, and those by parameters of the model, in
/// [`StepDerivative::p`]: dy = A dx + B du + P dp.
///
/// Constants that `set_const` derives from a parameter follow it. Damping counts as explicit with the integrator Euler where no dof has
/// any. In closed form are:
///
/// - `dof_damping`, `dof_frictionloss`, `jnt_stiffness`, `qpos_spring` of hinges and slides, the first three of
///   `actuator_gainprm` and `actuator_biasprm` of affine actuators, and `opt.gravity`;
/// - where there are no muscles, no fluid and no rows of flexes or plugins, `body_mass`, `body_ipos`, `body_inertia`,
///   `body_logcholesky` (but for the integrator `implicit`) and `dof_armature`. How the softness of constraints follows these
///   is found once for a model, and again after changes of it that may matter;
/// - friction, `solref` and `solimp` of geoms and pairs that don't stick, and `solref` and `solimp` of limits, friction losses
///   and equalities, without flexes and the flag `diagexact`.
///
/// All others, poses of bodies and joints among them, and all with the integrator `discrete`, come from centered differences of
/// inverse dynamics, which run no solver; `out.by_differences` says which.
///
/// Example: [`transition_fd`](crate::transition_fd).
///
/// # Errors
/// If the step has no Jacobians, as in [`transition_fd`], or a parameter is none of the model.
pub fn parameter_derivative(
    m: &Model,
    d: &mut Data,
    parameters: &[ModelParameter],
    out: &mut StepDerivative,
) -> Result<(), TransitionError> {
    check(m, d)?;
    if let Some(i) = parameters.iter().position(|p| p.value(m).is_none()) {
        return Err(TransitionError::Parameter(i));
    }
    out.differences = coverage::of(m, d);
    find(m, d, parameters, out)
}

/// Computes the Jacobians of [`step`](crate::step) by centered differences of inverse dynamics in all blocks: the solver runs once, not for every
/// column as in [`transition_fd`], which also tells what sensors do.
///
/// Example: [`transition_fd`](crate::transition_fd).
///
/// # Errors
/// As [`transition_fd`].
pub fn step_differences(m: &Model, d: &mut Data, out: &mut StepDerivative) -> Result<(), TransitionError> {
    check(m, d)?;
    out.differences = Differences { step: coverage::of(m, d).step, ..Differences::asked_for() };
    find(m, d, &[], out)
}

fn find(
    m: &Model,
    d: &mut Data,
    parameters: &[ModelParameter],
    out: &mut StepDerivative,
) -> Result<(), TransitionError> {
    [&mut out.p, &mut out.c, &mut out.d, &mut out.s].into_iter().for_each(Vec::clear);
    out.by_differences.clear();
    if out.differences.step.is_some() {
        out.by_differences.resize(parameters.len(), true);
        parameters::of_whole_step(m, d, parameters, &mut out.p);
        transition_fd(m, d, differences::EPS, true, &mut out.transition)?;
        out.a.clone_from(&out.transition.a);
        out.b.clone_from(&out.transition.b);
        return Ok(());
    }
    let (nv, na, nu) = (m.nv(), m.na, m.nu());
    out.nominal.find(m, d);
    out.columns.reset(nv, na, nu);
    let mut parts = out.parts.take().filter(|p| p.nv == nv).unwrap_or_else(|| Parts::new(m));
    terms::prepare(m, d, &out.nominal, &mut parts);
    out.parameters.fill_closed(m, d, &out.nominal, &mut parts, parameters, &mut out.by_differences);
    terms::fill(m, d, &out.nominal, &mut parts, &mut out.columns, &mut out.differences);
    out.parameters.fill_others(m, d, &out.nominal, &mut parts, parameters, &out.by_differences);
    // Differences lose the results of the present state, and the solver's factor with them.
    out.solution.find(m, d, &out.nominal, &out.columns, &mut parts.hessian);
    out.solution.write(m, &out.nominal, &out.columns, [&mut out.a, &mut out.b]);
    if !parameters.is_empty() {
        out.parameters.solve(m, d, &out.nominal, &mut parts, parameters, &mut out.p);
    }
    out.parts = Some(parts);
    Ok(())
}

impl Equation {
    fn is_step(self) -> bool {
        self == Self::Step
    }

    fn has_actuators(self) -> bool {
        self != Self::Inverse
    }
}

impl Nominal {
    /// Makes the step; leaves the state at its beginning, with the results there.
    fn find(&mut self, m: &Model, d: &mut Data) {
        self.equation = Equation::Step;
        evaluate(m, d, Known::Nothing, false);
        // In the zones of the rows' costs: a dual solver tells those of the forces.
        constraint_forces(d);
        self.state.clone_from(&d.state);
        self.qacc.clone_from(&d.qacc);
        integrate(m, d, Reuse::Nothing);
        self.qvel.clone_from(&d.state.qvel);
        let h = m.opt.timestep;
        self.over_step.clear();
        if discrete::has_one_acceleration(m) {
            self.over_step.clone_from(&self.qacc);
        } else {
            self.over_step.extend(self.qvel.iter().zip(&self.state.qvel).map(|(b, a)| (b - a) / h));
        }
        d.state.clone_from(&self.state);
    }
}

impl Columns {
    /// Makes `count` columns of zeros.
    fn clear(&mut self, count: usize, nv: usize, na: usize) {
        for (list, width) in [(&mut self.force, nv), (&mut self.step, nv), (&mut self.act, na)] {
            list.clear();
            list.resize(count * width, 0.0);
        }
    }

    fn reset(&mut self, nv: usize, na: usize, nu: usize) {
        self.clear(2 * nv + na + nu, nv, na);
        // An activation stays unless something changes it.
        for i in 0..na {
            self.act[(2 * nv + i) * na + i] = 1.0;
        }
    }
}
