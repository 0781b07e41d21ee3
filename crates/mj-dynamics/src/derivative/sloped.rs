//! Actuators whose force changes with the velocity of its length: which those are, and where they act, is looked up once.

use super::actuators::{constant_slope, slopes_at_limit, velocity_slope};
use super::{SmoothResults, VelocityDerivative};
use crate::actuation::actuator_disabled;
use mj_model::*;

/// Such an actuator.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sloped {
    actuator: ActuatorId,
    /// The slope where it is always the same within the limits.
    constant: Option<f64>,
    /// Whether there are limits.
    limited: bool,
    /// Of an actuator each of whose outputs acts on one dof: places of the dofs' diagonal entries, and moment arms.
    on_dofs: Vec<(usize, f64)>,
    /// Of any other: its outputs.
    outputs: std::ops::Range<usize>,
}

impl Sloped {
    /// All of a model's; `diagonal` tells the place of a dof's diagonal entry.
    pub fn all(m: &Model, diagonal: impl Fn(usize) -> usize) -> Vec<Self> {
        m.actuator.ids().filter_map(|a| Self::new(m, a, &diagonal)).collect()
    }

    fn new(m: &Model, a: ActuatorId, diagonal: impl Fn(usize) -> usize) -> Option<Self> {
        let varies = match m.actuator.gaintype[a] {
            GainType::Affine => m.actuator.gainprm[a][2] != 0.0,
            GainType::Muscle => true,
            _ => false,
        };
        let constant = if varies { None } else { constant_slope(m, a) };
        if constant == Some(0.0) {
            return None;
        }
        let first = m.actuator.outadr[a] as usize;
        let mut outputs = first..first + m.actuator.outnum[a] as usize;
        let [id, other] = m.actuator.trnid[a];
        let joint = || JointId::new(id as usize);
        let on_joint = |n, arm: f64| {
            let dof = m.jnt.dofadr[joint()].index();
            (dof..dof + n).map(|d| (diagonal(d), arm)).collect()
        };
        let mut force_limited = m.actuator.forcelimited[a];
        let mut on_dofs = Vec::new();
        match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent => {
                force_limited |= m.jnt.actfrclimited[joint()];
                if let JointType::Slide | JointType::Hinge = m.jnt.r#type[joint()] {
                    on_dofs = on_joint(1, m.output.gear[OutputId::new(first)][0]);
                }
            }
            TrnType::So3 if other < 0 => on_dofs = on_joint(3, 1.0),
            TrnType::Tendon => force_limited |= m.tendon.actfrclimited[TendonId::new(id as usize)],
            _ => {}
        }
        if !on_dofs.is_empty() {
            outputs = 0..0;
        }
        Some(Self { actuator: a, constant, limited: force_limited, on_dofs, outputs })
    }

    /// The slope at a state.
    fn slope(&self, m: &Model, s: &State, r: SmoothResults<'_>) -> f64 {
        if m.opt.disableactuator != 0 && actuator_disabled(m, self.actuator) {
            return 0.0;
        }
        let slope = self.constant.unwrap_or_else(|| velocity_slope(m, s, r, self.actuator));
        if !self.limited || slope == 0.0 {
            return slope;
        }
        slopes_at_limit(m, s, r, self.actuator).map_or(slope, |[_, by_velocity]| by_velocity)
    }
}

/// Adds slope·momentᵀ·moment of every actuator whose force changes with the velocity of its length, to the lower part
/// alone.
pub(super) fn add(m: &Model, s: &State, r: SmoothResults<'_>, out: &mut VelocityDerivative) {
    if m.opt.disabled(disable::ACTUATION) {
        return;
    }
    // Taken out while the derivative is written.
    let sloped = std::mem::take(&mut out.sloped);
    for a in &sloped {
        let slope = a.slope(m, s, r);
        if slope == 0.0 {
            continue;
        }
        for &(place, arm) in &a.on_dofs {
            out.lower[place] += slope * arm * arm;
        }
        let row = |o| r.trans.actuator_moment.row(o);
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
    out.sloped = sloped;
}
