//! Quantity, size and stage of each type of sensor: the compiler goes by them, and so does the check of
//! binary models.

use crate::enums::{DataType, ObjType, SensorType, Stage};

/// Kinds of objects with a frame of their own.
pub const FRAMED: [ObjType; 5] = [ObjType::Body, ObjType::XBody, ObjType::Geom, ObjType::Site, ObjType::Camera];

/// Numbers of each field of a contact, in the order of the bits that ask for them: found, force, torque, distance,
/// position, normal, tangent, linear and angular velocity.
pub const CONTACT_FIELDS: [u32; 9] = [1, 3, 3, 1, 3, 3, 3, 3, 3];

/// Numbers of each field of a ray: distance, direction, origin, point, normal, depth.
pub const RAY_FIELDS: [u32; 6] = [1, 3, 3, 3, 3, 1];

/// Bits of the contact fields that need forces.
const FORCES: i32 = 0b110;
/// Bits of the contact fields that need velocities.
pub const CONTACT_VELOCITIES: i32 = 0b1_1000_0000;

/// Reductions of contacts by their greatest force, and to their net force; both need forces.
const MAX_FORCE: i32 = 2;
/// The last of the reductions.
pub const NET_FORCE: i32 = 3;

/// Numbers of the fields that bits ask for.
pub fn width(fields: &[u32], bits: i32) -> u32 {
    fields.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0).map(|(_, n)| n).sum()
}

impl SensorType {
    /// Kinds of objects that it measures; none: it has no object, or may have any.
    pub fn measures(self) -> &'static [ObjType] {
        use SensorType as S;
        match self {
            S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => {
                &[ObjType::Site]
            }
            S::CamProjection => &[ObjType::Site],
            S::Rangefinder => &[ObjType::Site, ObjType::Camera],
            S::GeomDist | S::GeomNormal | S::GeomFromTo => &[ObjType::Body, ObjType::Geom],
            S::Contact => &[ObjType::Unknown, ObjType::Body, ObjType::XBody, ObjType::Geom, ObjType::Site],
            S::JointPos | S::JointVel | S::JointActFrc | S::BallQuat | S::BallAngVel => &[ObjType::Joint],
            S::JointLimitPos | S::JointLimitVel | S::JointLimitFrc => &[ObjType::Joint],
            S::TendonPos | S::TendonVel | S::TendonActFrc => &[ObjType::Tendon],
            S::TendonLimitPos | S::TendonLimitVel | S::TendonLimitFrc => &[ObjType::Tendon],
            S::ActuatorPos | S::ActuatorVel | S::ActuatorFrc => &[ObjType::Actuator],
            S::SubtreeCom | S::SubtreeLinVel | S::SubtreeAngMom => &[ObjType::Body],
            S::Tactile => &[ObjType::Mesh],
            S::EPotential | S::EKinetic | S::Clock | S::User | S::Plugin => &[],
            _ => &FRAMED,
        }
    }

    /// Number of outputs; none: it depends on what is measured, or on parameters.
    pub fn outputs(self) -> Option<u32> {
        use SensorType as S;
        match self {
            S::BallQuat | S::FrameQuat => Some(4),
            S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => Some(3),
            S::BallAngVel | S::FramePos | S::FrameXAxis | S::FrameYAxis | S::FrameZAxis => Some(3),
            S::FrameLinVel | S::FrameAngVel | S::FrameLinAcc | S::FrameAngAcc => Some(3),
            S::SubtreeCom | S::SubtreeLinVel | S::SubtreeAngMom | S::GeomNormal => Some(3),
            S::CamProjection => Some(2),
            S::GeomFromTo => Some(6),
            S::ActuatorPos | S::ActuatorVel | S::ActuatorFrc => None,
            S::Rangefinder | S::Contact | S::Tactile | S::Plugin | S::User => None,
            _ => Some(1),
        }
    }

    /// Type of its data, where the author does not choose it.
    pub fn data(self) -> DataType {
        use SensorType as S;
        match self {
            S::Touch => DataType::Positive,
            S::FrameXAxis | S::FrameYAxis | S::FrameZAxis | S::GeomNormal => DataType::Axis,
            S::BallQuat | S::FrameQuat => DataType::Quaternion,
            _ => DataType::Real,
        }
    }

    /// First stage after which it can be computed, given its parameters; none: the author chooses it.
    pub fn stage(self, [fields, reduction, _]: [i32; 3]) -> Option<Stage> {
        use SensorType as S;
        Some(match self {
            S::Touch | S::Accelerometer | S::Force | S::Torque | S::ActuatorFrc | S::JointActFrc => Stage::Acc,
            S::TendonActFrc | S::JointLimitFrc | S::TendonLimitFrc | S::FrameLinAcc | S::FrameAngAcc => Stage::Acc,
            S::Velocimeter | S::Gyro | S::JointVel | S::TendonVel | S::ActuatorVel | S::BallAngVel => Stage::Vel,
            S::JointLimitVel | S::TendonLimitVel | S::FrameLinVel | S::FrameAngVel => Stage::Vel,
            S::SubtreeLinVel | S::SubtreeAngMom | S::Tactile => Stage::Vel,
            S::Contact if fields & FORCES != 0 || reduction >= MAX_FORCE => Stage::Acc,
            S::Contact if fields & CONTACT_VELOCITIES != 0 => Stage::Vel,
            S::User | S::Plugin => return None,
            _ => Stage::Pos,
        })
    }
}
