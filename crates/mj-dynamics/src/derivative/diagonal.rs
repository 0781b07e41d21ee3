//! How the diagonal of M changes with position.

use super::dofs::turning_together;
use crate::buffers::{JointInertia, Poses};
use mj_model::*;

/// Derivative of the diagonal of M by position, into `out`: nv×nv, a row a dof that moves.
///
/// M_ii = S_i·I S_i, with I the inertia of all that dof i carries. A dof k further out turns the part I_k that it carries
/// itself, and what it leaves alone changes nothing:
///
/// ```text
/// ∂M_ii/∂q_k = S_i·(S_k ×* I_k S_i) − S_i·I_k (S_k × S_i) = 2 (S_i × S_k)·I_k S_i.
/// ```
pub fn inertia_diagonal_derivative(m: &Model, poses: &Poses, inertia: &JointInertia, out: &mut Vec<f64>) {
    let nv = m.nv();
    out.clear();
    out.resize(nv * nv, 0.0);
    let cdof = poses.cdof.as_slice();
    for j in m.jnt.ids() {
        let crb = &inertia.crb[m.jnt.bodyid[j]];
        let mut first = m.jnt.dofadr[j].index();
        for n in turning_together(m.jnt.r#type[j]) {
            for k in first..first + n {
                // Those that turn together with it carry the same.
                let mut above = m.dof.parentid[DofId::new(first)];
                while let Some(i) = above {
                    let own = cdof[i.index()];
                    out[k * nv + i.index()] = 2.0 * own.cross_motion(cdof[k]).dot(crb.mul(own));
                    above = m.dof.parentid[i];
                }
            }
            first += n;
        }
    }
}
