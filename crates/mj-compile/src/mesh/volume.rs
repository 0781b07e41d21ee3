//! Volume, centre of mass and second moments of what triangles enclose.

use mj_math::{DMat3, DVec3, MINVAL};
use mj_model::MeshInertia;

/// Volume (or area), centre of mass, and inertia about it at unit density.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    pub volume: f64,
    pub centre: DVec3,
    pub inertia: DMat3,
}

/// Integrates over the pyramids that the triangles make with a point in their midst.
///
/// A pyramid with apex o and base (a, b, c) about o has volume V = a·(b×c)/6, its centre three quarters of the way
/// to the base's, and ∫ x xᵀ = V/20 (aaᵀ + bbᵀ + ccᵀ + ssᵀ) with s = a + b + c. Pyramids that face inward count
/// negative, unless by the legacy rule all count positive. A shell has its mass on the triangles themselves, where
/// ∫ x xᵀ = A/12 (aaᵀ + bbᵀ + ccᵀ + ssᵀ).
pub(crate) fn solid(
    vert: &[DVec3],
    faces: &[[u32; 3]],
    surface: &[[u32; 3]],
    kind: MeshInertia,
) -> Result<Solid, &'static str> {
    let corners = |f: &[u32; 3]| f.map(|i| vert[i as usize]);
    let (mut area, mut middle) = (0.0, DVec3::ZERO);
    for f in surface {
        let t = corners(f);
        let a = triangle_area(t);
        area += a;
        middle += a * (t[0] + t[1] + t[2]) / 3.0;
    }
    if area.is_nan() || area < MINVAL {
        return Err("the area of its surface is too small");
    }
    middle /= area;

    let shell = kind == MeshInertia::Shell;
    let measure = |[a, b, c]: [DVec3; 3]| {
        if shell {
            return triangle_area([a, b, c]);
        }
        let v = a.dot((b - a).cross(c - a)) / 6.0;
        if kind == MeshInertia::Legacy { v.abs() } else { v }
    };
    let faces = if shell { surface } else { faces };
    let (mut volume, mut centre) = (0.0, DVec3::ZERO);
    for f in faces {
        let t = corners(f);
        let v = measure(t.map(|p| p - middle));
        volume += v;
        centre += v * ((t[0] + t[1] + t[2]) / 4.0 + middle / 4.0);
    }
    if volume < 0.0 {
        return Err("its volume is negative: its triangles are turned inside out");
    }
    if volume.is_nan() || volume < MINVAL {
        return Err("its volume is too small");
    }
    centre /= volume;

    let outer = |r: DVec3| DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    let (mut volume, mut second) = (0.0, DMat3::ZERO);
    for f in faces {
        let [a, b, c] = corners(f).map(|p| p - centre);
        let v = measure([a, b, c]);
        volume += v;
        second += (outer(a) + outer(b) + outer(c) + outer(a + b + c)) * (v / if shell { 12.0 } else { 20.0 });
    }
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
    if volume.is_nan() || volume < MINVAL || !inertia.is_finite() {
        return Err("its volume is too small");
    }
    Ok(Solid { volume, centre, inertia })
}

fn triangle_area([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}
