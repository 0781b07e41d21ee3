//! The actuators of a model by what they act on.

use mj_math::BlockRows;
use mj_model::*;

/// Lists of actuators by what they act on, with the addresses that the stages need.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ActuatorLayout {
    /// Those on slides and hinges, which are most.
    pub on_joints: Vec<OnJoint>,
    /// Those on tendons.
    pub on_tendons: Vec<OnTendon>,
    /// The others.
    pub others: Vec<ActuatorId>,
    /// Outputs each of which acts on one dof.
    pub on_dofs: Vec<OnDof>,
    /// Blocks of the moment arms of all other outputs, and those among them of no tendon.
    pub blocks: Vec<u32>,
    pub tendonless: Vec<u32>,
}

/// An actuator on a slide or a hinge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OnJoint {
    pub actuator: ActuatorId,
    /// Addresses of its output and of the joint's position.
    pub output: u32,
    pub qpos: u32,
}

/// An actuator on a tendon.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OnTendon {
    pub actuator: ActuatorId,
    pub output: OutputId,
    pub tendon: TendonId,
}

/// An output that acts on one dof.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OnDof {
    pub output: u32,
    pub dof: u32,
    /// Whether the moment arm is the gear; else it is 1.
    pub geared: bool,
}

impl OnDof {
    /// Returns the moment arm.
    #[inline(always)]
    pub fn arm(&self, m: &Model) -> f64 {
        if self.geared { m.output.gear.as_slice()[self.output as usize][0] } else { 1.0 }
    }
}

impl ActuatorLayout {
    /// From the model and the layout of the moment arms.
    pub fn new(m: &Model, moment: &BlockRows) -> Self {
        let mut acting = Self::default();
        for a in m.actuator.ids() {
            acting.sort_in(m, moment, a);
        }
        acting
    }

    fn sort_in(&mut self, m: &Model, moment: &BlockRows, actuator: ActuatorId) {
        let (output, n) = (m.actuator.outadr[actuator], m.actuator.outnum[actuator]);
        let id = m.actuator.trnid[actuator][0] as usize;
        match (m.actuator.trntype[actuator], m.actuator.trnid[actuator]) {
            (TrnType::Joint | TrnType::JointInParent, _) => {
                let j = JointId::new(id);
                if let JointType::Slide | JointType::Hinge = m.jnt.r#type[j] {
                    let (qpos, dof) = (m.jnt.qposadr[j], m.jnt.dofadr[j].index() as u32);
                    self.on_joints.push(OnJoint { actuator, output, qpos });
                    self.on_dofs.push(OnDof { output, dof, geared: true });
                    return;
                }
            }
            (TrnType::Tendon, _) => {
                let (tendon, output) = (TendonId::new(id), OutputId::new(output as usize));
                self.on_tendons.push(OnTendon { actuator, output, tendon });
                self.blocks.push(moment.number_of_block(output.index()));
                return;
            }
            (TrnType::So3, [_, ..=-1]) => {
                let dof = m.jnt.dofadr[JointId::new(id)].index() as u32;
                self.on_dofs.extend((0..3).map(|k| OnDof { output: output + k, dof: dof + k, geared: false }));
                self.others.push(actuator);
                return;
            }
            _ => {}
        }
        self.others.push(actuator);
        if n > 0 {
            // All rows of an actuator are in one block.
            self.blocks.push(moment.number_of_block(output as usize));
            self.tendonless.push(moment.number_of_block(output as usize));
        }
    }
}
