//! Sparsity of the Jacobians of tendons and actuators.

use crate::rigid::chains::{self, Chains};
use crate::tendon::fixed::joint_dof;
use crate::tendon::path::{for_each_segment, is_fixed};
use mj_math::BlockRows;
use mj_math::block::Run;
use mj_model::*;

/// Lays out the rows of `ten_J` of a model: one block a tendon, over the dofs that can change its length.
pub(crate) fn tendon_jacobian(m: &Model, chains: &Chains) -> BlockRows {
    let mut ten_J = BlockRows::default();
    ten_J.clear(m.nv());
    let mut moves = vec![false; m.nv()];
    let mut differ = Vec::new();
    for t in m.tendon.ids() {
        moves.fill(false);
        let path = || id_range(Some(m.tendon.adr[t]), m.tendon.num[t]);
        if is_fixed(m, t) {
            for w in path() {
                moves[joint_dof(m, w)] = true;
            }
        } else {
            // A dof that moves both ends of a straight piece alike cannot change its length.
            let mut pair = |a: BodyId, b: BodyId| {
                chains::merge_chains(chains.of(a), chains.of(b), true, &mut differ);
                differ.iter().for_each(|r| moves[r.start as usize..(r.start + r.len) as usize].fill(true));
            };
            for_each_segment(m, t, |s| {
                let (a, b) = (m.site.bodyid[s.from], m.site.bodyid[s.to]);
                pair(a, b);
                if let Some((g, ..)) = s.around {
                    pair(a, m.geom.bodyid[g]);
                    pair(m.geom.bodyid[g], b);
                }
            });
        }
        let runs = runs_of(&moves);
        ten_J.push(1, &runs);
    }
    ten_J
}

/// The marked dofs as runs.
fn runs_of(marked: &[bool]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (d, _) in marked.iter().enumerate().filter(|(_, x)| **x) {
        match runs.last_mut() {
            Some(r) if (r.start + r.len) as usize == d => r.len += 1,
            _ => runs.push(Run { start: d as u32, len: 1 }),
        }
    }
    runs
}

/// Lays out the moment arms: one block an actuator output, or one for all three of an orientation between sites, over the
/// dofs that the transmission can touch.
pub(crate) fn moment_arms(m: &Model, chains: &Chains, ten_J: &BlockRows) -> BlockRows {
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
            TrnType::Site => chains::merge_chains(of_site(id), of_site(other), true, &mut runs),
            TrnType::SliderCrank => chains::merge_chains(of_site(id), of_site(other), false, &mut runs),
            // The contacts of a body may involve any other.
            TrnType::Body if m.nv() > 0 => runs.push(Run { start: 0, len: m.nv() as u32 }),
            TrnType::So3 if other < 0 => {
                let dof = m.jnt.dofadr[JointId::new(id as usize)].index() as u32;
                (0..3).for_each(|k| moment.push(1, &[Run { start: dof + k, len: 1 }])[0] = 1.0);
                continue;
            }
            TrnType::So3 => {
                chains::merge_chains(of_site(id), of_site(other), true, &mut runs);
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
