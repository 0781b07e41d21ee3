//! The five ways to write an orientation, as one quaternion.

pub use mj_math::unit::{quat as unit_quat, vector as unit};
use mj_math::{DMat3, DQuat, DVec3, quat};

/// An orientation as it was written; the compiler's angle unit and Euler order apply.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Orientation {
    /// None given: identity.
    #[default]
    Identity,
    /// Quaternion, any length.
    Quat(DQuat),
    /// Axis and angle.
    AxisAngle([f64; 4]),
    /// X and y axes.
    XyAxes([f64; 6]),
    /// Z axis.
    ZAxis([f64; 3]),
    /// Euler angles.
    Euler([f64; 3]),
}

impl Orientation {
    /// The orientation as a unit quaternion. Angles are degrees or radians; `eulerseq` orders Euler
    /// rotations: lower case turns with the frame, upper case about fixed axes.
    ///
    /// # Errors
    /// If an axis or a quaternion has no length, axes are parallel, or `eulerseq` is no order.
    pub fn resolve(&self, degree: bool, eulerseq: [u8; 3]) -> Result<DQuat, &'static str> {
        // Divided before multiplied: the order that keeps 90 degrees closest to a right angle.
        let angle = |a: f64| if degree { a / 180.0 * std::f64::consts::PI } else { a };
        match *self {
            Self::Identity => Ok(DQuat::IDENTITY),
            Self::Quat(q) => unit_quat(q).ok_or("the quaternion has no length"),
            Self::AxisAngle([x, y, z, a]) => {
                let axis = unit(DVec3::new(x, y, z)).ok_or("the axis of `axisangle` has no length")?;
                let (s, c) = mj_math::real::sin_cos(angle(a) / 2.0);
                Ok(DQuat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c))
            }
            Self::XyAxes(a) => {
                let x = unit(DVec3::from_slice(&a[..3])).ok_or("the x axis of `xyaxes` has no length")?;
                let y = DVec3::from_slice(&a[3..]);
                let y = unit(y - x * x.dot(y))
                    .ok_or("the y axis of `xyaxes` has no length or is parallel to the x axis")?;
                let z = unit(x.cross(y)).ok_or("the axes of `xyaxes` are parallel")?;
                Ok(quat::from_mat_compiling(DMat3::from_cols(x, y, z)))
            }
            Self::ZAxis(a) => {
                let z = unit(DVec3::from_array(a)).ok_or("`zaxis` has no length")?;
                Ok(quat::z_to_compiling(z))
            }
            Self::Euler(e) => {
                let mut q = DQuat::IDENTITY;
                for (which, a) in eulerseq.into_iter().zip(e) {
                    let (s, c) = mj_math::real::sin_cos(angle(a) / 2.0);
                    let turn = match which.to_ascii_lowercase() {
                        b'x' => DQuat::from_xyzw(s, 0.0, 0.0, c),
                        b'y' => DQuat::from_xyzw(0.0, s, 0.0, c),
                        b'z' => DQuat::from_xyzw(0.0, 0.0, s, c),
                        _ => return Err("`eulerseq` holds a letter that is not one of x, y, z, X, Y, Z"),
                    };
                    // Lower case turns with the frame, upper case about fixed axes.
                    let product = if which.is_ascii_lowercase() { q * turn } else { turn * q };
                    q = unit_quat(product).unwrap_or(DQuat::IDENTITY);
                }
                Ok(q)
            }
        }
    }
}
