//! Forces of the elements and hinges of flexes whose vertices are points of bodies.

use crate::bending;
use crate::buffers::Flexes;
use crate::edges;
use crate::neo_hookean::Material;
use crate::stretch;
use mj_dynamics::{BodyPoint, Chains, Poses, Velocities, body_velocity};
use mj_math::DVec3;
use mj_model::*;
use std::ops::Range;

/// Flexes whose elements or hinges may be elastic.
pub(crate) fn flexes(m: &Model) -> impl Iterator<Item = FlexId> {
    m.flex.ids().filter(|&f| m.flex.dim[f] > 1 && !m.flex.rigid[f] && m.flex.interp[f] == 0)
}

/// Quadratic forms of the elements of a flex, as many numbers for each as [`record`] says; none where they don't resist
/// stretching.
pub(crate) fn stretching(m: &Model, f: FlexId) -> Option<&[f64]> {
    let at = usize::try_from(m.flex.stiffnessadr[f]).ok()?;
    let k = &m.flex_shape.stiffness[at..at + m.flex.elemnum[f] as usize * record(m, f)];
    k.first().is_some_and(|k| *k != 0.0).then_some(k)
}

/// Numbers that an element has in `flex_stiffness`.
pub(crate) fn record(m: &Model, f: FlexId) -> usize {
    if m.flex.dim[f] == 2 { 21 } else { 24 }
}

/// Records of the hinges of a flex, one for each edge; none where it doesn't resist bending.
pub(crate) fn hinges(m: &Model, f: FlexId) -> Option<&[[f64; bending::RECORD]]> {
    let at = usize::try_from(m.flex.bendingadr[f]).ok()?;
    let n = m.flex.edgenum[f] as usize * bending::RECORD;
    Some(m.flex_shape.bending[at..at + n].as_chunks().0)
}

/// Thickness of a shell that yields in bending: it stands behind the quadratic form of the first triangle.
pub(crate) fn thickness(m: &Model, f: FlexId) -> f64 {
    usize::try_from(m.flex.stiffnessadr[f]).map_or(0.0, |at| m.flex_shape.stiffness[at + 6])
}

/// Ends of an edge and the vertices across it, in their flex; none where it belongs to one triangle alone.
pub(crate) fn hinge_vertices(m: &Model, edge: usize) -> Option<[usize; 4]> {
    let ([p, q], [a, b]) = (m.flex_data.edge[edge], m.flex_data.edgeflap[edge]);
    (b >= 0).then(|| [p, q, a, b].map(|v| v as usize))
}

/// Plastic state of a flex: that of its elements or cells, three or six numbers each, and that of its hinges. Empty where they are
/// elastic.
pub(crate) fn plastic_ranges(m: &Model, f: FlexId) -> [Range<usize>; 2] {
    let at = usize::try_from(m.flex.plasticadr[f]).unwrap_or(0);
    let has = |bit: i32| m.nplastic > 0 && m.flex.plasticmode[f] & bit != 0;
    let bend = if has(plastic::BENDING) { m.flex.edgenum[f] as usize } else { 0 };
    let stretch = if has(plastic::STRETCHING) { m.flex_plastic_count(f) - bend } else { 0 };
    [at..at + stretch, at + stretch..at + stretch + bend]
}

/// Inputs of the forces.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub m: &'a Model,
    pub s: &'a State,
    pub chains: &'a Chains,
    pub poses: &'a Poses,
    pub vel: &'a Velocities,
}

/// Adds the forces of elements and hinges on the joints to `spring` and `damper` (nv).
pub(crate) fn elastic_forces(of: Inputs<'_>, out: &mut Flexes, spring: &mut [f64], damper: &mut [f64]) {
    let m = of.m;
    let (springs, dampers) = (!m.opt.disabled(disable::SPRING), !m.opt.disabled(disable::DAMPER));
    for f in flexes(m) {
        let (elements, hinges) = (stretching(m, f), hinges(m, f));
        let dampers = dampers && m.flex.damping[f] != 0.0;
        if elements.is_none() && hinges.is_none() || !springs && !dampers {
            continue;
        }
        let verts = m.flex.vertadr[f] as usize..(m.flex.vertadr[f] + m.flex.vertnum[f]) as usize;
        let (mut on_spring, mut on_damper) =
            (std::mem::take(&mut out.vert_spring), std::mem::take(&mut out.vert_damper));
        {
            let (spring, damper) = (&mut on_spring[verts.clone()], &mut on_damper[verts.clone()]);
            spring.fill(DVec3::ZERO);
            damper.fill(DVec3::ZERO);
            let mut forces = [springs.then_some(spring), dampers.then_some(damper)];
            let neo_hookean = elements.is_some_and(|k| m.flex.dim[f] == 3 && Material::of(k).is_some());
            if dampers && (hinges.is_some() || neo_hookean) {
                for v in verts.clone() {
                    let (body, point) = (body_of(m, v), out.vert_xpos[v]);
                    out.vert_velocity[v] = body_velocity(m, of.poses, of.vel, body, point).lin;
                }
            }
            if let Some(records) = hinges {
                add_hinges(of, f, out, records, &mut forces);
            }
            match elements {
                Some(k) if m.flex.dim[f] == 2 => add_elements(of, f, out, (&stretch::TRIANGLE, k), &mut forces),
                Some(k) if neo_hookean => add_neo_hookean(of, f, out, k, &mut forces),
                Some(k) => add_elements(of, f, out, (&stretch::TETRAHEDRON, k), &mut forces),
                None => {}
            }
        }
        (out.vert_spring, out.vert_damper) = (on_spring, on_damper);
        project(of, out, verts, spring, damper);
    }
}

/// Adds the forces on vertices to those on the dofs that move them.
pub(crate) fn project(of: Inputs<'_>, flexes: &Flexes, verts: Range<usize>, spring: &mut [f64], damper: &mut [f64]) {
    for v in verts {
        let point = BodyPoint::new(of.m, of.chains, of.poses, body_of(of.m, v), flexes.vert_xpos[v]);
        for run in point.chain {
            for d in run.start as usize..(run.start + run.len) as usize {
                let motion = point.motion(d).lin;
                spring[d] += motion.dot(flexes.vert_spring[v]);
                damper[d] += motion.dot(flexes.vert_damper[v]);
            }
        }
    }
}

pub(crate) fn body_of(m: &Model, v: usize) -> BodyId {
    m.flex_data.vertbodyid[v].unwrap_or(BodyId::WORLD)
}

/// Forces on the vertices of a flex: elastic ones and those of damping, where they act.
type Forces<'a> = [Option<&'a mut [DVec3]>; 2];

fn add_elements<const E: usize, const V: usize>(
    of: Inputs<'_>,
    f: FlexId,
    flexes: &Flexes,
    (ends, k): (&[[usize; 2]; E], &[f64]),
    [spring, damper]: &mut Forces<'_>,
) where
    [[usize; 2]; E]: Simplex<V>,
{
    let m = of.m;
    let x = &flexes.vert_xpos[m.flex.vertadr[f] as usize..];
    let elements = m.flex_data.elem[m.flex.elemdataadr[f] as usize..].as_chunks::<V>().0;
    let edges_of = m.flex_data.elemedge[m.flex.elemedgeadr[f] as usize..].as_chunks::<E>().0;
    let first = m.flex.edgeadr[f] as usize;
    let [plastic, _] = plastic_ranges(m, f);
    let plastic = of.s.plastic[plastic].as_chunks::<E>().0;
    let (h, damping) = (m.opt.timestep, m.flex.damping[f]);
    for (t, k) in k.chunks_exact(record(m, f)).enumerate() {
        let vertex = elements[t].map(|v| v as usize);
        let x = vertex.map(|v| x[v]);
        let edge = edges_of[t].map(|e| FlexEdgeId::new(first + e as usize));
        if let Some(force) = spring {
            let s = elongations(m, flexes, &edge, plastic.get(t));
            scatter(force, vertex, |on| stretch::add_tensions(ends, &x, &stretch::product(k, &s), on));
        }
        if let Some(force) = damper {
            // Rates are differences to the squared lengths one time step before, as they were at constant velocity
            // (Kharevych et al., "Geometric, variational integrators for computer animation", 2006, section 5.2).
            let rate = edge.map(|e| {
                let (l, v) = (flexes.edge_length[e], flexes.edge_velocity[e]);
                damping * v * (2.0 * l - h * v)
            });
            scatter(force, vertex, |on| stretch::add_tensions(ends, &x, &stretch::product(k, &rate), on));
        }
    }
}

/// Adds the forces of neo-Hookean tetrahedra. Damping is that of their stiffness as a step has it.
fn add_neo_hookean(of: Inputs<'_>, f: FlexId, flexes: &Flexes, k: &[f64], [spring, damper]: &mut Forces<'_>) {
    let m = of.m;
    let vertices = m.flex.vertadr[f] as usize..;
    let (x, velocity) = (&flexes.vert_xpos[vertices.clone()], &flexes.vert_velocity[vertices]);
    let elements = m.flex_data.elem[m.flex.elemdataadr[f] as usize..].as_chunks::<4>().0;
    for (t, record) in k.chunks_exact(record(m, f)).enumerate() {
        let Some(material) = Material::of(record) else { continue };
        let vertex = elements[t].map(|v| v as usize);
        let x = vertex.map(|v| x[v]);
        let Elongation { elastic, rest, plastic } = Elongation::of(m, of.s, flexes, f, t);
        if let Some(force) = spring {
            scatter(force, vertex, |on| {
                stretch::add_tensions(&stretch::TETRAHEDRON, &x, &material.tensions(record, &elastic), on);
                material.add_pressure(&x, on);
            });
        }
        if let Some(force) = damper {
            let velocity = vertex.map(|v| velocity[v] * -m.flex.damping[f]);
            scatter(force, vertex, |on| {
                material.stiffness(&x, &rest, plastic, |a, b, block| {
                    on[a] += block * velocity[b];
                    if a != b {
                        on[b] += block.transpose() * velocity[a];
                    }
                })
            });
        }
    }
}

/// Squared lengths of a tetrahedron's edges.
pub(crate) struct Elongation<'a> {
    /// Elastic parts of the elongations l² − L².
    pub elastic: [f64; 6],
    /// At qpos0.
    pub rest: [f64; 6],
    /// Plastic parts of the elongations.
    pub plastic: Option<&'a [f64; 6]>,
}

impl<'a> Elongation<'a> {
    /// Measures tetrahedron `t` of a flex.
    pub fn of(m: &Model, s: &'a State, flexes: &Flexes, f: FlexId, t: usize) -> Self {
        let first = m.flex.edgeadr[f] as usize;
        let edges_of = m.flex_data.elemedge[m.flex.elemedgeadr[f] as usize..].as_chunks::<6>().0;
        let edge = edges_of[t].map(|e| FlexEdgeId::new(first + e as usize));
        let [plastic, _] = plastic_ranges(m, f);
        let plastic = s.plastic[plastic].as_chunks::<6>().0.get(t);
        let rest = edge.map(|e| m.flexedge.length0[e].powi(2));
        Self { elastic: elongations(m, flexes, &edge, plastic), rest, plastic }
    }
}

/// Elastic parts of the elongations l² − L² of an element's edges.
pub(crate) fn elongations<const E: usize>(
    m: &Model,
    flexes: &Flexes,
    edge: &[FlexEdgeId; E],
    plastic: Option<&[f64; E]>,
) -> [f64; E] {
    let mut s = edge.map(|e| flexes.edge_length[e].powi(2) - m.flexedge.length0[e].powi(2));
    if let Some(plastic) = plastic {
        s.iter_mut().zip(plastic).for_each(|(s, p)| *s -= p);
    }
    s
}

/// Edges of a simplex of `V` vertices.
pub(crate) trait Simplex<const V: usize> {}
impl Simplex<3> for [[usize; 2]; 3] {}
impl Simplex<4> for [[usize; 2]; 6] {}

/// Adds forces on the vertices of an element to those on the vertices of its flex.
fn scatter<const V: usize>(force: &mut [DVec3], vertex: [usize; V], add: impl FnOnce(&mut [DVec3; V])) {
    let mut local = [DVec3::ZERO; V];
    add(&mut local);
    vertex.iter().zip(local).for_each(|(&v, f)| force[v] += f);
}

fn add_hinges(
    of: Inputs<'_>,
    f: FlexId,
    flexes: &Flexes,
    records: &[[f64; bending::RECORD]],
    [spring, damper]: &mut Forces<'_>,
) {
    let m = of.m;
    let first = m.flex.vertadr[f] as usize;
    let [_, plastic] = plastic_ranges(m, f);
    let plastic = &of.s.plastic[plastic];
    for (i, (e, record)) in edges::range(m, f).zip(records).enumerate() {
        let Some(vertex) = hinge_vertices(m, e) else { continue };
        if let Some(force) = spring {
            let x = vertex.map(|v| flexes.vert_xpos[first + v]);
            let gradient = bending::gradient(record, plastic.get(i).copied().unwrap_or(0.0), &x);
            vertex.iter().zip(gradient).for_each(|(&v, g)| force[v] -= g);
        }
        if let Some(force) = damper {
            let product = bending::product(record, &vertex.map(|v| flexes.vert_velocity[first + v]));
            vertex.iter().zip(product).for_each(|(&v, g)| force[v] -= g * m.flex.damping[f]);
        }
    }
}
