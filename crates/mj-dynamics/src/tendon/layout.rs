//! Lays out the routes of spatial tendons: what their paths pass, in fours.

use crate::rigid::chains::{self, Chains};
use crate::tendon::path::{for_each_segment, is_fixed};
use crate::tendon::route::{Carried, Detours, Pulls, Reach, Route, Routes};
use mj_math::block::Run;
use mj_model::*;
use std::collections::HashMap;

impl Routes {
    /// Routes of a model whose tendons' rows have the given columns.
    pub(crate) fn new<'a>(m: &Model, chains: &Chains, columns: impl Fn(TendonId) -> &'a [Run]) -> Self {
        let mut b = Builder::new(m, chains);
        for t in m.tendon.ids().filter(|&t| !is_fixed(m, t)) {
            b.add_tendon(t, columns(t));
        }
        b.finish()
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
