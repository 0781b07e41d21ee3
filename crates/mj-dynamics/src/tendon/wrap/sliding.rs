//! How the points where a path touches a geom slide along it when the path's ends move.
//!
//! In the plane of the problem, a tangent point lies at the polar angle of its end, less or more acos(r/l), with l the
//! distance of the end. Where the path touches from within it is the shortest over all points of the circle: its slope
//! vanishes, and how the point follows the ends is found from the slope's derivative. On a cylinder the plane stays; on
//! a sphere it is that of the ends and the centre, and turns with them.

use super::{Arc, Round, normal};
use mj_math::{DVec2, DVec3, MINVAL};

/// A point or direction in the plane of the problem.
type Point = DVec2;

/// The derivative of both points by both ends, seen from the geom.
pub(crate) struct Sliding {
    /// Ends relative to the centre, and axes of the plane.
    ends: [DVec3; 2],
    axes: [DVec3; 2],
    /// Normal of the plane that turns, over the length of the ends' cross product; zero where it does not.
    turning: DVec3,
    planar: Planar,
    rise: Option<Rise>,
}

/// Axes of the plane through the centre and both ends, the first towards the first end, the second to the side of the
/// second.
fn plane([e0, e1]: [DVec3; 2]) -> (DVec3, DVec3) {
    let u = e0.normalize();
    (u, normal(e0, e1).cross(u))
}

/// The problem in its plane.
struct Planar {
    points: [Point; 2],
    /// Derivative of the points' polar angles by the first and by the second end.
    angles: [[Point; 2]; 2],
}

/// The path along a cylinder's axis: its slope is that of the whole path.
struct Rise {
    axis: DVec3,
    /// From the points to their ends in the plane: unit vectors and lengths; the plane path's length in all.
    away: [Point; 2],
    lengths: [f64; 2],
    total: f64,
    slope: f64,
}

impl Sliding {
    /// For a path around (or, with its side inside, within) the geom. None where the points have no derivative.
    pub(crate) fn new(round: &Round, x: [DVec3; 2], arc: &Arc, inside: bool) -> Option<Self> {
        let ends = x.map(|x| x - round.pos);
        let (u, v) = if round.cylinder { (round.mat.x_axis, round.mat.y_axis) } else { plane(ends) };
        let flat = |p: DVec3| Point::new(p.dot(u), p.dot(v));
        let (e, q) = (ends.map(flat), [arc.from, arc.to].map(|q| flat(q - round.pos)));
        let angles = if inside { within(e, q[0], round.radius)? } else { around(e, q, round.radius)? };
        let mut turning = DVec3::ZERO;
        let mut rise = None;
        if round.cylinder {
            let axis = round.mat.z_axis;
            let (away, lengths) = ([e[0] - q[0], e[1] - q[1]], [e[0].distance(q[0]), e[1].distance(q[1])]);
            let along = (arc.to - arc.from).dot(axis);
            let total_rise = (x[1] - x[0]).dot(axis);
            let total = if arc.length > 0.0 {
                lengths[0] + lengths[1] + (arc.length * arc.length - along * along).max(0.0).sqrt()
            } else {
                lengths[0] + lengths[1]
            };
            let away = [away[0] / lengths[0], away[1] / lengths[1]];
            rise = Some(Rise { axis, away, lengths, total, slope: total_rise / total });
        } else {
            let across = ends[0].cross(ends[1]);
            let n2 = across.length_squared();
            if n2 < MINVAL * ends[0].length_squared() * ends[1].length_squared() {
                return None;
            }
            turning = across / n2;
        }
        Some(Self { ends, axes: [u, v], turning, planar: Planar { points: q, angles }, rise })
    }

    /// Velocities of both points, for velocities of both ends, seen from the geom.
    pub(crate) fn of(&self, d: [DVec3; 2]) -> [DVec3; 2] {
        let [u, v] = self.axes;
        // The plane turns at `spin`, so that its first axis follows the first end.
        let mut spin = DVec3::ZERO;
        if self.rise.is_none() {
            let normal = u.cross(v);
            let tilt = normal.cross((d[0].cross(self.ends[1]) + self.ends[0].cross(d[1])) * self.turning.length());
            let around = normal.dot(self.ends[0].cross(d[0])) / self.ends[0].length_squared();
            spin = tilt + normal * around;
        }
        let seen: [DVec3; 2] = std::array::from_fn(|i| d[i] - spin.cross(self.ends[i]));
        let flat = seen.map(|x| Point::new(x.dot(u), x.dot(v)));
        let moved: [Point; 2] = std::array::from_fn(|i| {
            let [a, b] = self.planar.angles[i];
            self.planar.points[i].perp() * (a.dot(flat[0]) + b.dot(flat[1]))
        });
        let mut out: [DVec3; 2] = std::array::from_fn(|i| {
            let q = u * self.planar.points[i].x + v * self.planar.points[i].y;
            spin.cross(q) + u * moved[i].x + v * moved[i].y
        });
        if let Some(rise) = &self.rise {
            let dz = d.map(|d| d.dot(rise.axis));
            let dl: [f64; 2] = std::array::from_fn(|i| rise.away[i].dot(flat[i] - moved[i]));
            // The path is the shortest: its length follows its ends alone.
            let dtotal = rise.away[0].dot(flat[0]) + rise.away[1].dot(flat[1]);
            let dslope = (dz[1] - dz[0] - rise.slope * dtotal) / rise.total;
            out[0] += rise.axis * (dz[0] + dslope * rise.lengths[0] + rise.slope * dl[0]);
            out[1] += rise.axis * (dz[1] - dslope * rise.lengths[1] - rise.slope * dl[1]);
        }
        out
    }
}

/// Angles of tangent points, each by its own end.
fn around(e: [Point; 2], q: [Point; 2], r: f64) -> Option<[[Point; 2]; 2]> {
    let own = |i: usize| {
        let l = e[i].length_squared();
        let t = (l - r * r).sqrt();
        let sign = if e[i].perp_dot(q[i]) >= 0.0 { 1.0 } else { -1.0 };
        (t > MINVAL).then(|| (e[i].perp() + e[i] * (sign * r / t)) / l)
    };
    Some([[own(0)?, Point::ZERO], [Point::ZERO, own(1)?]])
}

/// Angle of the one point of a path that touches from within, by both ends.
fn within(e: [Point; 2], q: Point, r: f64) -> Option<[[Point; 2]; 2]> {
    let tangent = q.perp() / r;
    // Slope of the length: Σ û·tangent, û from the ends to the point.
    let (mut slope, mut by_end) = (0.0, [Point::ZERO; 2]);
    for i in 0..2 {
        let d = q - e[i];
        let n = d.length();
        if n < MINVAL {
            return None;
        }
        let unit = d / n;
        by_end[i] = (tangent - unit * unit.dot(tangent)) / n;
        slope += r * by_end[i].dot(tangent) - unit.dot(q) / r;
    }
    (slope.abs() > MINVAL).then(|| [by_end.map(|x| x / slope); 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::{DMat3, quat};
    use mj_model::WrapType;
    use proptest::prelude::*;

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-r..r).prop_map(DVec3::from_array)
    }

    proptest! {
        /// Against differences of the paths themselves, on both sides of the geom and within it.
        #[test]
        fn points_slide_as_the_path_says(
            ends in (vec3(2.0), vec3(2.0)),
            moves in (vec3(1.0), vec3(1.0)),
            turn in vec3(3.0),
            side in prop::option::of(vec3(3.0)),
            within in any::<bool>(),
            cylinder in any::<bool>(),
        ) {
            let kind = if cylinder { WrapType::Cylinder } else { WrapType::Sphere };
            let mat = if cylinder { quat::to_mat(quat::exp(turn)) } else { DMat3::IDENTITY };
            let centre = DVec3::new(0.3, -0.1, 0.2);
            let round = Round::new(kind, centre, mat, 0.6);
            let side = side.map(|s| if within { centre + s * 0.1 } else { s });
            let x = [ends.0, ends.1];
            let d = [moves.0, moves.1];
            let path = |h: f64| round.wrap(x[0] + d[0] * h, x[1] + d[1] * h, side);
            let Some(arc) = path(0.0) else { return Ok(()) };
            let across = |p: DVec3| { let q = p - centre; if cylinder { q - mat.z_axis * q.dot(mat.z_axis) } else { q } };
            // Away from the surface, and from ends in one line with the centre.
            prop_assume!(x.iter().all(|&p| across(p).length() > 0.65));
            prop_assume!(across(x[0]).cross(across(x[1])).length() > 0.05);
            let h = 1e-6;
            let (Some(plus), Some(minus)) = (path(h), path(-h)) else { return Ok(()) };
            let inside = side.is_some_and(|s| (s - centre).length() < 0.6);
            let Some(sliding) = Sliding::new(&round, x, &arc, inside) else { return Ok(()) };
            let got = sliding.of(d);
            for (got, (plus, minus)) in got.into_iter().zip([(plus.from, minus.from), (plus.to, minus.to)]) {
                let want = (plus - minus) / (2.0 * h);
                prop_assume!(want.length() < 1e3);
                prop_assert!((got - want).length() < 1e-5 * (1.0 + want.length()), "{got} {want}");
            }
        }
    }
}
