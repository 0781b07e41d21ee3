//! Plan of actuators, which follows from the structure of a model alone.

use crate::actuator::affine::AffineActuator;
use crate::actuator::dcmotor::PlacedMotor;
use crate::actuator::layout::ActuatorLayout;
use crate::actuator::muscle::fours::Muscles4;
use crate::rigid::chains::{Chains, merge_chains};
use mj_math::BlockRows;
use mj_math::block::Run;
use mj_model::*;

/// Lists of a model's actuators by transmission and by law, without any parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActuatorPlan {
    /// Sparsity of the moment arms, with zeros for values.
    pub(crate) moment: BlockRows,
    pub(crate) layout: ActuatorLayout,
    pub(crate) muscles: Vec<Muscles4>,
    pub(crate) affine: Vec<AffineActuator>,
    pub(crate) motors: Vec<PlacedMotor>,
    /// Actuators that are none of these.
    pub(crate) others: Vec<ActuatorId>,
    /// Plugins with the actuators that they drive, which are in no other list.
    pub(crate) plugins: Vec<(PluginId, Vec<ActuatorId>)>,
}

impl ActuatorPlan {
    /// Derives the plan from a model, given the dofs that move each body and the sparsity of the tendons' Jacobian.
    pub(crate) fn new(m: &Model, chains: &Chains, ten_J: &BlockRows) -> Self {
        let moment = moment_arms(m, chains, ten_J);
        let mut others: Vec<ActuatorId> = m.actuator.ids().filter(|&a| m.actuator.plugin[a].is_none()).collect();
        Self {
            layout: ActuatorLayout::new(m, &moment),
            muscles: Muscles4::take(m, &mut others),
            affine: AffineActuator::take(m, &mut others),
            motors: PlacedMotor::take(m, &mut others),
            others,
            plugins: by_plugin(m.plugin.len(), m.actuator.ids(), |a| m.actuator.plugin[a]),
            moment,
        }
    }
}

/// Sorts elements by their plugins; those without are left out.
pub(crate) fn by_plugin<I: Copy>(
    plugins: usize,
    elements: impl Iterator<Item = I>,
    plugin: impl Fn(I) -> Option<PluginId>,
) -> Vec<(PluginId, Vec<I>)> {
    let mut lists: Vec<_> = (0..plugins).map(|p| (PluginId::new(p), Vec::new())).collect();
    for e in elements {
        if let Some((_, list)) = plugin(e).and_then(|p| lists.get_mut(p.index())) {
            list.push(e);
        }
    }
    lists.retain(|(_, list)| !list.is_empty());
    lists
}

/// Lays out the moment arms: one block an actuator output, or one for all three of an orientation between sites, over the
/// dofs that the transmission can touch.
fn moment_arms(m: &Model, chains: &Chains, ten_J: &BlockRows) -> BlockRows {
    let mut moment = BlockRows::default();
    moment.clear(m.nv());
    let mut runs: Vec<Run> = Vec::new();
    for a in m.actuator.ids() {
        let [id, other] = m.actuator.trnid[a];
        let of_site = |i: i32| chains.of(m.site.bodyid[SiteId::new(i as usize)]);
        runs.clear();
        match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent => {
                let j = JointId::new(id as usize);
                let len = match m.jnt.r#type[j] {
                    JointType::Free => 6,
                    JointType::Ball => 3,
                    JointType::Slide | JointType::Hinge => 1,
                };
                runs.push(Run { start: m.jnt.dofadr[j].index() as u32, len });
            }
            TrnType::Tendon => runs.extend_from_slice(ten_J.row(id as usize).0),
            TrnType::Site if other < 0 => runs.extend_from_slice(of_site(id)),
            // Dofs that move both sites alike don't work against the actuator.
            TrnType::Site => merge_chains(of_site(id), of_site(other), true, &mut runs),
            TrnType::SliderCrank => merge_chains(of_site(id), of_site(other), false, &mut runs),
            // The contacts of a body may involve any other.
            TrnType::Body if m.nv() > 0 => runs.push(Run { start: 0, len: m.nv() as u32 }),
            TrnType::So3 if other < 0 => {
                let dof = m.jnt.dofadr[JointId::new(id as usize)].index() as u32;
                (0..3).for_each(|k| moment.push(1, &[Run { start: dof + k, len: 1 }])[0] = 1.0);
                continue;
            }
            TrnType::So3 => {
                merge_chains(of_site(id), of_site(other), true, &mut runs);
                moment.push(3, &runs);
                continue;
            }
            TrnType::Body | TrnType::Undefined => {}
        }
        for _ in 0..m.actuator.outnum[a] {
            moment.push(1, &runs);
        }
    }
    moment
}
