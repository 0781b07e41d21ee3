//! Two boxes: the axis of greatest separation, then either the face of one clipped against the face of the
//! other, or the nearest points of two edges.
//!
//! Everything happens in the first box's frame. The second's axes there are the columns of a rotation R and
//! its centre is p. The candidate axes are the six face normals and the nine cross products of edges
//! (Gottschalk, Lin and Manocha 1996); the separation along a unit axis n is |n·p| − r₁(n) − r₂(n), with
//! r(n) = Σ hᵢ |n·eᵢ| for half-sizes h and axes e.

use mj_math::{DMat3, DVec3};

use crate::polygon::{Polygon, Rectangle};
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Rounding slack of the separation test, relative to the boxes' sizes: boxes that touch must not be told apart
/// by an error in the last digit.
const SEPARATION_SLACK: f64 = 1e-13;
/// Squared sine of the angle below which the cross product of two edges is noise.
const PARALLEL: f64 = 1e-16;
/// A pair of edges must beat the faces by this fraction of the depth: several contacts are better than one.
const EDGE_BIAS: f64 = 1e-6;
/// An edge axis this near to the best face's normal (8°) stands for that face …
const ALIAS_COS: f64 = 0.99;
/// … unless it is better by this fraction of the depth.
const ALIAS_DEPTH: f64 = 0.05;
/// Components of an axis below this don't say which corner supports it.
const AMBIGUOUS: f64 = 1e-9;
/// Squared distance, relative to the face, below which two clipped corners are the same.
const SAME_CORNER: f64 = 1e-14;

/// Up to eight contacts of two boxes.
pub(crate) fn box_box(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let boxes = Boxes {
        size: [a.shape.size, b.shape.size],
        rot: a.pose.mat.transpose() * b.pose.mat,
        center: a.pose.local_point(b.pose.pos),
        center_back: b.pose.local_point(a.pose.pos),
    };
    match boxes.separating_feature(q.margin) {
        None => {}
        Some(Feature::Edges { i, j, axis }) => edge_contact(&boxes, i, j, axis, a, q.margin, out),
        Some(Feature::Face { of_first: true, axis }) => face_contacts(a, b, axis, 1.0, q.margin, out),
        Some(Feature::Face { of_first: false, axis }) => face_contacts(b, a, axis, -1.0, q.margin, out),
    }
}

/// Two boxes in the frame of the first.
struct Boxes {
    /// Half-sizes.
    size: [DVec3; 2],
    /// Columns are the second's axes.
    rot: DMat3,
    /// The second's centre.
    center: DVec3,
    /// The first's centre in the second's frame.
    center_back: DVec3,
}

/// Axis that separates two boxes best.
#[derive(Clone, Copy)]
enum Feature {
    /// A face orthogonal to this axis of one of the boxes.
    Face { of_first: bool, axis: usize },
    /// Edges along axis `i` of the first and `j` of the second; `axis` is their unit common normal.
    Edges { i: usize, j: usize, axis: DVec3 },
}

impl Boxes {
    fn slack(&self, margin: f64) -> f64 {
        margin + SEPARATION_SLACK * (self.size[0].element_sum() + self.size[1].element_sum())
    }

    /// Distance of the boxes' projections on a unit axis; negative where they overlap.
    fn separation(&self, axis: DVec3) -> f64 {
        let radius1 = self.size[0].dot(axis.abs());
        let radius2 = self.size[1].dot((self.rot.transpose() * axis).abs());
        axis.dot(self.center).abs() - radius1 - radius2
    }

    /// Separation along the face normals of the first or the second box.
    fn face_separations(&self, of_first: bool) -> DVec3 {
        let r = &self.rot;
        let abs = DMat3::from_cols(r.x_axis.abs(), r.y_axis.abs(), r.z_axis.abs());
        if of_first {
            self.center.abs() - self.size[0] - abs * self.size[1]
        } else {
            self.center_back.abs() - self.size[1] - abs.transpose() * self.size[0]
        }
    }

    /// The feature of greatest separation; `None` where that exceeds the margin.
    fn separating_feature(&self, margin: f64) -> Option<Feature> {
        let limit = self.slack(margin);

        // Faces.
        let mut face_separation = f64::NEG_INFINITY;
        let mut face_normal = DVec3::X;
        let mut face = Feature::Face { of_first: true, axis: 0 };
        for of_first in [true, false] {
            let separations = self.face_separations(of_first);
            if separations.max_element() > limit {
                return None;
            }
            for axis in 0..3 {
                if separations[axis] > face_separation {
                    face_separation = separations[axis];
                    face_normal = if of_first { DVec3::AXES[axis] } else { self.rot.col(axis) };
                    face = Feature::Face { of_first, axis };
                }
            }
        }

        // Pairs of edges.
        let mut best = face_separation;
        let mut edges = None;
        for i in 0..3 {
            for j in 0..3 {
                let cross = DVec3::AXES[i].cross(self.rot.col(j));
                let sin2 = cross.length_squared();
                if sin2 < PARALLEL {
                    continue;
                }
                let axis = cross / sin2.sqrt();
                let separation = self.separation(axis);
                if separation > limit {
                    return None;
                }
                // Rounding must not decide for an edge where boxes just touch.
                let bias = EDGE_BIAS * separation.abs() + self.slack(0.0);
                if separation - bias > best && separation > face_separation {
                    best = separation;
                    edges = Some((i, j, axis));
                }
            }
        }
        let Some((i, j, axis)) = edges else { return Some(face) };

        // Nearly the same axis as the face's: take the face, unless that loses too much depth. Deciding after
        // the search keeps a third, worse pair of edges from stepping in.
        let alias = axis.dot(face_normal).abs() > ALIAS_COS;
        if alias && best < face_separation + ALIAS_DEPTH * face_separation.abs() {
            return Some(face);
        }
        Some(Feature::Edges { i, j, axis })
    }
}

/// The contact halfway between the nearest points of the two supporting edges.
fn edge_contact(boxes: &Boxes, i: usize, j: usize, axis: DVec3, a: &Placed, margin: f64, out: &mut PreContacts) {
    let normal = if axis.dot(boxes.center) < 0.0 { -axis } else { axis };
    let (along1, along2) = (DVec3::AXES[i], boxes.rot.col(j));
    let cos = along1.dot(along2);
    let sin2 = 1.0 - cos * cos;

    // Where the normal is orthogonal to a box's side too, two parallel edges support it: the one that matters
    // gives the nearer points.
    let mut nearest = (f64::INFINITY, DVec3::ZERO, DVec3::ZERO);
    for mid1 in supporting_edges(boxes.size[0], normal, i) {
        for mid2 in supporting_edges(boxes.size[1], boxes.rot.transpose() * -normal, j) {
            let mid2 = boxes.rot * mid2 + boxes.center;
            let between = mid2 - mid1;
            let (d1, d2) = (along1.dot(between), along2.dot(between));
            let (l1, l2) = (boxes.size[0][i], boxes.size[1][j]);
            let s = ((d1 - cos * d2) / sin2).max(-l1).min(l1);
            let t = (cos * s - d2).max(-l2).min(l2);
            let s = (d1 + cos * t).max(-l1).min(l1);
            let (point1, point2) = (mid1 + along1 * s, mid2 + along2 * t);
            let distance2 = point1.distance_squared(point2);
            if distance2 < nearest.0 {
                nearest = (distance2, point1, point2);
            }
        }
    }
    let (_, point1, point2) = nearest;
    let dist = normal.dot(point2 - point1);
    if dist <= boxes.slack(margin) {
        out.add(dist, a.pose.point(0.5 * (point1 + point2)), a.pose.mat * normal);
    }
}

/// The midpoints of a box's edges along axis `k` that lie farthest in `direction`: one, or two where a component
/// of the direction vanishes.
fn supporting_edges(half: DVec3, direction: DVec3, k: usize) -> impl Iterator<Item = DVec3> + Clone {
    let mut mid = half * DVec3::select(direction.cmpge(DVec3::ZERO), DVec3::ONE, DVec3::NEG_ONE);
    mid[k] = 0.0;
    let ambiguous = [(k + 1) % 3, (k + 2) % 3].into_iter().find(|&c| direction[c].abs() < AMBIGUOUS);
    let other = ambiguous.map(|c| {
        let mut other = mid;
        other[c] = -other[c];
        other
    });
    std::iter::once(mid).chain(other)
}

/// The contacts of the face of `reference` orthogonal to its axis `a` with the face of `incident` that opposes it
/// most. `sign` is 1 where the reference is the pair's first box and −1 where it is the second.
fn face_contacts(reference: &Placed, incident: &Placed, a: usize, sign: f64, margin: f64, out: &mut PreContacts) {
    let rot = reference.pose.mat.transpose() * incident.pose.mat;
    let center = reference.pose.local_point(incident.pose.pos);
    let half = reference.shape.size;
    let side = if center[a] >= 0.0 { 1.0 } else { -1.0 };

    // The incident face.
    let along = |axis: usize| rot.col(axis)[a];
    let mut b = 0;
    for axis in 1..3 {
        if along(axis).abs() > along(b).abs() {
            b = axis;
        }
    }
    let facing = if side * along(b) > 0.0 { -1.0 } else { 1.0 };
    let (bu, bv) = ((b + 1) % 3, (b + 2) % 3);
    let size = incident.shape.size;
    let middle = center + rot.col(b) * (facing * size[b]);
    let (u, v) = (rot.col(bu) * size[bu], rot.col(bv) * size[bv]);

    // Its corners over the reference face: coordinates in the face's plane, and height above it.
    let (ax, ay) = ((a + 1) % 3, (a + 2) % 3);
    let over = |p: DVec3| DVec3::new(p[ax], p[ay], side * p[a] - half[a]);
    let mut polygon =
        Polygon::<12>::from_points([middle + u + v, middle - u + v, middle - u - v, middle + u - v].map(over));
    polygon.clip(&Rectangle { half_x: half[ax], half_y: half[ay] });

    let normal = reference.pose.mat.col(a) * (side * sign);
    let same = SAME_CORNER * (half[ax] * half[ax] + half[ay] * half[ay]);
    let corners = polygon.points();
    for (k, corner) in corners.iter().enumerate() {
        let repeats = |other: &DVec3| other.z <= margin && other.truncate().distance_squared(corner.truncate()) < same;
        if corner.z > margin || corners[..k].iter().any(repeats) {
            continue;
        }
        let mut pos = DVec3::ZERO;
        (pos[ax], pos[ay], pos[a]) = (corner.x, corner.y, side * (half[a] + 0.5 * corner.z));
        out.add(corner.z, reference.pose.point(pos), normal);
    }
}
