//! Results of the smooth stages, one struct a stage, with the reference's names (`mjData`).

use mj_math::{BlockRows, DMat3, DQuat, DVec3, Inertia, PaddedFactor, Spatial};
use mj_model::*;

mj_model::buffers! {
    /// Poses of everything, world frame; the com-based quantities are about the centre of mass of
    /// the body's tree (`subtree_com` of its root).
    pub struct Poses {
        /// Position of each body's frame.
        pub xpos: IdVec<BodyId, DVec3>,
        /// Orientation of each body's frame.
        pub xquat: IdVec<BodyId, DQuat>,
        /// Orientation of each body's frame.
        pub xmat: IdVec<BodyId, DMat3>,
        /// Centre of mass of each body.
        pub xipos: IdVec<BodyId, DVec3>,
        /// Orientation of each body's principal axes.
        pub ximat: IdVec<BodyId, DMat3>,
        /// Anchor of each joint.
        pub xanchor: IdVec<JointId, DVec3>,
        /// Axis of each joint.
        pub xaxis: IdVec<JointId, DVec3>,
        /// Position of each geom.
        pub geom_xpos: IdVec<GeomId, DVec3>,
        /// Orientation of each geom.
        pub geom_xmat: IdVec<GeomId, DMat3>,
        /// Position of each site.
        pub site_xpos: IdVec<SiteId, DVec3>,
        /// Orientation of each site.
        pub site_xmat: IdVec<SiteId, DMat3>,
        /// Position of each camera.
        pub cam_xpos: IdVec<CameraId, DVec3>,
        /// Orientation of each camera.
        pub cam_xmat: IdVec<CameraId, DMat3>,
        /// Position of each light.
        pub light_xpos: IdVec<LightId, DVec3>,
        /// Direction of each light.
        pub light_xdir: IdVec<LightId, DVec3>,
        /// Centre of mass of each subtree.
        pub subtree_com: IdVec<BodyId, DVec3>,
        /// Motion of each dof at unit velocity.
        pub cdof: IdVec<DofId, Spatial>,
        /// Inertia of each body.
        pub cinert: IdVec<BodyId, Inertia>,
    }
}

mj_model::buffers! {
    /// Joint-space inertia and its factor.
    pub struct JointInertia {
        /// Composite inertia of each subtree, about the tree's centre of mass.
        pub crb: IdVec<BodyId, Inertia>,
        /// Joint-space inertia, in the pattern `m_pattern` of the model.
        pub M: Vec<f64>,
        /// Its factor LᵀDL, same pattern.
        pub qLD: Vec<f64>,
        /// 1/D, nv.
        pub qLDiagInv: Vec<f64>,
        ..
        /// The factor in rows of fixed length, where those are faster.
        pub(crate) padded: PaddedFactor,
    }
}

/// Lengths and moment arms of tendons and actuators.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transmissions {
    /// Length of each tendon.
    pub ten_length: IdVec<TendonId, f64>,
    /// Jacobian of the tendon lengths, ntendon×nv.
    pub ten_J: BlockRows,
    /// Length of each actuator output.
    pub actuator_length: IdVec<OutputId, f64>,
    /// Moment arms of the actuator outputs, nout×nv.
    pub actuator_moment: BlockRows,
    /// Rotation that an orientation servo measures, at its first output; none if the model has no such servo.
    pub(crate) rotations: Vec<DQuat>,
}

mj_model::buffers! {
    /// Velocities, bias and passive forces.
    pub struct Velocities {
        /// Velocity of each body (com-based).
        pub cvel: IdVec<BodyId, Spatial>,
        /// Rate of change of each dof's motion.
        pub cdof_dot: IdVec<DofId, Spatial>,
        /// Velocity of each tendon's length.
        pub ten_velocity: IdVec<TendonId, f64>,
        /// Velocity of each actuator output's length.
        pub actuator_velocity: IdVec<OutputId, f64>,
        /// Coriolis, centrifugal and gravitational force.
        pub qfrc_bias: Vec<f64>,
        /// Spring force.
        pub qfrc_spring: Vec<f64>,
        /// Damper force.
        pub qfrc_damper: Vec<f64>,
        /// Gravity compensation.
        pub qfrc_gravcomp: Vec<f64>,
        /// Fluid force.
        pub qfrc_fluid: Vec<f64>,
        /// Adhesion of contacts.
        pub qfrc_adhesion: Vec<f64>,
        /// All passive forces.
        pub qfrc_passive: Vec<f64>,
        /// Velocity of each subtree's centre of mass.
        pub subtree_linvel: IdVec<BodyId, DVec3>,
        /// Angular momentum of each subtree about its centre of mass.
        pub subtree_angmom: IdVec<BodyId, DVec3>,
    }
}

mj_model::buffers! {
    /// Actuation and the acceleration without constraints.
    pub struct Actuation {
        /// Rate of change of activation.
        pub act_dot: Vec<f64>,
        /// Force of each actuator output.
        pub actuator_force: IdVec<OutputId, f64>,
        /// Actuator force in joint space.
        pub qfrc_actuator: Vec<f64>,
        /// All forces but constraints.
        pub qfrc_smooth: Vec<f64>,
        /// Acceleration without constraints.
        pub qacc_smooth: Vec<f64>,
    }
}

mj_model::buffers! {
    /// Accelerations and forces of bodies after constraints.
    pub struct BodyForces {
        /// Acceleration of each body (com-based).
        pub cacc: IdVec<BodyId, Spatial>,
        /// Force of interaction with the parent (com-based).
        pub cfrc_int: IdVec<BodyId, Spatial>,
        /// External force (com-based).
        pub cfrc_ext: IdVec<BodyId, Spatial>,
    }
}

/// Results of all smooth stages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Smooth {
    /// Poses.
    pub poses: Poses,
    /// Tendons and moment arms.
    pub transmissions: Transmissions,
    /// Joint-space inertia.
    pub inertia: JointInertia,
    /// Velocities and passive forces.
    pub velocities: Velocities,
    /// Actuation.
    pub actuation: Actuation,
}
