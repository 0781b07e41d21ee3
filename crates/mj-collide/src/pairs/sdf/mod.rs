//! Contacts of signed distance fields: minima of what two distances say together (see the manual, "SDF plugins").

use crate::sdf::halton;
use crate::{
    CcdWorkspace, MAX_CONTACTS, Placed, Pose, PreContact, PreContacts, Query, Shape, ShapeKind, shape_distance,
    shape_distance_gradient,
};
use mj_math::{DMat3, DQuat, DVec3, MAXVAL, MINVAL, quat};

mod triangles;

pub(crate) use triangles::{flex_sdf, mesh_sdf};

/// Share of the slope by which a step must go down.
const DECREASE: f64 = 0.1;
/// Shortest step of a line search.
const SHORTEST: f64 = 1e-4;

/// A map between two frames.
///
/// It goes by quaternions, as the reference's does: differences over tiny steps, of which many functions' gradients are made,
/// see the last digits of a point.
#[derive(Clone, Copy)]
struct Map {
    mat: DMat3,
    pos: DVec3,
}

impl Map {
    /// From one frame to another.
    fn between(from: &Pose, to: &Pose) -> Self {
        let [a, b] = [from.mat, to.mat].map(quat::from_mat);
        let back = b.conjugate();
        let turn = quat::normalize_if_needed(quat::mul(back, a));
        Self { mat: quat::to_mat(turn), pos: quat::rotate(back, from.pos) - quat::rotate(back, to.pos) }
    }

    #[inline]
    fn point(&self, x: DVec3) -> DVec3 {
        self.mat * x + self.pos
    }
}

/// Two distance functions, in the frame of the second shape.
struct Two<'a> {
    /// The shape in whose frame points are.
    own: &'a Shape<'a>,
    other: &'a Shape<'a>,
    /// From the frame to the other shape's.
    map: Map,
}

/// Cost that the descent minimizes.
#[derive(Clone, Copy)]
enum Objective {
    /// A + B + |max(A, B)|: is least in the overlap, near the surfaces.
    Collision,
    /// max(A, B): the intersection.
    Intersection,
}

impl Two<'_> {
    fn other_point(&self, x: DVec3) -> DVec3 {
        self.map.point(x)
    }

    fn distances(&self, x: DVec3) -> [f64; 2] {
        [shape_distance(self.own, x), shape_distance(self.other, self.other_point(x))]
    }

    fn value(&self, objective: Objective, x: DVec3) -> f64 {
        let [a, b] = self.distances(x);
        match objective {
            Objective::Collision => a + b + a.max(b).abs(),
            Objective::Intersection => a.max(b),
        }
    }

    fn value_gradient(&self, objective: Objective, x: DVec3) -> (f64, DVec3) {
        match objective {
            Objective::Collision => {
                let (a, own) = shape_distance_gradient(self.own, x);
                let (b, other) = shape_distance_gradient(self.other, self.other_point(x));
                let other = self.map.mat.transpose() * other;
                let greatest = a.max(b);
                let steeper = if a > b { own } else { other };
                (a + b + greatest.abs(), own + other + if greatest > 0.0 { steeper } else { -steeper })
            }
            Objective::Intersection => {
                let [a, b] = self.distances(x);
                if a > b {
                    (a, shape_distance_gradient(self.own, x).1)
                } else {
                    (b, self.map.mat.transpose() * shape_distance_gradient(self.other, self.other_point(x)).1)
                }
            }
        }
    }

    /// Normal of the surface on which both distances are equal.
    fn between(&self, x: DVec3) -> DVec3 {
        let own = unit(shape_distance_gradient(self.own, x).1);
        let other = unit(self.map.mat.transpose() * shape_distance_gradient(self.other, self.other_point(x)).1);
        unit(own - other)
    }

    /// Goes down from a point by gradient descent with backtracking; returns the least value, or a huge one where it has no
    /// gradient.
    fn descend(&self, objective: Objective, x: &mut DVec3, steps: usize) -> f64 {
        let mut value = MAXVAL;
        for _ in 0..steps {
            let from = *x;
            let (before, gradient) = self.value_gradient(objective, from);
            if gradient.is_nan() || gradient.abs().max_element() > MAXVAL {
                return MAXVAL;
            }
            let mut alpha = 2.0;
            let mut wanted = -DECREASE * alpha * gradient.dot(gradient);
            loop {
                alpha *= 0.5;
                wanted *= 0.5;
                *x = from + gradient * -alpha;
                value = self.value(objective, *x);
                if alpha <= SHORTEST || value - before <= wanted || value.is_nan() {
                    break;
                }
            }
            if before < value {
                // No step goes down: here it is least.
                *x = from;
                return before;
            }
        }
        value
    }
}

/// A vector's direction; x where it has none.
fn unit(v: DVec3) -> DVec3 {
    let length = v.length();
    if length < MINVAL { DVec3::X } else { v * (1.0 / length) }
}

/// Contacts of one pair, in the frame of the field.
struct Found<'a> {
    points: [DVec3; MAX_CONTACTS],
    count: usize,
    pose: &'a Pose,
    turn: DQuat,
}

impl<'a> Found<'a> {
    fn new(pose: &'a Pose) -> Self {
        Self { points: [DVec3::ZERO; MAX_CONTACTS], count: 0, pose, turn: quat::from_mat(pose.mat) }
    }

    /// Returns the contact at a point, with the normal from the other shape into the field, unless the shapes don't touch
    /// there, it is known, or has no normal.
    fn contact(&mut self, x: DVec3, dist: f64, normal: impl FnOnce(DVec3) -> DVec3) -> Option<PreContact> {
        let known = |p: &DVec3| (x - *p).length() < MINVAL;
        if dist > 0.0 || dist.is_nan() || self.count == MAX_CONTACTS || self.points[..self.count].iter().any(known) {
            return None;
        }
        self.points[self.count] = x;
        let normal = normal(x);
        let length = normal.length();
        if length < MINVAL || length.is_nan() {
            return None;
        }
        self.count += 1;
        let normal = quat::rotate(self.turn, -(normal * (1.0 / length)));
        let pos = quat::rotate(self.turn, x) + self.pose.pos + normal * (0.5 * dist);
        Some(PreContact { dist, pos, normal, tangent: DVec3::ZERO })
    }
}

/// Corners of a shape's box in its frame; none for shapes without bounds.
fn bounds(shape: &Shape) -> Option<[DVec3; 2]> {
    let s = shape.size;
    let half = match shape.kind {
        ShapeKind::Sphere => DVec3::splat(s.x),
        ShapeKind::Capsule => DVec3::new(s.x, s.x, s.x + s.y),
        ShapeKind::Cylinder => DVec3::new(s.x, s.x, s.y),
        ShapeKind::Ellipsoid | ShapeKind::Box => s,
        ShapeKind::Sdf => return shape.solid.map(|solid| solid.bounds),
        ShapeKind::Plane | ShapeKind::Hfield | ShapeKind::Mesh | ShapeKind::Simplex => return None,
    };
    Some([-half, half])
}

/// Contacts of a primitive or a field and a field.
pub(crate) fn shape_sdf(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let (Some([low, high]), Some([field_low, field_high])) = (bounds(&a.shape), bounds(&b.shape)) else { return };
    let map = Map::between(&b.pose, &a.pose);
    let (itself, back) = (Map::between(&a.pose, &a.pose), Map::between(&a.pose, &b.pose));
    let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for i in 0..8 {
        let pick = |k: usize| if i >> k & 1 == 1 { field_high[k] } else { field_low[k] };
        let corner = map.point(DVec3::new(pick(0), pick(1), pick(2)));
        (least, most) = (least.min(corner), most.max(corner));
    }
    let (low, high) = (low.max(least), high.min(most));
    if high.cmplt(low).any() {
        return;
    }
    let two = Two { own: &b.shape, other: &a.shape, map };
    let mut found = Found::new(&b.pose);
    for i in 0..q.sdf.initpoints {
        let start = low + (high - low) * DVec3::new(halton(i, 2), halton(i, 3), halton(i, 5));
        let mut x = back.point(itself.point(start));
        two.descend(Objective::Collision, &mut x, q.sdf.iterations);
        // Functions that are no true distances have minima that are no contacts.
        let dist = two.descend(Objective::Intersection, &mut x, 1);
        found.contact(x, dist, |x| two.between(x)).into_iter().for_each(|c| out.push(c));
    }
}

#[cfg(test)]
mod tests;
