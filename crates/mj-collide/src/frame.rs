//! From a normal to a full contact frame.

use mj_math::DVec3;

/// Lengths below this carry no direction.
pub(crate) const TINY: f64 = 1e-15;

/// The direction of `v` and its length; the x axis where `v` is too short to have a direction.
pub(crate) fn direction(v: DVec3) -> (DVec3, f64) {
    let squared = v.length_squared();
    // The normals of planes, and default tangents at right angles to them.
    if squared == 1.0 {
        return (v, 1.0);
    }
    let length = squared.sqrt();
    if length < TINY { (DVec3::X, length) } else { (v * (1.0 / length), length) }
}

/// The rows (normal, first tangent, second tangent) of a right-handed orthonormal contact frame.
///
/// The first tangent is the part of `tangent` orthogonal to `normal`. Where `tangent` is shorter than one
/// half, it starts from the world's y axis instead, or from z where the normal is within 60° of ±y.
///
/// Example: [`distance`](crate::distance).
pub fn complete_frame(normal: DVec3, tangent: DVec3) -> [DVec3; 3] {
    let (x, _) = direction(normal);
    let seed = if tangent.length_squared() >= 0.25 {
        tangent
    } else if x.y.abs() < 0.5 {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let (mut y, length) = direction(seed - x * x.dot(seed));
    if length < TINY && mj_math::real::hypot(x.y, x.z) < 0.5 {
        // A hint along a normal that is near ±x leaves no usable default: take any tangent.
        y = x.any_orthonormal_vector();
    }
    [x, y, x.cross(y)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_orthonormal_and_follow_the_hint() {
        for n in [DVec3::X, DVec3::Z, -DVec3::Y, DVec3::new(1.0, 2.0, -0.5).normalize()] {
            for t in [DVec3::ZERO, DVec3::X, DVec3::new(0.3, -0.8, 0.9)] {
                let [x, y, z] = complete_frame(n, t);
                assert!((x - n).length() < 1e-15);
                assert!(x.dot(y).abs() < 1e-15 && (y.length() - 1.0).abs() < 1e-15);
                assert!((x.cross(y) - z).length() < 1e-15);
            }
        }
        assert_eq!(complete_frame(DVec3::Z, DVec3::new(1.0, 0.0, 1.0))[1], DVec3::X);
        assert_eq!(complete_frame(DVec3::Z, DVec3::ZERO)[1], DVec3::Y);
        assert_eq!(complete_frame(DVec3::Y, DVec3::ZERO)[1], DVec3::Z);
        assert_eq!(complete_frame(DVec3::Z, DVec3::Z)[1], DVec3::X);
    }
}
