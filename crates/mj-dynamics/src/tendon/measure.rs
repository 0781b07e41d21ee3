//! Computes lengths and gradients of spatial tendons, four at a time.

use crate::buffers::Poses;
use crate::tendon::path::side_site;
use crate::tendon::route::{Carried, Routes};
use crate::tendon::wrap::Rounds;
use crate::workspace::RouteWork;
use mj_math::simd::{F64x4, Kernel, Points, Simd, dispatch};
use mj_math::{DVec3, MINVAL};
use mj_model::*;

impl Routes {
    /// Computes the paths of tendons that don't sleep, four at a time: one that does may be among them.
    pub(crate) fn measure(&self, m: &Model, poses: &Poses, asleep: impl Fn(TendonId) -> bool, work: &mut RouteWork) {
        for (share, &pulley) in work.shares[1..].iter_mut().zip(&self.pulleys) {
            *share = 1.0 / m.wrap.prm[pulley];
        }
        if !self.pulls.is_empty() {
            dispatch(Measure { routes: self, m, poses, asleep, work });
        }
    }
}

/// The passes.
struct Measure<'a, F> {
    routes: &'a Routes,
    m: &'a Model,
    poses: &'a Poses,
    asleep: F,
    work: &'a mut RouteWork,
}

impl<F: Fn(TendonId) -> bool> Kernel for Measure<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let poses = self.poses;
        for (point, &of) in self.work.points.iter_mut().zip(&self.routes.carried) {
            *point = match of {
                Carried::Site(i) => poses.site_xpos[i],
                Carried::Centre(g) => poses.geom_xpos[g],
                Carried::Axis(g) => poses.geom_xmat[g].z_axis,
            };
        }
        go_around(s, self.routes, self.m, poses, &self.asleep, self.work);
        pull(s, self.routes, self.poses, &self.asleep, self.work);
    }
}

#[inline(always)]
fn gather<S: Simd>(s: S, points: &[DVec3], [a, b, c, d]: &[u32; 4]) -> Points<S> {
    Points::new(s, [points[*a as usize], points[*b as usize], points[*c as usize], points[*d as usize]])
}

#[inline(always)]
fn gather_shares<S: Simd>(s: S, shares: &[f64], branch: &[u32; 4]) -> F64x4<S> {
    F64x4::new(s, &branch.map(|b| shares[b as usize]))
}

/// Where paths meet geoms and leave them, and the lengths between.
#[inline(always)]
fn go_around<S: Simd>(
    s: S,
    routes: &Routes,
    m: &Model,
    poses: &Poses,
    asleep: &impl Fn(TendonId) -> bool,
    work: &mut RouteWork,
) {
    let (points, touches) = work.points.split_at_mut(routes.carried.len());
    for (d, touches) in routes.detours.iter().zip(touches.as_chunks_mut::<8>().0) {
        if d.tendon.iter().all(|&t| asleep(t)) {
            continue;
        }
        let (x0, x1) = (gather(s, points, &d.ends[0]), gather(s, points, &d.ends[1]));
        let sides = d.wrap.map(|w| side_site(m, w));
        let side = Points::new(
            s,
            std::array::from_fn(|l| sides[l].map_or(points[d.ends[0][l] as usize], |i| poses.site_xpos[i])),
        );
        let given = F64x4::splat(s, 0.0).lt(F64x4::new(s, &sides.map(|i| f64::from(i.is_some()))));
        let centre = gather(s, points, &d.centre);
        let axis = if d.cylinders { gather(s, points, &d.axis) } else { centre };
        let rounds = Rounds {
            cylinders: d.cylinders,
            pos: centre,
            axis,
            radius: F64x4::new(s, &d.geom.map(|g| m.geom.size[g].x)),
        };
        let arcs = rounds.wrap(s, x0, x1, side, given);
        let middle = (x0 + x1) * F64x4::splat(s, 0.5);
        touches[..4].copy_from_slice(&Points::select(arcs.wraps, arcs.from, middle).get());
        touches[4..].copy_from_slice(&Points::select(arcs.wraps, arcs.to, middle).get());
        let lengths =
            arcs.wraps.select(arcs.length * gather_shares(s, &work.shares, &d.branch), F64x4::splat(s, 0.0)).get();
        for (&arc, length) in d.arc.iter().zip(lengths) {
            work.arcs[arc as usize] = length;
        }
    }
}

/// Lengths of straight pieces, and gradients.
///
/// The gradient of a piece is the unit vector along it times the difference of its ends' Jacobians; the ends of an arc
/// slide without changing the length.
#[inline(always)]
fn pull<S: Simd>(s: S, routes: &Routes, poses: &Poses, asleep: &impl Fn(TendonId) -> bool, work: &mut RouteWork) {
    let cdof = poses.cdof.as_slice();
    for (out, dofs) in work.motions.iter_mut().zip(&routes.windows) {
        let [a, b, c, d] = dofs.map(|d| &cdof[d as usize]);
        let rot = Points::new(s, [a.rot, b.rot, c.rot, d.rot]);
        let lin = Points::new(s, [a.lin, b.lin, c.lin, d.lin]);
        *out = [rot.x.get(), rot.y.get(), rot.z.get(), lin.x.get(), lin.y.get(), lin.z.get()];
    }
    work.gradient.fill([0.0; 4]);
    let (zero, least) = (F64x4::splat(s, 0.0), F64x4::splat(s, MINVAL));
    for (p, pieces) in routes.pulls.iter().zip(&mut work.pieces) {
        if p.tendon.iter().all(|&t| asleep(t)) {
            continue;
        }
        let (from, to) = (gather(s, &work.points, &p.ends[0]), gather(s, &work.points, &p.ends[1]));
        let (dif, share) = (to - from, gather_shares(s, &work.shares, &p.branch));
        let length = dif.length();
        *pieces = (length * (share * F64x4::new(s, &p.counted))).get();
        let share = share * F64x4::new(s, &p.sign);
        // A piece of no length pulls along the first axis.
        let none = Points { x: share, y: zero, z: zero };
        let force = Points::select(length.lt(least), none, dif * (share / length));
        let com = p.root.map(|b| poses.subtree_com[b]);
        let arm = Points::select(share.lt(zero), from, to) - Points::new(s, com);
        let torque = arm.cross(force);
        let torque = [torque.x.get(), torque.y.get(), torque.z.get()];
        let force = [force.x.get(), force.y.get(), force.z.get()];
        for l in 0..4 {
            for r in &routes.reaches[p.reaches[l] as usize..p.reaches[l + 1] as usize] {
                let motion = &work.motions[r.window as usize];
                let turned = F64x4::new(s, &motion[0]) * F64x4::splat(s, torque[0][l])
                    + F64x4::new(s, &motion[1]) * F64x4::splat(s, torque[1][l])
                    + F64x4::new(s, &motion[2]) * F64x4::splat(s, torque[2][l]);
                let moved = F64x4::new(s, &motion[3]) * F64x4::splat(s, force[0][l])
                    + F64x4::new(s, &motion[4]) * F64x4::splat(s, force[1][l])
                    + F64x4::new(s, &motion[5]) * F64x4::splat(s, force[2][l]);
                let out = &mut work.gradient[r.gradient as usize];
                *out = (F64x4::new(s, out) + (turned + moved) * F64x4::new(s, &r.moves)).get();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tendon::path::{direction, for_each_piece, for_each_segment};
    use crate::*;
    use mj_testkit::any_model;
    use proptest::prelude::*;

    proptest! {
        /// F64x4 at a time or part by part: lengths are the same, however the tendons share the lanes.
        #[test]
        fn lengths_are_sums_of_parts((m, s) in any_model()) {
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            for t in m.tendon.ids() {
                let mut length = 0.0;
                for_each_piece(&m, &d.smooth.poses, t, |a, b, divisor| length += direction(a.1, b.1).1 / divisor);
                for_each_segment(&m, t, |seg| length += seg.arc(&m, &d.smooth.poses).map_or(0.0, |(_, a)| a.length / seg.divisor));
                prop_assert!((d.smooth.transmissions.ten_length[t] - length).abs() < 1e-12 * (1.0 + length), "{t:?} {length}");
            }
        }
    }
}
