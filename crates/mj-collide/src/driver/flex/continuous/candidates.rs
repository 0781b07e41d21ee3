//! The pairs of features that may touch while the vertices of flexes move along straight lines.

use super::{Obstacles, Pair, gap, resolves_flexes};
use crate::driver::filter::compatible;
use crate::driver::flex::tree::{Tree, TreeBoxes};
use mj_math::DVec3;
use mj_model::*;

/// Straight motions of the vertices of all flexes, world frame.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// Where they start.
    pub from: &'a [DVec3],
    /// Where they end.
    pub to: &'a [DVec3],
}

impl Motion<'_> {
    /// Returns the way of a vertex.
    pub(super) fn way(&self, v: u32) -> DVec3 {
        self.to[v as usize] - self.from[v as usize]
    }

    /// Returns the place of a vertex after a part of the motion.
    pub(super) fn at(&self, v: u32, fraction: f64) -> DVec3 {
        self.from[v as usize] + self.way(v) * fraction
    }
}

/// Finds pairs, and keeps the memory for it.
#[derive(Clone, Debug, Default)]
pub struct PairSearch {
    /// Flex of each vertex.
    flex: Vec<FlexId>,
    /// Radius of each vertex's flex.
    radius: Vec<f64>,
    /// Flexes whose contacts are resolved.
    resolved: Vec<FlexId>,
    /// The farthest way of a vertex of each flex.
    farthest: IdVec<FlexId, f64>,
    boxes: Vec<[f64; 6]>,
    tree: TreeBoxes,
    /// The search that last met each edge of a flex.
    met: Vec<u32>,
    found: Vec<Pair>,
}

impl PairSearch {
    /// Makes a search for a model.
    pub fn new(m: &Model) -> Self {
        let vertices = m.flex.ids().flat_map(|f| std::iter::repeat_n(f, m.flex.vertnum[f] as usize));
        let flex: Vec<_> = vertices.collect();
        Self {
            radius: vec![0.0; flex.len()],
            flex,
            resolved: m.flex.ids().filter(|&f| resolves_flexes(m, [f, f])).collect(),
            farthest: IdVec::filled(m.flex.len(), 0.0),
            ..Self::default()
        }
    }

    /// Returns the flex of each vertex.
    pub fn flex(&self) -> &[FlexId] {
        &self.flex
    }

    /// Returns the radius of each vertex's flex.
    pub fn radius(&self) -> &[f64] {
        &self.radius
    }

    /// Returns the pairs that [`Self::find`] found.
    pub fn found(&self) -> &[Pair] {
        &self.found
    }

    /// Finds the pairs that are within their band, or come into it however the vertices move no farther than on the way
    /// given. `moves` tells of each vertex whether it can move.
    pub fn find(&mut self, m: &Model, obstacles: &Obstacles, motion: Motion<'_>, moves: &[bool]) {
        self.found.clear();
        if m.opt.disabled(disable::CONSTRAINT) || m.opt.disabled(disable::CONTACT) {
            return;
        }
        self.farthest.as_mut_slice().fill(0.0);
        for (v, &f) in self.flex.iter().enumerate() {
            self.radius[v] = m.flex.radius[f];
            self.farthest[f] = self.farthest[f].max(motion.way(v as u32).length());
        }
        self.surfaces(m, obstacles, motion, moves);
        for k in 0..self.resolved.len() {
            let f = self.resolved[k];
            if m.flex.bvhnum[f] == 0 {
                continue;
            }
            self.fit(m, f, motion);
            self.features(m, obstacles, motion, f);
            for i in 0..self.resolved.len() {
                let other = self.resolved[i];
                if may_touch(m, [other, f]) {
                    self.vertices(m, motion, [other, f]);
                    if i <= k {
                        self.edges(m, motion, [other, f]);
                    }
                }
            }
        }
    }

    /// Fits the boxes of a flex's tree to its triangles.
    fn fit(&mut self, m: &Model, f: FlexId, motion: Motion<'_>) {
        let part = Part::of(m, f);
        self.boxes.clear();
        self.boxes.extend(part.elem.iter().map(|e| {
            let corner = e.map(|v| motion.from[part.vertex(v) as usize]);
            let (low, high) = (corner[0].min(corner[1]).min(corner[2]), corner[0].max(corner[1]).max(corner[2]));
            let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
            [centre.x, centre.y, centre.z, half.x, half.y, half.z]
        }));
        self.tree.fit(Tree::of(m, f), &self.boxes);
        self.met.clear();
        self.met.resize(part.edge.len(), u32::MAX);
    }

    /// Calls `visit` with the triangles whose boxes come within `margin` of the box around points.
    fn near(&mut self, m: &Model, f: FlexId, points: &[DVec3], margin: f64, mut visit: impl FnMut(&mut Self, usize)) {
        let low = points.iter().fold(DVec3::INFINITY, |a, &b| a.min(b)) - margin;
        let high = points.iter().fold(DVec3::NEG_INFINITY, |a, &b| a.max(b)) + margin;
        let mut tree = std::mem::take(&mut self.tree);
        tree.search(
            Tree::of(m, f),
            &|centre, half| (centre + half).cmpge(low).all() && (centre - half).cmple(high).all(),
            &mut |e| {
                visit(self, e as usize);
                true
            },
        );
        self.tree = tree;
    }

    /// Calls `visit` with the edges of those triangles, with each once.
    fn near_edges(
        &mut self,
        m: &Model,
        f: FlexId,
        (search, ends): (u32, [DVec3; 2]),
        margin: f64,
        mut visit: impl FnMut(&mut Self, usize),
    ) {
        let part = Part::of(m, f);
        self.near(m, f, &ends, margin, |s, e| {
            for edge in part.elem_edge[e].map(|edge| edge as usize) {
                if std::mem::replace(&mut s.met[edge], search) != search {
                    visit(s, edge);
                }
            }
        });
    }

    /// Adds a pair if it may come within its band.
    fn add(&mut self, pair: Pair, obstacles: &Obstacles, motion: Motion<'_>) {
        let distance = gap(&pair, obstacles, |v| motion.from[v as usize]).distance;
        let (vertex, [first, second]) = pair.vertices();
        let (a, b) = vertex[..first + second].split_at(first);
        let (offset, way) = if b.is_empty() {
            (self.radius[a[0] as usize], a.iter().map(|&v| motion.way(v).length()).fold(0.0, f64::max))
        } else {
            let between = |v: &u32| b.iter().map(|&w| (motion.way(*v) - motion.way(w)).length()).fold(0.0, f64::max);
            let offset = self.radius[a[0] as usize] + self.radius[b[0] as usize];
            (offset, a.iter().map(between).fold(0.0, f64::max))
        };
        let apart = b.is_empty() || distance > 0.0;
        if apart && distance < offset + pair.band(&self.radius) + way {
            self.found.push(pair);
        }
    }

    /// Vertices with the surfaces of geoms.
    fn surfaces(&mut self, m: &Model, obstacles: &Obstacles, motion: Motion<'_>, moves: &[bool]) {
        for (g, i) in obstacles.geoms().zip(0..) {
            for k in 0..self.resolved.len() {
                let f = self.resolved[k];
                if geom_may_touch(m, f, g) {
                    let first = m.flex.vertadr[f];
                    for v in (first..first + m.flex.vertnum[f]).filter(|&v| moves[v as usize]) {
                        self.add(Pair::VertexGeom(v, i), obstacles, motion);
                    }
                }
            }
        }
    }

    /// Corners and edges of geoms with triangles and edges of a flex.
    fn features(&mut self, m: &Model, obstacles: &Obstacles, motion: Motion<'_>, f: FlexId) {
        let part = Part::of(m, f);
        let reach = 2.0 * m.flex.radius[f] + self.farthest[f];
        let touches = |i: u32| geom_may_touch(m, f, obstacles.geom(i));
        for (c, &(p, i)) in obstacles.corner.iter().enumerate().filter(|(_, (_, i))| touches(*i)) {
            self.near(m, f, &[p], reach + obstacles.rounding(i), |s, e| {
                s.add(Pair::CornerTriangle(c as u32, part.triangle(e)), obstacles, motion);
            });
        }
        for (c, &(ends, i)) in obstacles.edge.iter().enumerate().filter(|(_, (_, i))| touches(*i)) {
            self.near_edges(m, f, (c as u32, ends), reach + obstacles.rounding(i), |s, e| {
                s.add(Pair::GeomEdgeEdge(c as u32, part.edge(e)), obstacles, motion);
            });
        }
    }

    /// Distance within which features of two flexes are looked at.
    fn reach(&self, m: &Model, [f1, f2]: [FlexId; 2]) -> f64 {
        let (a, b) = (m.flex.radius[f1], m.flex.radius[f2]);
        a + b + a.min(b) + self.farthest[f1] + self.farthest[f2]
    }

    /// Vertices of the first of two flexes with triangles of the second, whose boxes are fitted.
    fn vertices(&mut self, m: &Model, motion: Motion<'_>, [f1, f2]: [FlexId; 2]) {
        let (part, none) = (Part::of(m, f2), Obstacles::default());
        let first = m.flex.vertadr[f1];
        for v in first..first + m.flex.vertnum[f1] {
            self.near(m, f2, &[motion.from[v as usize]], self.reach(m, [f1, f2]), |s, e| {
                let triangle = part.triangle(e);
                if !triangle.contains(&v) {
                    s.add(Pair::VertexTriangle(v, triangle), &none, motion);
                }
            });
        }
    }

    /// Edges of the first of two flexes with edges of the second, whose boxes are fitted; each pair of a flex's own once.
    fn edges(&mut self, m: &Model, motion: Motion<'_>, [f1, f2]: [FlexId; 2]) {
        let (one, two, none) = (Part::of(m, f1), Part::of(m, f2), Obstacles::default());
        self.met.fill(u32::MAX);
        for e1 in 0..one.edge.len() {
            let [a, b] = one.edge(e1);
            let ends = [motion.from[a as usize], motion.from[b as usize]];
            self.near_edges(m, f2, (e1 as u32, ends), self.reach(m, [f1, f2]), |s, e2| {
                let [c, d] = two.edge(e2);
                let apart = a != c && a != d && b != c && b != d;
                if apart && (f1 != f2 || e1 < e2) {
                    s.add(Pair::EdgeEdge([a, b], [c, d]), &none, motion);
                }
            });
        }
    }
}

/// Whether the types of two flexes match, or those of a flex that may touch itself.
fn may_touch(m: &Model, [f1, f2]: [FlexId; 2]) -> bool {
    let t = &m.flex;
    (f1 != f2 || t.selfcollide[f1] != FlexSelf::None)
        && compatible(t.contype[f1], t.conaffinity[f1], t.contype[f2], t.conaffinity[f2])
}

fn geom_may_touch(m: &Model, f: FlexId, g: GeomId) -> bool {
    compatible(m.geom.contype[g], m.geom.conaffinity[g], m.flex.contype[f], m.flex.conaffinity[f])
}

/// Triangles and edges of a flex.
struct Part<'a> {
    /// Its first vertex.
    first: u32,
    elem: &'a [[i32; 3]],
    elem_edge: &'a [[i32; 3]],
    edge: &'a [[i32; 2]],
}

impl<'a> Part<'a> {
    fn of(m: &'a Model, f: FlexId) -> Self {
        let (t, d) = (&m.flex, &m.flex_data);
        let n = t.elemnum[f] as usize;
        let triples = |all: &'a [i32], start: u32| all[start as usize..][..3 * n].as_chunks().0;
        Self {
            first: t.vertadr[f],
            elem: triples(&d.elem, t.elemdataadr[f]),
            elem_edge: triples(&d.elemedge, t.elemedgeadr[f]),
            edge: &d.edge[t.edgeadr[f] as usize..][..t.edgenum[f] as usize],
        }
    }

    /// Number among all vertices.
    fn vertex(&self, v: i32) -> u32 {
        self.first + v as u32
    }

    fn triangle(&self, e: usize) -> [u32; 3] {
        self.elem[e].map(|v| self.vertex(v))
    }

    fn edge(&self, e: usize) -> [u32; 2] {
        self.edge[e].map(|v| self.vertex(v))
    }
}
