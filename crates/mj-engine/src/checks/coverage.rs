//! Parts of a model's step that have no closed-form derivative here.

use crate::data::Data;
use crate::data::plan::sticks;
use mj_dynamics::{in_fluid, is_free_without_children, servo::setpoint_period, tendon_damping};
use mj_model::*;

/// The blocks of columns that were found by differences, each with the first reason; `None` where the block is
/// in closed form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// All of it, by differences of the whole step.
    pub step: Option<&'static str>,
    /// By position.
    pub position: Option<&'static str>,
    /// By velocity.
    pub velocity: Option<&'static str>,
    /// By activation.
    pub activation: Option<&'static str>,
    /// By control.
    pub control: Option<&'static str>,
    /// Contacts whose motion with their shapes was found by differences of the narrow phase.
    pub contacts: usize,
}

impl Differences {
    /// All blocks, because somebody wants them so; the solver runs but once.
    pub(crate) fn asked_for() -> Self {
        let why = Some("asked for");
        Self { step: None, position: why, velocity: why, activation: why, control: why, contacts: 0 }
    }
}

/// Returns the blocks that need differences by the model alone. Active constraints may add to it.
pub(crate) fn of(m: &Model, d: &Data) -> Differences {
    let step = whole(m, d);
    let (matrix, inputs) = (changing_matrix(m), matrix_by_inputs(m));
    let body_forces = body_forces(m, d);
    let (armature, transmission) = (armature(m), transmissions(m));
    let laws = laws(m);
    Differences {
        step,
        position: body_forces.or(armature).or(transmission).or(matrix).or(laws),
        velocity: armature.or(velocity_forces(m)).or(matrix).or(laws),
        activation: laws.or(inputs),
        control: laws.or(inputs),
        contacts: 0,
    }
}

/// Returns the blocks of inverse dynamics, with or without the actuators' forces, that need differences by the model alone.
pub(crate) fn of_inverse(m: &Model, d: &Data, with_actuation: bool) -> Differences {
    let of_step = first(&[
        (m.opt.integrator == IntegratorType::Discrete, "the integrator discrete"),
        (m.opt.enabled(enable::INVDISCRETE), "the flag invdiscrete"),
    ]);
    let of_actuators = |why: Option<&'static str>| why.filter(|_| with_actuation);
    let dampers = first(&[(curved_dampers(m), "dampers that aren't linear")]);
    let (armature, laws) = (armature(m), of_actuators(laws(m)));
    Differences {
        step: of_step.or(forces_of_others(m, d)),
        position: body_forces(m, d).or(armature).or(of_actuators(transmissions(m))).or(dampers).or(laws),
        velocity: armature.or(velocity_forces(m)).or(dampers).or(laws),
        ..Differences::default()
    }
}

/// The first of some facts that holds.
fn first(facts: &[(bool, &'static str)]) -> Option<&'static str> {
    facts.iter().find(|(holds, _)| *holds).map(|(_, why)| *why)
}

fn whole(m: &Model, d: &Data) -> Option<&'static str> {
    let noslip = m.opt.noslip_iterations > 0;
    forces_of_others(m, d).or(first(&[(noslip, "the no-slip solver, which leaves the optimum")]))
}

fn forces_of_others(m: &Model, d: &Data) -> Option<&'static str> {
    first(&[
        (d.hooks.is_some(), "hooks"),
        (m.nplastic > 0, "plastic springs"),
        (!m.flex.is_empty(), "flexes"),
        (m.actuator.plugin.iter().chain(m.body.plugin.iter()).any(Option::is_some), "plugins"),
    ])
}

/// What an actuator's slope by velocity depends on, which the integrators that are implicit in velocity have in their
/// matrix; `discrete` has that by length, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damping {
    Constant,
    /// The input, and nothing else.
    ByInput,
    /// Input, length and velocity of a muscle.
    Muscle,
    /// Anything.
    Unknown,
}

fn damping(m: &Model, a: ActuatorId) -> Damping {
    if !matches!(m.actuator.biastype[a], BiasType::None | BiasType::Affine | BiasType::Muscle) {
        return Damping::Unknown;
    }
    let discrete = m.opt.integrator == IntegratorType::Discrete;
    if discrete && m.actuator.biastype[a] == BiasType::Muscle {
        return Damping::Muscle;
    }
    let [_, by_length, by_velocity, ..] = m.actuator.gainprm[a];
    match m.actuator.gaintype[a] {
        GainType::Fixed => Damping::Constant,
        GainType::Affine if by_velocity == 0.0 && !(discrete && by_length != 0.0) => Damping::Constant,
        GainType::Affine if simple_dynamics(m, a) => Damping::ByInput,
        GainType::Muscle if simple_dynamics(m, a) => Damping::Muscle,
        _ => Damping::Unknown,
    }
}

/// Whether an actuator's input is a control, or an activation whose rate knows nothing but itself and the control.
fn simple_dynamics(m: &Model, a: ActuatorId) -> bool {
    !m.actuator.actearly[a]
        && matches!(
            m.actuator.dyntype[a],
            DynType::None | DynType::Integrator | DynType::Filter | DynType::FilterExact | DynType::Muscle
        )
}

/// Whether the integrator's matrix changes with the input of an actuator.
pub(crate) fn matrix_by_input(m: &Model, a: ActuatorId) -> bool {
    let implicit = matches!(m.opt.integrator, IntegratorType::Implicit | IntegratorType::ImplicitFast);
    implicit && damping(m, a) != Damping::Constant
}

/// Whether the effective inertia of `discrete` holds tendons and actuators.
pub(crate) fn matrix_holds_couplings(m: &Model) -> bool {
    m.opt.solver != SolverType::Pgs
}

/// Whether the integrator's matrix depends on the velocity.
pub(crate) fn matrix_by_velocity(m: &Model) -> bool {
    let muscle = |a: ActuatorId| damping(m, a) == Damping::Muscle;
    let own = match m.opt.integrator {
        IntegratorType::Implicit => true,
        IntegratorType::ImplicitFast => {
            m.jnt.ids().any(|j| is_free_without_children(m, j)) || in_fluid(m) || m.actuator.ids().any(muscle)
        }
        _ => false,
    };
    own || changing_matrix(m).is_some()
}

/// Whether the derivative of the forces that the matrix of `implicitfast` holds beside M depends on the position.
pub(crate) fn damping_by_position(m: &Model) -> bool {
    let turns = |a: ActuatorId| {
        let id = m.actuator.trnid[a][0];
        match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent => !has_length(m, a),
            TrnType::Tendon => spatial(m, TendonId::new(id as usize)),
            _ => true,
        }
    };
    let slope = |a: ActuatorId| {
        damping(m, a) != Damping::Constant
            || (m.actuator.gaintype[a] != GainType::Fixed && m.actuator.gainprm[a][2] != 0.0)
            || (m.actuator.biastype[a] != BiasType::None && m.actuator.biasprm[a][2] != 0.0)
    };
    matrix_by_velocity(m)
        || m.actuator.ids().any(|a| turns(a) && slope(a))
        || m.tendon.ids().any(|t| spatial(m, t) && tendon_damping(m, t) != (0.0, [0.0; 2]))
}

/// Why the integrator's matrix depends on the velocity, or in other ways on the position than by inertia and moment arms,
/// so that there is no closed form.
fn changing_matrix(m: &Model) -> Option<&'static str> {
    let is = |kind: Damping| m.actuator.ids().any(|a| damping(m, a) == kind);
    match m.opt.integrator {
        IntegratorType::Implicit | IntegratorType::ImplicitFast => {
            first(&[(is(Damping::Unknown), CURVED_GAINS), (curved_dampers(m), "dampers that aren't linear")])
        }
        IntegratorType::Discrete => first(&[
            (matrix_holds_couplings(m) && is(Damping::Muscle), "muscles, with the integrator discrete"),
            (matrix_holds_couplings(m) && is(Damping::Unknown), CURVED_GAINS),
            (curved_dampers(m), "dampers that aren't linear"),
            (curved_springs(m), "springs that aren't linear, with the integrator discrete"),
        ]),
        _ => first(&[(curved_dampers(m), "dampers that aren't linear")]),
    }
}

const CURVED_GAINS: &str = "gains whose slope changes, with an integrator that holds it";

/// Why inputs change the integrator's matrix in ways that have no closed form.
fn matrix_by_inputs(m: &Model) -> Option<&'static str> {
    let is = |kind: Damping| m.actuator.ids().any(|a| damping(m, a) == kind);
    match m.opt.integrator {
        IntegratorType::Implicit | IntegratorType::ImplicitFast => first(&[(is(Damping::Unknown), CURVED_GAINS)]),
        IntegratorType::Discrete if matrix_holds_couplings(m) => first(&[
            (is(Damping::Unknown) || is(Damping::Muscle), CURVED_GAINS),
            (is(Damping::ByInput) && m.opt.enabled(enable::DIAGEXACT), "the flag diagexact"),
        ]),
        _ => None,
    }
}

fn curved_dampers(m: &Model) -> bool {
    let curved = |p: &[f64; 2]| *p != [0.0; 2];
    m.dof.dampingpoly.iter().any(curved)
        || m.tendon.dampingpoly.iter().any(curved)
        || m.actuator.dampingpoly.iter().any(curved)
}

fn curved_springs(m: &Model) -> bool {
    let curved = |p: &[f64; 2]| *p != [0.0; 2];
    m.jnt.stiffnesspoly.iter().any(curved) || m.tendon.stiffnesspoly.iter().any(curved)
}

/// Forces on bodies that the derivative of inverse dynamics doesn't hold.
fn body_forces(m: &Model, d: &Data) -> Option<&'static str> {
    // Through actuators or not, it is the same force, where there are any.
    let off = m.opt.disabled(disable::ACTUATION) || m.actuator.is_empty();
    let cut = |j: JointId| off && m.jnt.actgravcomp[j];
    first(&[
        (m.jnt.ids().any(cut), "gravity compensation through actuators that are off"),
        (sticks(m) || d.plan.pulls_contacts, "adhesion"),
        (m.opt.enabled(enable::DIAGEXACT), "the flag diagexact"),
        (m.opt.enabled(enable::SPECULATIVE), "speculative contacts"),
    ])
}

/// Inertia that follows a path.
fn armature(m: &Model) -> Option<&'static str> {
    let has = |t: TendonId| spatial(m, t) && mj_dynamics::tendon_armature(m, t) != 0.0;
    first(&[(m.tendon.ids().any(has), "armature of spatial tendons")])
}

fn velocity_forces(m: &Model) -> Option<&'static str> {
    first(&[
        (m.geom.adhesion.iter().any(|&a| a != 0.0), "adhesion"),
        (m.opt.enabled(enable::SPECULATIVE), "speculative contacts"),
    ])
}

fn spatial(m: &Model, t: TendonId) -> bool {
    m.tendon.r#type[t] == TendonType::Spatial
}

/// Moment arms that change with position in ways that have no closed form, or are not those of the length that the
/// force depends on.
fn transmissions(m: &Model) -> Option<&'static str> {
    let depends_on_length = |a: ActuatorId| {
        let by_gain = m.actuator.gaintype[a] != GainType::Fixed && m.actuator.gainprm[a][1] != 0.0;
        by_gain || (m.actuator.biastype[a] != BiasType::None && m.actuator.biasprm[a][1] != 0.0)
    };
    let uncovered = |a: ActuatorId| match m.actuator.trntype[a] {
        TrnType::Joint | TrnType::JointInParent | TrnType::Site => !has_length(m, a) && depends_on_length(a),
        TrnType::Tendon | TrnType::SliderCrank => false,
        TrnType::So3 | TrnType::Body | TrnType::Undefined => true,
    };
    first(&[(m.actuator.ids().any(uncovered), "actuators on rotations, poses and contacts")])
}

/// Whether an actuator's moment arm is the derivative of its length.
pub(crate) fn has_length(m: &Model, a: ActuatorId) -> bool {
    match m.actuator.trntype[a] {
        TrnType::Joint | TrnType::JointInParent => {
            let j = JointId::new(m.actuator.trnid[a][0] as usize);
            matches!(m.jnt.r#type[j], JointType::Hinge | JointType::Slide)
        }
        TrnType::Tendon | TrnType::SliderCrank => true,
        TrnType::Site | TrnType::So3 | TrnType::Body | TrnType::Undefined => false,
    }
}

/// Actuators whose force depends on its input, or whose activation on the state, in other than simple ways.
fn laws(m: &Model) -> Option<&'static str> {
    let simple = |a: ActuatorId| {
        matches!(m.actuator.gaintype[a], GainType::Fixed | GainType::Affine | GainType::Muscle)
            && matches!(m.actuator.biastype[a], BiasType::None | BiasType::Affine | BiasType::Muscle)
            && matches!(
                m.actuator.dyntype[a],
                DynType::None | DynType::Integrator | DynType::Filter | DynType::FilterExact | DynType::Muscle
            )
    };
    let unsimple = |a: ActuatorId| {
        m.actuator.ctrlnum[a] != 1
            || m.actuator.actnum[a] > 1
            || m.actuator.actearly[a]
            || (m.actuator.actnum[a] > 0 && setpoint_period(m, a) > 0.0)
    };
    first(&[
        (m.actuator.ids().any(|a| !simple(a) || unsimple(a)), "actuators with laws of their own"),
        (m.tendon.actfrclimited.iter().any(|&x| x), "limits of the force on a tendon"),
    ])
}
