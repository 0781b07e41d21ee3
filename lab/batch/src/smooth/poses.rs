//! Poses, and inertias and motions about the centre of mass.

use super::{Scratch, State};
use crate::lane::Lane;
use crate::lane::spatial::*;
use crate::plan::{Motion, Plan, PoseOp};

impl<L: Lane> Scratch<L> {
    /// Computes the poses of bodies and joints.
    #[inline(always)]
    pub fn place(&mut self, plan: &Plan, isa: L::Isa, s: &State<L>) {
        for op in &plan.poses {
            match op {
                PoseOp::Offset { body, parent, pos, quat } => {
                    let offset = turn(self.xmat[*parent], splat3(isa, *pos));
                    self.xpos[*body] = add(self.xpos[*parent], offset);
                    self.xquat[*body] = quat_mul(self.xquat[*parent], splat4(isa, *quat));
                }
                PoseOp::Free { body, q, joint } => {
                    let q = &s.qpos[*q..*q + 7];
                    self.xpos[*body] = [q[0], q[1], q[2]];
                    self.xquat[*body] = [q[3], q[4], q[5], q[6]];
                    self.xanchor[*joint] = self.xpos[*body];
                }
                PoseOp::Slide { body, q, q0, joint, axis, pos } => {
                    let rot = self.xquat[*body];
                    let axis = quat_turn(rot, splat3(isa, *axis));
                    self.xaxis[*joint] = axis;
                    self.xanchor[*joint] = add(self.xpos[*body], quat_turn(rot, splat3(isa, *pos)));
                    self.xpos[*body] = add_scaled(self.xpos[*body], axis, s.qpos[*q] - L::splat(isa, *q0));
                }
                PoseOp::Hinge { body, q, q0, joint, axis, pos } => {
                    let (rot, offset, axis) = (self.xquat[*body], splat3(isa, *pos), splat3(isa, *axis));
                    let anchor = add(self.xpos[*body], quat_turn(rot, offset));
                    let turned = quat_mul(rot, axis_angle(axis, s.qpos[*q] - L::splat(isa, *q0)));
                    self.xaxis[*joint] = quat_turn(rot, axis);
                    self.xanchor[*joint] = anchor;
                    self.xquat[*body] = turned;
                    self.xpos[*body] = sub(anchor, quat_turn(turned, offset));
                }
                PoseOp::Ball { body, q, joint, pos } => {
                    let (rot, offset, q) = (self.xquat[*body], splat3(isa, *pos), &s.qpos[*q..*q + 4]);
                    let anchor = add(self.xpos[*body], quat_turn(rot, offset));
                    let turned = quat_mul(rot, normalize([q[0], q[1], q[2], q[3]]));
                    self.xanchor[*joint] = anchor;
                    self.xquat[*body] = turned;
                    self.xpos[*body] = sub(anchor, quat_turn(turned, offset));
                }
                PoseOp::Finish { body, ipos } => {
                    let rot = normalize(self.xquat[*body]);
                    let mat = matrix(rot);
                    self.xquat[*body] = rot;
                    self.xmat[*body] = mat;
                    self.xipos[*body] = add(self.xpos[*body], turn(mat, splat3(isa, *ipos)));
                }
            }
        }
    }

    /// Computes centres of mass, and inertias of bodies and motions of dofs about them.
    #[inline(always)]
    pub fn centre(&mut self, plan: &Plan, isa: L::Isa) {
        let zero = L::splat(isa, 0.0);
        self.com.fill([zero; 3]);
        for b in &plan.bodies {
            self.com[b.root] = add_scaled(self.com[b.root], self.xipos[b.id], L::splat(isa, b.mass));
        }
        for (com, inverse) in self.com.iter_mut().zip(&plan.roots) {
            *com = scale(*com, L::splat(isa, *inverse));
        }
        for b in &plan.bodies {
            let r = sub(self.xipos[b.id], self.com[b.root]);
            self.cinert[b.id] = about(isa, self.xmat[b.id], b.inertia, r, b.mass);
        }
        for (j, joint) in plan.joints.iter().enumerate() {
            let arm = sub(self.com[joint.root], self.xanchor[j]);
            let mut d = joint.dof;
            match joint.motion {
                Motion::Hinge => self.cdof[d] = about_anchor(self.xaxis[j], arm),
                Motion::Slide => self.cdof[d] = join([zero; 3], self.xaxis[j]),
                Motion::Free | Motion::Ball => {
                    if joint.motion == Motion::Free {
                        for k in 0..3 {
                            self.cdof[d + k] = [zero; 6];
                            self.cdof[d + k][3 + k] = L::splat(isa, 1.0);
                        }
                        d += 3;
                    }
                    let m = self.xmat[joint.body];
                    for k in 0..3 {
                        self.cdof[d + k] = about_anchor([m[0][k], m[1][k], m[2][k]], arm);
                    }
                }
            }
        }
    }
}

/// Returns the motion of a turn about an axis through a point from which the centre of mass is at `arm`.
#[inline(always)]
fn about_anchor<L: Lane>(axis: Vec3<L>, arm: Vec3<L>) -> Spatial<L> {
    join(axis, cross(axis, arm))
}

/// Returns the inertia about a point from which the centre of mass is at `r`: R I Rᵀ and the term of parallel axes.
#[inline(always)]
fn about<L: Lane>(isa: L::Isa, m: Mat3<L>, i: [f64; 6], r: Vec3<L>, mass: f64) -> Inertia<L> {
    // No closures: they are compiled without the vector instructions, and five times slower here.
    let [xx, yy, zz] = splat3(isa, [i[0], i[1], i[2]]);
    let [xy, xz, yz] = splat3(isa, [i[3], i[4], i[5]]);
    let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    // Rows of R I.
    let ri = [turn(rows, m[0]), turn(rows, m[1]), turn(rows, m[2])];
    let mass = L::splat(isa, mass);
    let h = scale(r, mass);
    [
        dot(ri[0], m[0]).plus(h[1], r[1]).plus(h[2], r[2]),
        dot(ri[1], m[1]).plus(h[0], r[0]).plus(h[2], r[2]),
        dot(ri[2], m[2]).plus(h[0], r[0]).plus(h[1], r[1]),
        dot(ri[0], m[1]).minus(h[0], r[1]),
        dot(ri[0], m[2]).minus(h[0], r[2]),
        dot(ri[1], m[2]).minus(h[1], r[2]),
        h[0],
        h[1],
        h[2],
        mass,
    ]
}
