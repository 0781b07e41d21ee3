//! Two capsules: the nearest balls on the two segments, or the two ends of the stretch along which they run
//! side by side where the segments are parallel.

use super::sphere_sphere::balls;
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Axes at a smaller angle than this count as parallel: the square of its sine.
const PARALLEL: f64 = 1e-8;

/// One contact of two capsules, two where they are parallel.
///
/// The segments are c₁ + s u₁, |s| ≤ l₁, and c₂ + t u₂, |t| ≤ l₂. The lines' nearest points lie on their common
/// normal n = u₁ × u₂: s = ((c₂ − c₁) × u₂)·n / n², t = ((c₂ − c₁) × u₁)·n / n².
pub(crate) fn capsule_capsule(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let (u1, l1) = (a.axis(), a.shape.size.y);
    let (u2, l2) = (b.axis(), b.shape.size.y);
    let between = b.pose.pos - a.pose.pos;
    let cos = u1.dot(u2);

    // The best s for a given t, and the reverse.
    let s_for = |t: f64| (u1.dot(between) + t * cos).max(-l1).min(l1);
    let t_for = |s: f64| (s * cos - u2.dot(between)).max(-l2).min(l2);
    let mut touch = |s: f64, t: f64| {
        let ball1 = (a.pose.pos + u1 * s, a.shape.size.x);
        let ball2 = (b.pose.pos + u2 * t, b.shape.size.x);
        balls(ball1, ball2, [u1, u2], q.margin, out);
    };

    let normal = u1.cross(u2);
    let sin2 = normal.length_squared();
    if sin2 < PARALLEL {
        // The ends of the shadow of the second segment on the first, in the first's direction. Where the
        // segments don't overlap they are the same point.
        let (low, high) = if cos > 0.0 { (-l2, l2) } else { (l2, -l2) };
        for t in [low, high] {
            let s = s_for(t);
            touch(s, if s.abs() < l1 { t } else { t_for(s) });
        }
        return;
    }

    // Clamp to the first segment, take the best point of the second, and where that is an end the best for it.
    let s = (between.cross(u2).dot(normal) / sin2).max(-l1).min(l1);
    let t = t_for(s);
    touch(s_for(t), t);
}
