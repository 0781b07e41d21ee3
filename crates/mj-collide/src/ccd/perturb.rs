//! The contacts of the portal method: the normal of a round shape is taken from its surface, and more contacts are
//! found by turning the shapes a little, as MuJoCo's earlier releases did.

use mj_math::{DMat3, DVec3};

use super::portal::portal_contact;
use crate::frame::complete_frame;
use crate::{Placed, Pose, PreContact, PreContacts, Query, ShapeKind};

/// How far the shapes are turned, each, in radians.
const TURN: f64 = 1e-3;
/// Contacts are different where they are farther apart than this part of the smaller bounding radius.
const APART: f64 = 1e-3;
/// Most steps toward the nearest point of an ellipsoid, and the change at which they end.
const ELLIPSOID_STEPS: usize = 30;
const ELLIPSOID_TOLERANCE: f64 = 1e-6;

/// Appends up to five contacts of two shapes.
pub(crate) fn perturbed(a: &Placed, b: &Placed, q: &Query, out: &mut PreContacts) {
    let find = |turned: [&Placed; 2]| {
        let mut found = portal_contact(turned[0], turned[1], q.margin, &q.ccd)?;
        found.normal = surface_normal(a, b, &found);
        Some(found)
    };
    let Some(first) = find([a, b]) else { return };
    let start = out.len();
    out.push(first);
    let round = |s: &Placed| matches!(s.shape.kind, ShapeKind::Ellipsoid | ShapeKind::Sphere);
    if !q.ccd.multi_contact || round(a) || round(b) {
        return;
    }
    let [_, y, z] = complete_frame(first.normal, DVec3::ZERO);
    let apart = APART * a.shape.bounding_radius().min(b.shape.bounding_radius());
    for axis in [y, z] {
        for angle in [-TURN, TURN] {
            let turn = DMat3::from_axis_angle(axis, angle);
            let (a, b) = (turned(a, first.pos, turn), turned(b, first.pos, turn.transpose()));
            if let Some(found) = find([&a, &b])
                && out[start..].iter().all(|c| c.pos.distance(found.pos) > apart)
            {
                out.push(PreContact { dist: first.dist, ..found });
            }
        }
    }
}

/// The shape turned about a point.
fn turned<'a>(placed: &Placed<'a>, about: DVec3, turn: DMat3) -> Placed<'a> {
    let Pose { pos, mat } = placed.pose;
    Placed::new(placed.shape, Pose { pos: about + turn * (pos - about), mat: turn * mat })
}

/// The normal at a contact: that of the round shape's surface there, the mean of both, or the one that was found.
pub(crate) fn surface_normal(a: &Placed, b: &Placed, found: &PreContact) -> DVec3 {
    match (outward(a, found.pos, found.normal), outward(b, found.pos, -found.normal)) {
        (Some(a), Some(b)) => (a - b).normalize_or(found.normal),
        (Some(a), None) => a,
        (None, Some(b)) => -b,
        (None, None) => found.normal,
    }
}

/// The outward unit normal of a round shape near a point, `guess` to begin with; `None` for flat ones.
fn outward(placed: &Placed, point: DVec3, guess: DVec3) -> Option<DVec3> {
    let p = placed.pose.local_point(point);
    let size = placed.shape.size;
    let local = match placed.shape.kind {
        ShapeKind::Sphere => p,
        ShapeKind::Capsule => p - DVec3::Z * p.z.clamp(-size.y, size.y),
        ShapeKind::Ellipsoid => ellipsoid_normal(p, placed.pose.local_vector(guess), size)?,
        ShapeKind::Cylinder => {
            // Not near the rims, nor where a cap is much nearer than the side.
            let to_cap = (size.y - p.z.abs()).abs();
            let to_side = (size.x - p.truncate().length()).abs();
            if p.z.abs() > 0.95 * size.y || to_cap < 0.25 * to_side {
                return None;
            }
            p.with_z(0.0)
        }
        _ => return None,
    };
    Some(placed.pose.mat * local.normalize_or(DVec3::X))
}

/// The normal of an ellipsoid where it is nearest to a point.
fn ellipsoid_normal(p: DVec3, guess: DVec3, size: DVec3) -> Option<DVec3> {
    if size.min_element() < crate::frame::TINY {
        return None;
    }
    let size2 = size * size;
    let level = (p * p / size2).element_sum() - 1.0;
    if level > 0.0 {
        // Outside: the foot of p is S²p / (S² + λ) for the λ at which it is on the surface; Newton's method.
        let scaled = p * p * size2;
        let mut lambda = 0.0;
        for _ in 0..ELLIPSOID_STEPS {
            let r = (size2 + DVec3::splat(lambda)).recip();
            let value = (scaled * r * r).element_sum() - 1.0;
            let slope = -2.0 * (scaled * r * r * r).element_sum();
            let step = -value / slope;
            if value < ELLIPSOID_TOLERANCE || slope > -crate::frame::TINY || step < ELLIPSOID_TOLERANCE {
                break;
            }
            lambda += step;
        }
        return Some(p / (size2 + DVec3::splat(lambda)));
    }
    // Inside: the ray along the normal meets the surface, where there is another normal, and so on.
    let mut normal = guess.normalize_or(DVec3::X);
    for step in 0..ELLIPSOID_STEPS {
        let (a, b) = ((normal * normal / size2).element_sum(), (p * normal / size2).element_sum());
        let discriminant = b * b - a * level;
        let t = (discriminant.max(0.0).sqrt() - b) / a;
        if discriminant < crate::frame::TINY || a < crate::frame::TINY || t < 0.0 {
            return (step > 0).then_some(normal);
        }
        let next = ((p + normal * t) / size2).normalize_or(normal);
        let change = next.distance(normal);
        normal = next;
        if change < ELLIPSOID_TOLERANCE {
            break;
        }
    }
    Some(normal)
}
