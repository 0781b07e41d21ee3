//! Rays against signed distance fields.

use super::field::SignedField;
use mj_math::DVec3;

/// Most steps along a ray.
const STEPS: usize = 40;
/// Distance at which a surface is met, m.
const NEAR: f64 = 1e-7;
/// Distance at which nothing will be met, m.
const FAR: f64 = 1e6;

/// Finds where a ray meets a field's surface by sphere tracing (Hart 1996): the distance in units of the length of `v`, and
/// the unit normal there. The ray and the result are in the field's frame.
pub(crate) fn march(field: &SignedField, p: DVec3, v: DVec3) -> Option<(f64, DVec3)> {
    let length = v.length();
    let direction = v / length;
    let mut along = 0.0;
    for _ in 0..STEPS {
        let dist = field.distance(p + direction * along).abs();
        along += dist;
        if dist < NEAR {
            let normal = field.distance_gradient(p + direction * along).1.normalize_or_zero();
            return Some((along / length, normal));
        }
        if dist.is_nan() || dist > FAR {
            return None;
        }
    }
    None
}
