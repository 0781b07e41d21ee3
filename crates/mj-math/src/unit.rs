//! Unit length, as the reference's compiler makes it.
//!
//! A vector of unit length keeps its bits; another is divided, summed from the first component on: the last
//! digits of axes decide where moments, depths or areas tie.

use crate::{DQuat, DVec3};

/// Squared lengths below this count as zero; lengths within this of 1 are 1.
const EPS: f64 = 1e-14;

/// The vector at unit length, or none if it is too short.
///
/// ```
/// use mj_math::{DQuat, DVec3, unit};
///
/// assert_eq!(unit::vector(DVec3::new(0.0, 3.0, 4.0)), Some(DVec3::new(0.0, 0.6, 0.8)));
/// assert_eq!(unit::quat(DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)), Some(DQuat::IDENTITY));
/// assert_eq!(unit::vector(DVec3::ZERO), None);
/// ```
#[must_use]
pub fn vector(v: DVec3) -> Option<DVec3> {
    let n = length(v.length_squared())?;
    Some(if (n - 1.0).abs() > EPS { v / n } else { v })
}

/// The quaternion at unit length, or none if it is too short.
///
/// Example: [`vector`].
#[must_use]
pub fn quat(q: DQuat) -> Option<DQuat> {
    let n = length(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z)?;
    Some(if (n - 1.0).abs() > EPS { q / n } else { q })
}

fn length(squared: f64) -> Option<f64> {
    (squared >= EPS).then(|| squared.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_length_keeps_its_bits() {
        let v = DVec3::new(0.6, 0.8 + 1e-15, 0.0);
        assert_eq!(vector(v), Some(v));
        assert_eq!(vector(DVec3::new(0.0, -3.0, 4.0)), Some(DVec3::new(0.0, -0.6, 0.8)));
        assert_eq!(vector(DVec3::splat(1e-8)), None);
        assert_eq!(vector(DVec3::NAN), None);
        let q = DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8);
        assert_eq!(quat(q), Some(q));
        assert_eq!(quat(q * 2.0), Some(q));
        assert_eq!(quat(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), None);
    }
}
