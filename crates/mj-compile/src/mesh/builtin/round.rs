//! Shapes that are round, or nearly so, each about a unit across.

use crate::mesh::soup::{Soup, single};
use mj_math::{DVec3, Vec3, real};
use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Triangles of an icosahedron whose vertices are those of three golden rectangles.
const ICOSAHEDRON: [[u32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// An icosahedron, each triangle cut into four again and again, out to the unit sphere. In single precision
/// throughout: how its parts are rounded decides which of its symmetric faces is in contact.
pub(super) fn sphere(subdivisions: usize) -> Soup {
    let golden = ((1.0 + 5f64.sqrt()) / 2.0) as f32;
    let length = (1.0 + f64::from(golden * golden)).sqrt();
    let unit = |x: f32| (f64::from(x) / length) as f32;
    let mut vert: Vec<Vec3> = Vec::new();
    // Three golden rectangles across each other.
    for k in [2, 0, 1] {
        for (long, short) in [(1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0)] {
            let mut p = Vec3::ZERO;
            (p[(k + 1) % 3], p[(k + 2) % 3]) = (unit(short), unit(long * golden));
            vert.push(p);
        }
    }
    let mut face = ICOSAHEDRON.to_vec();
    for _ in 0..subdivisions {
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        let mut middle = |a: u32, b: u32, vert: &mut Vec<Vec3>| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let p = (vert[a as usize] + vert[b as usize]) / 2.0;
                vert.push(p / p.length());
                vert.len() as u32 - 1
            })
        };
        face = (face.iter())
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [middle(a, b, &mut vert), middle(b, c, &mut vert), middle(c, a, &mut vert)];
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    Soup { vert: vert.into_iter().map(|p| p.to_array()).collect(), face, ..Default::default() }
}

/// Half an octahedron, its four triangles cut along parallels to the equator, out to the unit sphere, on a disc
/// with a vertex in the middle.
pub(super) fn hemisphere(resolution: usize) -> Soup {
    let side = [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y];
    let rows = resolution + 1;
    let mut soup = Soup { vert: vec![[0.0, 0.0, 1.0]], ..Default::default() };
    // Row r has 4r vertices; the pole is row 0.
    for r in 1..=rows {
        for i in 0..4 * r {
            let (from, to) = (side[i / r], side[(i / r + 1) % 4]);
            let t = (i % r) as f64 / r as f64;
            let flat = from.lerp(to, t);
            soup.vert.push(single(DVec3::Z.lerp(flat, r as f64 / rows as f64).normalize()));
        }
    }
    let first = |r: usize| if r == 0 { 0 } else { 1 + 2 * r * (r - 1) };
    let at = |r: usize, i: usize| (first(r) + if r == 0 { 0 } else { i % (4 * r) }) as u32;
    for r in 0..rows {
        for quarter in 0..4 {
            for i in 0..=r {
                let (inner, outer) = (quarter * r + i, quarter * (r + 1) + i);
                soup.face.push([at(r, inner), at(r + 1, outer), at(r + 1, outer + 1)]);
                if i < r {
                    soup.face.push([at(r, inner), at(r + 1, outer + 1), at(r, inner + 1)]);
                }
            }
        }
    }
    let middle = soup.vert.len() as u32;
    soup.vert.push([0.0; 3]);
    for i in 0..4 * rows {
        soup.face.push([at(rows, i), middle, at(rows, i + 1)]);
    }
    soup
}

/// The points of a cone whose foot is a regular polygon; the hull gives the faces.
pub(super) fn cone(edges: usize, top: f64) -> Soup {
    let corner = |i: usize, r: f64, z: f64| {
        let (s, c) = real::sin_cos(TAU * i as f64 / edges as f64);
        single(DVec3::new(r * c, r * s, z))
    };
    let mut vert: Vec<[f32; 3]> = (0..edges).map(|i| corner(i, 1.0, -1.0)).collect();
    if top > 0.0 {
        // Once more around: the angles' last digits are those of a second turn.
        vert.extend((edges..2 * edges).map(|i| corner(i, top, 1.0)));
    } else {
        vert.push([0.0, 0.0, 1.0]);
    }
    Soup { vert, ..Default::default() }
}

/// A sphere in longitude and latitude, with powers of sine and cosine in their places.
pub(super) fn supersphere(res: usize, east: f64, north: f64) -> Soup {
    let mut vert = vec![[0.0, 0.0, -1.0]];
    for i in 1..res {
        let (sv, cv) = real::sin_cos(-FRAC_PI_2 + i as f64 * PI / res as f64);
        for j in 0..res {
            let (su, cu) = real::sin_cos(-PI + j as f64 * TAU / res as f64);
            let around = power(cv, north);
            vert.push(single(DVec3::new(around * power(cu, east), around * power(su, east), power(sv, north))));
        }
    }
    let top = vert.len() as u32;
    vert.push([0.0, 0.0, 1.0]);
    let at = |i: usize, j: usize| (1 + i * res + j % res) as u32;
    let mut face = Vec::new();
    face.extend((0..res).map(|j| [0, at(0, j + 1), at(0, j)]));
    for i in 0..res - 2 {
        for j in 0..res {
            face.push([at(i, j), at(i, j + 1), at(i + 1, j)]);
            face.push([at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]);
        }
    }
    face.extend((0..res).map(|j| [at(res - 2, j), at(res - 2, j + 1), top]));
    Soup { vert, face, ..Default::default() }
}

/// A torus of major radius 1, with powers of sine and cosine in their places: `minor` for the sections of the tube,
/// `major` for its way round.
pub(super) fn supertorus(res: usize, radius: f64, minor: f64, major: f64) -> Soup {
    let turn = |i: usize| real::sin_cos(TAU * i as f64 / res as f64);
    let mut soup = Soup::default();
    for i in 0..res {
        let (su, cu) = turn(i);
        for j in 0..res {
            let (sv, cv) = turn(j);
            let out = 1.0 + radius * power(cv, minor);
            let p = DVec3::new(out * power(cu, major), out * power(su, major), radius * power(sv, minor));
            soup.vert.push(single(p));
        }
    }
    let at = |i: usize, j: usize| (i % res * res + j % res) as u32;
    for i in 0..res {
        for j in 0..res {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            soup.face.extend([[a, b, d], [b, c, d]]);
        }
    }
    soup
}

/// A power that keeps the sign of its base.
fn power(x: f64, p: f64) -> f64 {
    real::pow(x.abs(), p).copysign(x)
}
