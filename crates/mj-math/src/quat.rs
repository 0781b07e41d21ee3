//! Unit quaternions. Memory order inside the engine is glam's (x, y, z, w); arrays that people see
//! are w-first, and [`from_wxyz`] and [`to_wxyz`] are the only places that convert.

use crate::{DMat3, DQuat, DVec3, MINVAL, real, unit};

/// Quaternion from w-first components.
#[inline]
#[must_use]
pub fn from_wxyz(q: [f64; 4]) -> DQuat {
    DQuat::from_xyzw(q[1], q[2], q[3], q[0])
}

/// W-first components.
#[inline]
#[must_use]
pub fn to_wxyz(q: DQuat) -> [f64; 4] {
    [q.w, q.x, q.y, q.z]
}

/// Reads four w-first components at the start of a slice.
#[inline]
#[must_use]
pub fn read(s: &[f64]) -> DQuat {
    DQuat::from_xyzw(s[1], s[2], s[3], s[0])
}

/// Writes four w-first components at the start of a slice.
#[inline]
pub fn write(q: DQuat, s: &mut [f64]) {
    s[..4].copy_from_slice(&to_wxyz(q));
}

/// Length, summed by pairs: w and x, y and z.
#[inline]
#[must_use]
pub fn length(q: DQuat) -> f64 {
    ((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z)).sqrt()
}

/// The quaternion scaled to unit length; the identity if its length is below [`MINVAL`].
#[inline]
#[must_use]
pub fn normalize(q: DQuat) -> DQuat {
    let n = length(q);
    if n < MINVAL { DQuat::IDENTITY } else { q * (1.0 / n) }
}

/// Normalizes as [`normalize`] does, but leaves a quaternion alone whose length is already 1 within [`MINVAL`],
/// so that repeated normalization changes no bits.
#[inline]
#[must_use]
pub fn normalize_if_needed(q: DQuat) -> DQuat {
    let n = length(q);
    if n < MINVAL {
        DQuat::IDENTITY
    } else if (n - 1.0).abs() > MINVAL {
        q * (1.0 / n)
    } else {
        q
    }
}

/// Rotation by `angle` radians about the unit vector `axis`.
#[inline]
#[must_use]
pub fn from_axis_angle(axis: DVec3, angle: f64) -> DQuat {
    if angle == 0.0 {
        return DQuat::IDENTITY;
    }
    let (s, c) = real::sin_cos(0.5 * angle);
    DQuat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c)
}

/// Direction of a vector, x where it is shorter than [`MINVAL`], and its length.
#[inline]
fn direction(v: DVec3) -> (DVec3, f64) {
    let length = v.length();
    (if length < MINVAL { DVec3::X } else { v * (1.0 / length) }, length)
}

/// Logarithm of a unit quaternion: the rotation vector in (−π, π] (axis times angle, radians).
#[inline]
#[must_use]
pub fn log(q: DQuat) -> DVec3 {
    velocity(q, 1.0)
}

/// Angular velocity that turns the identity into a unit quaternion in time `dt`, by at most half a turn.
#[inline]
#[must_use]
pub fn velocity(q: DQuat, dt: f64) -> DVec3 {
    let (axis, sin_half) = direction(DVec3::new(q.x, q.y, q.z));
    let mut angle = 2.0 * real::atan2(sin_half, q.w);
    if angle > std::f64::consts::PI {
        angle -= 2.0 * std::f64::consts::PI;
    }
    axis * (angle / dt)
}

/// Exponential of a rotation vector (axis times angle, radians).
#[inline]
#[must_use]
pub fn exp(v: DVec3) -> DQuat {
    let (axis, angle) = direction(v);
    if angle < MINVAL { DQuat::IDENTITY } else { from_axis_angle(axis, angle) }
}

/// Orientation after rotating at the constant local angular velocity `w` for time `h`.
#[inline]
#[must_use]
pub fn integrate(q: DQuat, w: DVec3, h: f64) -> DQuat {
    let (axis, speed) = direction(w);
    mul(normalize_if_needed(q), from_axis_angle(axis, speed * h))
}

/// Rotation vector that takes `b` to `a`, in `b`'s local axes: `log(b⁻¹ a)`.
#[inline]
#[must_use]
pub fn sub(a: DQuat, b: DQuat) -> DVec3 {
    log(mul(b.conjugate(), a))
}

/// Rotates a vector: v + 2 u × (w v + u × v). Plain arithmetic, the same on every machine, summed from the left.
#[inline]
#[must_use]
pub fn rotate(q: DQuat, v: DVec3) -> DVec3 {
    let t = DVec3::new(
        q.w * v.x + q.y * v.z - q.z * v.y,
        q.w * v.y + q.z * v.x - q.x * v.z,
        q.w * v.z + q.x * v.y - q.y * v.x,
    );
    v + 2.0 * DVec3::new(q.x, q.y, q.z).cross(t)
}

/// Product of two quaternions, each component summed by pairs as the reference does in a step (glam sums from the left,
/// as the reference does in compiling): where two corners are equally deep, the last digit chooses.
#[inline]
#[must_use]
pub fn mul(a: DQuat, b: DQuat) -> DQuat {
    DQuat::from_xyzw(
        (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
        (a.w * b.y - a.x * b.z) + (a.y * b.w + a.z * b.x),
        (a.w * b.z + a.x * b.y) + (a.z * b.w - a.y * b.x),
        (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
    )
}

/// Rotation matrix of a unit quaternion, its diagonal summed by pairs as the reference does in a step.
#[inline]
#[must_use]
pub fn to_mat(q: DQuat) -> DMat3 {
    let (ww, xx, yy, zz) = squares(q);
    with_diagonal(q, DVec3::new((ww - yy) + (xx - zz), (ww + yy) - (xx + zz), (ww - yy) + (zz - xx)))
}

/// Rotation matrix of a unit quaternion, its diagonal summed from the left as the reference does in compiling.
#[inline]
#[must_use]
pub fn to_mat_compiling(q: DQuat) -> DMat3 {
    let (ww, xx, yy, zz) = squares(q);
    with_diagonal(q, DVec3::new(ww + xx - yy - zz, ww - xx + yy - zz, ww - xx - yy + zz))
}

#[inline]
fn squares(q: DQuat) -> (f64, f64, f64, f64) {
    (q.w * q.w, q.x * q.x, q.y * q.y, q.z * q.z)
}

#[inline]
fn with_diagonal(q: DQuat, d: DVec3) -> DMat3 {
    let (w, x, y, z) = (q.w, q.x, q.y, q.z);
    let (wx, wy, wz, xy, xz, yz) = (w * x, w * y, w * z, x * y, x * z, y * z);
    DMat3::from_cols(
        DVec3::new(d.x, 2.0 * (xy + wz), 2.0 * (xz - wy)),
        DVec3::new(2.0 * (xy - wz), d.y, 2.0 * (yz + wx)),
        DVec3::new(2.0 * (xz + wy), 2.0 * (yz - wx), d.z),
    )
}

/// Quaternion of a rotation matrix, from its largest component (Shepperd's method); w ≥ 0 or the
/// largest component positive. Scaled to unit length as the reference does in a step.
#[must_use]
pub fn from_mat(m: DMat3) -> DQuat {
    normalize_if_needed(shepperd(m))
}

/// Quaternion of a rotation matrix as [`from_mat`] finds it, scaled to unit length as the reference does in compiling.
#[must_use]
pub fn from_mat_compiling(m: DMat3) -> DQuat {
    let q = shepperd(m);
    unit::quat(q).unwrap_or(q)
}

fn shepperd(m: DMat3) -> DQuat {
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    let (xx, yy, zz) = (a.x, b.y, c.z);
    if xx + yy + zz > 0.0 {
        let w = 0.5 * (1.0 + xx + yy + zz).sqrt();
        DQuat::from_xyzw(0.25 * (b.z - c.y) / w, 0.25 * (c.x - a.z) / w, 0.25 * (a.y - b.x) / w, w)
    } else if xx > yy && xx > zz {
        let x = 0.5 * (1.0 + xx - yy - zz).sqrt();
        DQuat::from_xyzw(x, 0.25 * (b.x + a.y) / x, 0.25 * (c.x + a.z) / x, 0.25 * (b.z - c.y) / x)
    } else if yy > zz {
        let y = 0.5 * (1.0 - xx + yy - zz).sqrt();
        DQuat::from_xyzw(0.25 * (b.x + a.y) / y, y, 0.25 * (c.y + b.z) / y, 0.25 * (c.x - a.z) / y)
    } else {
        let z = 0.5 * (1.0 - xx - yy + zz).sqrt();
        DQuat::from_xyzw(0.25 * (c.x + a.z) / z, 0.25 * (c.y + b.z) / z, z, 0.25 * (a.y - b.x) / z)
    }
}

/// Shortest rotation that takes the z axis to `v` (any non-zero length), as the reference computes it in a step.
#[must_use]
pub fn z_to(v: DVec3) -> DQuat {
    let (v, length) = direction(v);
    let (axis, sin) = direction(DVec3::Z.cross(v));
    if sin < MINVAL && v.z < 0.0 {
        // Half a turn about x.
        DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0)
    } else if length < MINVAL || sin < MINVAL {
        DQuat::IDENTITY
    } else {
        from_axis_angle(axis, real::atan2(sin, v.z))
    }
}

/// Shortest rotation that takes the z axis to `v` (any non-zero length), as the reference computes it in compiling.
#[must_use]
pub fn z_to_compiling(v: DVec3) -> DQuat {
    let v = unit::vector(v).unwrap_or(DVec3::Z);
    let across = DVec3::Z.cross(v);
    // Parallel: no turn, or half a turn about x.
    let (axis, sin) = unit::vector(across).map_or((DVec3::X, 0.0), |axis| (axis, across.length()));
    from_axis_angle(axis, real::atan2(sin, v.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn exp_and_log_are_inverse(v in vec3(1.7)) {
            prop_assert!((log(exp(v)) - v).length() < 1e-12);
        }

        #[test]
        fn matrix_and_quaternion_rotate_alike(v in vec3(3.0), u in vec3(2.0)) {
            let q = exp(v);
            prop_assert!((to_mat(q) * u - rotate(q, u)).length() < 1e-12);
            let p = from_mat(to_mat(q));
            prop_assert!((rotate(p, u) - rotate(q, u)).length() < 1e-12);
        }

        #[test]
        fn integrating_the_difference_arrives(a in vec3(3.0), b in vec3(3.0)) {
            let (a, b) = (exp(a), exp(b));
            let c = integrate(b, sub(a, b), 1.0);
            prop_assert!(1.0 - c.dot(a).abs() < 1e-12);
        }

        #[test]
        fn z_goes_where_it_should(v in vec3(2.0)) {
            prop_assume!(v.length() > 1e-3);
            prop_assert!((rotate(z_to(v), DVec3::Z) - v.normalize()).length() < 1e-12);
        }
    }

    /// As the reference computes them (`mju_mulQuat`, `mju_quat2Mat`, `mju_rotVecQuat`, `mju_normalize4`): another
    /// order of the same sums ends in other digits.
    #[test]
    fn last_digits_are_the_reference_s() {
        let (a, b) = (from_wxyz([-0.65, -0.17, 1.66, 0.66]), from_wxyz([-1.64, -0.01, -0.62, 0.15]));
        assert_eq!(to_wxyz(mul(a, b)), [1.9945, 0.9435, -2.3004999999999995, -1.0579]);
        let rows = [
            [-2.7398, 0.2936000000000001, -2.3824],
            [-1.4224, 2.7135999999999996, 1.9701999999999997],
            [1.9336, 2.4122, -1.9264],
        ];
        assert_eq!(to_mat(a).transpose().to_cols_array_2d(), rows);
        let v = rotate(from_wxyz([0.5, 0.5, 0.1, -0.7]), DVec3::new(0.3, -0.7, 1.1));
        assert_eq!(v, DVec3::new(-1.2199999999999998, -0.5480000000000002, 0.036000000000000254));
        let unit = [0.18257418583505539, 0.36514837167011077, 0.5477225575051661, 0.7302967433402215];
        assert_eq!(to_wxyz(normalize_if_needed(from_wxyz([0.1, 0.2, 0.3, 0.4]))), unit);
        let rows = [[0.9, -0.1, 0.2], [0.1, 1.0, 0.05], [-0.2, 0.0, 0.95]];
        assert_eq!(
            to_wxyz(from_mat(DMat3::from_cols_array_2d(&rows).transpose())),
            [0.9932383714710161, -0.012899199629493718, 0.10319359703594974, 0.05159679851797487]
        );
    }

    /// Recorded from the reference (`mju_subQuat`, `mju_quat2Vel`, `mju_quatIntegrate`, `mju_quatZ2Vec`). The platform
    /// chooses the last digits of sines.
    #[test]
    fn turns_are_the_reference_s() {
        let near = |a: &[f64], b: &[f64]| assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 4e-15), "{a:?} {b:?}");
        let (a, b) = (from_wxyz([0.5, -0.5, 0.5, 0.5]), from_wxyz([0.8, 0.6, 0.0, 0.0]));
        near(&sub(a, b).to_array(), &[-2.0692527273246846, 2.0692527273246846, 0.295607532474955]);
        near(&velocity(b, 0.1).to_array(), &[12.870022175865687, 0.0, 0.0]);
        let turned = [0.7850896055790025, 0.6075208323787121, -0.11970322044454562, -0.014962902555568182];
        near(&to_wxyz(integrate(b, DVec3::new(0.1, -0.7, 0.4), 0.3)), &turned);
        let z = [0.7804543196869348, 0.5592073353467415, 0.27960366767337075, 0.0];
        near(&to_wxyz(z_to(DVec3::new(1.0, -2.0, 0.5))), &z);
        assert_eq!(to_wxyz(z_to(DVec3::NEG_Z)), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(z_to(DVec3::ZERO), DQuat::IDENTITY);
    }

    #[test]
    fn wxyz_round_trip() {
        assert_eq!(to_wxyz(from_wxyz([1.0, 2.0, 3.0, 4.0])), [1.0, 2.0, 3.0, 4.0]);
    }
}
