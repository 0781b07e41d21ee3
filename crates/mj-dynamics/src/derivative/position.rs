//! Derivative of inverse dynamics by position.
//!
//! A small turn or shift of dof k carries everything that hangs from it along rigidly, but for the motion
//! (w, a_w) of what it hangs from, which stays. Seen from what is carried, the base moves differently, by
//! ξ_k = w × S_k in velocity; with S_k the motion of the dof, all about one fixed point,
//!
//! ```text
//! ∂S_i/∂q_k = S_k × S_i,   ∂v_b/∂q_k = S_k × v_b + ξ_k,
//! ∂f_b/∂q_k = S_k ×* f_b + I_b ζ_k + B_b ξ_k,   ζ_k = a_w × S_k + w × ξ_k,
//! ```
//!
//! for every dof i and body b that dof k carries, f_b = I_b a_b + v_b ×* I_b v_b, and B_b as in the
//! derivative by velocity (`bias.rs`). Forces from outside stay where they are. Neither I_b nor B_b
//! depends on k: summed over subtrees, each entry of the derivative costs a few products of vectors
//! (compare Singh, Russell, Wensing, "Efficient analytical derivatives of rigid-body dynamics using
//! spatial vector algebra", 2022).

use super::bias::Composite;
use super::dofs::turning_together;
use crate::buffers::{JointInertia, Poses, Velocities};
use crate::rigid::rne::world_acceleration;
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_math::{Spatial, TreePattern};
use mj_model::*;

/// Derivative ∂τ/∂q of the force τ that a motion needs, at given velocities and accelerations; positions
/// differ by small motions of the dofs (rotations in the tangent space).
///
/// Entries (i, j) differ from zero only where one dof is an ancestor of the other, or the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PositionDerivative {
    /// Where the entries lie: each dof with all its ancestors.
    pub pattern: TreePattern,
    /// Entries (i, j) with j an ancestor of i, or i itself.
    pub lower: Vec<f64>,
    /// Entries (j, i) with j an ancestor of i; diagonal places are not used.
    pub upper: Vec<f64>,
    composite: IdVec<BodyId, Composite>,
    acceleration: IdVec<BodyId, Spatial>,
    /// Inertial force of each body, then of each subtree.
    force: IdVec<BodyId, Spatial>,
    /// Force from outside on each subtree.
    outside: IdVec<BodyId, Spatial>,
    /// ξ and ζ of each dof.
    carried: Vec<[Spatial; 2]>,
    /// First of the dofs that turn together with each dof.
    first: Vec<u32>,
}

/// The motion whose force is differentiated.
#[derive(Clone, Copy, Debug)]
pub enum Motion<'a> {
    /// At the state's velocities, of which these are the bodies', against gravity.
    Moving(&'a Velocities),
    /// From rest, without gravity: τ = M q̈.
    FromRest,
}

impl PositionDerivative {
    /// Buffers for a model, all zero.
    pub fn new(m: &Model) -> Self {
        let parents: Vec<_> = m.dof.parentid.iter().map(|p| p.map(DofId::index)).collect();
        let pattern = TreePattern::new(&parents, &vec![false; parents.len()]);
        let mut d = Self {
            lower: vec![0.0; pattern.nnz()],
            upper: vec![0.0; pattern.nnz()],
            carried: vec![[Spatial::ZERO; 2]; m.nv()],
            first: vec![0; m.nv()],
            pattern,
            ..Self::default()
        };
        d.composite.resize(m.body.len(), Composite::ZERO);
        for list in [&mut d.acceleration, &mut d.force, &mut d.outside] {
            list.resize(m.body.len(), Spatial::ZERO);
        }
        d
    }

    /// Derivative of τ = M q̈ + c − Σ Jᵀw at a state that is wholly awake: of the force that `motion` needs
    /// with the acceleration `qacc`, armature left out, less what the wrenches `outside` do. Those are one
    /// a body, about the centre of mass of its tree, and keep their place in the world.
    #[allow(clippy::too_many_arguments)] // one for each stage that it reads
    pub fn compute(
        &mut self,
        m: &Model,
        s: &State,
        poses: &Poses,
        inertia: &JointInertia,
        motion: Motion<'_>,
        qacc: &[f64],
        outside: &[Spatial],
    ) {
        self.forces(m, s, poses, motion, qacc);
        self.outside.as_mut_slice().copy_from_slice(outside);
        for b in m.body.ids().skip(1).rev() {
            let p = m.body.parentid[b];
            let (composite, force, outside) = (self.composite[b], self.force[b], self.outside[b]);
            self.composite[p].add(&composite);
            self.force[p] += force;
            self.outside[p] += outside;
        }
        dispatch(Rows { m, poses, inertia, d: self });
    }

    /// Accelerations, inertial forces and B of the bodies; ξ and ζ of the dofs.
    fn forces(&mut self, m: &Model, s: &State, poses: &Poses, motion: Motion<'_>, qacc: &[f64]) {
        let cdof = poses.cdof.as_slice();
        let (velocities, gravity) = match motion {
            Motion::Moving(v) => (Some(v), world_acceleration(m)),
            Motion::FromRest => (None, Spatial::ZERO),
        };
        self.acceleration[BodyId::WORLD] = gravity;
        self.composite[BodyId::WORLD] = Composite::ZERO;
        self.force[BodyId::WORLD] = Spatial::ZERO;
        for b in m.body.ids().skip(1) {
            let p = m.body.parentid[b];
            let mut v = velocities.map_or(Spatial::ZERO, |vel| vel.cvel[p]);
            let mut a = self.acceleration[p];
            for j in id_range(m.body.jntadr[b], m.body.jntnum[b]) {
                let mut d = m.jnt.dofadr[j].index();
                for n in turning_together(m.jnt.r#type[j]) {
                    let (mut dv, mut da) = (Spatial::ZERO, Spatial::ZERO);
                    for k in d..d + n {
                        let xi = v.cross_motion(cdof[k]);
                        self.carried[k] = [xi, a.cross_motion(cdof[k]) + v.cross_motion(xi)];
                        self.first[k] = d as u32;
                        if velocities.is_some() {
                            dv += cdof[k] * s.qvel[k];
                        }
                        da += cdof[k] * qacc[k];
                    }
                    a += v.cross_motion(dv) + da;
                    v += dv;
                    d += n;
                }
            }
            self.acceleration[b] = a;
            let cinert = &poses.cinert[b];
            self.force[b] = cinert.mul(a) + v.cross_force(cinert.mul(v));
            self.composite[b] = if velocities.is_some() { Composite::new(cinert, v) } else { Composite::ZERO };
        }
    }
}

/// Entries of all dofs with themselves and their ancestors.
struct Rows<'a> {
    m: &'a Model,
    poses: &'a Poses,
    inertia: &'a JointInertia,
    d: &'a mut PositionDerivative,
}

impl Kernel for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { m, poses, inertia, d } = self;
        let cdof = poses.cdof.as_slice();
        for i in 0..d.pattern.n() {
            let b = m.dof.bodyid.as_slice()[i];
            let (crb, composite, own, [xi, zeta]) = (&inertia.crb[b], &d.composite[b], cdof[i], d.carried[i]);
            // The dof's own force, by ancestors: it is carried along.
            let (by_zeta, by_xi) = (crb.mul(own), composite.mul_transposed(own).rot);
            let turned = own.cross_force(d.outside[b]);
            // Ancestors' forces, by this dof: those that turn together with it, of which it is the last, see less.
            let change = crb.mul(zeta) + composite.mul(xi);
            let carried = change + own.cross_force(d.force[b]);
            let together = change + turned;
            let row = d.pattern.row(i);
            let columns = &d.pattern.colind[row.clone()];
            let others = columns.len() - 1 - (i - d.first[i] as usize);
            let (lower, upper) = (&mut d.lower[row.clone()], &mut d.upper[row]);
            for (k, ((lower, upper), &j)) in lower.iter_mut().zip(upper).zip(columns).enumerate() {
                let (motion, [xi, zeta]) = (cdof[j as usize], d.carried[j as usize]);
                *lower = by_zeta.dot(zeta) + by_xi.dot(xi.rot) - motion.dot(turned);
                *upper = motion.dot(if k < others { carried } else { together });
            }
        }
    }
}
