//! Derivative of the bias force by velocity.
//!
//! With S_j the motion of dof j, I_b, v_b and a_b inertia, velocity and acceleration of body b, the
//! bias force is c_i = S_iᵀ Σ f_b over the bodies b that dof i moves, f_b = I_b a_b + v_b ×* I_b v_b.
//! Let w_j and u_j be the velocities before and after the joint of dof j, whose dofs turn together.
//! Then
//!
//! ∂v_b/∂q̇_j = S_j,  ∂a_b/∂q̇_j = Ψ_j + S_j × v_b,  Ψ_j = (w_j + u_j) × S_j,
//!
//! so that ∂f_b/∂q̇_j = I_b Ψ_j + B_b S_j with B_b x = v_b ×* I_b x − I_b (v_b × x) + x ×* I_b v_b.
//! Neither I_b nor B_b depends on j: summed over the bodies that hang from a dof, each entry of the
//! derivative costs a few products of vectors (compare Singh, Russell, Wensing, "Efficient
//! analytical derivatives of rigid-body dynamics using spatial vector algebra", 2022).

use super::dofs::turning_together;
use super::entries::Entries;
use crate::buffers::{JointInertia, Poses, Velocities};
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_math::spatial_map::cross;
use mj_math::{DMat3, DVec3, Inertia, Spatial};
use mj_model::*;
use std::ops::Range;

/// The operator B of one body or of a subtree. With L and p the angular and linear momentum about
/// the origin, J and h the inertia's moments of second and first order, its blocks are
///
/// torque by rotation: ωJ − Jω − L − u h − h u (each letter as a cross-product matrix but J),
/// torque by translation: 0, force by rotation: −2p, force by translation: 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Composite {
    turning: DMat3,
    momentum: DVec3,
}

impl Composite {
    pub(super) const ZERO: Self = Self { turning: DMat3::ZERO, momentum: DVec3::ZERO };

    #[inline]
    pub(super) fn new(inertia: &Inertia, v: Spatial) -> Self {
        let j = inertia.matrix();
        let (w, u, h) = (cross(v.rot), cross(v.lin), cross(inertia.h));
        let momentum = inertia.mul(v);
        Self { turning: w * j - j * w - cross(momentum.rot) - u * h - h * u, momentum: momentum.lin }
    }

    pub(super) fn add(&mut self, o: &Self) {
        self.turning += o.turning;
        self.momentum += o.momentum;
    }

    #[inline]
    pub(super) fn mul(&self, s: Spatial) -> Spatial {
        Spatial::new(self.turning * s.rot, s.rot.cross(self.momentum) * 2.0)
    }

    #[inline]
    pub(super) fn mul_transposed(&self, s: Spatial) -> Spatial {
        Spatial::new(self.turning.transpose() * s.rot + self.momentum.cross(s.lin) * 2.0, DVec3::ZERO)
    }
}

/// Scratch memory of the bias force's derivative.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BiasScratch {
    composite: IdVec<BodyId, Composite>,
    /// Ψ of each dof.
    rates: Vec<Spatial>,
}

impl BiasScratch {
    pub fn new(m: &Model) -> Self {
        Self { composite: IdVec::filled(m.body.len(), Composite::ZERO), rates: vec![Spatial::ZERO; m.nv()] }
    }

    /// Subtracts the derivative of all bias forces.
    pub fn subtract(
        &mut self,
        m: &Model,
        s: &State,
        poses: &Poses,
        inertia: &JointInertia,
        vel: &Velocities,
        out: &mut Entries<'_>,
    ) {
        let Self { composite, rates } = self;
        let bodies = || s.awake.bodies.iter().flat_map(|r| r.start.max(1)..r.end).map(BodyId::new);
        for b in bodies() {
            composite[b] = Composite::new(&poses.cinert[b], vel.cvel[b]);
        }
        for b in bodies().rev() {
            let child = composite[b];
            composite[m.body.parentid[b]].add(&child);
        }
        for b in bodies() {
            rates_of(m, s, poses, vel, b, rates);
        }
        for dofs in &s.awake.dofs {
            dispatch(Rows { m, poses, inertia, composite, rates, dofs: dofs.clone(), out });
        }
    }
}

/// Ψ of the dofs of body `b`.
fn rates_of(m: &Model, s: &State, poses: &Poses, vel: &Velocities, b: BodyId, out: &mut [Spatial]) {
    let mut v = vel.cvel[m.body.parentid[b]];
    for j in id_range(m.body.jntadr[b], m.body.jntnum[b]) {
        let mut d = m.jnt.dofadr[j].index();
        for n in turning_together(m.jnt.r#type[j]) {
            let before = v;
            for k in d..d + n {
                v += poses.cdof.as_slice()[k] * s.qvel[k];
            }
            for k in d..d + n {
                out[k] = (before + v).cross_motion(poses.cdof.as_slice()[k]);
            }
            d += n;
        }
    }
}

/// Entries of dofs with themselves and their ancestors.
struct Rows<'a, 'b> {
    m: &'a Model,
    poses: &'a Poses,
    inertia: &'a JointInertia,
    composite: &'a IdVec<BodyId, Composite>,
    rates: &'a [Spatial],
    dofs: Range<usize>,
    out: &'a mut Entries<'b>,
}

impl Kernel for Rows<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { m, poses, inertia, composite, rates, dofs, out } = self;
        let cdof = poses.cdof.as_slice();
        for i in dofs {
            let b = m.dof.bodyid.as_slice()[i];
            let (inertia, composite, own) = (&inertia.crb[b], &composite[b], cdof[i]);
            // By the velocities of ancestors, and of ancestors' forces by this dof's velocity.
            let (by_rate, by_motion) = (inertia.mul(own), composite.mul_transposed(own));
            let image = inertia.mul(rates[i]) + composite.mul(own);
            let row = out.pattern.row(i);
            let entries = out.lower[row.clone()].iter_mut().zip(&mut out.upper[row.clone()]);
            for ((lower, upper), &j) in entries.zip(&out.pattern.colind[row]) {
                let (motion, rate) = (cdof[j as usize], rates[j as usize]);
                *lower -= by_motion.dot(motion) + by_rate.dot(rate);
                *upper -= motion.dot(image);
            }
        }
    }
}
