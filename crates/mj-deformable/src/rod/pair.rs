//! Two neighbouring vertices of a rod without twist angles that are curved at qpos0: besides the sizes of their curvatures, the
//! angle φ between their planes of bending resists change, by the energy 2 k (1 − cos (φ − φ₀)).

use super::hinge::{Bend, Strain, size_of_curvature};
use mj_math::{DVec3, real};

/// Parameters of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Stiffnesses of bending.
    pub bending: [f64; 2],
    /// Curvatures at qpos0.
    pub rest: [f64; 2],
    /// k cos φ₀ and k sin φ₀.
    pub torsion: [f64; 2],
}

/// Bends of a pair, and the rows by which the angle between their planes follows.
struct Planes {
    /// cos φ and sin φ.
    angle: [f64; 2],
    /// Derivatives of φ by the turn of either plane.
    by: [[DVec3; 3]; 2],
}

/// The bends at both vertices.
#[inline]
pub fn bends(edge: &[DVec3; 3]) -> [Bend; 2] {
    [Bend::new([edge[0], edge[1]]), Bend::new([edge[1], edge[2]])]
}

fn shifted([e, f]: [DVec3; 2], by: usize) -> [DVec3; 3] {
    if by == 0 { [e, f, DVec3::ZERO] } else { [DVec3::ZERO, e, f] }
}

impl Planes {
    /// None where an edge is in line with the next, so that a plane is unknown.
    fn of(edge: &[DVec3; 3], bends: &[Bend; 2]) -> Option<Self> {
        let axis = edge[1].normalize_or_zero();
        let normal = [bends[0].direction()?, bends[1].direction()?];
        let angle = [normal[0].dot(normal[1]), normal[0].cross(normal[1]).dot(axis)];
        let turn = |i: usize, sign: f64| {
            let size = bends[i].curvature.length();
            shifted(bends[i].slope(axis.cross(normal[i])).map(|d| d * (sign / size)), i)
        };
        Some(Self { angle, by: [turn(0, -1.0), turn(1, 1.0)] })
    }
}

fn sum(a: &[DVec3; 3], b: &[DVec3; 3], by: f64) -> [DVec3; 3] {
    [0, 1, 2].map(|i| a[i] + b[i] * by)
}

/// Strains of a pair: sizes of both curvatures, and the sine of the angle from rest. The gradient of its energy is that of the
/// pair: 2 k sin (φ − φ₀) dφ.
#[inline]
pub fn strains(edge: &[DVec3; 3], p: &Pair) -> [Strain; 7] {
    let bends = bends(edge);
    let mut out = [Strain::default(); 7];
    for i in 0..2 {
        let rows = size_of_curvature(&bends[i], p.bending[i], p.rest[i]);
        for (out, row) in out[3 * i..].iter_mut().zip(rows) {
            *out = Strain { edge: shifted([row.edge[0], row.edge[1]], i), ..row };
        }
    }
    if let Some(planes) = Planes::of(edge, &bends) {
        let [c, s] = p.torsion;
        let weight = real::hypot(c, s);
        // k sin (φ − φ₀).
        let pull = planes.angle[1] * c - planes.angle[0] * s;
        let residual = if weight > 0.0 { pull / weight } else { 0.0 };
        out[6] = Strain { weight, residual, edge: sum(&planes.by[0], &planes.by[1], 1.0), twist: [0.0; 2] };
    }
    out
}

/// Strains whose squares, each with its weight, approximate the pair's energy to second order, and are nowhere negative.
#[inline]
pub fn stiffness(edge: &[DVec3; 3], p: &Pair) -> [Strain; 8] {
    let bends = bends(edge);
    let mut out = [Strain::default(); 8];
    let row = |weight: f64, edge| Strain { weight, edge, ..Strain::default() };
    let axis = edge[1].normalize_or_zero();
    for i in 0..2 {
        let along = |a: DVec3| shifted(bends[i].slope(a), i);
        let rows = &mut out[3 * i..3 * i + 3];
        if let Some(n) = bends[i].direction() {
            let beyond = (1.0 - p.rest[i] / bends[i].curvature.length()).max(0.0);
            rows[0] = row(p.bending[i], along(n));
            rows[1] = row(p.bending[i] * beyond, along(axis.cross(n)));
        } else {
            rows.iter_mut().zip(DVec3::AXES).for_each(|(out, a)| *out = row(p.bending[i], along(a)));
        }
    }
    if let Some(planes) = Planes::of(edge, &bends) {
        let [c, s] = p.torsion;
        let weight = real::hypot(c, s);
        if weight > 0.0 {
            // The plane of either vertex alone resists turning by k, both together by k cos (φ − φ₀).
            let cos = (planes.angle[0] * c + planes.angle[1] * s) / weight;
            out[6] = row(weight, sum(&planes.by[0], &planes.by[1], cos));
            out[7] = row(weight * (1.0 - cos * cos).max(0.0), planes.by[1]);
        }
    }
    out
}
