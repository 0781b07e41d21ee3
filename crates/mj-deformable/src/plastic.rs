//! Plastic flow of elements and hinges at the end of a time step: strain beyond the yield strain becomes permanent.

use crate::bending;
use crate::buffers::Flexes;
use crate::cells::grid::Grid;
use crate::cells::plastic::{flow, yield_elements as yield_cells};
use crate::edges;
use crate::elastic::{self, body_of, hinge_vertices, plastic_ranges};
use crate::plan::FlexPlan;
use crate::rod::{record_frames, write_frames};
use crate::stretch;
use mj_dynamics::{BodyPoint, Chains, Poses};
use mj_math::{DMat2, DMat3, DVec2, DVec3, MINVAL, real};
use mj_model::*;
use std::ops::Range;

/// Greatest angle at which a hinge comes to rest when it yields.
const STEEPEST: f64 = 1.3;

fn plastic_flexes(m: &Model) -> impl Iterator<Item = FlexId> {
    m.flex.ids().filter(|&f| !m.flex.rigid[f] && m.flex.plasticadr[f] >= 0 && m.flex.plasticmode[f] != 0)
}

/// Points of a flex among those of all: its vertices, or the nodes of its grid.
fn points(m: &Model, f: FlexId) -> Range<usize> {
    let t = &m.flex;
    let [first, n] = if t.interp[f] == 0 { [t.vertadr[f], t.vertnum[f]] } else { [t.nodeadr[f], t.nodenum[f]] };
    first as usize..(first + n) as usize
}

fn body_of_point(m: &Model, f: FlexId, i: usize) -> BodyId {
    if m.flex.interp[f] == 0 { body_of(m, i) } else { m.flex_data.nodebodyid[i] }
}

fn yields(m: &Model) -> bool {
    m.nplastic > 0 && !m.opt.disabled(disable::SPRING) && plastic_flexes(m).next().is_some()
}

/// Records how dofs move the vertices of plastic flexes, or the nodes of their grids, at the start of a time step, and the
/// frames of rods.
#[inline]
pub fn record_motions(m: &Model, plan: &FlexPlan, chains: &Chains, poses: &Poses, flexes: &mut Flexes) {
    record_frames(plan, flexes);
    if !yields(m) {
        return;
    }
    flexes.start_xpos.clear();
    flexes.start_motion.clear();
    for f in plastic_flexes(m) {
        for i in points(m, f) {
            let at = if m.flex.interp[f] == 0 { flexes.vert_xpos[i] } else { flexes.node_xpos[i] };
            let point = BodyPoint::new(m, chains, poses, body_of_point(m, f, i), at);
            flexes.start_xpos.push(at);
            let dofs = point.chain.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize);
            flexes.start_motion.extend(dofs.map(|d| point.motion(d).lin));
        }
    }
}

/// Lets elements and hinges yield at the end of a time step. `qvel` is the velocity with which positions went on from where
/// [`record_motions`] was called: vertices and nodes are where it brings them, to first order. Rods take their frames from
/// there.
pub fn yield_elements(m: &Model, plan: &FlexPlan, chains: &Chains, qvel: &[f64], flexes: &mut Flexes, s: &mut State) {
    write_frames(m, plan, flexes, s);
    if !yields(m) {
        return;
    }
    let (mut first, mut motion) = (0, 0);
    for f in plastic_flexes(m) {
        let moved = points(m, f);
        let count = moved.len();
        let x = &mut flexes.start_xpos[first..first + count];
        for (i, x) in moved.zip(x.iter_mut()) {
            for run in chains.of(body_of_point(m, f, i)) {
                for q in &qvel[run.start as usize..(run.start + run.len) as usize] {
                    *x += flexes.start_motion[motion] * (m.opt.timestep * q);
                    motion += 1;
                }
            }
        }
        let [stretching, bending] = plastic_ranges(m, f);
        let (stretching, bending) = s.plastic[stretching.start..bending.end].split_at_mut(stretching.len());
        if let Some(grid) = Grid::of(m, f) {
            yield_cells(m, f, grid, x, stretching);
        } else if m.flex.dim[f] == 2 {
            yield_triangles(m, f, x, stretching);
            yield_hinges(m, f, x, bending);
        } else {
            yield_tetrahedra(m, f, x, stretching);
        }
        first += count;
    }
}

/// Squared lengths of an element's edges at qpos0 and by the places of its vertices.
fn squares<const E: usize, const V: usize>(
    m: &Model,
    f: FlexId,
    t: usize,
    ends: &[[usize; 2]; E],
    x: &[DVec3],
) -> [[f64; E]; 2] {
    let vertex = &m.flex_data.elem[m.flex.elemdataadr[f] as usize + V * t..];
    let edge = &m.flex_data.elemedge[m.flex.elemedgeadr[f] as usize + E * t..];
    let mut out = [[0.0; E]; 2];
    for (i, &[a, b]) in ends.iter().enumerate() {
        out[0][i] = m.flexedge.length0[FlexEdgeId::new(m.flex.edgeadr[f] as usize + edge[i] as usize)].powi(2);
        out[1][i] = (x[vertex[a] as usize] - x[vertex[b] as usize]).length_squared();
    }
    out
}

/// Lets triangles yield in plane stress: with all of the strain in tension, whose thinning keeps the volume, but with the
/// deviator in the plane in compression.
fn yield_triangles(m: &Model, f: FlexId, x: &[DVec3], plastic: &mut [f64]) {
    let threshold = m.flex.r#yield[f][0].max(0.0);
    for (t, p) in plastic.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        let [rest, now] = squares::<3, 3>(m, f, t, &stretch::TRIANGLE, x);
        flow_triangle(&rest, &now, threshold, p);
    }
}

/// Return mapping of a triangle by the squared lengths of its edges.
fn flow_triangle(rest: &[f64; 3], now: &[f64; 3], threshold: f64, p: &mut [f64; 3]) {
    let s = [0, 1, 2].map(|i| now[i] - rest[i] - p[i]);
    // Strain as a mixed tensor in the basis of the edges from the last vertex.
    let gram = |q: &[f64; 3]| {
        let off = 0.5 * (q[0] + q[1] - q[2]);
        DMat2::from_cols(DVec2::new(q[1], off), DVec2::new(off, q[0]))
    };
    let strain = gram(rest).inverse() * gram(&s) * 0.5;
    let trace = strain.x_axis.x + strain.y_axis.y;
    let square = strain * strain;
    let square = square.x_axis.x + square.y_axis.y;
    let tension = trace > 0.0;
    let norm = if tension { square + trace * trace } else { square - 0.5 * trace * trace };
    let Some(part) = flow((2.0 / 3.0 * norm).max(0.0).sqrt(), threshold) else { return };
    for i in 0..3 {
        p[i] += part * if tension { s[i] } else { s[i] - trace * rest[i] };
    }
}

/// Lets tetrahedra yield: the deviator flows, and the plastic metric keeps the volume.
fn yield_tetrahedra(m: &Model, f: FlexId, x: &[DVec3], plastic: &mut [f64]) {
    let threshold = m.flex.r#yield[f][0].max(0.0);
    for (t, p) in plastic.as_chunks_mut::<6>().0.iter_mut().enumerate() {
        let [rest, now] = squares::<6, 4>(m, f, t, &stretch::TETRAHEDRON, x);
        flow_tetrahedron(&rest, &now, threshold, p);
    }
}

/// Return mapping of a tetrahedron by the squared lengths of its edges.
fn flow_tetrahedron(rest: &[f64; 6], now: &[f64; 6], threshold: f64, p: &mut [f64; 6]) {
    let s = [0, 1, 2, 3, 4, 5].map(|i| now[i] - rest[i] - p[i]);
    // Mixed tensors in the basis of the edges from vertex 0: to 1, 2 and 3.
    let gram = |q: &[f64; 6]| {
        let [ab, bc, ac, cd, ad, bd] = *q;
        let (xy, xz, yz) = (0.5 * (ab + ac - bc), 0.5 * (ab + ad - bd), 0.5 * (ac + ad - cd));
        DMat3::from_cols(DVec3::new(ab, xy, xz), DVec3::new(xy, ac, yz), DVec3::new(xz, yz, ad))
    };
    let trace = |a: &DMat3| a.x_axis.x + a.y_axis.y + a.z_axis.z;
    let to_mixed = gram(rest).inverse();
    let strain = to_mixed * gram(&s) * 0.5;
    let mean = trace(&strain) / 3.0;
    let norm = trace(&(strain * strain)) - 3.0 * mean * mean;
    let Some(part) = flow((2.0 / 3.0 * norm).max(0.0).sqrt(), threshold) else { return };
    // Deviator of the new plastic metric, as squared lengths.
    let before = trace(&(to_mixed * gram(p))) / 3.0;
    for i in 0..6 {
        p[i] += part * (s[i] - 2.0 * mean * rest[i]) - before * rest[i];
    }
    let deviator = to_mixed * gram(p);
    let volumetric = isochoric(0.5 * trace(&(deviator * deviator)), deviator.determinant());
    for i in 0..6 {
        p[i] += (volumetric - 1.0) * rest[i];
    }
}

/// The factor β for which det(T + β 1) = 1 and T + β 1 is positive, where T has no trace: the greatest root of
/// β³ − ½ tr(T²) β + det T = 1.
fn isochoric(half_square: f64, det: f64) -> f64 {
    // No eigenvalue is below −√(⅔ tr T²), so that the cubic is positive, rising and convex from here down to the root.
    let mut beta = 1.0 + (4.0 / 3.0 * half_square).sqrt();
    for _ in 0..64 {
        let step = ((beta * beta - half_square) * beta + det - 1.0) / (3.0 * beta * beta - half_square);
        beta -= step;
        if step.is_nan() || step <= 1e-16 * beta {
            break;
        }
    }
    beta
}

/// Lets hinges yield: the strain at the shell's surface, half the thickness times the change of curvature, is bounded.
fn yield_hinges(m: &Model, f: FlexId, x: &[DVec3], plastic: &mut [f64]) {
    let (Some(records), false) = (elastic::hinges(m, f), plastic.is_empty()) else { return };
    let thickness = elastic::thickness(m, f);
    let curvature = 2.0 * m.flex.r#yield[f][1].max(0.0) / thickness;
    for ((e, record), p) in edges::range(m, f).zip(records).zip(plastic) {
        let Some(vertex) = hinge_vertices(m, e) else { continue };
        flow_hinge(record, m.flexedge.length0[FlexEdgeId::new(e)], &vertex.map(|v| x[v]), curvature, p);
    }
}

/// Return mapping of a hinge, whose plastic state is the factor of its volume by which it rests at an angle.
fn flow_hinge(record: &[f64; bending::RECORD], length0: f64, x: &[DVec3; 4], curvature: f64, plastic: &mut f64) {
    let (edge, a, b) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let normals = [edge.cross(a), b.cross(edge)];
    let areas = normals.map(DVec3::length);
    // The factor is that of a rest angle φ of unstretched triangles: stiffness · tan φ.
    let stiffness = record[4 * 2 + 3] / length0;
    // Hinges that are folded by a right angle or more at qpos0 stay elastic, as they do in the reference.
    if stiffness.is_nan() || stiffness < MINVAL || areas[0] * areas[1] == 0.0 {
        return;
    }
    let length = edge.length();
    let (sin, cos) = (normals[0].cross(normals[1]).dot(edge), normals[0].dot(normals[1]));
    let angle = real::atan2(sin * length0 / (length * length), cos);
    let rest = real::atan2((record[16] + *plastic) / stiffness, 1.0);
    let threshold = curvature * 0.5 * (areas[0] + areas[1]) / length0;
    let elastic = angle - rest;
    if elastic.abs() > threshold {
        let rest = (angle - threshold.copysign(elastic)).clamp(-STEEPEST, STEEPEST);
        *plastic = stiffness * real::tan(rest) - record[16];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-1.0..1.0).prop_map(DVec3::from_array)
    }

    fn lengths<const E: usize>(ends: &[[usize; 2]; E], x: &[DVec3]) -> [f64; E] {
        ends.map(|[a, b]| (x[a] - x[b]).length_squared())
    }

    proptest! {
        /// After a tetrahedron yields, its plastic metric keeps the volume, and a second return mapping changes nothing.
        #[test]
        fn a_tetrahedron_flows_to_the_yield_surface(
            x in [point(), point(), point(), point()],
            f in [point(), point(), point()],
            threshold in 0.001..0.2,
        ) {
            let volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]);
            prop_assume!(volume.abs() > 0.1);
            let f = DMat3::IDENTITY + DMat3::from_cols(f[0], f[1], f[2]) * 0.3;
            let (rest, now) = (lengths(&stretch::TETRAHEDRON, &x), lengths(&stretch::TETRAHEDRON, &x.map(|p| f * p)));
            let mut p = [0.0; 6];
            flow_tetrahedron(&rest, &now, threshold, &mut p);
            let once = p;
            flow_tetrahedron(&rest, &now, threshold * (1.0 + 1e-9), &mut p);
            prop_assert_eq!(once, p);
            // The volume of the tetrahedron with edges of the plastic metric (Cayley and Menger).
            let square = |q: &[f64; 6]| {
                let [ab, bc, ac, cd, ad, bd] = *q;
                let (xy, xz, yz) = (0.5 * (ab + ac - bc), 0.5 * (ab + ad - bd), 0.5 * (ac + ad - cd));
                ab * (ac * ad - yz * yz) - xy * (xy * ad - yz * xz) + xz * (xy * yz - ac * xz)
            };
            let metric: [f64; 6] = std::array::from_fn(|i| rest[i] + p[i]);
            prop_assert!((square(&metric) / square(&rest) - 1.0).abs() < 1e-7);
        }

        /// A triangle is on the yield surface after it yields: once more changes nothing.
        #[test]
        fn a_triangle_flows_to_the_yield_surface(
            x in [point(), point(), point()],
            f in [point(), point(), point()],
            threshold in 0.001..0.2,
        ) {
            prop_assume!((x[1] - x[0]).cross(x[2] - x[0]).length() > 0.1);
            let f = DMat3::IDENTITY + DMat3::from_cols(f[0], f[1], f[2]) * 0.3;
            let (rest, now) = (lengths(&stretch::TRIANGLE, &x), lengths(&stretch::TRIANGLE, &x.map(|p| f * p)));
            let mut p = [0.0; 3];
            flow_triangle(&rest, &now, threshold, &mut p);
            let once = p;
            flow_triangle(&rest, &now, threshold * (1.0 + 1e-9), &mut p);
            prop_assert_eq!(once, p);
        }
    }

    /// A strip pulled along one axis has the strain ε, and −ε across its thickness: it keeps y √3/2 of ε elastic.
    #[test]
    fn a_triangle_in_tension_keeps_the_yield_strain() {
        let rest = [2.0, 1.0, 1.0];
        let stretched = [2.0 + 0.2, 1.0, 1.0 + 0.2];
        let mut p = [0.0; 3];
        flow_triangle(&rest, &stretched, 0.05, &mut p);
        let kept = 1.0 - p[2] / 0.2;
        assert!((kept * 0.1 * 2.0 / 3f64.sqrt() - 0.05).abs() < 1e-12 && p[1].abs() < 1e-12, "{p:?}");
    }

    /// A hinge folded beyond the threshold rests at the angle less the threshold, and exerts no force there.
    #[test]
    fn a_folded_hinge_rests_at_an_angle() {
        let mut record = [0.0; bending::RECORD];
        // Sums of cotangents of two triangles with a right angle at either end of their edge.
        let c = [1.0, 1.0, -1.0, -1.0];
        (0..16).for_each(|i| record[i] = c[i / 4] * c[i % 4]);
        let fold = |angle: f64| {
            let b = DVec3::new(1.0, -angle.cos(), angle.sin());
            [DVec3::ZERO, DVec3::X, DVec3::Y, b]
        };
        let mut plastic = 0.0;
        flow_hinge(&record, 1.0, &fold(0.6), 0.1, &mut plastic);
        assert!((plastic.abs().atan() - 0.5).abs() < 1e-12, "{plastic}");
        // At rest nothing acts across the first triangle.
        let force = bending::gradient(&record, plastic, &fold(0.5))[2];
        assert!(force.z.abs() < 1e-12, "{force}");
        let before = plastic;
        flow_hinge(&record, 1.0, &fold(0.45), 0.1, &mut plastic);
        assert_eq!(plastic, before);
    }
}
