//! Motions of bodies for any velocities of the dofs, as their change with position needs them.

use super::dofs::turning_together;
use crate::buffers::Poses;
use mj_math::Spatial;
use mj_model::*;

/// Motions of bodies that follow from velocities x of the dofs (or accelerations, without the part of velocities):
/// V_b = Σ S_i x_i over the dofs i that move body b, about the centre of mass of its tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainMotion {
    /// V of each body.
    pub body: IdVec<BodyId, Spatial>,
    /// V of what each dof hangs from: ∂V_b/∂q_k = S_k × (V_b − V of what k hangs from).
    pub base: IdVec<DofId, Spatial>,
    /// V of what carries each dof's joint, with the dofs that turn together with it.
    pub tip: IdVec<DofId, Spatial>,
}

impl ChainMotion {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let mut c = Self::default();
        c.body.resize(m.body.len(), Spatial::ZERO);
        c.base.resize(m.nv(), Spatial::ZERO);
        c.tip.resize(m.nv(), Spatial::ZERO);
        c
    }

    /// Computes all of it for the velocities `x`, nv.
    pub fn compute(&mut self, m: &Model, poses: &Poses, x: &[f64]) {
        let cdof = poses.cdof.as_slice();
        self.sum(m, |_, k| cdof[k] * x[k]);
    }

    /// Computes accelerations: V_b is that of body b, without gravity, at the velocities whose motions are `velocity` and
    /// the accelerations `qacc`, nv each.
    pub fn compute_accelerations(&mut self, m: &Model, poses: &Poses, velocity: &Self, qvel: &[f64], qacc: &[f64]) {
        let cdof = poses.cdof.as_slice();
        self.sum(m, |first, k| velocity.base[first].cross_motion(cdof[k]) * qvel[k] + cdof[k] * qacc[k]);
    }

    /// Sums what each dof adds, along the tree. `added` takes the first of the dofs that turn together, and the dof.
    fn sum(&mut self, m: &Model, added: impl Fn(DofId, usize) -> Spatial) {
        for b in m.body.ids().skip(1) {
            let mut v = self.body[m.body.parentid[b]];
            for j in id_range(m.body.jntadr[b], m.body.jntnum[b]) {
                let mut d = m.jnt.dofadr[j].index();
                for n in turning_together(m.jnt.r#type[j]) {
                    let base = v;
                    for k in d..d + n {
                        self.base[DofId::new(k)] = base;
                        v += added(DofId::new(d), k);
                    }
                    (d..d + n).for_each(|k| self.tip[DofId::new(k)] = v);
                    d += n;
                }
            }
            self.body[b] = v;
        }
    }
}
