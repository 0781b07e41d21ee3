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
/// A pyramid with apex o and base (a, b, c) about o has volume V = A n·m/3, with the area A, normal n and middle m of
/// its base, its centre three quarters of the way to m, and ∫ x xᵀ = V/20 (aaᵀ + bbᵀ + ccᵀ + ssᵀ) with s = a + b + c.
/// Pyramids that face inward count negative, unless by the legacy rule all count positive. A shell has its mass on the
/// triangles themselves, where ∫ x xᵀ = A/12 (aaᵀ + bbᵀ + ccᵀ + ssᵀ).
///
/// Of solids with equal moments rounding chooses the axes: sums are in the order in which the reference takes them,
/// and what is symmetric is computed once.
pub(crate) fn solid(
    vert: &[DVec3],
    faces: &[[u32; 3]],
    surface: &[[u32; 3]],
    kind: MeshInertia,
) -> Result<Solid, &'static str> {
    let triangles = |faces: &[[u32; 3]], o: DVec3| -> Vec<Triangle> {
        faces.iter().map(|f| Triangle::new(f.map(|i| vert[i as usize] - o))).collect()
    };
    let (mut area, mut middle) = (0.0, DVec3::ZERO);
    for t in triangles(surface, DVec3::ZERO) {
        area += t.area;
        middle += t.area * t.middle;
    }
    if area.is_nan() || area < MINVAL {
        return Err("the area of its surface is too small");
    }
    middle /= area;

    let shell = kind == MeshInertia::Shell;
    let measure = |t: &Triangle, o: DVec3| {
        if shell {
            return t.area;
        }
        let v = (t.middle - o).dot(t.normal) * t.area / 3.0;
        if kind == MeshInertia::Legacy { v.abs() } else { v }
    };
    let faces = if shell { surface } else { faces };
    let (mut volume, mut centre) = (0.0, DVec3::ZERO);
    for t in triangles(faces, DVec3::ZERO) {
        let v = measure(&t, middle);
        volume += v;
        centre += v * (t.middle * 3.0 / 4.0 + middle / 4.0);
    }
    if volume < 0.0 {
        return Err("its volume is negative: its triangles are turned inside out");
    }
    if volume.is_nan() || volume < MINVAL {
        return Err("its volume is too small");
    }
    centre /= volume;

    let (mut volume, mut second) = (0.0, [0.0; 6]);
    for t in triangles(faces, centre) {
        let v = measure(&t, DVec3::ZERO);
        volume += v;
        let [a, b, c] = t.corners;
        for (sum, (i, j)) in second.iter_mut().zip([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]) {
            let own = 2.0 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
            let mixed = |sum: f64, p: DVec3, q: DVec3| sum + p[i] * q[j] + p[j] * q[i];
            *sum += v / if shell { 12.0 } else { 20.0 } * mixed(mixed(mixed(own, a, b), a, c), b, c);
        }
    }
    let [xx, yy, zz, xy, xz, yz] = second;
    let inertia = crate::inertia::matrix([yy + zz, xx + zz, xx + yy, -xy, -xz, -yz]);
    if volume.is_nan() || volume < MINVAL || !inertia.is_finite() {
        return Err("its volume is too small");
    }
    Ok(Solid { volume, centre, inertia })
}

struct Triangle {
    corners: [DVec3; 3],
    middle: DVec3,
    area: f64,
    /// Of length 1; of no meaning where the area is zero.
    normal: DVec3,
}

impl Triangle {
    fn new(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a);
        let length = normal.length();
        let (area, normal) = if length < MINVAL { (0.0, normal) } else { (0.5 * length, normal / length) };
        Self { corners, middle: (a + b + c) / 3.0, area, normal }
    }
}
