//! Which models the lists cover.

use mj_model::*;
use std::fmt;

/// Why a model's smooth stages, rows or solver are not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Integrator other than Euler.
    Integrator,
    /// Bodies that move by mocap poses.
    Mocap,
    /// Flexes.
    Flex,
    /// Plugins.
    Plugin,
    /// Springs of free and ball joints, springs and dampers of higher order, plastic springs.
    Spring,
    /// Gravity compensation.
    GravityCompensation,
    /// Fluid forces.
    Fluid,
    /// Springs and dampers of routed tendons, of higher order, armature of tendons.
    Tendon,
    /// Actuators on anything but hinges and sliders.
    Transmission,
    /// Actuators with activation, delay or laws that are not affine.
    ActuatorLaw,
    /// Armature, damping or limits that actuators and joints share.
    SharedActuation,
    /// Sleeping trees.
    Sleep,
    /// Elliptic cones: covered by the smooth stages, not by the solver in lanes.
    EllipticCone,
    /// More dofs than the solver in lanes takes.
    Size,
    /// Solver passes without slip, or another solver than Newton's.
    Solver,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Integrator => "integrator",
            Self::Mocap => "mocap bodies",
            Self::Flex => "flexes",
            Self::Plugin => "plugins",
            Self::Spring => "springs of rotations or higher order",
            Self::GravityCompensation => "gravity compensation",
            Self::Fluid => "fluid",
            Self::Tendon => "tendon forces",
            Self::Transmission => "transmission",
            Self::ActuatorLaw => "actuator law",
            Self::SharedActuation => "armature or limits by actuators",
            Self::Sleep => "sleep",
            Self::EllipticCone => "elliptic cones",
            Self::Size => "more than 128 dofs",
            Self::Solver => "solver settings",
        })
    }
}

/// Parts of a step that are covered for a model.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Reasons why the smooth stages don't cover it.
    pub smooth: Vec<Reason>,
    /// Reasons why the solver in lanes doesn't.
    pub solver: Vec<Reason>,
}

impl Coverage {
    /// Checks a model.
    pub fn of(m: &Model) -> Self {
        let mut smooth = Vec::new();
        let mut when = |reason, is: bool| {
            if is {
                smooth.push(reason);
            }
        };
        when(Reason::Integrator, m.opt.integrator != IntegratorType::Euler);
        when(Reason::Mocap, m.nmocap > 0);
        when(Reason::Flex, !m.flex.is_empty());
        when(Reason::Plugin, !m.plugin.is_empty());
        let rotation = |j: JointId| matches!(m.jnt.r#type[j], JointType::Free | JointType::Ball);
        let joint_spring =
            m.jnt.ids().any(|j| (rotation(j) && m.jnt.stiffness[j] != 0.0) || m.jnt.stiffnesspoly[j] != [0.0; 2]);
        let damper = m.dof.ids().any(|d| m.dof.dampingpoly[d] != [0.0; 2]);
        when(Reason::Spring, joint_spring || damper || m.nplastic > 0);
        when(Reason::GravityCompensation, m.body.ids().any(|b| m.body.gravcomp[b] != 0.0));
        when(Reason::Fluid, m.opt.density > 0.0 || m.opt.viscosity > 0.0);
        when(
            Reason::Tendon,
            m.tendon.ids().any(|t| {
                let table = &m.tendon;
                let forces = table.stiffness[t] != 0.0 || table.damping[t] != 0.0;
                let routed = table.r#type[t] != TendonType::Fixed;
                (forces && routed)
                    || table.armature[t] != 0.0
                    || table.stiffnesspoly[t] != [0.0; 2]
                    || table.dampingpoly[t] != [0.0; 2]
                    || table.actuatorid[t].is_some()
            }),
        );
        when(Reason::Transmission, m.actuator.ids().any(|a| !on_axis(m, a)));
        when(
            Reason::ActuatorLaw,
            m.opt.disableactuator != 0 || m.nhistory > 0 || m.actuator.ids().any(|a| !is_affine(m, a)),
        );
        let shared = |j: JointId| m.jnt.actuatorid[j].is_some() || m.jnt.actfrclimited[j] || m.jnt.actgravcomp[j];
        when(Reason::SharedActuation, m.jnt.ids().any(shared) || m.tendon.ids().any(|t| m.tendon.actfrclimited[t]));
        when(Reason::Sleep, m.opt.enabled(enable::SLEEP));
        let mut solver = Vec::new();
        let cones = m.geom.condim.iter().any(|c| *c > 1) || m.pair.dim.iter().any(|c| *c > 1);
        if m.opt.cone == Cone::Elliptic && cones {
            solver.push(Reason::EllipticCone);
        }
        if m.nv() > crate::solver::MAX_DOFS {
            solver.push(Reason::Size);
        }
        if m.opt.solver != SolverType::Newton || m.opt.noslip_iterations > 0 {
            solver.push(Reason::Solver);
        }
        if !m.flex.is_empty() {
            solver.push(Reason::Flex);
        }
        Self { smooth, solver }
    }
}

/// Returns whether an actuator acts on a hinge or slider.
fn on_axis(m: &Model, a: ActuatorId) -> bool {
    let joint = matches!(m.actuator.trntype[a], TrnType::Joint | TrnType::JointInParent);
    joint && {
        let kind = m.jnt.r#type[JointId::new(m.actuator.trnid[a][0] as usize)];
        matches!(kind, JointType::Hinge | JointType::Slide)
    }
}

/// Returns whether an actuator's force is affine in its length and velocity, with no activation.
fn is_affine(m: &Model, a: ActuatorId) -> bool {
    let t = &m.actuator;
    t.dyntype[a] == DynType::None
        && matches!(t.gaintype[a], GainType::Fixed | GainType::Affine)
        && matches!(t.biastype[a], BiasType::None | BiasType::Affine)
        && (t.ctrlnum[a], t.outnum[a], t.actnum[a]) == (1, 1, 0)
}
