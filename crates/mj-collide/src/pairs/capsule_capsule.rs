//! Two capsules: the nearest balls on the two segments, or two such pairs where the segments are parallel.

use super::sphere_sphere::balls;
use crate::frame::TINY;
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// One contact of two capsules, up to two where they are parallel.
///
/// With segments c₁ + x₁ a₁ and c₂ + x₂ a₂, |x| ≤ 1, the squared distance is a quadratic in (x₁, x₂) with
/// Hessian [[A, B], [B, C]] and linear term −(u, v).
pub(crate) fn capsule_capsule(
    p: &Placed,
    q: &Placed,
    query: &Query,
    _: &mut CcdWorkspace,
    out: &mut PreContacts,
) {
    let (c1, a1) = (p.pose.pos, p.axis() * p.shape.size.y);
    let (c2, a2) = (q.pose.pos, q.axis() * q.shape.size.y);
    let between = c1 - c2;
    let (a, b, c) = (a1.dot(a1), -a1.dot(a2), a2.dot(a2));
    let (u, v) = (-a1.dot(between), a2.dot(between));
    let det = a * c - b * b;

    // The best x₁ for a given x₂, and the reverse.
    let x1_for = |x2: f64| ((u - b * x2) / a).clamp(-1.0, 1.0);
    let x2_for = |x1: f64| ((v - b * x1) / c).clamp(-1.0, 1.0);
    let first = out.len();
    let mut touch = |x1: f64, x2: f64| {
        balls(
            (c1 + a1 * x1, p.shape.size.x),
            (c2 + a2 * x2, q.shape.size.x),
            [p.axis(), q.axis()],
            query.margin,
            out,
        );
        out.len() - first
    };

    if det.abs() >= TINY {
        let x1 = ((c * u - b * v) / det).clamp(-1.0, 1.0);
        let x2 = (v - b * x1) / c;
        if x2.abs() <= 1.0 {
            touch(x1, x2);
        } else {
            let x2 = x2.clamp(-1.0, 1.0);
            touch(x1_for(x2), x2);
        }
        return;
    }

    // Parallel: from the ends of the first, then from those of the second, until there are two contacts.
    touch(1.0, x2_for(1.0));
    if touch(-1.0, x2_for(-1.0)) >= 2 {
        return;
    }
    if touch(x1_for(1.0), 1.0) >= 2 {
        return;
    }
    touch(x1_for(-1.0), -1.0);
}
