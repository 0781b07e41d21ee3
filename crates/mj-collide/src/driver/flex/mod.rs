//! Contacts of flexes: with geoms, with each other, and of a flex with itself.

pub mod continuous;
mod own;
mod ray;
mod reduce;
mod sweep;
mod tree;

use super::filter::{compatible, shape_kind};
use super::params::{Own, Params, ccd_options, flex_margin, flex_params, sdf_options};
use super::place::NOWHERE;
use super::{CollideWorkspace, Contact, Contacts};
use crate::pairs::element::{Element, element_element, shape_element};
use crate::pairs::sdf::flex_sdf;
use crate::{CcdAlgorithm, PreContact, Query, ShapeKind, complete_frame};
use mj_math::{DMat3, DVec3};
use mj_model::*;
pub use ray::{FlexHit, FlexParts, cast_ray_at_flex};
use reduce::reduce;
use sweep::{Sweep, separated};
use tree::{Tree, TreeBoxes};

/// The most contacts of a geom, or of another of the kind, with a rigid or interpolated flex.
const MOST: usize = 50;

/// Memory for contacts of flexes.
#[derive(Clone, Debug, Default)]
pub(super) struct FlexWorkspace {
    /// Contacts, each with the body of its geom; the number of bodies for those between flexes.
    found: Vec<(u32, Contact)>,
    /// Boxes of flexes: centre and half sizes.
    boxes: IdVec<FlexId, [f64; 6]>,
    sweep: Sweep,
    tree: TreeBoxes,
    selected: Vec<bool>,
    nearest: Vec<f64>,
    merged: Vec<Contact>,
    cells: Vec<own::Cells>,
}

/// Vertices and boxes of all flexes' elements, world frame.
#[derive(Clone, Copy, Debug)]
pub struct FlexPoses<'a> {
    /// Positions of vertices, nflexvert.
    pub vert_xpos: &'a [DVec3],
    /// Boxes of elements along the world's axes: centre and half sizes with the radius, nflexelem.
    pub elem_aabb: &'a [[f64; 6]],
    /// Half axes of the rectangular sections of rods at elements, nflexelem, zero for all others; empty where there are none.
    pub elem_section: &'a [[DVec3; 2]],
    /// Half axes of the rectangular sections of rods at vertices, nflexvert, zero for all others; empty where there are none.
    pub vert_section: &'a [[DVec3; 2]],
}

/// Adds the contacts of flexes to those of geoms that [`collide`](crate::collide) found: those of a body's geoms with
/// flexes after the other contacts of the body with later ones, then those between flexes, then those of each flex with
/// itself.
pub fn collide_flexes(
    m: &Model,
    awake: &Awake,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    flexes: FlexPoses<'_>,
    ws: &mut CollideWorkspace,
    out: &mut Contacts,
) {
    if m.opt.disabled(disable::CONSTRAINT) || m.opt.disabled(disable::CONTACT) {
        return;
    }
    if m.flex.is_empty() {
        return;
    }
    ws.flex.found.clear();
    ws.flex.boxes.resize(m.flex.len(), [0.0; 6]);
    for f in m.flex.ids() {
        ws.flex.boxes[f] = hull(Elements::of(m, flexes, f).aabb);
    }
    let mut job = Job { m, awake, geom_xpos, geom_xmat, flexes, ws, continuous: m.opt.enabled(enable::IPC) };
    for b in m.body.ids() {
        for f in m.flex.ids() {
            job.body(b, f);
        }
    }
    for f1 in m.flex.ids() {
        for f2 in m.flex.ids().skip(f1.index() + 1) {
            job.two(f1, f2);
        }
    }
    m.flex.ids().for_each(|f| job.own(f));
    merge(m, &mut ws.flex, out);
}

/// Puts contacts of bodies with flexes behind those of the body with later ones.
fn merge(m: &Model, ws: &mut FlexWorkspace, out: &mut Contacts) {
    ws.merged.clear();
    let mut found = ws.found.iter().peekable();
    for c in &out.list {
        let first = c.bodies(m).map(|b| b.index() as u32).into_iter().min().unwrap_or(0);
        while let Some((_, c)) = found.next_if(|(body, _)| *body < first) {
            ws.merged.push(*c);
        }
        ws.merged.push(*c);
    }
    ws.merged.extend(found.map(|(_, c)| *c));
    std::mem::swap(&mut ws.merged, &mut out.list);
}

/// One pass over the flexes.
struct Job<'a> {
    m: &'a Model,
    awake: &'a Awake,
    geom_xpos: &'a IdVec<GeomId, DVec3>,
    geom_xmat: &'a IdVec<GeomId, DMat3>,
    flexes: FlexPoses<'a>,
    ws: &'a mut CollideWorkspace,
    /// Whether continuous collision resolves what it can.
    continuous: bool,
}

/// Elements of a flex.
#[derive(Clone, Copy)]
struct Elements<'a> {
    f: FlexId,
    corners: usize,
    elem: &'a [i32],
    vert: &'a [DVec3],
    body: &'a [Option<BodyId>],
    aabb: &'a [[f64; 6]],
    layer: &'a [i32],
    radius: f64,
    active: i32,
    /// Half axes of rectangular sections, by element and by vertex; empty where there are none.
    elem_section: &'a [[DVec3; 2]],
    vert_section: &'a [[DVec3; 2]],
}

impl<'a> Elements<'a> {
    fn of(m: &'a Model, flexes: FlexPoses<'a>, f: FlexId) -> Self {
        let (t, d) = (&m.flex, &m.flex_data);
        let (corners, n) = (t.dim[f] as usize + 1, t.elemnum[f] as usize);
        let (vert, elem) = (t.vertadr[f] as usize, t.elemadr[f] as usize);
        let nvert = t.vertnum[f] as usize;
        Self {
            f,
            corners,
            elem: &d.elem[t.elemdataadr[f] as usize..][..n * corners],
            vert: &flexes.vert_xpos[vert..][..nvert],
            body: &d.vertbodyid[vert..][..nvert],
            aabb: &flexes.elem_aabb[elem..][..n],
            layer: &d.elemlayer[elem..][..n],
            radius: t.radius[f],
            active: if corners == 4 { t.activelayers[f] } else { i32::MAX },
            elem_section: flexes.elem_section.get(elem..elem + n).unwrap_or_default(),
            vert_section: flexes.vert_section.get(vert..vert + nvert).unwrap_or_default(),
        }
    }

    fn vertices(&self, e: usize) -> &'a [i32] {
        &self.elem[e * self.corners..][..self.corners]
    }

    fn is_active(&self, e: usize) -> bool {
        self.layer[e] < self.active
    }

    fn element(&self, e: usize) -> Element {
        Element::new(
            self.vertices(e).iter().map(|&v| self.vert[v as usize]),
            self.radius,
            section(self.elem_section, e),
        )
    }

    /// Corners of a triangle.
    fn triangle(&self, e: usize) -> [DVec3; 3] {
        let corners = self.vertices(e);
        [0, 1, 2].map(|k| self.vert[corners[k] as usize])
    }

    /// Something of an element's vertices, the first one's again where there are less than four.
    #[inline(always)]
    fn of_vertices<T: Copy>(&self, e: usize, of: &[T]) -> [T; 4] {
        let vertices = self.vertices(e);
        let mut out = [of[vertices[0] as usize]; 4];
        out.iter_mut().zip(vertices).for_each(|(x, &v)| *x = of[v as usize]);
        out
    }

    /// Whether two elements have vertices of one body.
    fn share_body(&self, e: usize, other: &Self, o: usize) -> bool {
        let (a, b) = (self.of_vertices(e, self.body), other.of_vertices(o, other.body));
        // Most pairs do, but by which vertices can't be predicted.
        a.iter().fold(false, |shared, x| b.iter().fold(shared, |shared, y| shared | (x.is_some() & (x == y))))
    }

    /// Whether the corners of two elements are surely farther apart than a distance.
    fn separated(&self, e: usize, other: &Self, o: usize, distance: f64) -> bool {
        separated(&self.of_vertices(e, self.vert), &other.of_vertices(o, other.vert), distance)
    }

    /// Whether a vertex of an element belongs to a body.
    fn touches_body(&self, e: usize, b: BodyId) -> bool {
        self.vertices(e).iter().any(|&v| self.body[v as usize] == Some(b))
    }
}

/// Half axes of a rectangular section; none where it isn't one.
fn section(of: &[[DVec3; 2]], i: usize) -> Option<[DVec3; 2]> {
    of.get(i).copied().filter(|axes| axes[1] != DVec3::ZERO)
}

/// Whether two boxes, centre and half sizes, are farther apart than a margin.
#[inline]
fn apart(a: &[f64; 6], b: &[f64; 6], margin: f64) -> bool {
    (0..3).any(|k| (a[k] - b[k]).abs() > a[k + 3] + b[k + 3] + margin)
}

/// The box around boxes.
fn hull(boxes: &[[f64; 6]]) -> [f64; 6] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for b in boxes {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(b[k] - b[k + 3]), high[k].max(b[k] + b[k + 3]));
        }
    }
    let mut out = [0.0; 6];
    for k in 0..3 {
        (out[k], out[k + 3]) = (0.5 * (low[k] + high[k]), 0.5 * (high[k] - low[k]));
    }
    out
}

/// Whether a ball is outside of a box.
#[inline]
fn ball_apart(centre: DVec3, radius: f64, b: &[f64; 6]) -> bool {
    let out = |k: usize| ((centre[k] - b[k]).abs() - b[k + 3]).max(0.0);
    DVec3::new(out(0), out(1), out(2)).length_squared() > radius * radius
}

/// The contact of two sides that the narrow phase found.
fn contact(found: &PreContact, params: &Params) -> Contact {
    let in_gap = found.dist >= params.includemargin;
    let sticks = params.adhesion != 0.0;
    Contact {
        dist: found.dist,
        pos: found.pos,
        frame: complete_frame(found.normal, found.tangent),
        includemargin: params.includemargin,
        friction: params.friction,
        solref: params.solref,
        solreffriction: params.solreffriction,
        solimp: params.solimp,
        adhesion: params.adhesion,
        surfacevel: [0.0; 3],
        dim: if in_gap && sticks { 1 } else { params.dim },
        geom: [None; 2],
        flex: [None; 2],
        elem: [-1; 2],
        vert: [-1; 2],
        in_gap: in_gap && !sticks,
    }
}

impl Job<'_> {
    /// Whether continuous collision resolves the contacts of two flexes, or of one with itself.
    fn resolved(&self, flexes: [FlexId; 2]) -> bool {
        self.continuous && continuous::resolves_flexes(self.m, flexes)
    }

    /// Whether any vertex of a flex may move.
    fn moves(&self, f: FlexId) -> bool {
        if self.awake.everything() {
            return true;
        }
        let d = &self.m.flex_data;
        let (vert, node) = (self.m.flex.vertadr[f] as usize, self.m.flex.nodeadr[f] as usize);
        let verts = d.vertbodyid[vert..][..self.m.flex.vertnum[f] as usize].iter().flatten();
        let nodes = &d.nodebodyid[node..][..self.m.flex.nodenum[f] as usize];
        verts.chain(nodes).any(|&b| self.awake.moves(b))
    }

    /// Geoms of a body with a flex.
    fn body(&mut self, b: BodyId, f: FlexId) {
        let m = self.m;
        if m.body.geomnum[b] == 0 || !self.moves(f) && !self.awake.moves(b) {
            return;
        }
        let fixed = m.body.dofnum[m.body.weldid[b]] == 0;
        for g in id_range(m.body.geomadr[b], m.body.geomnum[b]) {
            let types = (m.geom.contype[g], m.geom.conaffinity[g], m.flex.contype[f], m.flex.conaffinity[f]);
            if !compatible(types.0, types.1, types.2, types.3) {
                continue;
            }
            if self.continuous && continuous::resolves_flex_geom(m, f, g) {
                continue;
            }
            let first = self.ws.flex.found.len();
            match shape_kind(m.geom.r#type[g]) {
                Some(ShapeKind::Plane) if fixed => self.plane(b, g, f),
                None | Some(ShapeKind::Plane) => {}
                Some(ShapeKind::Sdf) => self.field(b, g, f),
                Some(_) => self.geom(b, g, f),
            }
            if m.flex.rigid[f] || m.flex.interp[f] != 0 {
                let ws = &mut self.ws.flex;
                reduce(&mut ws.found, first, MOST, &mut ws.selected, &mut ws.nearest);
            }
        }
    }

    /// Margin for force, that for detection, and the parameters of contacts of a geom with a flex.
    fn params(&self, g: GeomId, f: FlexId) -> (f64, Params) {
        let m = self.m;
        let sum = m.geom.margin[g] + m.flex.margin[f];
        let params = flex_params(m, [&Own::of_geom(m, g), &Own::of_flex(m, f)], sum);
        (flex_margin(m, sum) + m.geom.gap[g] + m.flex.gap[f], params)
    }

    /// A plane with the vertices of a flex.
    fn plane(&mut self, b: BodyId, g: GeomId, f: FlexId) {
        let (margin, params) = self.params(g, f);
        let elements = Elements::of(self.m, self.flexes, f);
        let (pos, normal) = (self.geom_xpos[g], self.geom_xmat[g].z_axis);
        for (i, &v) in elements.vert.iter().enumerate() {
            let mut add = |lowest: DVec3, dist: f64| {
                let found = PreContact { dist, pos: lowest - normal * (0.5 * dist), normal, tangent: DVec3::ZERO };
                let sides = Contact { geom: [Some(g), None], flex: [None, Some(f)], ..contact(&found, &params) };
                self.ws.flex.found.push((b.index() as u32, Contact { vert: [-1, i as i32], ..sides }));
            };
            let height = (v - pos).dot(normal);
            if let Some([x, y]) = section(elements.vert_section, i) {
                // The two lowest corners, deepest first.
                let mut corners = [-x - y, x - y, y - x, x + y].map(|c| (c, height + c.dot(normal)));
                corners.sort_by(|a, b| a.1.total_cmp(&b.1));
                corners[..2].iter().filter(|c| c.1 <= margin).for_each(|c| add(v + c.0, c.1));
            } else if height <= margin + elements.radius {
                add(v - normal * elements.radius, height - elements.radius);
            }
        }
    }

    /// The box around a geom along the world's axes.
    fn bounds(&self, g: GeomId) -> [f64; 6] {
        let [x, y, z, half @ ..] = self.m.geom.aabb[g];
        let (pos, mat) = (self.geom_xpos[g], self.geom_xmat[g]);
        let centre = pos + mat * DVec3::new(x, y, z);
        let reach = DMat3::from_cols(mat.x_axis.abs(), mat.y_axis.abs(), mat.z_axis.abs()) * DVec3::from_array(half);
        [centre.x, centre.y, centre.z, reach.x, reach.y, reach.z]
    }

    /// Any other geom with the elements of a flex.
    fn geom(&mut self, b: BodyId, g: GeomId, f: FlexId) {
        let m = self.m;
        let (margin, params) = self.params(g, f);
        let elements = Elements::of(m, self.flexes, f);
        let query = Query { margin, ccd: ccd_options(m), sdf: sdf_options(m) };
        let (centre, reach) = (self.geom_xpos[g], m.geom.rbound[g] + margin);
        let bounds = self.bounds(g);
        if ball_apart(centre, reach, &self.ws.flex.boxes[f]) || apart(&bounds, &self.ws.flex.boxes[f], margin) {
            return;
        }
        let mut shape = NOWHERE;
        let CollideWorkspace { plan, ccd, found, flex, .. } = &mut *self.ws;
        plan.hulls.put(m, self.geom_xpos, self.geom_xmat, g, &mut shape);
        for e in 0..elements.aabb.len() {
            let aabb = &elements.aabb[e];
            if !elements.is_active(e)
                || ball_apart(centre, reach, aabb)
                || apart(&bounds, aabb, margin)
                || elements.touches_body(e, b)
            {
                continue;
            }
            found.clear();
            shape_element(&shape, &elements.element(e), &query, ccd, found);
            flex.found.extend(found.iter().map(|c| {
                let sides = Contact { geom: [Some(g), None], flex: [None, Some(f)], ..contact(c, &params) };
                (b.index() as u32, Contact { elem: [-1, e as i32], ..sides })
            }));
        }
    }

    /// A geom with a signed distance field and the triangles of a flex.
    fn field(&mut self, b: BodyId, g: GeomId, f: FlexId) {
        let m = self.m;
        if m.flex.dim[f] != 2 {
            return;
        }
        let (_, params) = self.params(g, f);
        let elements = Elements::of(m, self.flexes, f);
        let tree = Tree::of(m, f);
        let mut shape = NOWHERE;
        let CollideWorkspace { plan, ccd, flex: FlexWorkspace { found, tree: boxes, .. }, .. } = &mut *self.ws;
        plan.hulls.put(m, self.geom_xpos, self.geom_xmat, g, &mut shape);
        boxes.fit(tree, elements.aabb);
        flex_sdf(
            &shape,
            &sdf_options(m),
            &mut ccd.starts,
            |near, visit| boxes.search(tree, near, &mut |e| visit(e, elements.triangle(e as usize))),
            |e, c| {
                let sides = Contact { geom: [Some(g), None], flex: [None, Some(f)], ..contact(&c, &params) };
                found.push((b.index() as u32, Contact { elem: [-1, e as i32], ..sides }));
            },
        );
    }

    /// Elements of two flexes.
    fn two(&mut self, f1: FlexId, f2: FlexId) {
        let m = self.m;
        let t = &m.flex;
        if !compatible(t.contype[f1], t.conaffinity[f1], t.contype[f2], t.conaffinity[f2])
            || self.resolved([f1, f2])
            || !self.moves(f1) && !self.moves(f2)
        {
            return;
        }
        let [a, b] = [f1, f2].map(|f| Elements::of(m, self.flexes, f));
        let margin = t.margin[f1] + t.margin[f2];
        let params = flex_params(m, [&Own::of_flex(m, f1), &Own::of_flex(m, f2)], margin);
        let reach = flex_margin(m, margin) + t.gap[f1] + t.gap[f2];
        let [near_a, near_b] = [f1, f2].map(|f| self.ws.flex.boxes[f]);
        if apart(&near_a, &near_b, reach) {
            return;
        }
        let first = self.ws.flex.found.len();
        let mut sweep = std::mem::take(&mut self.ws.flex.sweep);
        let of_a = |e: usize| a.is_active(e) && !apart(&a.aabb[e], &near_b, reach);
        let of_b = |e: usize| b.is_active(e) && !apart(&b.aabb[e], &near_a, reach);
        sweep.between(a.aabb, b.aabb, reach, of_a, of_b);
        for &[e1, e2] in &sweep.pairs {
            self.elements([&a, &b], [e1 as usize, e2 as usize], reach, &params);
        }
        if [f1, f2].iter().all(|&f| t.rigid[f] || t.interp[f] != 0) {
            let ws = &mut self.ws.flex;
            reduce(&mut ws.found, first, MOST, &mut ws.selected, &mut ws.nearest);
        }
        self.ws.flex.sweep = sweep;
    }

    /// Two elements.
    fn elements(&mut self, [a, b]: [&Elements<'_>; 2], [e1, e2]: [usize; 2], margin: f64, params: &Params) {
        if apart(&a.aabb[e1], &b.aabb[e2], margin) {
            return;
        }
        if a.share_body(e1, b, e2) {
            return;
        }
        let query = Query { margin, ccd: ccd_options(self.m), sdf: sdf_options(self.m) };
        let CollideWorkspace { ccd, found, flex, .. } = &mut *self.ws;
        let reach = a.radius + b.radius + margin.max(0.0) + 2.0 * query.ccd.tolerance;
        let rods = a.corners + b.corners == 4;
        if !rods && query.ccd.algorithm == CcdAlgorithm::GjkEpa && a.separated(e1, b, e2, reach) {
            return;
        }
        found.clear();
        element_element(&a.element(e1), &b.element(e2), &query, ccd, found);
        let after = self.m.body.len() as u32;
        flex.found.extend(found.iter().map(|c| {
            let sides = Contact { flex: [Some(a.f), Some(b.f)], elem: [e1 as i32, e2 as i32], ..contact(c, params) };
            (after, sides)
        }));
    }
}
