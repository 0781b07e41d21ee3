//! Everything that changes: the state and one buffer struct a stage.

mod hooks;
pub(crate) mod plan;
mod sleep;
pub(crate) mod timing;
pub(crate) mod workspace;

pub use hooks::Hooks;
pub(crate) use hooks::Laws;
pub(crate) use sleep::{DISTURBED, READY};
pub use sleep::{MIN_AWAKE, Sleep};

use crate::data::plan::Plan;
use crate::data::timing::Timing;
use crate::data::workspace::Workspace;
use crate::errors::step::DataError;
use crate::errors::support::unsupported_options;
use mj_collide::Contacts;
use mj_constraint::{ContactMemory, Rows};
use mj_deformable::Flexes;
use mj_dynamics::*;
use mj_model::*;
use mj_problem::{OwnedSolver, Solution};
use std::sync::Arc;

/// Count of a warning, and the element that it was last about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarningStat {
    /// Row of the coordinate, dof, actuator … of the last warning.
    pub lastinfo: u32,
    /// Count.
    pub number: u32,
}

/// State, inputs and results of a simulation (`mjData`), with the memory that stepping needs.
#[derive(Clone, Debug)]
pub struct Data {
    /// State and inputs.
    pub state: State,
    /// Acceleration, nv.
    pub qacc: Vec<f64>,
    /// Results of the smooth stages: poses, inertia, tendons and transmissions, velocities, actuation.
    pub smooth: Smooth,
    /// Vertices and edges of flexes.
    pub flexes: Flexes,
    /// Multipliers of contacts that the flag `ipc` resolves, kept from step to step. No part of the state.
    pub contact_memory: ContactMemory,
    /// Contacts.
    pub contacts: Contacts,
    /// Constraint rows.
    pub rows: Rows,
    /// Constraint forces.
    pub solution: Solution,
    /// Body accelerations and forces, computed where a sensor needs them or [`complete`] is called.
    ///
    /// [`complete`]: crate::complete
    pub body_forces: BodyForces,
    /// Force that inverse dynamics found, nv.
    pub qfrc_inverse: Vec<f64>,
    /// Disagreement of forward and inverse dynamics at the last step, if the flag `fwdinv` asks for
    /// it: norms of the differences of constraint forces and of applied forces.
    pub solver_fwdinv: [f64; 2],
    /// Sensor readings, nsensordata.
    pub sensordata: Vec<f64>,
    /// Potential and kinetic energy, J.
    pub energy: [f64; 2],
    /// Warnings, by the code of [`Warning`].
    pub warnings: [WarningStat; 9],
    /// A solver of your own in the place of the model's; the options of the built-in ones reach it as
    /// [`Settings`](mj_problem::Settings).
    pub solver: Option<Box<dyn OwnedSolver>>,
    /// Among how many shares the built-in primal solvers (Newton, CG) divide a step's islands, to solve them in parallel on the
    /// threads of the current rayon pool. At first 0: one after the other, without any other thread. The result is
    /// the same, bit for bit; handing work to threads may allocate.
    pub solver_threads: usize,
    /// Laws of your own that the pipeline calls.
    pub hooks: Option<Arc<dyn Hooks>>,
    /// Which trees sleep.
    pub sleep: Sleep,
    /// Time spent stage by stage.
    pub timing: Timing,
    /// Signature of the structure of the models that it fits.
    pub(crate) signature: u64,
    pub(crate) plan: Arc<Plan>,
    pub(crate) ws: Workspace,
}

impl Data {
    /// Makes data in the model's reset state with all trees awake, of which the poses are computed.
    pub(crate) fn awake(m: &Model) -> Result<Self, DataError> {
        if let Some(problem) = unsupported_options(m).into_iter().next() {
            return Err(problem.into());
        }
        if m.plugin_instances().len() != m.plugin.len() {
            return Err(DataError::UnboundPlugins);
        }
        m.check_parameters()?;
        let plan = Plan::of(m);
        let state = State::new(m);
        let mut smooth = Smooth::new(m, &plan.dynamics);
        kinematics(m, &state, &mut smooth.poses);
        com_pos(m, &state.awake, &mut smooth.poses);
        cameras_and_lights(m, &mut smooth.poses);
        Ok(Self {
            state,
            qacc: vec![0.0; m.nv()],
            smooth,
            flexes: Flexes::new(m, &plan.flexes),
            contact_memory: ContactMemory::new(m),
            contacts: Contacts::default(),
            rows: Rows::default(),
            solution: Solution { qacc: vec![0.0; m.nv()], qfrc_constraint: vec![0.0; m.nv()], ..Solution::default() },
            body_forces: BodyForces::new(m),
            qfrc_inverse: vec![0.0; m.nv()],
            solver_fwdinv: [0.0; 2],
            sensordata: vec![0.0; m.nsensordata],
            energy: [0.0; 2],
            warnings: Default::default(),
            solver: None,
            solver_threads: 0,
            hooks: None,
            sleep: Sleep::new(m),
            timing: Timing::default(),
            ws: Workspace::new(m, &plan.dynamics),
            signature: m.structure.signature(),
            plan,
        })
    }

    /// Takes over hooks, a solver, colliders, the filter of contacts and options of stepping.
    pub(crate) fn take_over(&mut self, from: &Self) {
        self.hooks.clone_from(&from.hooks);
        self.solver.clone_from(&from.solver);
        self.solver_threads = from.solver_threads;
        self.ws.collide.colliders.clone_from(&from.ws.collide.colliders);
        self.ws.collide.filter.clone_from(&from.ws.collide.filter);
    }

    /// Counts a warning.
    pub(crate) fn warn(&mut self, kind: Warning, info: usize) {
        let w = &mut self.warnings[kind.code() as usize];
        w.number += 1;
        w.lastinfo = u32::try_from(info).unwrap_or(u32::MAX);
    }

    /// Number of times a warning was raised, and what about.
    pub fn warning(&self, kind: Warning) -> WarningStat {
        self.warnings[kind.code() as usize]
    }
}
