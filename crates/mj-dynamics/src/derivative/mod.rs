//! Derivatives of the smooth forces: by velocity, which integrators that are implicit in velocity
//! need, and by position.

mod actuators;
mod arms;
mod bias;
mod curvature;
mod diagonal;
mod fluid_motion;
mod fluids;
mod gyroscope;
mod motion;
mod position;
mod sloped;

pub use actuators::{InputSlopes, actuator_curvature, actuator_slopes, input_slopes, is_joint_saturated};
pub use arms::ArmDerivative;
pub use curvature::BiasCurvature;
pub use diagonal::inertia_diagonal_derivative;
pub use motion::ChainMotion;
pub use position::{Motion, PositionDerivative};

use crate::buffers::Smooth;
use crate::passive::damping;
use crate::passive::poly;
use crate::passive::springs::tendon_damping;
use crate::rigid::chains::Chains;
use bias::Composite;
pub use fluid_motion::FluidDerivative;
pub use fluids::FluidPart;
use gyroscope::Gyroscope;
use mj_math::block::Run;
use mj_math::{DQuat, DVec3, Spatial, SpatialMap, TreePattern, dense};
use mj_model::*;
use sloped::Sloped;

/// Of which bodies the derivative of the bias force is taken.
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
    gyroscopes: Vec<Gyroscope>,
    sloped: Vec<Sloped>,
    /// Scratch of the bias force's derivative.
    composite: IdVec<BodyId, Composite>,
    rates: Vec<Spatial>,
    /// Scratch: motions of a chain of dofs, and what a body's force makes of them.
    motions: Vec<Spatial>,
    images: Vec<Spatial>,
    /// Scratch: a pose a body.
    places: Vec<(DVec3, DQuat)>,
}

impl VelocityDerivative {
    /// Buffers for a model, all zero.
    pub fn new(m: &Model) -> Self {
        let parents: Vec<_> = m.dof.parentid.iter().map(|p| p.map(DofId::index)).collect();
        let pattern = TreePattern::new(&parents, &vec![false; parents.len()]);
        let free = free_bodies(m);
        let mut d = Self {
            lower: vec![0.0; pattern.nnz()],
            upper: vec![0.0; pattern.nnz()],
            sloped: Sloped::all(m, |d| pattern.diag(d)),
            gyroscopes: free.iter().map(|&first| Gyroscope::new(m, first)).collect(),
            free,
            rates: vec![Spatial::ZERO; m.nv()],
            motions: Vec::with_capacity(m.nv()),
            images: Vec::with_capacity(m.nv()),
            places: vec![(DVec3::ZERO, DQuat::IDENTITY); m.body.len()],
            pattern,
            ..Self::default()
        };
        d.composite.resize(m.body.len(), Composite::ZERO);
        d
    }

    /// Derivative at a state, of whose results `r` all smooth stages up to actuation must have run.
    ///
    /// Left out are dependencies that the reference leaves out too: the bias force of tendon
    /// armature, and actuators whose force is at a limit (their own, their joint's or their
    /// tendon's).
    pub fn compute(&mut self, m: &Model, chains: &Chains, s: &State, r: &Smooth, bias: BiasOf) {
        self.lower.fill(0.0);
        sloped::add(m, s, r, self);
        if !m.opt.disabled(disable::DAMPER) {
            self.add_dampers(m, s, r);
        }
        // So far it is symmetric.
        self.upper.copy_from_slice(&self.lower);
        if in_fluid(m) {
            fluids::add(m, chains, &s.awake, r, FluidPart::All, self);
        }
        match bias {
            BiasOf::None => {}
            BiasOf::FreeBodies => gyroscope::subtract_free(m, s, &r.poses, self),
            BiasOf::All => bias::subtract_all(m, s, &r.poses, &r.inertia, &r.velocities, self),
        }
    }

    /// Derivative of the forces that couple no branches: of dampers of dofs, the fluid, and the bias force of
    /// all bodies. With tendons and actuators, which are left out, it is whole.
    pub fn compute_without_transmissions(&mut self, m: &Model, chains: &Chains, s: &State, r: &Smooth) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
        if in_fluid(m) {
            fluids::add(m, chains, &s.awake, r, FluidPart::All, self);
        }
        if !m.opt.disabled(disable::DAMPER) {
            self.add_dof_dampers(m, s);
        }
        bias::subtract_all(m, s, &r.poses, &r.inertia, &r.velocities, self);
    }

    /// The symmetric part of the derivative of the fluid's drag alone.
    pub fn compute_drag(&mut self, m: &Model, chains: &Chains, s: &State, r: &Smooth) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
        if in_fluid(m) {
            fluids::add(m, chains, &s.awake, r, FluidPart::Drag, self);
        }
    }

    /// Derivative of the bias force of free bodies that carry no joints, alone.
    pub fn compute_gyroscopic(&mut self, m: &Model, s: &State, r: &Smooth) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
        gyroscope::subtract_free(m, s, &r.poses, self);
    }

    /// Adds the slopes of the dampers of dofs and tendons.
    fn add_dampers(&mut self, m: &Model, s: &State, r: &Smooth) {
        self.add_dof_dampers(m, s);
        for t in m.tendon.ids() {
            let (b, p) = tendon_damping(m, t);
            let slope = poly::damping_slope(b, p, r.velocities.ten_velocity[t]);
            if slope != 0.0 {
                let (runs, vals) = r.transmissions.ten_J.row(t.index());
                self.add_outer(runs, [vals], -slope);
            }
        }
    }

    fn add_dof_dampers(&mut self, m: &Model, s: &State) {
        let Self { pattern, lower, .. } = self;
        damping::for_each_slope(m, s, |d, slope| lower[pattern.diag(d)] -= slope);
    }

    /// Adds `scale`·JᵀJ of the rows J with the values `vals` in the columns of `runs`, to the lower part alone.
    #[inline]
    fn add_outer<const N: usize>(&mut self, runs: &[Run], vals: [&[f64]; N], scale: f64) {
        let Self { pattern, lower, .. } = self;
        for (k, i) in runs.iter().flat_map(|r| r.start..r.start + r.len).enumerate() {
            let by = vals.map(|v| scale * v[k]);
            if by == [0.0; N] {
                continue;
            }
            pattern.for_each_common(i as usize, runs, |places, first| {
                let lower = &mut lower[places];
                for (r, &by) in by.iter().enumerate() {
                    dense::axpy(lower, by, &vals[r][first..]);
                }
            });
        }
    }

    /// Adds Jᵀ b J, where `motion` gives the columns of J for the dofs of `chain`, which must be
    /// all that move one body.
    fn add_body_force(&mut self, chain: &[Run], motion: impl Fn(usize) -> Spatial, b: &SpatialMap) {
        self.motions.clear();
        self.motions.extend(chain.iter().flat_map(|r| r.start..r.start + r.len).map(|d| motion(d as usize)));
        self.images.clear();
        self.images.extend(self.motions.iter().map(|&v| b.mul(v)));
        let dofs = chain.iter().flat_map(|r| r.start..r.start + r.len);
        for (i, dof) in dofs.enumerate() {
            // The row of a dof is the chain up to it.
            let row = self.pattern.row(dof as usize);
            for (k, at) in row.enumerate() {
                self.lower[at] += self.motions[i].dot(self.images[k]);
                self.upper[at] += self.motions[k].dot(self.images[i]);
            }
        }
    }
}

/// Whether a fluid pushes on bodies.
pub fn in_fluid(m: &Model) -> bool {
    let passive = !(m.opt.disabled(disable::SPRING) && m.opt.disabled(disable::DAMPER));
    passive && (m.opt.density > 0.0 || m.opt.viscosity > 0.0)
}

/// First of the dofs that turn together with each dof.
fn groups_of_dofs(m: &Model) -> Vec<u32> {
    let mut first = vec![0; m.nv()];
    for j in m.jnt.ids() {
        let mut d = m.jnt.dofadr[j].index();
        for n in turning_together(m.jnt.r#type[j]) {
            first[d..d + n].fill(d as u32);
            d += n;
        }
    }
    first
}

/// The dofs of a joint in groups that turn together: the translations of a free joint come before its
/// rotations.
fn turning_together(kind: JointType) -> &'static [usize] {
    match kind {
        JointType::Free => &[3, 3],
        JointType::Ball => &[3],
        JointType::Slide | JointType::Hinge => &[1],
    }
}

/// First dofs of the free bodies no joint hangs from.
fn free_bodies(m: &Model) -> Vec<DofId> {
    m.jnt.ids().filter(|&j| floats_alone(m, j)).map(|j| m.jnt.dofadr[j]).collect()
}

/// Whether a joint is that of a free body no joint hangs from.
pub fn floats_alone(m: &Model, j: JointId) -> bool {
    let carries = |last: usize| m.dof.parentid.iter().any(|p| p.is_some_and(|p| p.index() == last));
    m.jnt.r#type[j] == JointType::Free && m.body.jntnum[m.jnt.bodyid[j]] == 1 && !carries(m.jnt.dofadr[j].index() + 5)
}

#[cfg(test)]
mod tests;
