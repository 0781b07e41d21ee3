//! Derivative of the smooth forces by velocity.

use super::bias::BiasScratch;
use super::dofs::free_bodies;
use super::entries::Entries;
use super::fluids::{self, FluidPart, FluidScratch};
use super::gyroscope::Gyroscopes;
use super::sloped::{self, VelocityDependentActuator};
use crate::buffers::{JointInertia, Poses, Smooth, Velocities};
use crate::passive::damping;
use crate::passive::fluid::in_fluid;
use crate::passive::poly;
use crate::passive::springs::tendon_damping;
use crate::rigid::chains::Chains;
use mj_math::TreePattern;
use mj_model::*;

/// Bodies whose bias force is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BiasOf {
    /// No body's.
    None,
    /// Free bodies that carry no joints: their gyroscopic force.
    FreeBodies,
    /// All bodies'.
    All,
}

/// Derivative ∂f/∂v of the smooth forces f = passive + actuator − bias by the velocities.
///
/// Kept are the entries (i, j) of which one dof is an ancestor of the other: coupling between
/// branches, which only tendons and actuators make, is dropped, as the reference does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VelocityDerivative {
    /// Where the entries lie: each dof with all its ancestors.
    pub pattern: TreePattern,
    /// Entries (i, j) with j an ancestor of i, or i itself.
    pub lower: Vec<f64>,
    /// Entries (j, i) with j an ancestor of i; of all forces, the diagonal too.
    pub upper: Vec<f64>,
    /// First dofs of the free bodies that carry no joints.
    pub free: Vec<DofId>,
    gyroscopes: Gyroscopes,
    actuators: Vec<VelocityDependentActuator>,
    bias: BiasScratch,
    fluids: FluidScratch,
}

impl VelocityDerivative {
    /// Buffers for a model, all zero.
    pub fn new(m: &Model) -> Self {
        let parents: Vec<_> = m.dof.parentid.iter().map(|p| p.map(DofId::index)).collect();
        let pattern = TreePattern::new(&parents, &vec![false; parents.len()]);
        let free = free_bodies(m);
        Self {
            lower: vec![0.0; pattern.nnz()],
            upper: vec![0.0; pattern.nnz()],
            actuators: VelocityDependentActuator::all(m, |d| pattern.diag(d)),
            gyroscopes: Gyroscopes::new(m, &free),
            bias: BiasScratch::new(m),
            fluids: FluidScratch::default(),
            free,
            pattern,
        }
    }

    /// Derivative at a state, of whose results `r` all smooth stages up to actuation must have run.
    ///
    /// Left out are dependencies that the reference leaves out too: the bias force of tendon
    /// armature, and actuators whose force is at a limit (their own, their joint's or their
    /// tendon's).
    pub fn compute(&mut self, m: &Model, chains: &Chains, s: &State, r: &Smooth, bias: BiasOf) {
        self.lower.fill(0.0);
        let Self { pattern, lower, upper, actuators, .. } = self;
        let mut out = Entries { pattern, lower, upper };
        sloped::add(m, s, r, actuators, &mut out);
        if !m.opt.disabled(disable::DAMPER) {
            add_dof_dampers(m, s, &mut out);
            add_tendon_dampers(m, r, &mut out);
        }
        // So far it is symmetric.
        self.upper.copy_from_slice(&self.lower);
        self.add_fluid(m, chains, s, r, FluidPart::All);
        self.subtract_bias(m, s, &r.poses, &r.inertia, &r.velocities, bias);
    }

    /// Computes the derivative of the forces that couple no branches: of dampers of dofs, the fluid, and the bias force of
    /// all bodies. With tendons and actuators, which are left out, it is whole.
    pub fn compute_without_transmissions(&mut self, m: &Model, chains: &Chains, s: &State, r: &Smooth) {
        self.clear();
        self.add_fluid(m, chains, s, r, FluidPart::All);
        if !m.opt.disabled(disable::DAMPER) {
            let Self { pattern, lower, upper, .. } = self;
            add_dof_dampers(m, s, &mut Entries { pattern, lower, upper });
        }
        self.subtract_bias(m, s, &r.poses, &r.inertia, &r.velocities, BiasOf::All);
    }

    /// Computes the symmetric part of the derivative of the fluid's drag alone.
    pub fn compute_drag(&mut self, m: &Model, chains: &Chains, s: &State, r: &Smooth) {
        self.clear();
        self.add_fluid(m, chains, s, r, FluidPart::Drag);
    }

    /// Computes the derivative of the bias force of free bodies that carry no joints, alone.
    pub fn compute_gyroscopic(&mut self, m: &Model, s: &State, r: &Smooth) {
        self.clear();
        self.subtract_bias(m, s, &r.poses, &r.inertia, &r.velocities, BiasOf::FreeBodies);
    }

    /// Sets all entries to zero.
    pub(super) fn clear(&mut self) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
    }

    /// Adds a part of the derivative of the fluid's forces.
    pub(super) fn add_fluid(&mut self, m: &Model, chains: &Chains, s: &State, r: &Smooth, part: FluidPart) {
        if in_fluid(m) {
            let Self { pattern, lower, upper, fluids, .. } = self;
            fluids::add(m, chains, &s.awake, r, part, fluids, &mut Entries { pattern, lower, upper });
        }
    }

    /// Subtracts the derivative of the bias force of some bodies.
    pub(super) fn subtract_bias(
        &mut self,
        m: &Model,
        s: &State,
        poses: &Poses,
        inertia: &JointInertia,
        vel: &Velocities,
        bodies: BiasOf,
    ) {
        let Self { pattern, lower, upper, gyroscopes, bias, .. } = self;
        let mut out = Entries { pattern, lower, upper };
        match bodies {
            BiasOf::None => {}
            BiasOf::FreeBodies => gyroscopes.subtract(m, s, poses, &mut out),
            BiasOf::All => bias.subtract(m, s, poses, inertia, vel, &mut out),
        }
    }
}

/// Adds the slopes of the dampers of tendons.
fn add_tendon_dampers(m: &Model, r: &Smooth, out: &mut Entries<'_>) {
    for t in m.tendon.ids() {
        let (b, p) = tendon_damping(m, t);
        let slope = poly::damping_slope(b, p, r.velocities.ten_velocity[t]);
        if slope != 0.0 {
            let (runs, vals) = r.transmissions.ten_J.row(t.index());
            out.add_outer(runs, [vals], -slope);
        }
    }
}

/// Adds the slopes of the dampers of dofs.
fn add_dof_dampers(m: &Model, s: &State, out: &mut Entries<'_>) {
    damping::for_each_slope(m, s, |d, slope| out.lower[out.pattern.diag(d)] -= slope);
}
