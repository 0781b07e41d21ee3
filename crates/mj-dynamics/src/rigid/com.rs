//! Centres of mass, and inertias and dof motions about them.

use crate::buffers::Poses;
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_math::{DVec3, Inertia, MINVAL, Spatial};
use mj_model::*;

/// Centre of mass of each subtree, and inertias of bodies (`cinert`) and motions of dofs (`cdof`)
/// about the centre of mass of their tree, in world orientation.
///
/// Working about a point near the bodies, rather than the world's origin, keeps digits when the
/// tree is far away.
#[inline]
pub fn com_pos(m: &Model, awake: &Awake, out: &mut Poses) {
    dispatch(ComPos { m, awake, out });
}

/// [`com_pos`] as a kernel.
struct ComPos<'a> {
    m: &'a Model,
    awake: &'a Awake,
    out: &'a mut Poses,
}

impl Kernel for ComPos<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        about_com(self.m, self.awake, self.out);
    }
}

#[inline(always)]
fn about_com(m: &Model, awake: &Awake, out: &mut Poses) {
    let n = m.body.len();
    let (parent, mass) = (&m.body.parentid.as_slice()[..n], &m.body.mass.as_slice()[..n]);
    let (total, root) = (&m.body.subtreemass.as_slice()[..n], &m.body.rootid.as_slice()[..n]);
    let (xipos, ximat) = (&out.xipos.as_slice()[..n], &out.ximat.as_slice()[..n]);

    // First moments, leaves to root, then divide by the subtree's mass.
    let com = &mut out.subtree_com.as_mut_slice()[..n];
    for range in &awake.bodies {
        for b in range.clone() {
            com[b] = xipos[b] * mass[b];
        }
    }
    // Sleeping trees are whole: each adds its moment where it hangs.
    for &(p, b) in &awake.sleeping_roots {
        let moment = com[b.index()] * total[b.index()];
        com[p.index()] += moment;
    }
    for range in awake.bodies.iter().rev() {
        for b in (range.start.max(1)..range.end).rev() {
            let moment = com[b];
            com[parent[b].index()] += moment;
            com[b] = if total[b] < MINVAL { xipos[b] } else { moment * (1.0 / total[b]) };
        }
    }
    com[0] = if total[0] < MINVAL { xipos[0] } else { com[0] * (1.0 / total[0]) };

    let cinert = &mut out.cinert.as_mut_slice()[..n];
    let inertia = &m.body.inertia.as_slice()[..n];
    cinert[0] = Inertia::ZERO;
    for range in &awake.bodies {
        for b in range.start.max(1)..range.end {
            cinert[b] = Inertia::new(inertia[b], ximat[b], xipos[b] - com[root[b].index()], mass[b]);
        }
    }

    let cdof = out.cdof.as_mut_slice();
    let n = m.jnt.len();
    let (xanchor, xaxis) = (&out.xanchor.as_slice()[..n], &out.xaxis.as_slice()[..n]);
    let (body, dof) = (&m.jnt.bodyid.as_slice()[..n], &m.jnt.dofadr.as_slice()[..n]);
    let types = &m.jnt.r#type.as_slice()[..n];
    for j in awake.joints.iter().flat_map(Clone::clone) {
        let (b, d) = (body[j].index(), dof[j].index());
        // A turn about the anchor moves the tree's centre of mass by axis × (com − anchor).
        let arm = com[root[b].index()] - xanchor[j];
        let turn = |axis: DVec3| Spatial::new(axis, axis.cross(arm));
        match types[j] {
            JointType::Hinge => cdof[d] = turn(xaxis[j]),
            JointType::Slide => cdof[d] = Spatial::new(DVec3::ZERO, xaxis[j]),
            kind => {
                let mut d = d;
                if kind == JointType::Free {
                    cdof[d] = Spatial::new(DVec3::ZERO, DVec3::X);
                    cdof[d + 1] = Spatial::new(DVec3::ZERO, DVec3::Y);
                    cdof[d + 2] = Spatial::new(DVec3::ZERO, DVec3::Z);
                    d += 3;
                }
                // Angular velocity in the body's axes.
                let axes = out.xmat.as_slice()[b];
                cdof[d] = turn(axes.x_axis);
                cdof[d + 1] = turn(axes.y_axis);
                cdof[d + 2] = turn(axes.z_axis);
            }
        }
    }
}
