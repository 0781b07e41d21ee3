//! Everything that changes: the state and one buffer struct a stage.

use crate::discrete::Discrete;
use crate::entry::Entry;
use crate::hooks::Hooks;
use crate::plan::Plan;
use crate::sensor::Match;
use crate::sleep::{self, Sleep};
use crate::support::{DataError, unsupported_options};
use crate::timing::Timing;
use mj_collide::{CollideWorkspace, Contact, Contacts};
use mj_constraint::{RowWorkspace, Rows};
use mj_dynamics::*;
use mj_integrate::{EulerWorkspace, ImplicitWorkspace, Rk4Workspace};
use mj_model::*;
use mj_problem::{OwnedSolver, Solution};
use mj_solver::BuiltIn;
use std::sync::Arc;

/// How often a warning was raised, and what it was about last.
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
    /// How far forward and inverse dynamics disagreed at the last step, if the flag `fwdinv` asks for
    /// it: norms of the differences of constraint forces and of applied forces.
    pub solver_fwdinv: [f64; 2],
    /// Sensor readings, nsensordata.
    pub sensordata: Vec<f64>,
    /// Potential and kinetic energy, J.
    pub energy: [f64; 2],
    /// Warnings, by the code of [`Warning`].
    pub warnings: [WarningStat; 7],
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

/// Memory that the stages need.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    pub smooth: mj_dynamics::Workspace,
    /// Whether the kinetic energy is taken for known until velocities are computed again.
    pub kinetic_known: bool,
    pub matches: Vec<Match>,
    pub collide: CollideWorkspace,
    pub rows: RowWorkspace,
    pub solver: BuiltIn,
    pub euler: EulerWorkspace,
    pub implicit: ImplicitWorkspace,
    pub rk4: Rk4Workspace,
    pub discrete: Discrete,
    pub wrenches: Vec<BodyWrench>,
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

impl Data {
    /// Data in the model's reset state, of which the poses are computed; call
    /// [`forward`](crate::forward) for other results.
    ///
    /// # Errors
    /// If the model's options ask for something that the engine doesn't support yet, or its
    /// [parameters](Model::check_parameters) are of no use.
    pub fn new(m: &Model) -> Result<Self, DataError> {
        if let Some(problem) = unsupported_options(m).into_iter().next() {
            return Err(problem.into());
        }
        m.check_parameters()?;
        let plan = Plan::of(m);
        let state = State::new(m);
        let mut smooth = Smooth::new(m, &plan.dynamics);
        kinematics(m, &state, &mut smooth.poses);
        com_pos(m, &state.awake, &mut smooth.poses);
        cameras_and_lights(m, &mut smooth.poses);
        let mut d = Self {
            state,
            qacc: vec![0.0; m.nv()],
            smooth,
            contacts: Contacts::default(),
            rows: Rows::default(),
            solution: Solution::default(),
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
            ws: Workspace {
                smooth: mj_dynamics::Workspace::new(m, &plan.dynamics),
                kinetic_known: false,
                matches: Vec::new(),
                collide: CollideWorkspace::new(m),
                rows: RowWorkspace::new(m),
                solver: BuiltIn::default(),
                euler: EulerWorkspace::default(),
                implicit: ImplicitWorkspace::new(m),
                rk4: Rk4Workspace::default(),
                discrete: Discrete::new(m),
                wrenches: Vec::new(),
                jar: Vec::new(),
                work: Vec::new(),
                saved: Vec::new(),
                saved_force: Vec::new(),
                saved_qfrc: Vec::new(),
                added: Vec::new(),
                entry: Entry::default(),
            },
            signature: m.structure.signature(),
            plan,
        };
        sleep::reset(m, &mut d);
        Ok(d)
    }

    /// Data in the reset state of a variation of the model that `self` was made for. Hooks, a solver and colliders of your
    /// own are taken over.
    ///
    /// # Errors
    /// As [`Data::new`].
    pub fn for_variation(&self, m: &Model) -> Result<Self, DataError> {
        let mut fresh = Self::new(m)?;
        fresh.take_over(self);
        Ok(fresh)
    }

    /// Takes over hooks, a solver, colliders, the filter of contacts and options of stepping.
    pub(crate) fn take_over(&mut self, from: &Self) {
        self.hooks.clone_from(&from.hooks);
        self.solver.clone_from(&from.solver);
        self.solver_threads = from.solver_threads;
        self.ws.collide.colliders.clone_from(&from.ws.collide.colliders);
        self.ws.collide.filter.clone_from(&from.ws.collide.filter);
    }

    /// Back to the model's reset state; warnings stay counted.
    pub fn reset(&mut self, m: &Model) {
        self.state.reset(m);
        self.qacc.fill(0.0);
        self.sensordata.fill(0.0);
        self.solver_fwdinv = [0.0; 2];
        self.energy = [0.0; 2];
        self.ws.kinetic_known = false;
        sleep::reset(m, self);
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
