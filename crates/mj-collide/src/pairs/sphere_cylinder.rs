//! Sphere and cylinder: against the side, a cap or the rim.

use super::plane_sphere::out_of_half_space;
use super::sphere_sphere::balls;
use crate::frame::direction;
use crate::{CcdWorkspace, Placed, PreContacts, Query};
use mj_math::DVec3;

/// Contact of a sphere and a cylinder.
pub(crate) fn sphere_cylinder(a: &Placed, b: &Placed, q: &Query, _: &mut CcdWorkspace, out: &mut PreContacts) {
    let axis = b.axis();
    let (radius, half) = (b.shape.size.x, b.shape.size.y);
    let (center, ball) = (a.pose.pos, a.shape.size.x);

    // The centre in cylindrical coordinates.
    let offset = center - b.pose.pos;
    let along = axis.dot(offset);
    let radial = offset - axis * along;
    let out_by = radial.length();

    // Beside the side, above a cap, or both (inside): then leave by the shorter way.
    let mut beside = along.abs() < half;
    let mut above = out_by < radius;
    if beside && above {
        let by_cap = half - along.abs() < radius - out_by;
        (beside, above) = (!by_cap, by_cap);
    }

    let cap = if along > 0.0 { half } else { -half };
    if beside {
        let on_axis = b.pose.pos + axis * along;
        balls((center, ball), (on_axis, radius), [a.axis(), axis], q.margin, out);
    } else if above {
        let outward = if along > 0.0 { axis } else { -axis };
        let first = out.len();
        out_of_half_space(b.pose.pos + axis * cap, outward, center, ball, q.margin, DVec3::ZERO, out);
        for contact in &mut out.as_mut_slice()[first..] {
            contact.normal = -contact.normal;
        }
    } else {
        let rim = b.pose.pos + direction(radial).0 * radius + axis * cap;
        balls((center, ball), (rim, 0.0), [a.axis(), axis], q.margin, out);
    }
}
