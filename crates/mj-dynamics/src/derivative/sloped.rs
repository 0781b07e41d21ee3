//! Actuators whose force may change with the velocity of its length.

use super::actuators::{constant_slope, slopes_at_limit, velocity_slope};
use super::entries::Entries;
use crate::actuator::state::{actuator_disabled, outputs};
use crate::buffers::Smooth;
use mj_model::*;

/// An actuator whose force may change with velocity, by its kind, and where it acts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VelocityDependentActuator {
    actuator: ActuatorId,
    /// Of an actuator each of whose outputs acts on one dof: places of the dofs' diagonal entries.
    on_dofs: Vec<usize>,
    /// Whether the moment arm of these is the gear; else it is 1.
    geared: bool,
    outputs: std::ops::Range<usize>,
}

impl VelocityDependentActuator {
    /// All of a model's; `diagonal` tells the place of a dof's diagonal entry.
    pub fn all(m: &Model, diagonal: impl Fn(usize) -> usize) -> Vec<Self> {
        m.actuator.ids().filter_map(|a| Self::new(m, a, &diagonal)).collect()
    }

    fn new(m: &Model, a: ActuatorId, diagonal: impl Fn(usize) -> usize) -> Option<Self> {
        let by_gain = matches!(m.actuator.gaintype[a], GainType::Affine | GainType::Muscle);
        let by_bias = matches!(m.actuator.biastype[a], BiasType::Affine | BiasType::So3 | BiasType::DcMotor);
        if !by_gain && !by_bias {
            return None;
        }
        let [id, other] = m.actuator.trnid[a];
        let on_joint = |n| {
            let dof = m.jnt.dofadr[JointId::new(id as usize)].index();
            (dof..dof + n).map(&diagonal).collect()
        };
        let single = |id: i32| matches!(m.jnt.r#type[JointId::new(id as usize)], JointType::Slide | JointType::Hinge);
        let (on_dofs, geared) = match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent if single(id) => (on_joint(1), true),
            TrnType::So3 if other < 0 => (on_joint(3), false),
            _ => (Vec::new(), false),
        };
        Some(Self { actuator: a, on_dofs, geared, outputs: outputs(m, a) })
    }

    /// Returns the slope at a state.
    fn slope(&self, m: &Model, s: &State, r: &Smooth) -> f64 {
        let a = self.actuator;
        if m.opt.disableactuator != 0 && actuator_disabled(m, a) {
            return 0.0;
        }
        let varies = match m.actuator.gaintype[a] {
            GainType::Affine => m.actuator.gainprm[a][2] != 0.0,
            GainType::Muscle => true,
            _ => false,
        };
        let constant = if varies { None } else { constant_slope(m, a) };
        let slope = constant.unwrap_or_else(|| velocity_slope(m, s, r, a));
        if slope == 0.0 {
            return slope;
        }
        slopes_at_limit(m, s, r, a).map_or(slope, |[_, by_velocity]| by_velocity)
    }
}

/// Adds slope·momentᵀ·moment of every actuator whose force changes with the velocity of its length, to the lower part
/// alone.
pub(super) fn add(m: &Model, s: &State, r: &Smooth, actuators: &[VelocityDependentActuator], out: &mut Entries<'_>) {
    if m.opt.disabled(disable::ACTUATION) {
        return;
    }
    for a in actuators {
        let slope = a.slope(m, s, r);
        if slope == 0.0 {
            continue;
        }
        if !a.on_dofs.is_empty() {
            let arm = if a.geared { m.output.gear.as_slice()[a.outputs.start][0] } else { 1.0 };
            a.on_dofs.iter().for_each(|&place| out.lower[place] += slope * arm * arm);
            continue;
        }
        let row = |o| r.transmissions.actuator_moment.row(o);
        if a.outputs.len() == 3 {
            // Of an orientation between two sites: the three rows have the same columns.
            let [(runs, x), (_, y), (_, z)] = [0, 1, 2].map(|k| row(a.outputs.start + k));
            out.add_outer(runs, [x, y, z], slope);
            continue;
        }
        for o in a.outputs.clone() {
            let (runs, vals) = row(o);
            out.add_outer(runs, [vals], slope);
        }
    }
}
