//! Jacobians of points and bodies, and the generalized force of a wrench.

use crate::buffers::Poses;
use crate::rigid::chains::Chains;
use mj_math::block::Run;
use mj_math::simd::{F64x4, Kernel, Simd};
use mj_math::{DVec3, Spatial};
use mj_model::*;
use std::ops::Range;

/// The runs of dofs that two ascending lists of runs have in common, as (first column, dofs); the column is the first
/// dof's place in `within`.
pub struct CommonRuns<'a> {
    chain: &'a [Run],
    within: &'a [Run],
    column: usize,
}

impl<'a> CommonRuns<'a> {
    /// Selects the dofs of a body that are in a list of runs.
    #[inline(always)]
    pub fn new(chain: &'a [Run], within: &'a [Run]) -> Self {
        Self { chain, within, column: 0 }
    }
}

impl Iterator for CommonRuns<'_> {
    type Item = (usize, Range<usize>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let ([r, chain @ ..], [w, within @ ..]) = (self.chain, self.within) else { return None };
            let (first, end) = (r.start.max(w.start), (r.start + r.len).min(w.start + w.len));
            let column = self.column + (first - w.start) as usize;
            if r.start + r.len > w.start + w.len {
                self.within = within;
                self.column += w.len as usize;
            } else {
                self.chain = chain;
            }
            if first < end {
                return Some((column, first as usize..end as usize));
            }
        }
    }
}

/// Calls `f` with (column, dof) for the dofs that both ascending lists of runs hold; the column is
/// the dof's place in `within`.
#[inline]
pub fn for_each_common(chain: &[Run], within: &[Run], mut f: impl FnMut(usize, usize)) {
    for (column, dofs) in CommonRuns::new(chain, within) {
        for (i, d) in dofs.enumerate() {
            f(column + i, d);
        }
    }
}

/// Number of columns in a list of runs.
#[inline]
pub fn chain_width(runs: &[Run]) -> usize {
    runs.iter().map(|r| r.len as usize).sum()
}

/// A point of a body together with what its Jacobian needs.
#[derive(Clone, Copy)]
pub struct BodyPoint<'a> {
    /// Motions of dofs.
    cdof: &'a [Spatial],
    /// Dofs that move the body.
    pub chain: &'a [Run],
    /// The point relative to the centre of mass of the body's tree.
    arm: DVec3,
}

impl<'a> BodyPoint<'a> {
    /// The point of body `b` that is now at `point` in the world.
    #[inline(always)]
    pub fn new(m: &Model, chains: &'a Chains, poses: &'a Poses, b: BodyId, point: DVec3) -> Self {
        let arm = point - poses.subtree_com[m.body.rootid[b]];
        Self { cdof: poses.cdof.as_slice(), chain: chains.of(b), arm }
    }

    /// Angular velocity of the body and velocity of the point at unit velocity of dof number `d`,
    /// which must be in the chain.
    #[inline]
    pub fn motion(&self, d: usize) -> Spatial {
        self.cdof[d].motion_at(self.arm)
    }

    /// Calls `f` with (column, motion) for each dof that moves the point; the column is the dof's
    /// place in `within`. Dofs that `within` lacks are left out.
    #[inline]
    pub fn for_each(&self, within: &[Run], mut f: impl FnMut(usize, Spatial)) {
        for_each_common(self.chain, within, |c, d| f(c, self.motion(d)));
    }

    /// Adds `scale` times the translational Jacobian over the columns of `within` to `jac`
    /// (3×width, row-major).
    pub fn add_translation(&self, within: &[Run], scale: f64, jac: &mut [f64]) {
        let n = chain_width(within);
        self.for_each(within, |c, v| add_column(jac, n, c, v.lin * scale));
    }

    /// Adds `scale` times the rotational Jacobian over the columns of `within` to `jac`
    /// (3×width, row-major).
    pub fn add_rotation(&self, within: &[Run], scale: f64, jac: &mut [f64]) {
        let n = chain_width(within);
        self.for_each(within, |c, v| add_column(jac, n, c, v.rot * scale));
    }

    /// Adds to `row` (over the columns of `within`) the Jacobian projected on a wrench: torque on
    /// its rotation, force on its translation.
    #[inline]
    pub fn project(&self, within: &[Run], wrench: Spatial, row: &mut [f64]) {
        let about_com = wrench.force_at(-self.arm);
        for (column, dofs) in CommonRuns::new(self.chain, within) {
            let n = dofs.len();
            for (x, motion) in row[column..column + n].iter_mut().zip(&self.cdof[dofs]) {
                *x += motion.dot(about_com);
            }
        }
    }
}

/// Wrenches coordinate by coordinate: torques, then forces.
pub type Wrenches<const N: usize> = [[f64; N]; 6];

/// Writes N rows (N×width of `within`, row-major): the motion of a point of the second body against that of the first,
/// each along a wrench at the point. No column of `within` moves both bodies.
pub struct Between<'a, const N: usize> {
    /// The point on either body.
    pub points: &'a [BodyPoint<'a>; 2],
    /// A force with a torque each row.
    pub wrenches: &'a Wrenches<N>,
    /// The columns.
    pub within: &'a [Run],
    /// The rows.
    pub out: &'a mut [f64],
}

impl<const N: usize> Kernel for Between<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (w, n) = (self.wrenches, chain_width(self.within));
        for (point, sign) in self.points.iter().zip([-1.0, 1.0]) {
            let mut out = &mut *self.out;
            for first in (0..N / 4 * 4).step_by(4) {
                let (r0, tail) = out.split_at_mut(n);
                let (r1, tail) = tail.split_at_mut(n);
                let (r2, tail) = tail.split_at_mut(n);
                let (r3, tail) = tail.split_at_mut(n);
                point.write_along(s, sign, w, first, self.within, [r0, r1, r2, r3]);
                out = tail;
            }
            let first = N / 4 * 4;
            match N % 4 {
                0 => {}
                1 => point.write_along(s, sign, w, first, self.within, [out]),
                2 => {
                    let (r0, r1) = out.split_at_mut(n);
                    point.write_along(s, sign, w, first, self.within, [r0, r1]);
                }
                _ => {
                    let (r0, tail) = out.split_at_mut(n);
                    let (r1, r2) = tail.split_at_mut(n);
                    point.write_along(s, sign, w, first, self.within, [r0, r1, r2]);
                }
            }
        }
    }
}

impl BodyPoint<'_> {
    /// Writes up to four rows over the columns of `within` that move the point: its motions along the wrenches from
    /// the first on, times `sign`. A lane is a row, so that one motion of a dof meets all wrenches at once.
    #[inline(always)]
    fn write_along<S: Simd, const N: usize, const R: usize>(
        &self,
        s: S,
        sign: f64,
        wrenches: &Wrenches<N>,
        first: usize,
        within: &[Run],
        rows: [&mut [f64]; R],
    ) {
        let mut w = [[0.0; 4]; 6];
        for k in 0..6 {
            for l in 0..R {
                w[k][l] = wrenches[k][first + l];
            }
        }
        let [rx, ry, rz, x, y, z] = w;
        let (x, y, z) = (F64x4::new(s, &x), F64x4::new(s, &y), F64x4::new(s, &z));
        // About the centre of mass of the tree, as the motions of dofs are.
        let (ax, ay, az) = (x.like(self.arm.x), x.like(self.arm.y), x.like(self.arm.z));
        let rx = F64x4::new(s, &rx).plus(ay, z).minus(az, y);
        let ry = F64x4::new(s, &ry).plus(az, x).minus(ax, z);
        let rz = F64x4::new(s, &rz).plus(ax, y).minus(ay, x);
        let sign = x.like(sign);
        let (rx, ry, rz, x, y, z) = (sign * rx, sign * ry, sign * rz, sign * x, sign * y, sign * z);
        for (column, dofs) in CommonRuns::new(self.chain, within) {
            for (i, m) in self.cdof[dofs].iter().enumerate() {
                let turned = (rx * rx.like(m.rot.x)).plus(ry, ry.like(m.rot.y)).plus(rz, rz.like(m.rot.z));
                let moved = (x * x.like(m.lin.x)).plus(y, y.like(m.lin.y)).plus(z, z.like(m.lin.z));
                let sum = (turned + moved).get();
                for l in 0..R {
                    rows[l][column + i] = sum[l];
                }
            }
        }
    }
}

#[inline]
fn add_column(jac: &mut [f64], n: usize, c: usize, v: DVec3) {
    jac[c] += v.x;
    jac[n + c] += v.y;
    jac[2 * n + c] += v.z;
}

/// Dense Jacobian of the point of body `b` now at `point`: translation and rotation, each 3×nv,
/// row-major, world frame.
pub fn point_jacobian(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    b: BodyId,
    point: DVec3,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
) {
    let n = m.nv();
    let all = [Run { start: 0, len: n as u32 }];
    let p = BodyPoint::new(m, chains, poses, b, point);
    if let Some(jac) = jacp {
        jac[..3 * n].fill(0.0);
        p.add_translation(&all, 1.0, jac);
    }
    if let Some(jac) = jacr {
        jac[..3 * n].fill(0.0);
        p.add_rotation(&all, 1.0, jac);
    }
}

/// Adds the generalized force of a force and a torque (world frame) on body `b` at `point` to
/// `qfrc`.
#[allow(clippy::too_many_arguments)]
pub fn apply_ft(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    force: DVec3,
    torque: DVec3,
    point: DVec3,
    b: BodyId,
    qfrc: &mut [f64],
) {
    let arm = point - poses.subtree_com[m.body.rootid[b]];
    let wrench = Spatial::new(torque, force).force_at(-arm);
    let cdof = poses.cdof.as_slice();
    for r in chains.of(b) {
        let r = r.start as usize..(r.start + r.len) as usize;
        for (q, c) in qfrc[r.clone()].iter_mut().zip(&cdof[r]) {
            *q += c.dot(wrench);
        }
    }
}

/// Adds the generalized force of all applied wrenches, Jᵀ·`xfrc_applied`, to `qfrc`.
pub fn add_applied_wrenches(m: &Model, s: &State, chains: &Chains, poses: &Poses, qfrc: &mut [f64]) {
    if nothing_applied(s) {
        return;
    }
    // Sleeping bodies have none.
    for b in s.awake.bodies.iter().flat_map(|r| r.start.max(1)..r.end).map(BodyId::new) {
        let x = &s.xfrc_applied[b];
        if *x != [0.0; 6] {
            let (force, torque) = (DVec3::from_slice(x), DVec3::from_slice(&x[3..]));
            apply_ft(m, chains, poses, force, torque, poses.xipos[b], b, qfrc);
        }
    }
}

/// Whether no wrench is applied to any body: all numbers in one pass, since there is mostly none.
#[inline]
pub(crate) fn nothing_applied(s: &State) -> bool {
    let bits = s.xfrc_applied.as_slice().as_flattened().iter().fold(0, |bits, x| bits | x.to_bits());
    // Zero may have a sign.
    bits << 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::*;
    use mj_testkit::{any_model, turn};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Columns of a point's Jacobian are its displacements along the dofs; projecting on a
        /// wrench and applying a force are the transpose.
        #[test]
        fn jacobian_matches_differences((m, s) in any_model(), p in prop::array::uniform3(-1.0..1.0f64)) {
            let n = m.nv();
            prop_assume!(n > 0);
            let b = BodyId::new(m.body.len() - 1);
            let local = DVec3::from_array(p);
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let point = d.smooth.poses.xpos[b] + d.smooth.poses.xmat[b] * local;
            let (mut jp, mut jr) = (vec![0.0; 3 * n], vec![0.0; 3 * n]);
            point_jacobian(&m, &d.plan.chains, &d.smooth.poses, b, point, Some(&mut jp), Some(&mut jr));
            let h = 1e-6;
            let mut e = Poses::new(&m);
            for i in 0..n {
                let ends = [h, -h].map(|h| {
                    let mut s = s.clone();
                    let mut v = vec![0.0; n];
                    v[i] = 1.0;
                    integrate_pos(&m, &mut s.qpos, &v, h);
                    kinematics(&m, &s, &mut e);
                    (e.xpos[b] + e.xmat[b] * local, e.xmat[b])
                });
                let dp = (ends[0].0 - ends[1].0) / (2.0 * h);
                let dr = turn(ends[0].1, ends[1].1) / (2.0 * h);
                let column = |j: &[f64]| DVec3::new(j[i], j[n + i], j[2 * n + i]);
                prop_assert!((column(&jp) - dp).length() < 1e-7);
                prop_assert!((column(&jr) - dr).length() < 1e-7);
            }
            let wrench = Spatial::new(DVec3::new(0.2, -0.4, 0.3), DVec3::new(1.0, 0.5, -2.0));
            let mut qfrc = vec![0.0; n];
            apply_ft(&m, &d.plan.chains, &d.smooth.poses, wrench.lin, wrench.rot, point, b, &mut qfrc);
            for i in 0..n {
                let column = |j: &[f64]| DVec3::new(j[i], j[n + i], j[2 * n + i]);
                let want = column(&jp).dot(wrench.lin) + column(&jr).dot(wrench.rot);
                prop_assert!((qfrc[i] - want).abs() < 1e-9);
            }
            // Velocities and tendons are the same Jacobians at work.
            let v = body_velocity(&m, &d.smooth.poses, &d.smooth.velocities, b, point);
            for (k, want) in v.lin.to_array().into_iter().enumerate() {
                let got: f64 = (0..n).map(|i| jp[k * n + i] * s.qvel[i]).sum();
                prop_assert!((got - want).abs() < 1e-9);
            }
            let mut next = s.clone();
            integrate_pos(&m, &mut next.qpos, &s.qvel, h);
            let length = d.smooth.transmissions.ten_length[TendonId::new(0)];
            let rate = d.smooth.velocities.ten_velocity[TendonId::new(0)];
            d.forward(&m, &next);
            prop_assert!(((d.smooth.transmissions.ten_length[TendonId::new(0)] - length) / h - rate).abs() < 1e-3);
        }
    }

    #[test]
    fn columns_are_places_in_the_wider_list() {
        let run = |start, len| Run { start, len };
        let mut seen = Vec::new();
        for_each_common(&[run(1, 2), run(6, 3)], &[run(0, 3), run(5, 2), run(8, 4)], |c, d| seen.push((c, d)));
        assert_eq!(seen, [(1, 1), (2, 2), (4, 6), (5, 8)]);
    }
}
