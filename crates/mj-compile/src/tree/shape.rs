//! Volume, inertia and bounds of the primitive shapes.
//!
//! Sizes are MuJoCo's: radius of a sphere; radius and half length of a capsule (of its straight
//! part) or cylinder; half axes of an ellipsoid; half edges of a box. Shapes are centred, with
//! their long axis along z.

use mj_math::{DVec3, MAXVAL, real};
use mj_model::GeomType;
use std::f64::consts::PI;

/// Volume (length³), or surface area (length²) of the shell.
pub(crate) fn volume(shape: GeomType, size: DVec3, shell: bool) -> f64 {
    let (r, h) = (size.x, 2.0 * size.y);
    let (a, b, c) = (size.x, size.y, size.z);
    match (shape, shell) {
        (GeomType::Sphere, false) => 4.0 * PI * r * r * r / 3.0,
        (GeomType::Sphere, true) => 4.0 * PI * r * r,
        (GeomType::Capsule, false) => PI * (r * r * h + 4.0 * r * r * r / 3.0),
        (GeomType::Capsule, true) => 2.0 * PI * r * (h + 2.0 * r),
        (GeomType::Cylinder, false) => PI * r * r * h,
        (GeomType::Cylinder, true) => 2.0 * PI * r * (h + r),
        (GeomType::Ellipsoid, false) => 4.0 * PI * a * b * c / 3.0,
        (GeomType::Ellipsoid, true) => {
            // Thomsen's approximation, within 1.1%: the exact area is an elliptic integral.
            let p = 1.6075;
            let mean = (real::pow(a * b, p) + real::pow(b * c, p) + real::pow(c * a, p)) / 3.0;
            4.0 * PI * real::pow(mean, 1.0 / p)
        }
        // A height field has the inertia of a box.
        (GeomType::Box | GeomType::Hfield, false) => 8.0 * a * b * c,
        (GeomType::Box | GeomType::Hfield, true) => 8.0 * (a * b + b * c + c * a),
        _ => 0.0,
    }
}

/// Principal moments of inertia about the centre of a shape of mass `m`, spread evenly over its
/// volume or, for a shell, over its surface.
///
/// Of bodies with equal moments rounding chooses the axes, so that the common solids are computed in the order of
/// the reference.
pub(crate) fn inertia(shape: GeomType, size: DVec3, shell: bool, m: f64) -> DVec3 {
    let round = |across: f64, along: f64| DVec3::new(across, across, along);
    let sq = size * size;
    match shape {
        GeomType::Sphere => DVec3::splat(2.0 * m * size.x * size.x / if shell { 3.0 } else { 5.0 }),
        GeomType::Capsule if !shell => {
            let (r, h) = (size.x, 2.0 * size.y);
            let caps = m * 4.0 * r / (4.0 * r + 3.0 * h);
            let side = m - caps;
            let sphere = 2.0 * caps * r * r / 5.0;
            // A cap's centre of mass lies 3/8 r above its rim; moving it out by h/2 adds caps·h(3r + 2h)/8.
            let across = side * (3.0 * r * r + h * h) / 12.0;
            round(across + (sphere + caps * h * (3.0 * r + 2.0 * h) / 8.0), side * r * r / 2.0 + sphere)
        }
        GeomType::Capsule => {
            let (r, half) = (size.x, size.y);
            let h = 2.0 * half;
            // The two caps make one sphere; its share of the mass is its share of the area.
            let caps = m * volume(GeomType::Sphere, size, true) / volume(shape, size, true);
            let side = m - caps;
            // A cap's centre of mass lies r/2 above its rim; moving it out by half a length adds
            // caps·((half + d)² − d²).
            let about_centre = 2.0 / 3.0 * caps * r * r;
            let d = 0.5 * r;
            let across = side * (r * r / 2.0 + h * h / 12.0) + about_centre + caps * ((half + d) * (half + d) - d * d);
            round(across, side * r * r + about_centre)
        }
        GeomType::Cylinder if shell => {
            let (r, half) = (size.x, size.y);
            let disk = m * PI * r * r / volume(shape, size, true);
            let side = m - 2.0 * disk;
            let across = side * (r * r / 2.0 + half * half / 3.0) + 2.0 * disk * (r * r / 4.0 + half * half);
            round(across, side * r * r + disk * r * r)
        }
        GeomType::Cylinder => {
            let (r, h) = (size.x, 2.0 * size.y);
            round(m * (3.0 * r * r + h * h) / 12.0, m * r * r / 2.0)
        }
        GeomType::Ellipsoid if shell => {
            // The layer between the ellipsoid and one whose half axes are longer by a hair.
            let solid = |s: DVec3, m: f64| inertia(GeomType::Ellipsoid, s, false, m);
            let outer = size + DVec3::splat(1e-6);
            let (v0, v1) = (volume(shape, size, false), volume(shape, outer, false));
            let density = m / (v1 - v0);
            solid(outer, density * v1) - solid(size, density * v0)
        }
        GeomType::Ellipsoid => m * DVec3::new(sq.y + sq.z, sq.x + sq.z, sq.x + sq.y) / 5.0,
        GeomType::Box | GeomType::Hfield if shell => {
            // Second moments ∫x² dm along each axis: a face across the axis sits at the half edge, a
            // face along it is spread over the edge.
            let face = DVec3::new(size.y * size.z, size.x * size.z, size.x * size.y);
            let total = face.element_sum();
            let moment = m / total * sq * (face + (DVec3::splat(total) - face) / 3.0);
            DVec3::splat(moment.element_sum()) - moment
        }
        GeomType::Box | GeomType::Hfield => m * DVec3::new(sq.y + sq.z, sq.x + sq.z, sq.x + sq.y) / 3.0,
        _ => DVec3::ZERO,
    }
}

/// Radius of the bounding sphere about the centre; 0: unbounded.
pub(crate) fn radius(shape: GeomType, size: DVec3) -> f64 {
    match shape {
        GeomType::Sphere => size.x,
        GeomType::Capsule => size.x + size.y,
        GeomType::Cylinder => (size.x * size.x + size.y * size.y).sqrt(),
        GeomType::Ellipsoid => size.max_element(),
        GeomType::Box => size.length(),
        _ => 0.0,
    }
}

/// Bounding box: centre, half sizes.
pub(crate) fn bounding_box(shape: GeomType, size: DVec3) -> [f64; 6] {
    let half = match shape {
        GeomType::Plane => {
            // Everything below the plane.
            let m = MAXVAL;
            return [0.0, 0.0, -m / 2.0, m, m, m / 2.0];
        }
        GeomType::Sphere => DVec3::splat(size.x),
        GeomType::Capsule => DVec3::new(size.x, size.x, size.x + size.y),
        GeomType::Cylinder => DVec3::new(size.x, size.x, size.y),
        _ => size,
    };
    [0.0, 0.0, 0.0, half.x, half.y, half.z]
}

/// Half sizes of the box whose inertia a height field has.
pub(crate) fn of_field([x, y, top, base]: [f64; 4]) -> DVec3 {
    DVec3::new(x, y, 0.25 * top + 0.5 * base)
}

/// Centre and half sizes of a box from its corners.
pub(crate) fn centred(low: DVec3, high: DVec3) -> [f64; 6] {
    let (c, h) = ((low + high) / 2.0, (high - low) / 2.0);
    [c.x, c.y, c.z, h.x, h.y, h.z]
}

/// Number of sizes that a shape needs, each positive.
pub(crate) fn size_count(shape: GeomType) -> usize {
    match shape {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Ellipsoid | GeomType::Box | GeomType::Plane => 3,
        GeomType::Hfield | GeomType::Mesh | GeomType::Sdf => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPES: [GeomType; 5] =
        [GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid, GeomType::Cylinder, GeomType::Box];

    fn inside(shape: GeomType, s: DVec3, p: DVec3) -> bool {
        let across = real::hypot(p.x, p.y);
        match shape {
            GeomType::Sphere => p.length() < s.x,
            GeomType::Capsule => real::hypot(across, (p.z.abs() - s.y).max(0.0)) < s.x,
            GeomType::Cylinder => across < s.x && p.z.abs() < s.y,
            GeomType::Ellipsoid => (p / s).length() < 1.0,
            _ => (p / s).abs().max_element() < 1.0,
        }
    }

    /// Volume and second moments by summing over a fine grid.
    #[test]
    fn solids_agree_with_numerical_integration() {
        let size = DVec3::new(0.3, 0.5, 0.7);
        for shape in SHAPES {
            let bounds = DVec3::from_slice(&bounding_box(shape, size)[3..]);
            let n = 80;
            let step = bounds * 2.0 / f64::from(n);
            let (mut v, mut second) = (0.0, DVec3::ZERO);
            for i in 0..n * n * n {
                let cell = DVec3::new(f64::from(i % n), f64::from(i / n % n), f64::from(i / n / n));
                let p = -bounds + step * (cell + DVec3::splat(0.5));
                if inside(shape, size, p) {
                    v += 1.0;
                    second += p * p;
                }
            }
            let want = DVec3::splat(second.element_sum() / v) - second / v;
            let got = inertia(shape, size, false, 1.0);
            assert!((got - want).abs().max_element() < 3e-3 * want.max_element(), "{shape:?}: {got} {want}");
            let v = v * step.x * step.y * step.z;
            assert!((volume(shape, size, false) - v).abs() < 5e-3 * v, "{shape:?}");
        }
    }

    /// A shell is the limit of a thin layer: grown by ε with the same density, the mass that comes
    /// on is the shell's, and so is its inertia.
    #[test]
    fn shells_are_thin_layers() {
        let (size, eps) = (DVec3::new(0.3, 0.5, 0.7), 1e-5);
        for shape in [GeomType::Sphere, GeomType::Capsule, GeomType::Cylinder, GeomType::Box] {
            // A capsule grows in radius only: its straight part keeps its length.
            let more = if shape == GeomType::Capsule { DVec3::X } else { DVec3::ONE };
            let grown = size + more * eps;
            let (v0, v1) = (volume(shape, size, false), volume(shape, grown, false));
            let layer = inertia(shape, grown, false, v1) - inertia(shape, size, false, v0);
            let want = layer / (v1 - v0);
            let got = inertia(shape, size, true, 1.0);
            assert!((got - want).abs().max_element() < 1e-4, "{shape:?}: {got} {want}");
            let area = volume(shape, size, true);
            assert!(((v1 - v0) / eps - area).abs() < 1e-3 * area, "{shape:?}");
        }
    }

    proptest! {
        #[test]
        fn inertia_is_physical(a in 0.01..3.0f64, b in 0.01..3.0f64, c in 0.01..3.0f64, m in 0.1..10.0f64, shell in any::<bool>()) {
            for shape in SHAPES {
                let size = DVec3::new(a, b, c);
                let i = inertia(shape, size, shell, m);
                // Triangle inequality, with room for the difference quotient of the ellipsoid's shell.
                prop_assert!(i.min_element() > 0.0);
                prop_assert!(i.element_sum() >= 2.0 * i.max_element() * (1.0 - 1e-6), "{:?} {}", shape, i);
                prop_assert!((inertia(shape, size, shell, 2.0 * m) - 2.0 * i).length() < 1e-6 * i.length());
                // No point is further out than the bounding sphere.
                let r = radius(shape, size) + 1e-5;
                prop_assert!(i.element_sum() / 2.0 <= m * r * r * (1.0 + 1e-6));
            }
        }

        #[test]
        fn round_shapes_are_limits_of_each_other(r in 0.1..2.0f64, m in 0.1..10.0f64, shell in any::<bool>()) {
            let sphere = inertia(GeomType::Sphere, DVec3::new(r, 0.0, 0.0), shell, m);
            let flat = inertia(GeomType::Capsule, DVec3::new(r, 0.0, 0.0), shell, m);
            prop_assert!((sphere - flat).length() < 1e-9 * sphere.length());
            let ball = inertia(GeomType::Ellipsoid, DVec3::splat(r), shell, m);
            prop_assert!((sphere - ball).length() < 1e-4 * sphere.length());
        }
    }
}
