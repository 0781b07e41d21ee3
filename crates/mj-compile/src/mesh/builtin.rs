//! Shapes that the compiler makes by itself, each about a unit across.

use super::soup::Soup;
use mj_math::DVec3;
use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Makes a shape from its name and parameters.
pub(crate) fn make(name: &str, params: &[f64]) -> Result<Soup, String> {
    match name {
        "sphere" => sphere(whole(params, 1, 0, 0, 4)? as usize),
        "hemisphere" => hemisphere(whole(params, 1, 0, 0, 10)? as usize),
        "cone" => cone(whole(params, 2, 0, 3, 10_000)? as usize, within(params, 1, 0.0, 1.0)?),
        "supersphere" => {
            let res = whole(params, 3, 0, 3, 1000)? as usize;
            supersphere(res, within(params, 1, 0.0, f64::MAX)?, within(params, 2, 0.0, f64::MAX)?)
        }
        "supertorus" | "wedge" | "plate" | "grid" | "box" | "cylinder" | "ellipsoid" | "square" | "disc" => {
            Err(format!("the built-in shape `{name}`: not supported yet"))
        }
        _ => Err(format!("there is no built-in shape `{name}`: there are sphere, hemisphere, cone, supersphere")),
    }
}

fn within(params: &[f64], i: usize, low: f64, high: f64) -> Result<f64, String> {
    match params.get(i) {
        Some(x) if (low..=high).contains(x) => Ok(*x),
        Some(x) => Err(format!("parameter {} is {x}, but it must be from {low} to {high}", i + 1)),
        None => Err(format!("parameter {} is missing", i + 1)),
    }
}

/// A whole number among `count` parameters.
fn whole(params: &[f64], count: usize, i: usize, low: u32, high: u32) -> Result<u32, String> {
    if params.len() != count {
        return Err(format!("the shape has {count} parameters, but {} are given", params.len()));
    }
    let x = within(params, i, low.into(), high.into())?;
    if x.fract() == 0.0 { Ok(x as u32) } else { Err(format!("parameter {} must be a whole number", i + 1)) }
}

fn single(p: DVec3) -> [f32; 3] {
    p.to_array().map(|x| x as f32)
}

/// An icosahedron, each triangle cut into four again and again, out to the unit sphere.
fn sphere(subdivisions: usize) -> Result<Soup, String> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let mut vert: Vec<DVec3> = Vec::new();
    // Three golden rectangles across each other.
    for k in [2, 0, 1] {
        for (long, short) in [(1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0)] {
            let mut p = DVec3::ZERO;
            (p[(k + 1) % 3], p[(k + 2) % 3]) = (short, long * golden);
            vert.push(p.normalize());
        }
    }
    // The corners nearest to each other make the triangles.
    let edge = 2.0 / (1.0 + golden * golden).sqrt() + 1e-6;
    let near = |a: usize, b: usize| vert[a].distance(vert[b]) < edge;
    let mut face: Vec<[u32; 3]> = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(c, a) {
                    let outward = (vert[b] - vert[a]).cross(vert[c] - vert[a]).dot(vert[a]) > 0.0;
                    face.push(if outward { [a, b, c] } else { [a, c, b] }.map(|i| i as u32));
                }
            }
        }
    }
    for _ in 0..subdivisions {
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        let mut middle = |a: u32, b: u32, vert: &mut Vec<DVec3>| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                vert.push((vert[a as usize] + vert[b as usize]).normalize());
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
    Ok(Soup { vert: vert.into_iter().map(single).collect(), face })
}

/// Half an octahedron, its four triangles cut along parallels to the equator, out to the unit sphere, on a disc
/// with a vertex in the middle.
fn hemisphere(resolution: usize) -> Result<Soup, String> {
    let side = [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y];
    let rows = resolution + 1;
    let mut soup = Soup { vert: vec![[0.0, 0.0, 1.0]], face: Vec::new() };
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
    Ok(soup)
}

/// The points of a cone whose foot is a regular polygon; the hull gives the faces.
fn cone(edges: usize, top: f64) -> Result<Soup, String> {
    let ring = |r: f64, z: f64| {
        (0..edges).map(move |i| {
            let (s, c) = (TAU * i as f64 / edges as f64).sin_cos();
            single(DVec3::new(r * c, r * s, z))
        })
    };
    let mut vert: Vec<[f32; 3]> = ring(1.0, -1.0).collect();
    if top > 0.0 {
        vert.extend(ring(top, 1.0));
    } else {
        vert.push([0.0, 0.0, 1.0]);
    }
    Ok(Soup { vert, face: Vec::new() })
}

/// A sphere in longitude and latitude, with powers of sine and cosine in their places.
fn supersphere(res: usize, east: f64, north: f64) -> Result<Soup, String> {
    let power = |x: f64, p: f64| x.signum() * x.abs().powf(p);
    let mut vert = vec![[0.0, 0.0, -1.0]];
    for i in 1..res {
        let (sv, cv) = (-FRAC_PI_2 + i as f64 * PI / res as f64).sin_cos();
        for j in 0..res {
            let (su, cu) = (-PI + j as f64 * TAU / res as f64).sin_cos();
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
    Ok(Soup { vert, face })
}
