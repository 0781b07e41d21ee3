//! Lengths and gradients of all spatial tendons at once, four of a kind at a time.
//!
//! The structure of the model decides the course of every path: the points that it passes, the geoms that it may go around,
//! the dofs that move each of its ends. What changes with the state is computed in two passes over vectors of four that
//! know no tendons: ways around geoms; straight pieces, with what they pull at.
//! A path that clears a geom has its two straight pieces all the same: they meet on the line between its ends, at a
//! point carried by the geom's body, so that what the geom's dofs do to one they undo with the other.

use crate::buffers::Poses;
use crate::rigid::chains::{self, Chains};
use crate::tendon::path::{for_each_segment, is_fixed, side_site};
use crate::tendon::wrap::Rounds;
use mj_math::block::Run;
use mj_math::lanes::{Four, FourKernel, Lanes, Points, four};
use mj_math::{DVec3, MINVAL};
use mj_model::*;
use std::collections::HashMap;
use std::ops::Range;

/// The spatial tendons of a model, as far as its structure decides their paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Routes {
    /// Points that bodies carry along, then points where paths meet geoms and leave them.
    carried: Vec<Carried>,
    /// Pulleys, whose divisors branches share; the branch 0 has none.
    pulleys: Vec<WrapId>,
    detours: Vec<Detours>,
    pulls: Vec<Pulls>,
    reaches: Vec<Reach>,
    /// The dofs at four consecutive columns of some row.
    windows: Vec<[u32; 4]>,
    tendons: Vec<Route>,
    /// The entry in `tendons` of each that is spatial.
    entry: IdVec<TendonId, u32>,
    /// Number of fours of all gradients.
    fours: usize,
}

/// A point or a direction that a body carries along.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Carried {
    Site(SiteId),
    Centre(GeomId),
    Axis(GeomId),
}

/// Where a tendon's numbers are.
#[derive(Clone, Debug, PartialEq)]
struct Route {
    tendon: TendonId,
    /// Parts that are fixed in a body: both sites and the branch.
    rigid: Vec<(SiteId, SiteId, u32)>,
    pulls: Range<usize>,
    arcs: Range<usize>,
    /// First of the fours of its gradient.
    gradient: usize,
}

/// Four ways around geoms of one kind.
#[derive(Clone, Debug, PartialEq)]
struct Detours {
    cylinders: bool,
    /// The points: both ends, the centre, the axis.
    ends: [[u32; 4]; 2],
    centre: [u32; 4],
    axis: [u32; 4],
    /// The entries of paths whose parameter names the site on the side, if one is given.
    wrap: [WrapId; 4],
    geom: [GeomId; 4],
    /// The branch of the pulley, which tells what a unit of length adds to the tendon's.
    branch: [u32; 4],
    /// Where the arcs' lengths go.
    arc: [u32; 4],
    tendon: [TendonId; 4],
}

/// Four ends of straight pieces that pull at dofs.
#[derive(Clone, Debug, PartialEq)]
struct Pulls {
    /// The points that each piece connects.
    ends: [[u32; 4]; 2],
    /// The branch of the pulley, which tells what a unit of length adds to the tendon's.
    branch: [u32; 4],
    /// −1 at the first end of a piece, 1 at the second.
    sign: [f64; 4],
    /// 1 once for each piece, 0 at its other end.
    counted: [f64; 4],
    /// The root of the tree of the end's body.
    root: [BodyId; 4],
    /// Reaches of each of the four.
    reaches: [u32; 5],
    tendon: [TendonId; 4],
}

/// Dofs that move an end, among those of a window.
#[derive(Clone, Debug, PartialEq)]
struct Reach {
    window: u32,
    /// The four numbers of the gradient that they change.
    gradient: u32,
    /// 1 at those that move this end but not the other, 0 at the others.
    moves: [f64; 4],
}

/// Paths in a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RouteWork {
    /// What a unit of length adds to the tendon's, by branch.
    shares: Vec<f64>,
    /// What bodies carry, then the points where paths meet geoms and leave them, four and four.
    points: Vec<DVec3>,
    /// Share of each pull's piece in its tendon's length, and that of each arc.
    pieces: Vec<[f64; 4]>,
    arcs: Vec<f64>,
    /// Motions of the windows' dofs, a component after the other.
    motions: Vec<[[f64; 4]; 6]>,
    /// Gradients, each a few fours.
    gradient: Vec<[f64; 4]>,
}

impl RouteWork {
    pub(crate) fn new(r: &Routes) -> Self {
        Self {
            shares: vec![1.0; 1 + r.pulleys.len()],
            points: vec![DVec3::ZERO; r.carried.len() + 8 * r.detours.len()],
            pieces: vec![[0.0; 4]; r.pulls.len()],
            arcs: vec![0.0; r.tendons.iter().map(|t| t.arcs.end).max().unwrap_or(0)],
            motions: vec![[[0.0; 4]; 6]; r.windows.len()],
            gradient: vec![[0.0; 4]; r.fours],
        }
    }
}

impl Routes {
    /// Routes of a model whose tendons' rows have the given columns.
    pub(crate) fn new<'a>(m: &Model, chains: &Chains, columns: impl Fn(TendonId) -> &'a [Run]) -> Self {
        let mut b = Builder::new(m, chains);
        for t in m.tendon.ids().filter(|&t| !is_fixed(m, t)) {
            b.add_tendon(t, columns(t));
        }
        b.finish()
    }

    /// Computes the paths of tendons that don't sleep, four at a time: one that does may be among them.
    pub(crate) fn measure(&self, m: &Model, poses: &Poses, asleep: impl Fn(TendonId) -> bool, work: &mut RouteWork) {
        for (share, &pulley) in work.shares[1..].iter_mut().zip(&self.pulleys) {
            *share = 1.0 / m.wrap.prm[pulley];
        }
        if !self.pulls.is_empty() {
            four(Measure { routes: self, m, poses, asleep, work });
        }
    }

    /// The spatial tendons.
    pub(crate) fn tendons(&self) -> impl Iterator<Item = TendonId> {
        self.tendons.iter().map(|r| r.tendon)
    }

    /// Length of tendon `t`, and its gradient into `row`.
    pub(crate) fn read(&self, m: &Model, work: &RouteWork, t: TendonId, row: &mut [f64]) -> f64 {
        let route = &self.tendons[self.entry[t] as usize];
        let gradient = work.gradient[route.gradient..].as_flattened();
        for (r, g) in row.iter_mut().zip(gradient) {
            *r = *g;
        }
        let pieces: f64 = work.pieces.as_flattened()[route.pulls.clone()].iter().sum();
        let arcs: f64 = work.arcs[route.arcs.clone()].iter().sum();
        let length = |&(a, b, branch): &(SiteId, SiteId, u32)| {
            m.site.pos[a].distance(m.site.pos[b]) * work.shares[branch as usize]
        };
        route.rigid.iter().map(length).sum::<f64>() + pieces + arcs
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

impl<F: Fn(TendonId) -> bool> FourKernel for Measure<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) {
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
fn gather<S: Lanes>(s: S, points: &[DVec3], [a, b, c, d]: &[u32; 4]) -> Points<S> {
    Points::new(s, [points[*a as usize], points[*b as usize], points[*c as usize], points[*d as usize]])
}

#[inline(always)]
fn gather_shares<S: Lanes>(s: S, shares: &[f64], branch: &[u32; 4]) -> Four<S> {
    Four::new(s, &branch.map(|b| shares[b as usize]))
}

/// Where paths meet geoms and leave them, and the lengths between.
#[inline(always)]
fn go_around<S: Lanes>(
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
        let given = Four::splat(s, 0.0).lt(Four::new(s, &sides.map(|i| f64::from(i.is_some()))));
        let centre = gather(s, points, &d.centre);
        let axis = if d.cylinders { gather(s, points, &d.axis) } else { centre };
        let rounds = Rounds {
            cylinders: d.cylinders,
            pos: centre,
            axis,
            radius: Four::new(s, &d.geom.map(|g| m.geom.size[g].x)),
        };
        let arcs = rounds.wrap(s, x0, x1, side, given);
        let middle = (x0 + x1) * Four::splat(s, 0.5);
        touches[..4].copy_from_slice(&Points::select(arcs.wraps, arcs.from, middle).get());
        touches[4..].copy_from_slice(&Points::select(arcs.wraps, arcs.to, middle).get());
        let lengths =
            arcs.wraps.select(arcs.length * gather_shares(s, &work.shares, &d.branch), Four::splat(s, 0.0)).get();
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
fn pull<S: Lanes>(s: S, routes: &Routes, poses: &Poses, asleep: &impl Fn(TendonId) -> bool, work: &mut RouteWork) {
    let cdof = poses.cdof.as_slice();
    for (out, dofs) in work.motions.iter_mut().zip(&routes.windows) {
        let [a, b, c, d] = dofs.map(|d| &cdof[d as usize]);
        let rot = Points::new(s, [a.rot, b.rot, c.rot, d.rot]);
        let lin = Points::new(s, [a.lin, b.lin, c.lin, d.lin]);
        *out = [rot.x.get(), rot.y.get(), rot.z.get(), lin.x.get(), lin.y.get(), lin.z.get()];
    }
    work.gradient.fill([0.0; 4]);
    let (zero, least) = (Four::splat(s, 0.0), Four::splat(s, MINVAL));
    for (p, pieces) in routes.pulls.iter().zip(&mut work.pieces) {
        if p.tendon.iter().all(|&t| asleep(t)) {
            continue;
        }
        let (from, to) = (gather(s, &work.points, &p.ends[0]), gather(s, &work.points, &p.ends[1]));
        let (dif, share) = (to - from, gather_shares(s, &work.shares, &p.branch));
        let length = dif.length();
        *pieces = (length * (share * Four::new(s, &p.counted))).get();
        let share = share * Four::new(s, &p.sign);
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
                let turned = Four::new(s, &motion[0]) * Four::splat(s, torque[0][l])
                    + Four::new(s, &motion[1]) * Four::splat(s, torque[1][l])
                    + Four::new(s, &motion[2]) * Four::splat(s, torque[2][l]);
                let moved = Four::new(s, &motion[3]) * Four::splat(s, force[0][l])
                    + Four::new(s, &motion[4]) * Four::splat(s, force[1][l])
                    + Four::new(s, &motion[5]) * Four::splat(s, force[2][l]);
                let out = &mut work.gradient[r.gradient as usize];
                *out = (Four::new(s, out) + (turned + moved) * Four::new(s, &r.moves)).get();
            }
        }
    }
}

/// Collects what the paths pass, then puts it in fours.
struct Builder<'a> {
    m: &'a Model,
    chains: &'a Chains,
    carried: Vec<Carried>,
    pulleys: Vec<WrapId>,
    sites: Vec<Option<u32>>,
    geoms: Vec<Option<[u32; 2]>>,
    detours: Vec<Detour>,
    ends: Vec<End>,
    windows: Vec<[u32; 4]>,
    known_windows: HashMap<[u32; 4], u32>,
    tendons: Vec<Route>,
    entry: IdVec<TendonId, u32>,
    /// Number of fours of the gradients so far.
    fours: usize,
}

/// A point of a path, before its place is known.
#[derive(Clone, Copy)]
enum Corner {
    /// An entry of the list of what bodies carry.
    Local(u32),
    /// Where a detour begins or ends.
    Touch { detour: u32, leaves: bool },
}

struct Detour {
    cylinder: bool,
    ends: [u32; 2],
    geom: [u32; 2],
    wrap: WrapId,
    /// The geom again, and whether the path goes within it in the model as compiled: paths within and without are other
    /// problems, which are better kept apart.
    around: GeomId,
    within: bool,
    branch: u32,
    tendon: TendonId,
}

struct End {
    corners: [Corner; 2],
    branch: u32,
    sign: f64,
    counted: f64,
    root: BodyId,
    reaches: Vec<Reach>,
    tendon: TendonId,
}

impl<'a> Builder<'a> {
    fn new(m: &'a Model, chains: &'a Chains) -> Self {
        Self {
            m,
            chains,
            carried: Vec::new(),
            pulleys: Vec::new(),
            sites: vec![None; m.site.len()],
            geoms: vec![None; m.geom.len()],
            detours: Vec::new(),
            ends: Vec::new(),
            windows: Vec::new(),
            known_windows: HashMap::new(),
            tendons: Vec::new(),
            entry: IdVec::filled(m.tendon.len(), 0),
            fours: 0,
        }
    }

    fn carried(&mut self, point: Carried) -> u32 {
        self.carried.push(point);
        self.carried.len() as u32 - 1
    }

    /// The branch of a pulley.
    fn branch(&mut self, pulley: Option<WrapId>) -> u32 {
        let Some(pulley) = pulley else { return 0 };
        if self.pulleys.last() != Some(&pulley) {
            self.pulleys.push(pulley);
        }
        self.pulleys.len() as u32
    }

    fn site(&mut self, i: SiteId) -> u32 {
        if let Some(known) = self.sites[i.index()] {
            return known;
        }
        let place = self.carried(Carried::Site(i));
        self.sites[i.index()] = Some(place);
        place
    }

    /// Centre and axis of a geom.
    fn geom(&mut self, g: GeomId) -> [u32; 2] {
        if let Some(known) = self.geoms[g.index()] {
            return known;
        }
        let places = [self.carried(Carried::Centre(g)), self.carried(Carried::Axis(g))];
        self.geoms[g.index()] = Some(places);
        places
    }

    fn add_tendon(&mut self, t: TendonId, columns: &[Run]) {
        let m = self.m;
        let (pulls, arcs) = (self.ends.len()..0, self.detours.len()..0);
        let mut route = Route { tendon: t, rigid: Vec::new(), pulls, arcs, gradient: self.fours };
        let dofs: Vec<u32> = columns.iter().flat_map(|r| r.start..r.start + r.len).collect();
        for_each_segment(m, t, |segment| {
            let branch = self.branch(segment.pulley);
            if segment.is_rigid(m) {
                return route.rigid.push((segment.from, segment.to, branch));
            }
            let [a, b] = segment.bodies(m);
            let [from, to] = [segment.from, segment.to].map(|i| self.site(i));
            let (Some((geom, kind, side)), Some(wrap)) = (segment.around, segment.detour) else {
                return self.add_piece(t, &dofs, columns, [a, b], [Corner::Local(from), Corner::Local(to)], branch);
            };
            let (g, radius) = (m.geom.bodyid[geom], m.geom.size[geom].x);
            let within = side.is_some_and(|i| {
                m.site.bodyid[i] == g && m.site.pos[i].distance_squared(m.geom.pos[geom]) < radius * radius
            });
            let detour = self.detours.len() as u32;
            let [meets, leaves] = [false, true].map(|leaves| Corner::Touch { detour, leaves });
            let described = Detour {
                cylinder: kind == WrapType::Cylinder,
                ends: [from, to],
                geom: self.geom(geom),
                wrap,
                around: geom,
                within,
                branch,
                tendon: t,
            };
            self.detours.push(described);
            self.add_piece(t, &dofs, columns, [a, g], [Corner::Local(from), meets], branch);
            self.add_piece(t, &dofs, columns, [g, b], [leaves, Corner::Local(to)], branch);
        });
        (route.pulls.end, route.arcs.end) = (self.ends.len(), self.detours.len());
        self.fours += dofs.len().div_ceil(4);
        self.entry[t] = self.tendons.len() as u32;
        self.tendons.push(route);
    }

    /// A straight piece between two bodies. A dof that moves both alike cannot change the length, so that most pieces,
    /// which lead from a body to an ancestor of it, have one end that counts.
    fn add_piece(
        &mut self,
        tendon: TendonId,
        dofs: &[u32],
        columns: &[Run],
        bodies: [BodyId; 2],
        corners: [Corner; 2],
        branch: u32,
    ) {
        let [a, b] = bodies;
        let mut counted = 1.0;
        let reaches = [(a, b), (b, a)].map(|(this, other)| self.reaches(dofs, columns, this, other));
        let none = reaches.iter().all(Vec::is_empty);
        for ((reaches, body), sign) in reaches.into_iter().zip(bodies).zip([-1.0, 1.0]) {
            // A piece that no dof changes may still be one that slides.
            if reaches.is_empty() && !(none && counted != 0.0) {
                continue;
            }
            self.ends.push(End { corners, branch, sign, counted, root: self.m.body.rootid[body], reaches, tendon });
            counted = 0.0;
        }
    }

    /// The dofs that move a body but not the other, by the fours of the row's columns.
    fn reaches(&mut self, dofs: &[u32], columns: &[Run], this: BodyId, other: BodyId) -> Vec<Reach> {
        let mut moved = vec![false; dofs.len()];
        for run in chains::difference(self.chains.of(this), self.chains.of(other)) {
            for (column, run) in chains::columns_of(run, columns) {
                moved[column as usize..(column + run.len) as usize].fill(true);
            }
        }
        let mut reaches = Vec::new();
        for (k, (moved, dofs)) in moved.chunks(4).zip(dofs.chunks(4)).enumerate() {
            if moved.contains(&true) {
                let moves = std::array::from_fn(|l| f64::from(moved.get(l) == Some(&true)));
                let window = self.window(std::array::from_fn(|l| *dofs.get(l).unwrap_or(&dofs[0])));
                reaches.push(Reach { window, gradient: (self.fours + k) as u32, moves });
            }
        }
        reaches
    }

    fn window(&mut self, dofs: [u32; 4]) -> u32 {
        *self.known_windows.entry(dofs).or_insert_with(|| {
            self.windows.push(dofs);
            self.windows.len() as u32 - 1
        })
    }

    fn finish(self) -> Routes {
        // Fours of one kind: spheres and cylinders have different problems, within and without as well.
        let kind = |i: usize| (self.detours[i].cylinder, self.detours[i].within);
        let mut order: Vec<usize> = (0..self.detours.len()).collect();
        order.sort_by_key(|&i| kind(i));
        let (mut detours, mut lanes) = (Vec::new(), vec![0; order.len()]);
        for four in order.chunk_by(|&i, &j| kind(i) == kind(j)).flat_map(|alike| alike.chunks(4)) {
            (0..four.len()).for_each(|l| lanes[four[l]] = 8 * detours.len() + l);
            // The last ones are filled up with the first.
            let at = |l: usize| four.get(l).copied().unwrap_or(four[0]);
            let of = |f: &dyn Fn(&Detour) -> u32| std::array::from_fn(|l| f(&self.detours[at(l)]));
            detours.push(Detours {
                cylinders: self.detours[four[0]].cylinder,
                ends: [of(&|d| d.ends[0]), of(&|d| d.ends[1])],
                centre: of(&|d| d.geom[0]),
                axis: of(&|d| d.geom[1]),
                wrap: std::array::from_fn(|l| self.detours[at(l)].wrap),
                geom: std::array::from_fn(|l| self.detours[at(l)].around),
                branch: of(&|d| d.branch),
                arc: std::array::from_fn(|l| at(l) as u32),
                tendon: std::array::from_fn(|l| self.detours[at(l)].tendon),
            });
        }
        let corner = |c: Corner| match c {
            Corner::Local(i) => i,
            Corner::Touch { detour, leaves } => {
                (self.carried.len() + lanes[detour as usize] + if leaves { 4 } else { 0 }) as u32
            }
        };
        let (mut pulls, mut reaches) = (Vec::new(), Vec::new());
        for four in self.ends.chunks(4) {
            let end = |l: usize| four.get(l).unwrap_or(&four[0]);
            let given = |l: usize, x: f64| if l < four.len() { x } else { 0.0 };
            let mut bounds = [reaches.len() as u32; 5];
            for l in 0..4 {
                four.get(l).into_iter().for_each(|e| reaches.extend_from_slice(&e.reaches));
                bounds[l + 1] = reaches.len() as u32;
            }
            pulls.push(Pulls {
                ends: [0, 1].map(|i| std::array::from_fn(|l| corner(end(l).corners[i]))),
                branch: std::array::from_fn(|l| end(l).branch),
                sign: std::array::from_fn(|l| given(l, end(l).sign)),
                counted: std::array::from_fn(|l| given(l, end(l).counted)),
                root: std::array::from_fn(|l| end(l).root),
                reaches: bounds,
                tendon: std::array::from_fn(|l| end(l).tendon),
            });
        }
        let Self { carried, pulleys, windows, tendons, entry, fours, .. } = self;
        Routes { carried, pulleys, detours, pulls, reaches, windows, tendons, entry, fours }
    }
}

#[cfg(test)]
mod tests {
    use crate::tendon::path::{direction, for_each_piece, for_each_segment};
    use crate::testmodel::any_model;
    use crate::*;
    use proptest::prelude::*;

    proptest! {
        /// Four at a time or part by part: lengths are the same, however the tendons share the lanes.
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
