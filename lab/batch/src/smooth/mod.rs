//! Smooth stages of a step, written once for every width. Worlds are innermost: each number is a lane.

mod batch;
mod forces;
mod inertia;
mod integrate;
mod poses;
mod velocity;

pub use batch::{Batch, Stage, step_batch, time_stages};
pub(crate) use batch::{put, take};

use crate::lane::Lane;
use crate::lane::spatial::*;
use crate::plan::Plan;

/// State of as many worlds as a lane has.
#[derive(Clone, Debug)]
pub struct State<L> {
    /// Positions, nq.
    pub qpos: Vec<L>,
    /// Velocities, nv.
    pub qvel: Vec<L>,
    /// Controls, nu.
    pub ctrl: Vec<L>,
}

/// Results of the stages, of as many worlds as a lane has. They are written before they are read.
#[derive(Clone, Debug)]
pub struct Scratch<L> {
    /// Positions of bodies.
    pub xpos: Vec<Vec3<L>>,
    /// Orientations of bodies, w first.
    pub xquat: Vec<Quat<L>>,
    /// Orientations of bodies as matrices.
    pub xmat: Vec<Mat3<L>>,
    /// Centres of mass of bodies.
    pub xipos: Vec<Vec3<L>>,
    /// Anchors of joints.
    pub xanchor: Vec<Vec3<L>>,
    /// Axes of joints.
    pub xaxis: Vec<Vec3<L>>,
    /// Centre of mass of each root's tree.
    pub com: Vec<Vec3<L>>,
    /// Inertias of bodies about the centre of mass of their tree.
    pub cinert: Vec<Inertia<L>>,
    /// Composite inertias.
    pub crb: Vec<Inertia<L>>,
    /// Motions of dofs.
    pub cdof: Vec<Spatial<L>>,
    /// Rates of change of the motions of dofs.
    pub cdof_dot: Vec<Spatial<L>>,
    /// Velocities of bodies.
    pub cvel: Vec<Spatial<L>>,
    /// Accelerations of bodies without joint accelerations.
    pub cacc: Vec<Spatial<L>>,
    /// Forces of bodies and their descendants.
    pub cfrc: Vec<Spatial<L>>,
    /// Inertia in the pattern of the model.
    pub m: Vec<L>,
    /// Factor LᵀDL.
    pub ld: Vec<L>,
    /// 1/D.
    pub dinv: Vec<L>,
    /// Bias force.
    pub qfrc_bias: Vec<L>,
    /// Springs and dampers.
    pub qfrc_passive: Vec<L>,
    /// Actuators.
    pub qfrc_actuator: Vec<L>,
    /// Force without constraints.
    pub qfrc_smooth: Vec<L>,
    /// Acceleration without constraints.
    pub qacc_smooth: Vec<L>,
    /// Acceleration with which the step ends.
    pub qacc: Vec<L>,
}

impl<L: Lane> State<L> {
    /// Makes states of zeros.
    pub fn new(plan: &Plan, isa: L::Isa) -> Self {
        let zeros = |n| vec![L::splat(isa, 0.0); n];
        Self { qpos: zeros(plan.nq), qvel: zeros(plan.nv), ctrl: zeros(plan.nu) }
    }
}

impl<L: Lane> Scratch<L> {
    /// Makes memory for the stages.
    pub fn new(plan: &Plan, isa: L::Isa) -> Self {
        let (zero, one) = (L::splat(isa, 0.0), L::splat(isa, 1.0));
        let (nb, nj, nv, nnz) = (plan.nbody, plan.njnt, plan.nv, plan.colind.len());
        let identity = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        Self {
            xpos: vec![[zero; 3]; nb],
            xquat: vec![[one, zero, zero, zero]; nb],
            xmat: vec![identity; nb],
            xipos: vec![[zero; 3]; nb],
            xanchor: vec![[zero; 3]; nj],
            xaxis: vec![[zero; 3]; nj],
            com: vec![[zero; 3]; plan.roots.len()],
            cinert: vec![[zero; 10]; nb],
            crb: vec![[zero; 10]; nb],
            cdof: vec![[zero; 6]; nv],
            cdof_dot: vec![[zero; 6]; nv],
            cvel: vec![[zero; 6]; nb],
            cacc: vec![[zero; 6]; nb],
            cfrc: vec![[zero; 6]; nb],
            m: vec![zero; nnz],
            ld: vec![zero; nnz],
            dinv: vec![zero; nv],
            qfrc_bias: vec![zero; nv],
            qfrc_passive: vec![zero; nv],
            qfrc_actuator: vec![zero; nv],
            qfrc_smooth: vec![zero; nv],
            qacc_smooth: vec![zero; nv],
            qacc: vec![zero; nv],
        }
    }

    /// Computes everything up to the acceleration without constraints.
    #[inline(always)]
    pub fn forward(&mut self, plan: &Plan, isa: L::Isa, s: &State<L>) {
        self.place(plan, isa, s);
        self.centre(plan, isa);
        self.inertia(plan, isa);
        self.factor(plan, isa);
        self.velocities(plan, isa, s);
        self.forces(plan, isa, s);
        self.accelerate(plan);
    }

    /// Makes a step from the state at which [`Self::forward`] was called, with a constraint force (nv), if any.
    #[inline(always)]
    pub fn advance(&mut self, plan: &Plan, isa: L::Isa, s: &mut State<L>, constraint: Option<&[L]>) {
        self.end_acceleration(plan, isa, constraint);
        self.integrate(plan, isa, s);
    }
}
