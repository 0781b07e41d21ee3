//! Height field and convex shape: every cell of the grid is two triangular prisms down to the base.

use mj_math::DVec3;

use super::convex::single;
use crate::ccd::SupportMap;
use crate::{CcdWorkspace, MAX_CONTACTS, Placed, Pose, PreContacts, Query, Shape, ShapeKind};

/// Contacts of a height field and a convex shape, at most one a prism.
pub(crate) fn hfield_convex(a: &Placed, b: &Placed, q: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
    let Some(field) = a.shape.heights else { return };
    // In the field's frame.
    let mat = a.pose.mat.transpose() * b.pose.mat;
    let other = Placed::new(b.shape, Pose { pos: a.pose.local_point(b.pose.pos), mat });
    let [half_x, half_y, top, base] = field.size;
    let reach = b.shape.bounding_radius() + q.margin;
    let outside = |x: f64, low: f64, high: f64| x - reach > high || x + reach < low;
    let c = other.pose.pos;
    if outside(c.x, -half_x, half_x) || outside(c.y, -half_y, half_y) || outside(c.z, -base, top) {
        return;
    }
    let high = DVec3::from_array([0, 1, 2].map(|k| other.support(DVec3::AXES[k])[k]));
    let low = DVec3::from_array([0, 1, 2].map(|k| other.support(-DVec3::AXES[k])[k]));
    let (field_low, field_high) = (DVec3::new(-half_x, -half_y, -base), DVec3::new(half_x, half_y, top));
    let margin = DVec3::splat(q.margin);
    if (low - margin).cmpgt(field_high).any() || (high + margin).cmplt(field_low).any() {
        return;
    }

    // All cells are divided in the same direction: the first half lies on the side where this is negative.
    let diagonal = field.point(1, 1) - field.point(0, 0);
    let across = DVec3::new(diagonal.y, -diagonal.x, 0.0).normalize_or_zero();
    let least = across.dot(other.support(-across));
    let most = across.dot(other.support(across));
    let slack = q.margin + q.ccd.tolerance;
    // The square of the height at which a ball around the shape is above, with room for rounding.
    let above = (b.shape.bounding_radius() + slack.max(0.0)).powi(2) * (1.0 + 1e-9);

    // The prism's corners are set again and again in memory that stays.
    let mut prism = ws.take_prism();
    let first = out.len();
    let columns = field.cells(0, low.x - q.margin, high.x + q.margin);
    'rows: for r in field.cells(1, low.y - q.margin, high.y + q.margin) {
        let mut next = [field.point(r + 1, columns.start), field.point(r, columns.start)];
        for c in columns.clone() {
            let [left, right] = [next, [field.point(r + 1, c + 1), field.point(r, c + 1)]];
            next = right;
            let cell = [left[0], left[1], right[0], right[1]];
            let border = across.dot(cell[1]);
            let beside = [least > border + slack, most < border - slack];
            for (half, beside) in [[cell[0], cell[1], cell[2]], [cell[1], cell[2], cell[3]]].into_iter().zip(beside) {
                if beside || half.iter().all(|p| p.z + q.margin < low.z) {
                    continue;
                }
                // The prism is below the plane of its top, and most shapes are above that.
                let up = (half[1] - half[0]).cross(half[2] - half[0]);
                let up = if up.z < 0.0 { -up } else { up };
                // Without a root where a ball around the shape is.
                let height = up.dot(other.pose.pos - half[0]);
                if height > 0.0 && height * height > above * up.length_squared() {
                    continue;
                }
                let up = up.normalize();
                if up.dot(other.support(-up) - half[0]) > slack {
                    continue;
                }
                // About its centre.
                let floor = half.map(|p| p.with_z(-base));
                let centre = (half.iter().sum::<DVec3>() + floor.iter().sum::<DVec3>()) / 6.0;
                let [a0, a1, a2] = floor.map(|p| p - centre);
                let [b0, b1, b2] = half.map(|p| p - centre);
                prism.set_corners([a0, a1, a2, b0, b1, b2]);
                let shape =
                    Shape { kind: ShapeKind::Mesh, size: DVec3::ZERO, hull: Some(&prism), heights: None, solid: None };
                let placed = Placed::new(shape, Pose { pos: centre, ..Pose::IDENTITY });
                let Some(found) = single(&placed, &other, q, ws) else { continue };
                out.add(found.dist, a.pose.point(found.pos), a.pose.mat * found.normal);
                if out.len() - first >= MAX_CONTACTS {
                    break 'rows;
                }
            }
        }
    }
    ws.return_prism(prism);
}
