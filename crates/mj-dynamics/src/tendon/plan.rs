//! Plan of tendons, which follows from the structure of a model alone.

use crate::rigid::chains::{self, Chains};
use crate::tendon::fixed::{FixedTendon, joint_dof};
use crate::tendon::path::{for_each_segment, is_fixed};
use crate::tendon::route::Routes;
use mj_math::BlockRows;
use mj_math::block::Run;
use mj_model::*;

/// Sparsity and paths of a model's tendons, without any parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TendonPlan {
    /// Sparsity of the tendons' Jacobian, with zeros for values.
    pub(crate) ten_J: BlockRows,
    pub(crate) fixed: Vec<FixedTendon>,
    pub(crate) routes: Routes,
}

impl TendonPlan {
    /// Derives the plan from a model, given the dofs that move each body.
    pub(crate) fn new(m: &Model, chains: &Chains) -> Self {
        let ten_J = tendon_jacobian(m, chains);
        Self { fixed: FixedTendon::all(m, &ten_J), routes: Routes::new(m, chains, |t| ten_J.row(t.index()).0), ten_J }
    }
}

/// Lays out the rows of `ten_J` of a model: one block a tendon, over the dofs that can change its length.
fn tendon_jacobian(m: &Model, chains: &Chains) -> BlockRows {
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
