//! Shortest paths around spheres and cylinders.
//!
//! Both are problems in a plane: for a sphere the plane through its centre and both ends, for a
//! cylinder the plane across its axis, in which the path is the plane path with a constant slope
//! along the axis. In polar angles about the circle's centre, an end at distance l sees the circle's
//! tangent points acos(r/l) to either side of itself. A path that sweeps the angle Θ from end to end
//! therefore lies on the circle over |Θ| − acos(r/l₀) − acos(r/l₁); if that is negative, the straight
//! line clears the circle.

use mj_math::{DMat3, DVec3, MINVAL};
use mj_model::WrapType;
use std::f64::consts::FRAC_PI_2;

/// A point or direction in the plane of the problem.
type Point = [f64; 2];

fn norm(p: Point) -> f64 {
    p[0].hypot(p[1])
}

/// Signed angle from `a` to `b`, in [−π, π].
fn angle(a: Point, b: Point) -> f64 {
    (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1])
}

/// `p` turned by `t` and brought to length `r`.
fn turned(p: Point, t: f64, r: f64) -> Point {
    let (s, c) = t.sin_cos();
    let k = r / norm(p);
    [(c * p[0] - s * p[1]) * k, (s * p[0] + c * p[1]) * k]
}

/// A sphere, or a cylinder along its local z axis.
pub(crate) struct Round {
    pos: DVec3,
    mat: DMat3,
    radius: f64,
    cylinder: bool,
}

/// Where a path meets the geom and leaves it, and the length between.
pub(crate) struct Arc {
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    pub(crate) length: f64,
}

impl Round {
    pub(crate) fn new(kind: WrapType, pos: DVec3, mat: DMat3, radius: f64) -> Self {
        Self { pos, mat, radius, cylinder: kind == WrapType::Cylinder }
    }

    /// The path from `x0` to `x1` around the geom; none if it is a straight line. It goes around the
    /// same way as the line from `x0` over `side` to `x1`, or the short way without a side; if the
    /// side lies inside the geom, so does the path: it touches the surface from within.
    pub(crate) fn wrap(&self, x0: DVec3, x1: DVec3, side: Option<DVec3>) -> Option<Arc> {
        let local = |x: DVec3| self.mat.transpose() * (x - self.pos);
        let (p0, p1) = (local(x0), local(x1));
        if p0.length() < MINVAL || p1.length() < MINVAL {
            return None;
        }
        let (u, v) = if self.cylinder { (DVec3::X, DVec3::Y) } else { plane(p0, p1) };
        let flat = |p: DVec3| [p.dot(u), p.dot(v)];
        let ends = [flat(p0), flat(p1)];
        let (points, length) = match side.map(local) {
            Some(s) if s.length() < self.radius => (inside(ends, self.radius)?, 0.0),
            s => around(ends, s.map(flat), self.radius)?,
        };
        let [mut q0, mut q1] = points.map(|q| u * q[0] + v * q[1]);
        let mut length = length;
        if self.cylinder {
            // The rise along the axis goes with the length of the plane path.
            let (l0, l1) = (norm([p0.x - q0.x, p0.y - q0.y]), norm([p1.x - q1.x, p1.y - q1.y]));
            let slope = (p1.z - p0.z) / (l0 + length + l1);
            q0.z = p0.z + slope * l0;
            q1.z = p0.z + slope * (l0 + length);
            length = length.hypot(q1.z - q0.z);
        }
        Some(Arc { from: self.mat * q0 + self.pos, to: self.mat * q1 + self.pos, length })
    }
}

/// Axes of the plane through the origin and both points, the first towards `p0`.
fn plane(p0: DVec3, p1: DVec3) -> (DVec3, DVec3) {
    let u = p0.normalize();
    let mut normal = p0.cross(p1);
    if normal.length() < MINVAL {
        // Opposite or equal directions: any plane through them.
        let a = u.abs();
        let mut other = DVec3::ONE;
        let largest = if a.y > a.x && a.y > a.z {
            1
        } else if a.z > a.x && a.z > a.y {
            2
        } else {
            0
        };
        other[largest] = 0.0;
        normal = u.cross(other);
    }
    (u, normal.normalize().cross(u).normalize())
}

/// Tangent points and length of the arc between them, on the outside.
fn around([e0, e1]: [Point; 2], side: Option<Point>, r: f64) -> Option<([Point; 2], f64)> {
    let (l0, l1) = (norm(e0), norm(e1));
    if l0 < r || l1 < r || r < MINVAL || norm([e1[0] - e0[0], e1[1] - e0[1]]) < MINVAL.sqrt() {
        return None;
    }
    let sweep = match side {
        Some(s) => angle(e0, s) + angle(s, e1),
        None => angle(e0, e1),
    };
    let (a0, a1) = ((r / l0).acos(), (r / l1).acos());
    let arc = sweep.abs() - a0 - a1;
    if arc < 0.0 {
        return None;
    }
    let sign = if sweep < 0.0 { -1.0 } else { 1.0 };
    Some(([turned(e0, sign * a0, r), turned(e1, -sign * a1, r)], r * arc))
}

/// The point where the path touches the circle from within, twice.
///
/// The path is reflected there: with β the angle of incidence, the triangles to both ends give
/// β − asin(sin β r/l₀) + β − asin(sin β r/l₁) = G, the angle between the ends.
fn inside([e0, e1]: [Point; 2], r: f64) -> Option<[Point; 2]> {
    let (l0, l1) = (norm(e0), norm(e1));
    if l0 <= r || l1 <= r || r < MINVAL {
        return None;
    }
    let dif = [e1[0] - e0[0], e1[1] - e0[1]];
    let dd = dif[0] * dif[0] + dif[1] * dif[1];
    if dd > MINVAL {
        // The straight line passes through the circle already.
        let a = -(dif[0] * e0[0] + dif[1] * e0[1]) / dd;
        if a > 0.0 && a < 1.0 && norm([e0[0] + a * dif[0], e0[1] + a * dif[1]]) <= r {
            return None;
        }
    }
    let (a, b, gap) = (r / l0, r / l1, angle(e0, e1));
    // The left side grows with β from 0, and exceeds G at a right angle since the line misses the
    // circle: Newton's method, halving the bracket where it would leave it.
    let (mut low, mut high, mut beta) = (0.0, FRAC_PI_2, 0.5 * gap.abs());
    for _ in 0..50 {
        let (s, c) = beta.sin_cos();
        let excess = 2.0 * beta - (a * s).asin() - (b * s).asin() - gap.abs();
        if excess < 0.0 {
            low = beta;
        } else {
            high = beta;
        }
        let slope = 2.0 - a * c / (1.0 - a * a * s * s).sqrt() - b * c / (1.0 - b * b * s * s).sqrt();
        let newton = beta - excess / slope;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        let step = (next - beta).abs();
        beta = next;
        if step < 1e-15 {
            break;
        }
    }
    let turn = beta - (a * beta.sin()).asin();
    Some([turned(e0, if gap < 0.0 { -turn } else { turn }, r); 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn sphere() -> Round {
        Round::new(WrapType::Sphere, DVec3::ZERO, DMat3::IDENTITY, 1.0)
    }

    #[test]
    fn half_way_around_a_sphere() {
        // Tangents are vertical: a quarter turn on the circle lies between y = 0 ends far below.
        let (x0, x1) = (DVec3::new(-1.0, -3.0, 0.0), DVec3::new(1.0, -3.0, 0.0));
        let arc = sphere().wrap(x0, x1, Some(DVec3::new(0.0, 2.0, 0.0))).unwrap();
        assert!((arc.length - PI).abs() < 1e-12);
        assert!((arc.from - DVec3::NEG_X).length() < 1e-12 && (arc.to - DVec3::X).length() < 1e-12);
        // Without a side, the straight line is free.
        assert!(sphere().wrap(x0, x1, None).is_none());
    }

    #[test]
    fn a_cylinder_rises_evenly() {
        let c = Round::new(WrapType::Cylinder, DVec3::ZERO, DMat3::IDENTITY, 1.0);
        let arc = c
            .wrap(DVec3::new(-1.0, -1.0, 0.0), DVec3::new(1.0, -1.0, 2.0 + PI), Some(DVec3::new(0.0, 5.0, 0.0)))
            .unwrap();
        assert!((arc.from.z - 1.0).abs() < 1e-12 && (arc.to.z - 1.0 - PI).abs() < 1e-12);
        assert!((arc.length - PI * 2f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn an_inside_wrap_touches_symmetrically() {
        let (x0, x1) = (DVec3::new(-2.0, 2.0, 0.0), DVec3::new(2.0, 2.0, 0.0));
        let arc = sphere().wrap(x0, x1, Some(DVec3::ZERO)).unwrap();
        assert!((arc.from - DVec3::Y).length() < 1e-6 && arc.length == 0.0);
    }
}
