//! Plan that the pipeline derives from the structure of a model, once for all its data.

use mj_model::*;
use std::sync::Arc;

/// Lists and kinds that a step goes by. It holds no parameter of the model: models of one structure share it.
#[derive(Debug)]
pub(crate) struct Plan {
    pub dynamics: Arc<mj_dynamics::Plan>,
    pub flexes: Arc<mj_deformable::FlexPlan>,
    pub sensors: SensorPlan,
    /// Whether an actuator pulls on contacts.
    pub pulls_contacts: bool,
    /// Whether there are tendons that pull on bodies.
    pub tendons_pull: bool,
    /// Tree of each dof.
    pub tree: Vec<u32>,
}

impl Plan {
    /// Returns the plan that a model shares with its copies.
    pub fn of(m: &Model) -> Arc<Self> {
        m.plan(|m| Self {
            dynamics: mj_dynamics::Plan::of(m),
            flexes: mj_deformable::FlexPlan::of(m),
            sensors: SensorPlan::new(m),
            pulls_contacts: m.actuator.trntype.iter().any(|&t| t == TrnType::Body),
            tendons_pull: m.tendon.r#type.iter().any(|&t| t == TendonType::Spatial),
            tree: m.dof.treeid.iter().map(|t| t.index() as u32).collect(),
        })
    }
}

/// Returns whether any surface attracts others.
pub(crate) fn sticks(m: &Model) -> bool {
    m.geom.adhesion.iter().chain(m.pair.adhesion.iter()).any(|&a| a != 0.0)
}

/// Which sensors a model has at each stage, and which results they need beyond those of the stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct SensorPlan {
    /// Sensors of each stage (position, velocity, acceleration).
    pub stage: [Vec<SensorId>; 3],
    /// A user's sensor at each stage.
    pub user: [bool; 3],
    pub potential: bool,
    pub kinetic: bool,
    pub subtree_vel: bool,
    pub body_forces: bool,
}

impl SensorPlan {
    fn new(m: &Model) -> Self {
        use SensorType::*;
        let mut n = Self::default();
        for s in m.sensor.ids() {
            match m.sensor.needstage[s] {
                Stage::None => {}
                Stage::Pos => n.stage[0].push(s),
                Stage::Vel => n.stage[1].push(s),
                Stage::Acc => n.stage[2].push(s),
            }
            match m.sensor.r#type[s] {
                User => {
                    if let Ok(stage) = usize::try_from(m.sensor.needstage[s].code() - 1) {
                        n.user[stage] = true;
                    }
                }
                EPotential => n.potential = true,
                EKinetic => n.kinetic = true,
                SubtreeLinVel | SubtreeAngMom => n.subtree_vel = true,
                Accelerometer | Force | Torque | FrameLinAcc | FrameAngAcc => n.body_forces = true,
                _ => {}
            }
        }
        n
    }
}
