//! Constants of a model in its reference configuration: inverse weights, which scale constraints,
//! and the accelerations that actuators cause.

use crate::buffers::{JointInertia, Poses, Transmissions};
use crate::rigid::chains::Chains;
use crate::rigid::inertia::actuator_armature;
use crate::rigid::jacobian::BodyPoint;
use mj_math::block::Run;
use mj_math::{BlockRows, DVec3, MINVAL, Spatial, dense};
use mj_model::*;

/// Diagonal of the joint-space inertia without tendon armature, from composite inertias: what `crb`
/// itself needs for simple dofs, so this comes before it.
pub fn dof_M0(m: &Model, poses: &Poses) -> IdVec<DofId, f64> {
    let mut crb = poses.cinert.clone();
    for b in m.body.ids().skip(1).rev() {
        let child = crb[b];
        crb[m.body.parentid[b]] += child;
    }
    let one = |d: DofId| {
        let c = poses.cdof[d];
        m.dof.armature[d] + actuator_armature(m, d) + c.dot(crb[m.dof.bodyid[d]].mul(c))
    };
    m.dof.ids().map(one).collect()
}

/// Inverse inertia of each body at its centre of mass, the mean over the three directions:
/// translation, rotation. Zero for bodies that no dof moves. Needs the factor of M.
pub fn body_invweight0(m: &Model, chains: &Chains, poses: &Poses, inertia: &JointInertia) -> IdVec<BodyId, [f64; 2]> {
    let all = [Run { start: 0, len: m.nv() as u32 }];
    let (mut row, mut x) = (vec![0.0; m.nv()], vec![0.0; m.nv()]);
    let mut weight = |p: &BodyPoint, wrench: Spatial| {
        row.fill(0.0);
        p.project(&all, wrench, &mut row);
        inverse_weight(m, inertia, &row, &mut x)
    };
    let one = |b: BodyId| {
        if m.body.dofnum[m.body.weldid[b]] == 0 {
            return [0.0; 2];
        }
        if m.body.simple[b] == 2 {
            return [1.0 / m.body.mass[b].max(MINVAL), 0.0];
        }
        let p = BodyPoint::new(m, chains, poses, b, poses.xipos[b]);
        let mut sum = [0.0; 2];
        for axis in DVec3::AXES {
            sum[0] += weight(&p, Spatial::new(DVec3::ZERO, axis));
            sum[1] += weight(&p, Spatial::new(axis, DVec3::ZERO));
        }
        sum.map(|s| s / 3.0)
    };
    m.body.ids().map(one).collect()
}

/// Inverse inertia of each dof, the mean over the dofs of a ball or of either half of a free joint.
/// Needs the factor of M.
pub fn dof_invweight0(m: &Model, inertia: &JointInertia) -> IdVec<DofId, f64> {
    let (mut row, mut x) = (vec![0.0; m.nv()], vec![0.0; m.nv()]);
    let mut out = IdVec::filled(m.nv(), 0.0);
    for j in m.jnt.ids() {
        let d = m.jnt.dofadr[j].index();
        let body = m.jnt.bodyid[j];
        if m.body.simple[body] == 2 {
            out[DofId::new(d)] = 1.0 / m.body.mass[body].max(MINVAL);
            continue;
        }
        // Groups of dofs that share their mean.
        let (groups, len) = match m.jnt.r#type[j] {
            JointType::Free => (2, 3),
            JointType::Ball => (1, 3),
            JointType::Slide | JointType::Hinge => (1, 1),
        };
        for g in 0..groups {
            let dofs = d + g * len..d + (g + 1) * len;
            let mut sum = 0.0;
            for i in dofs.clone() {
                row.fill(0.0);
                row[i] = 1.0;
                sum += inverse_weight(m, inertia, &row, &mut x);
            }
            for i in dofs {
                out[DofId::new(i)] = sum / len as f64;
            }
        }
    }
    out
}

/// Inverse inertia of each tendon's length: J M⁻¹ Jᵀ.
pub fn tendon_invweight0(m: &Model, trans: &Transmissions, inertia: &JointInertia) -> IdVec<TendonId, f64> {
    let mut x = vec![0.0; m.nv()];
    m.tendon.ids().map(|t| inverse_weight(m, inertia, &dense_row(m, &trans.ten_J, t.index()), &mut x)).collect()
}

/// Inverse inertia of a row of a Jacobian: J M⁻¹ Jᵀ.
pub fn row_invweight0(m: &Model, jac: &BlockRows, row: usize, inertia: &JointInertia) -> f64 {
    inverse_weight(m, inertia, &dense_row(m, jac, row), &mut vec![0.0; m.nv()])
}

/// Norm of the acceleration that unit force of each actuator output causes: |M⁻¹ Jᵀ|.
pub fn actuator_acc0(m: &Model, trans: &Transmissions, inertia: &JointInertia) -> IdVec<OutputId, f64> {
    let one = |o: OutputId| {
        let mut x = dense_row(m, &trans.actuator_moment, o.index());
        inertia.solve(m, &mut x);
        dense::norm(&x)
    };
    m.output.ids().map(one).collect()
}

fn dense_row(m: &Model, j: &BlockRows, i: usize) -> Vec<f64> {
    let mut row = vec![0.0; m.nv()];
    j.for_each_in_row(i, |c, v| row[c] = v);
    row
}

/// Jᵀ's row times M⁻¹ times itself.
fn inverse_weight(m: &Model, inertia: &JointInertia, row: &[f64], x: &mut [f64]) -> f64 {
    x.copy_from_slice(row);
    inertia.solve(m, x);
    dense::dot(x, row)
}
