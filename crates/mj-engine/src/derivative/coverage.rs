//! What of a model's step has no closed-form derivative here.

use crate::data::Data;
use mj_dynamics::servo::setpoint_period;
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
    pub(super) fn asked_for() -> Self {
        let why = Some("asked for");
        Self { step: None, position: why, velocity: why, activation: why, control: why, contacts: 0 }
    }
}

/// What the model alone says. Active constraints may add to it.
pub(super) fn of(m: &Model, d: &Data) -> Differences {
    let step = whole(m, d);
    let matrix = changing_matrix(m);
    let body_forces = body_forces(m, d);
    let transmission = transmissions(m);
    let laws = laws(m);
    let held = m.eq.r#type.iter().any(|&t| matches!(t, EqType::Connect | EqType::Weld));
    let velocity = held.then_some("connects and welds").or(velocity_forces(m)).or(matrix).or(laws);
    Differences {
        step,
        position: body_forces.or(transmission).or(springs(m)).or(matrix).or(laws),
        velocity,
        activation: laws.or(matrix),
        control: laws.or(matrix),
        contacts: 0,
    }
}

/// The first of some facts that holds.
fn first(facts: &[(bool, &'static str)]) -> Option<&'static str> {
    facts.iter().find(|(holds, _)| *holds).map(|(_, why)| *why)
}

fn whole(m: &Model, d: &Data) -> Option<&'static str> {
    first(&[
        (m.opt.integrator == IntegratorType::Discrete, "the integrator discrete"),
        (d.hooks.is_some(), "hooks"),
        (m.opt.noslip_iterations > 0, "the no-slip solver, which leaves the optimum"),
        (m.nplastic > 0, "plastic springs"),
    ])
}

/// Whether an actuator's force has a slope by velocity that depends on its input or on the velocity.
pub(crate) fn changing_damping(m: &Model) -> bool {
    m.actuator.ids().any(|a| {
        let gain = match m.actuator.gaintype[a] {
            GainType::Fixed => false,
            GainType::Affine => m.actuator.gainprm[a][2] != 0.0,
            _ => true,
        };
        gain || !matches!(m.actuator.biastype[a], BiasType::None | BiasType::Affine)
    })
}

/// Whether the integrator's matrix depends on more than the inertia.
pub(crate) fn changing_matrix(m: &Model) -> Option<&'static str> {
    let free = m.jnt.r#type.iter().any(|&t| t == JointType::Free);
    match m.opt.integrator {
        IntegratorType::Implicit => Some("the integrator implicit, whose matrix holds the bias force"),
        IntegratorType::ImplicitFast => first(&[
            (free, "implicitfast with free bodies, which turn"),
            (m.opt.density > 0.0 || m.opt.viscosity > 0.0, "implicitfast in a fluid"),
            (changing_damping(m), "implicitfast with gains that depend on velocity"),
            (curved_dampers(m), "implicitfast with dampers that aren't linear"),
        ]),
        _ => first(&[(curved_dampers(m), "dampers that aren't linear")]),
    }
}

fn curved_dampers(m: &Model) -> bool {
    let curved = |p: &[f64; 2]| *p != [0.0; 2];
    m.dof.dampingpoly.iter().any(curved)
        || m.tendon.dampingpoly.iter().any(curved)
        || m.actuator.dampingpoly.iter().any(curved)
}

/// Forces on bodies that the derivative of inverse dynamics doesn't hold.
fn body_forces(m: &Model, d: &Data) -> Option<&'static str> {
    first(&[
        (m.opt.density > 0.0 || m.opt.viscosity > 0.0, "forces of the fluid"),
        (m.jnt.actgravcomp.iter().any(|&a| a), "gravity compensation through actuators"),
        (d.ws.sticks || d.ws.pulls_contacts, "adhesion"),
        (m.opt.enabled(enable::DIAGEXACT), "the flag diagexact"),
        (m.opt.enabled(enable::SPECULATIVE), "speculative contacts"),
    ])
}

fn velocity_forces(m: &Model) -> Option<&'static str> {
    let armature = m.tendon.ids().any(|t| spatial(m, t) && mj_dynamics::inertia::tendon_armature(m, t) != 0.0);
    first(&[
        (armature, "armature of spatial tendons"),
        (m.geom.adhesion.iter().any(|&a| a != 0.0), "adhesion"),
        (m.opt.enabled(enable::SPECULATIVE), "speculative contacts"),
    ])
}

fn spatial(m: &Model, t: TendonId) -> bool {
    m.tendon.r#type[t] == TendonType::Spatial
}

/// Moment arms that change with position.
fn transmissions(m: &Model) -> Option<&'static str> {
    let depends_on_length = |a: ActuatorId| {
        let by_gain = m.actuator.gaintype[a] != GainType::Fixed && m.actuator.gainprm[a][1] != 0.0;
        by_gain || (m.actuator.biastype[a] != BiasType::None && m.actuator.biasprm[a][1] != 0.0)
    };
    let changes = |a: ActuatorId| {
        let id = m.actuator.trnid[a][0];
        match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent => match m.jnt.r#type[JointId::new(id as usize)] {
                JointType::Hinge | JointType::Slide => false,
                // The moment arm is fixed in the child, but the length of a rotation is not its integral.
                _ => m.actuator.trntype[a] == TrnType::JointInParent || depends_on_length(a),
            },
            TrnType::Tendon => spatial(m, TendonId::new(id as usize)),
            _ => true,
        }
    };
    first(&[
        (m.tendon.ids().any(|t| spatial(m, t)), "spatial tendons"),
        (m.actuator.ids().any(changes), "actuators whose moment arms change"),
    ])
}

fn springs(m: &Model) -> Option<&'static str> {
    let turns = |j: JointId| matches!(m.jnt.r#type[j], JointType::Ball | JointType::Free);
    let sprung = |j: JointId| m.jnt.stiffness[j] != 0.0 || m.jnt.stiffnesspoly[j] != [0.0; 2];
    first(&[(m.jnt.ids().any(|j| turns(j) && sprung(j)), "springs of ball and free joints")])
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
