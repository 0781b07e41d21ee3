//! Capsule and box: the ball at the capsule's nearest point, and a second one where the capsule runs along the
//! box.
//!
//! In the box's frame the capsule is the segment p + t h, |t| ≤ 1, with a radius. First comes the nearest point
//! of the segment to the box, and the feature of the box (inside, face, edge or corner) that it is nearest to.
//! From there, if the segment leans over the box, the second point is as far along it as it stays over the
//! feature's neighbourhood. Both are then balls against a box.

use std::array::from_fn;

use mj_math::DVec3;
use mj_math::simd::{F64x4, Kernel, Points, Simd, dispatch};

use super::sphere_box::ball_box;
use crate::frame::TINY;
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Up to two contacts of a capsule and a box.
pub(crate) fn capsule_box(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let half_axis = b.pose.local_vector(a.axis()) * a.shape.size.y;
    let lean = Leaning { mid: b.pose.local_point(a.pose.pos), half_axis, half: b.shape.size };
    if lean.beside() > a.shape.size.x + q.margin {
        return;
    }
    let nearest = lean.nearest();
    let mut touch = |t: f64| {
        let center = b.pose.point(lean.mid + half_axis * t);
        ball_box(center, a.shape.size.x, b, q.margin, out);
    };
    touch(nearest.t);
    if let Some(step) = lean.second(&nearest) {
        touch(nearest.t + step);
    }
}

/// A segment and a box, in the box's frame.
struct Leaning {
    /// The segment's midpoint.
    mid: DVec3,
    /// From there to its end.
    half_axis: DVec3,
    /// The box's half-sizes.
    half: DVec3,
}

/// The nearest point of the segment.
struct Nearest {
    /// Where on the segment, −1 to 1.
    t: f64,
    feature: Feature,
}

/// The part of the box that is nearest to the segment.
enum Feature {
    /// The segment has an end (`end` = ±1) inside the box.
    Inside,
    /// The segment's `end` = ±1 is over the face orthogonal to `axis`.
    Face { end: f64, axis: usize },
    /// The edge along `axis`; `corner` is one of its ends (for the signs of the other two coordinates), `x` the
    /// place on it, −1 to 1.
    Edge { axis: usize, corner: usize, x: f64 },
    /// The corner, a bit for each positive coordinate.
    Corner { corner: usize },
}

impl Leaning {
    /// How far the two are apart along that axis of the box along which they are farthest: a lower bound of their
    /// distance. Negative where they overlap along each.
    fn beside(&self) -> f64 {
        (self.mid.abs() - self.half_axis.abs() - self.half).max_element()
    }

    /// The segment's nearest point to the box.
    fn nearest(&self) -> Nearest {
        let mut best = f64::INFINITY;
        let mut nearest = Nearest { t: 0.0, feature: Feature::Inside };

        // The ends, where they are inside or over a face.
        for end in [-1.0, 1.0] {
            let point = self.mid + self.half_axis * end;
            let clamped = point.max(-self.half).min(self.half);
            let mut outside = (0..3).filter(|&k| clamped[k] != point[k]);
            let feature = match (outside.next(), outside.next()) {
                (None, _) => Feature::Inside,
                (Some(axis), None) => Feature::Face { end, axis },
                _ => continue,
            };
            let distance2 = point.distance_squared(clamped);
            if distance2 < best {
                best = distance2;
                nearest = Nearest { t: end, feature };
            }
        }

        // The twelve edges. The slack keeps a segment parallel to a face with the face.
        let mut edge = None;
        for (axis, distances2) in dispatch(Edges(self)).iter().enumerate() {
            for (l, &distance2) in distances2.iter().enumerate() {
                if distance2 < best - TINY {
                    best = distance2;
                    edge = Some((axis, start(axis, l)));
                }
            }
        }
        edge.and_then(|(axis, corner)| self.nearest_to_edge(axis, corner)).unwrap_or(nearest)
    }

    /// The segment's nearest point to the edge that starts at `corner` and runs along `axis`; `None` where the two are
    /// parallel.
    fn nearest_to_edge(&self, axis: usize, corner: usize) -> Option<Nearest> {
        let size = self.half[axis];
        let mut edge_mid = sign_vector(corner) * self.half;
        edge_mid[axis] = 0.0;
        let between = edge_mid - self.mid;

        // The squared distance is a quadratic in (x, t) with Hessian [[A, B], [B, C]], linear term −(u, v).
        let (a, b, c) = (size * size, -size * self.half_axis[axis], self.half_axis.length_squared());
        let (u, v) = (-size * between[axis], self.half_axis.dot(between));
        let det = a * c - b * b;
        if det.abs() < TINY {
            return None;
        }
        let mut x = (c * u - b * v) / det;
        let mut t = (a * v - b * u) / det;

        // Which end of the edge stopped x, if one did; it stays the box's nearest feature even where t then
        // moves x off it again.
        let mut end = 0.0;
        if x.abs() > 1.0 {
            end = x.signum();
            x = end;
            t = (v - b * x) / c;
        }
        if t.abs() > 1.0 {
            t = t.signum();
            x = (u - b * t) / a;
            if x.abs() > 1.0 {
                end = x.signum();
                x = end;
            }
        }

        let feature = if end == 0.0 {
            Feature::Edge { axis, corner, x }
        } else {
            Feature::Corner { corner: if end > 0.0 { corner | 1 << axis } else { corner } }
        };
        Some(Nearest { t, feature })
    }

    /// How far along the segment from its nearest point the second contact is, if there is one.
    fn second(&self, nearest: &Nearest) -> Option<f64> {
        let t = nearest.t;
        match nearest.feature {
            Feature::Inside => None,
            Feature::Face { end, axis } => Some(self.over_face(end, axis)),
            Feature::Edge { axis, corner, x } => self.along_edge(t, axis, corner, x),
            Feature::Corner { corner } => self.along_corner(t, corner),
        }
    }

    /// Axes along which the segment's direction points from `corner` into the box, one bit each.
    fn inward(&self, corner: usize) -> usize {
        (0..3).filter(|&k| self.half_axis[k] > 0.0).fold(0, |bits, k| bits | 1 << k) ^ corner
    }

    /// How far the segment can go across the box along `axis`.
    fn across(&self, axis: usize) -> f64 {
        2.0 * self.half[axis] / self.half_axis[axis].abs()
    }

    /// From an end over a face, to the other end or to the border of the face.
    fn over_face(&self, end: f64, face: usize) -> f64 {
        let point = self.mid + self.half_axis * end;
        let mut step: f64 = 2.0;
        for k in (0..3).filter(|&k| k != face) {
            for side in [1.0, -1.0] {
                let to_side = (side * self.half[k] - point[k]) / self.half_axis[k] * -end;
                if to_side > 0.0 {
                    step = step.min(to_side);
                }
            }
        }
        -end * step
    }

    /// From the middle of an edge, over the adjacent face to which the segment is more nearly parallel. None
    /// where both of the edge's faces fall away, or neither does.
    fn along_edge(&self, t: f64, axis: usize, corner: usize, x: f64) -> Option<f64> {
        let inward = self.inward(corner) & !(1 << axis);
        if inward.count_ones() != 1 {
            return None;
        }
        let (k1, k2) = ((axis + 1) % 3, (axis + 2) % 3);
        let over = if self.half_axis[k1].abs() > self.half_axis[k2].abs() { k1 } else { k2 };
        let forward = inward & (1 << over) != 0;
        let direction = if forward { 1.0 } else { -1.0 };
        let toward_high = (self.half_axis[axis] > 0.0) == forward;
        let left_on_edge = if toward_high { 1.0 - x } else { 1.0 + x };
        let step = (1.0 - direction * t)
            .min(self.across(over))
            .min(self.half[axis] * left_on_edge / self.half_axis[axis].abs());
        Some(direction * step)
    }

    /// From a corner, along an edge or over a face. None where the segment points at the corner.
    fn along_corner(&self, t: f64, corner: usize) -> Option<f64> {
        let inward = self.inward(corner);
        // The direction in which a single axis leads inward.
        let (direction, single) = match inward.count_ones() {
            1 => (1.0, inward),
            2 => (-1.0, 7 - inward),
            _ => return None,
        };
        let k = single.trailing_zeros() as usize;
        let along_edge = self.half_axis[k] * self.half_axis[k] > 0.5 * self.half_axis.length_squared();
        if along_edge {
            let step = (1.0 - direction * t).min(self.across(k));
            Some(direction * step)
        } else {
            let step = (1.0 + direction * t).min(self.across((k + 1) % 3)).min(self.across((k + 2) % 3));
            Some(-direction * step)
        }
    }
}

/// The corner at which an edge along an axis starts, of four by the signs of their other two coordinates.
fn start(axis: usize, l: usize) -> usize {
    let before = l & ((1 << axis) - 1);
    before | (l ^ before) << 1
}

/// The squared distances of a segment from the edges of a box, four along each axis, infinite where they are parallel: those
/// of the points that [`Leaning::nearest_to_edge`] finds.
struct Edges<'a>(&'a Leaning);

impl Kernel for Edges<'_> {
    type Output = [[f64; 4]; 3];

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Output {
        let Leaning { mid, half_axis, half } = *self.0;
        let one = F64x4::splat(s, 1.0);
        let end = |x: F64x4<S>| x.lt(one.like(0.0)).select(-one, one);
        let (whole, c) = (Points::splat(s, half_axis), half_axis.length_squared());
        from_fn(|axis| {
            let size = half[axis];
            let (a, b) = (size * size, -size * half_axis[axis]);
            let det = a * c - b * b;
            if det.abs() < TINY {
                return [f64::INFINITY; 4];
            }
            let between = |l: usize| {
                let mut edge_mid = sign_vector(start(axis, l)) * half;
                edge_mid[axis] = 0.0;
                edge_mid - mid
            };
            let between = Points::new(s, from_fn(between));
            let (u, v) = (one.like(-size * -mid[axis]), whole.dot(between));
            let [a, b, c, det, size] = [a, b, c, det, size].map(|x| one.like(x));
            let (x, t) = ((c * u - b * v) / det, (a * v - b * u) / det);
            let beyond = one.lt(x.abs());
            let x = beyond.select(end(x), x);
            let t = beyond.select((v - b * x) / c, t);
            let beyond = one.lt(t.abs());
            let t = beyond.select(end(t), t);
            let x = beyond.select((u - b * t) / a, x);
            let x = one.lt(x.abs()).select(end(x), x);
            let mut offset = between - whole * t;
            let along = match axis {
                0 => &mut offset.x,
                1 => &mut offset.y,
                _ => &mut offset.z,
            };
            *along += size * x;
            offset.length_squared().get()
        })
    }
}

/// The signs of a corner's coordinates.
fn sign_vector(corner: usize) -> DVec3 {
    let sign = |bit: usize| if corner & bit != 0 { 1.0 } else { -1.0 };
    DVec3::new(sign(1), sign(2), sign(4))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vec3(range: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(range).prop_map(DVec3::from)
    }

    proptest! {
        /// Squared distances from the edges: those of the nearest of many points of the segment, or a little less.
        #[test]
        fn edges_are_as_far_as_points_of_the_segment_say(
            mid in vec3(-1.0..1.0),
            half_axis in vec3(-1.0..1.0),
            half in vec3(0.1..1.0),
        ) {
            const POINTS: i32 = 1000;
            let lean = Leaning { mid, half_axis, half };
            for (axis, distances2) in dispatch(Edges(&lean)).iter().enumerate() {
                for (l, distance2) in distances2.iter().enumerate() {
                    let edge = sign_vector(start(axis, l)) * half;
                    let from_edge = |k: i32| {
                        let mut p = mid + half_axis * (f64::from(2 * k) / f64::from(POINTS) - 1.0) - edge;
                        p[axis] = 0f64.max(p[axis].abs() - 2.0 * half[axis]).max(-p[axis]);
                        p.length()
                    };
                    let least = (0..=POINTS).map(from_edge).fold(f64::INFINITY, f64::min);
                    let apart = half_axis.length() / f64::from(POINTS);
                    prop_assert!(distance2.sqrt() <= least + 1e-9 && distance2.sqrt() >= least - apart - 1e-9);
                }
            }
        }
    }
}
