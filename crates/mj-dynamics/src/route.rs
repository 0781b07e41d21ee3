//! Lengths and gradients of all spatial tendons at once, four of a kind at a time.
//!
//! The model alone decides the course of every path: the points that it passes, the geoms that it may go around, the
//! dofs that move each of its ends. What changes with the state is computed in three passes over vectors of four that
//! know no tendons: points and axes that bodies carry along; ways around geoms; straight pieces, with what they pull at.
//! A path that clears a geom has its two straight pieces all the same: they meet on the line between its ends, at a
//! point carried by the geom's body, so that what the geom's dofs do to one they undo with the other.

mod attached;

use crate::buffers::Poses;
use crate::chains::{self, Chains};
use crate::path::for_each_segment;
use crate::wrap::Rounds;
use attached::{Attached, Local};
use mj_math::block::Run;
use mj_math::lanes::{Four, FourKernel, Lanes, Points, four};
use mj_math::{DVec3, MINVAL, quat};
use mj_model::*;
use std::collections::HashMap;
use std::ops::Range;

/// The spatial tendons of a model, as far as the model alone decides their paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Routes {
    attached: Attached,
    detours: Vec<Detours>,
    pulls: Vec<Pulls>,
    reaches: Vec<Reach>,
    /// The dofs at four consecutive columns of some row.
    windows: Vec<[u32; 4]>,
    tendons: IdVec<TendonId, Route>,
    /// Number of fours of all gradients.
    fours: usize,
}

/// Where a tendon's numbers are.
#[derive(Clone, Debug, Default, PartialEq)]
struct Route {
    /// Length of the parts that are fixed in a body.
    rigid: f64,
    pulls: Range<usize>,
    arcs: Range<usize>,
    /// First of the fours of its gradient.
    gradient: usize,
}

/// Four ways around geoms of one kind.
#[derive(Clone, Debug, PartialEq)]
struct Detours {
    cylinders: bool,
    /// The points: both ends, the centre, the axis, and the side, if one is given.
    ends: [[u32; 4]; 2],
    centre: [u32; 4],
    axis: [u32; 4],
    side: [u32; 4],
    sided: [f64; 4],
    radius: [f64; 4],
    /// What a unit of length adds to the tendon's.
    share: [f64; 4],
    /// Where the arcs' lengths go.
    arc: [u32; 4],
    tendon: [TendonId; 4],
}

/// Four ends of straight pieces that pull at dofs.
#[derive(Clone, Debug, PartialEq)]
struct Pulls {
    /// The points that each piece connects.
    ends: [[u32; 4]; 2],
    /// What a unit of length adds to the tendon's, negative at the first end of a piece.
    share: [f64; 4],
    /// The same once for each piece, zero at its other end.
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
            points: vec![DVec3::ZERO; r.attached.len() + 8 * r.detours.len()],
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
        for t in m.tendon.ids() {
            b.add_tendon(t, columns(t));
        }
        b.finish()
    }

    /// Computes the paths of tendons that don't sleep, four at a time: one that does may be among them.
    pub(crate) fn measure(&self, poses: &Poses, asleep: impl Fn(TendonId) -> bool, work: &mut RouteWork) {
        if !self.pulls.is_empty() {
            four(Measure { routes: self, poses, asleep, work });
        }
    }

    /// Length of tendon `t`, and its gradient into `row`.
    pub(crate) fn read(&self, work: &RouteWork, t: TendonId, row: &mut [f64]) -> f64 {
        let route = &self.tendons[t];
        let gradient = work.gradient[route.gradient..].as_flattened();
        for (r, g) in row.iter_mut().zip(gradient) {
            *r = *g;
        }
        let pieces: f64 = work.pieces.as_flattened()[route.pulls.clone()].iter().sum();
        let arcs: f64 = work.arcs[route.arcs.clone()].iter().sum();
        route.rigid + pieces + arcs
    }
}

/// The three passes.
struct Measure<'a, F> {
    routes: &'a Routes,
    poses: &'a Poses,
    asleep: F,
    work: &'a mut RouteWork,
}

impl<F: Fn(TendonId) -> bool> FourKernel for Measure<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) {
        self.routes.attached.place(s, self.poses, &mut self.work.points);
        go_around(s, self.routes, &self.asleep, self.work);
        pull(s, self.routes, self.poses, &self.asleep, self.work);
    }
}

#[inline(always)]
fn gather<S: Lanes>(s: S, points: &[DVec3], [a, b, c, d]: &[u32; 4]) -> Points<S> {
    Points::new(s, [points[*a as usize], points[*b as usize], points[*c as usize], points[*d as usize]])
}

/// Where paths meet geoms and leave them, and the lengths between.
#[inline(always)]
fn go_around<S: Lanes>(s: S, routes: &Routes, asleep: &impl Fn(TendonId) -> bool, work: &mut RouteWork) {
    let (points, touches) = work.points.split_at_mut(routes.attached.len());
    for (d, touches) in routes.detours.iter().zip(touches.as_chunks_mut::<8>().0) {
        if d.tendon.iter().all(|&t| asleep(t)) {
            continue;
        }
        let (x0, x1) = (gather(s, points, &d.ends[0]), gather(s, points, &d.ends[1]));
        let side = gather(s, points, &d.side);
        let given = Four::splat(s, 0.0).lt(Four::new(s, &d.sided));
        let centre = gather(s, points, &d.centre);
        let axis = if d.cylinders { gather(s, points, &d.axis) } else { centre };
        let rounds = Rounds { cylinders: d.cylinders, pos: centre, axis, radius: Four::new(s, &d.radius) };
        let arcs = rounds.wrap(s, x0, x1, side, given);
        let middle = (x0 + x1) * Four::splat(s, 0.5);
        touches[..4].copy_from_slice(&Points::select(arcs.wraps, arcs.from, middle).get());
        touches[4..].copy_from_slice(&Points::select(arcs.wraps, arcs.to, middle).get());
        let lengths = arcs.wraps.select(arcs.length * Four::new(s, &d.share), Four::splat(s, 0.0)).get();
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
        let (dif, share) = (to - from, Four::new(s, &p.share));
        let length = dif.length();
        *pieces = (length * Four::new(s, &p.counted)).get();
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
    locals: Vec<Local>,
    sites: Vec<Option<u32>>,
    geoms: Vec<Option<[u32; 2]>>,
    detours: Vec<Detour>,
    ends: Vec<End>,
    windows: Vec<[u32; 4]>,
    known_windows: HashMap<[u32; 4], u32>,
    tendons: IdVec<TendonId, Route>,
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
    side: Option<u32>,
    /// Whether the path goes within the geom, if the model tells.
    within: bool,
    radius: f64,
    share: f64,
    tendon: TendonId,
}

struct End {
    corners: [Corner; 2],
    share: f64,
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
            locals: Vec::new(),
            sites: vec![None; m.site.len()],
            geoms: vec![None; m.geom.len()],
            detours: Vec::new(),
            ends: Vec::new(),
            windows: Vec::new(),
            known_windows: HashMap::new(),
            tendons: IdVec::default(),
            fours: 0,
        }
    }

    fn local(&mut self, body: BodyId, direction: bool, at: DVec3) -> u32 {
        self.locals.push(Local { body, direction, at });
        self.locals.len() as u32 - 1
    }

    fn site(&mut self, i: SiteId) -> u32 {
        if let Some(known) = self.sites[i.index()] {
            return known;
        }
        let place = self.local(self.m.site.bodyid[i], false, self.m.site.pos[i]);
        self.sites[i.index()] = Some(place);
        place
    }

    /// Centre and axis of a geom.
    fn geom(&mut self, g: GeomId) -> [u32; 2] {
        if let Some(known) = self.geoms[g.index()] {
            return known;
        }
        let table = &self.m.geom;
        let (body, pos, axis) = (table.bodyid[g], table.pos[g], quat::rotate(table.quat[g], DVec3::Z));
        let places = [self.local(body, false, pos), self.local(body, true, axis)];
        self.geoms[g.index()] = Some(places);
        places
    }

    fn add_tendon(&mut self, t: TendonId, columns: &[Run]) {
        let m = self.m;
        let mut route =
            Route { rigid: 0.0, pulls: self.ends.len()..0, arcs: self.detours.len()..0, gradient: self.fours };
        let dofs: Vec<u32> = columns.iter().flat_map(|r| r.start..r.start + r.len).collect();
        for_each_segment(m, t, |segment| {
            let share = 1.0 / segment.divisor;
            if segment.is_rigid(m) {
                route.rigid += m.site.pos[segment.from].distance(m.site.pos[segment.to]) * share;
                return;
            }
            let [a, b] = segment.bodies(m);
            let [from, to] = [segment.from, segment.to].map(|i| self.site(i));
            let Some((geom, kind, side)) = segment.around else {
                return self.add_piece(t, &dofs, columns, [a, b], [Corner::Local(from), Corner::Local(to)], share);
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
                side: side.map(|i| self.site(i)),
                within,
                radius,
                share,
                tendon: t,
            };
            self.detours.push(described);
            self.add_piece(t, &dofs, columns, [a, g], [Corner::Local(from), meets], share);
            self.add_piece(t, &dofs, columns, [g, b], [leaves, Corner::Local(to)], share);
        });
        (route.pulls.end, route.arcs.end) = (self.ends.len(), self.detours.len());
        self.fours += dofs.len().div_ceil(4);
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
        share: f64,
    ) {
        let [a, b] = bodies;
        let mut counted = share;
        let reaches = [(a, b), (b, a)].map(|(this, other)| self.reaches(dofs, columns, this, other));
        let none = reaches.iter().all(Vec::is_empty);
        for ((reaches, body), share) in reaches.into_iter().zip(bodies).zip([-share, share]) {
            // A piece that no dof changes may still be one that slides.
            if reaches.is_empty() && !(none && counted != 0.0) {
                continue;
            }
            self.ends.push(End { corners, share, counted, root: self.m.body.rootid[body], reaches, tendon });
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
        let (attached, places) = Attached::new(&self.locals);
        let place = |i: u32| places[i as usize];
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
            let numbers = |f: &dyn Fn(&Detour) -> f64| std::array::from_fn(|l| f(&self.detours[at(l)]));
            detours.push(Detours {
                cylinders: self.detours[four[0]].cylinder,
                ends: [of(&|d| place(d.ends[0])), of(&|d| place(d.ends[1]))],
                centre: of(&|d| place(d.geom[0])),
                axis: of(&|d| place(d.geom[1])),
                side: of(&|d| place(d.side.unwrap_or(d.ends[0]))),
                sided: numbers(&|d| f64::from(d.side.is_some())),
                radius: numbers(&|d| d.radius),
                share: numbers(&|d| d.share),
                arc: std::array::from_fn(|l| at(l) as u32),
                tendon: std::array::from_fn(|l| self.detours[at(l)].tendon),
            });
        }
        let corner = |c: Corner| match c {
            Corner::Local(i) => place(i),
            Corner::Touch { detour, leaves } => {
                (attached.len() + lanes[detour as usize] + if leaves { 4 } else { 0 }) as u32
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
                share: std::array::from_fn(|l| given(l, end(l).share)),
                counted: std::array::from_fn(|l| given(l, end(l).counted)),
                root: std::array::from_fn(|l| end(l).root),
                reaches: bounds,
                tendon: std::array::from_fn(|l| end(l).tendon),
            });
        }
        let Self { windows, tendons, fours, .. } = self;
        Routes { attached, detours, pulls, reaches, windows, tendons, fours }
    }
}

#[cfg(test)]
mod tests {
    use crate::path::{direction, for_each_piece, for_each_segment};
    use crate::testmodel::any_model;
    use crate::*;
    use proptest::prelude::*;

    proptest! {
        /// Four at a time or part by part: lengths are the same, however the tendons share the lanes.
        #[test]
        fn lengths_are_sums_of_parts((m, s) in any_model()) {
            let mut d = Smooth::new(&m);
            forward_smooth(&m, &s, &mut d);
            for t in m.tendon.ids() {
                let mut length = 0.0;
                for_each_piece(&m, &d.poses, t, |a, b, divisor| length += direction(a.1, b.1).1 / divisor);
                for_each_segment(&m, t, |seg| length += seg.arc(&m, &d.poses).map_or(0.0, |(_, a)| a.length / seg.divisor));
                prop_assert!((d.trans.ten_length[t] - length).abs() < 1e-12 * (1.0 + length), "{t:?} {length}");
            }
        }
    }
}
