//! Memory that the stages need.

use crate::errors::step::StepError;
use mj_collide::continuous::{Obstacles, PairSearch};
use mj_collide::{CollideWorkspace, Contact};
use mj_constraint::{AugmentedContacts, CustomRows, RowWorkspace, RowsWithCouplings, VertexMotion};
use mj_deformable::Stiffness;
use mj_dynamics::BodyWrench;
use mj_integrate::{EffectiveInertia, EulerWorkspace, ImplicitWorkspace, Rk4Workspace};
use mj_math::DVec3;
use mj_model::plugin::ContactForce;
use mj_model::{BodyId, IdVec, Model};
use mj_problem::ConstraintState;
use mj_solver::{BuiltIn, CostHessian, QuadraticCg};

/// Memory that the stages need.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    pub smooth: mj_dynamics::Workspace,
    /// Whether the kinetic energy is taken for known until velocities are computed again.
    pub kinetic_known: bool,
    pub matches: Vec<Match>,
    pub collide: CollideWorkspace,
    pub rows: RowWorkspace,
    /// Equality constraints that hooks added in the present call.
    pub custom: CustomRows,
    pub solver: BuiltIn,
    pub euler: EulerWorkspace,
    pub implicit: ImplicitWorkspace,
    pub rk4: Rk4Workspace,
    pub discrete: Discrete,
    pub continuous: Continuous,
    pub wrenches: Vec<BodyWrench>,
    /// Wrenches of a plugin, and contacts with their forces as plugins of sensors see them.
    pub plugin_wrenches: IdVec<BodyId, [f64; 6]>,
    pub contact_forces: Vec<ContactForce>,
    /// A number a constraint row, and a number a dof.
    pub jar: Vec<f64>,
    pub work: Vec<f64>,
    /// Acceleration and constraint forces put aside while inverse dynamics runs.
    pub saved: Vec<f64>,
    pub saved_force: Vec<f64>,
    pub saved_qfrc: Vec<f64>,
    /// Contacts of the user's for the next evaluation.
    pub added: Vec<Contact>,
    pub entry: Entry,
}

impl Workspace {
    /// Makes memory for a model.
    pub fn new(m: &Model, plan: &mj_dynamics::Plan) -> Self {
        Self {
            smooth: mj_dynamics::Workspace::new(m, plan),
            kinetic_known: false,
            matches: Vec::new(),
            collide: CollideWorkspace::new(m),
            rows: RowWorkspace::new(m),
            custom: CustomRows::default(),
            solver: BuiltIn::default(),
            euler: EulerWorkspace::default(),
            implicit: ImplicitWorkspace::new(m),
            rk4: Rk4Workspace::default(),
            discrete: Discrete::new(m),
            continuous: Continuous::default(),
            wrenches: Vec::new(),
            plugin_wrenches: IdVec::default(),
            contact_forces: Vec::new(),
            jar: Vec::new(),
            work: Vec::new(),
            saved: Vec::new(),
            saved_force: Vec::new(),
            saved_qfrc: Vec::new(),
            added: Vec::new(),
            entry: Entry::default(),
        }
    }
}

/// The effective inertia and what solving in it needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Discrete {
    pub inertia: EffectiveInertia,
    pub rows: RowsWithCouplings,
    /// Smooth force with the shift of the step.
    pub qfrc: Vec<f64>,
    /// Acceleration without constraints and without couplings.
    pub qacc: Vec<f64>,
    /// Blocks of the stiffness of flexes.
    pub stiffness: Stiffness,
    /// Solves for the acceleration without constraints where the inertia is not in the pattern of M.
    pub hessian: CostHessian,
    pub iterative: QuadraticCg,
    pub states: Vec<ConstraintState>,
    pub smooth: Vec<f64>,
    /// Factor with the couplings' diagonals.
    pub ld: Vec<f64>,
    pub dinv: Vec<f64>,
}

impl Discrete {
    /// Memory for a model; none if its integrator needs none.
    pub fn new(m: &Model) -> Self {
        Self { inertia: EffectiveInertia::new(m), ..Self::default() }
    }

    /// The effective inertia of the step that was last computed.
    pub fn inertia(&self) -> &EffectiveInertia {
        &self.inertia
    }

    /// Takes back an effective inertia that was put aside.
    pub fn restore(&mut self, inertia: &mut EffectiveInertia) {
        std::mem::swap(&mut self.inertia, inertia);
    }
}

/// A step in which flexes don't overlap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Continuous {
    pub search: Option<PairSearch>,
    pub obstacles: Obstacles,
    pub motion: VertexMotion,
    pub contacts: AugmentedContacts,
    /// Places of vertices: at the round's solution, without acceleration, free of overlap.
    pub at: Vec<DVec3>,
    pub coasting: Vec<DVec3>,
    pub free: Vec<DVec3>,
    /// Velocities at the end of the step: of the round's solution, of the free places.
    pub rate: Vec<f64>,
    pub free_rate: Vec<f64>,
    /// Acceleration from which the solver starts.
    pub start: Vec<f64>,
    /// Distances of pairs, and the part of the way after which each is too near.
    pub gaps: Vec<f64>,
    pub times: Vec<Option<f64>>,
    /// The least of these parts for each vertex.
    pub first: Vec<f64>,
    /// Force of the pairs, nv.
    pub force: Vec<f64>,
}

/// A contact that matches a sensor's criterion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    /// The least come first.
    pub order: f64,
    pub contact: usize,
    /// The contact's first geom belongs to the sensor's second object.
    pub flipped: bool,
}

/// Whether a hook is running.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Inside {
    #[default]
    Nothing,
    /// A hook, which was given this data.
    Hook,
    /// Data that was copied from a hook's data, and may be stepped as soon as it has no hooks.
    CopyOfHook,
}

impl Clone for Inside {
    fn clone(&self) -> Self {
        if *self == Self::Nothing { Self::Nothing } else { Self::CopyOfHook }
    }
}

/// The state of the checks, kept with the data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub inside: Inside,
    /// The error of a hook of the present call, until it is taken.
    pub refused: Option<StepError>,
}
