//! Sphere and box: the nearest point of the box, or the nearest face from inside.

use mj_math::DVec3;

use crate::frame::{TINY, direction};
use crate::{CcdWorkspace, Placed, PreContacts, Query};

/// Contact of a sphere and a box.
pub(crate) fn sphere_box(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    ball_box(a.pose.pos, a.shape.size.x, b, q.margin, out);
}

/// Contact of a ball and a box.
pub(super) fn ball_box(center: DVec3, radius: f64, b: &Placed, margin: f64, out: &mut PreContacts) {
    let half = b.shape.size;
    let local = b.pose.local_point(center);
    let nearest = local.max(-half).min(half);
    let (toward, gap) = direction(nearest - local);
    if gap - radius > margin {
        return;
    }
    if gap > TINY {
        // Outside: halfway between the box's nearest point and the ball's.
        let pos = 0.5 * (nearest + local + toward * radius);
        out.add(gap - radius, b.pose.point(pos), b.pose.mat * toward);
        return;
    }

    // The centre is inside: leave through the nearest face; the first of equals.
    let mut depth = f64::INFINITY;
    let mut inward = DVec3::X;
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let d = (side * half[axis] - local[axis]).abs();
            if d < depth {
                depth = d;
                inward = DVec3::ZERO;
                inward[axis] = -side;
            }
        }
    }
    let pos = local + inward * (0.5 * (radius - depth));
    out.add(-depth - radius, b.pose.point(pos), b.pose.mat * inward);
}
