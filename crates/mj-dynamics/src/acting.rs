//! Actuators on slides and hinges, which are most: what the model says of them is looked up once.

use mj_model::*;

/// The actuators of a model by what they act on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Acting {
    /// Those on slides and hinges.
    pub on_joints: Vec<OnJoint>,
    /// The others.
    pub others: Vec<ActuatorId>,
}

/// An actuator on a slide or a hinge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OnJoint {
    pub actuator: ActuatorId,
    /// Addresses of its output, and of the joint's position and velocity.
    pub output: u32,
    pub qpos: u32,
    pub dof: u32,
    pub gear: f64,
}

impl Acting {
    pub fn new(m: &Model) -> Self {
        let mut acting = Self::default();
        for a in m.actuator.ids() {
            match OnJoint::new(m, a) {
                Some(on) => acting.on_joints.push(on),
                None => acting.others.push(a),
            }
        }
        acting
    }
}

impl OnJoint {
    fn new(m: &Model, a: ActuatorId) -> Option<Self> {
        if !matches!(m.actuator.trntype[a], TrnType::Joint | TrnType::JointInParent) {
            return None;
        }
        let j = JointId::new(m.actuator.trnid[a][0] as usize);
        let output = m.actuator.outadr[a];
        matches!(m.jnt.r#type[j], JointType::Slide | JointType::Hinge).then(|| Self {
            actuator: a,
            output,
            qpos: m.jnt.qposadr[j],
            dof: m.jnt.dofadr[j].index() as u32,
            gear: m.output.gear[OutputId::new(output as usize)][0],
        })
    }
}
