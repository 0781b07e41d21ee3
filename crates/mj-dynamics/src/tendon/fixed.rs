//! Tendons whose length is a weighted sum of joint coordinates.

use crate::tendon::path::is_fixed;
use mj_math::BlockRows;
use mj_math::block::Run;
use mj_model::*;

/// A tendon whose length is a weighted sum of joint coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FixedTendon {
    pub tendon: TendonId,
    terms: Vec<Term>,
}

/// A joint of a fixed tendon: the object in its path with the weight, the joint's coordinate, and its column among those
/// of the tendon's row.
#[derive(Clone, Debug, PartialEq)]
struct Term {
    wrap: WrapId,
    qpos: u32,
    column: u32,
}

impl FixedTendon {
    /// Lists the fixed tendons of a model, whose rows are laid out.
    pub fn all(m: &Model, ten_J: &BlockRows) -> Vec<Self> {
        let of = |tendon: TendonId| {
            let runs = ten_J.row(tendon.index()).0;
            let term = |wrap: WrapId| {
                let qpos = m.jnt.qposadr[JointId::new(m.wrap.objid[wrap] as usize)];
                Term { wrap, qpos, column: column(runs, joint_dof(m, wrap)) as u32 }
            };
            Self { tendon, terms: id_range(Some(m.tendon.adr[tendon]), m.tendon.num[tendon]).map(term).collect() }
        };
        m.tendon.ids().filter(|&t| is_fixed(m, t)).map(of).collect()
    }

    /// Computes the length, and the row of the Jacobian.
    pub fn measure(&self, m: &Model, qpos: &[f64], row: &mut [f64]) -> f64 {
        row.fill(0.0);
        let mut length = 0.0;
        for term in &self.terms {
            let weight = m.wrap.prm[term.wrap];
            row[term.column as usize] += weight;
            length += weight * qpos[term.qpos as usize];
        }
        length
    }
}

/// First dof of the joint in a fixed tendon's path.
pub(crate) fn joint_dof(m: &Model, w: WrapId) -> usize {
    m.jnt.dofadr[JointId::new(m.wrap.objid[w] as usize)].index()
}

/// Place of dof `d` among the columns of `runs`, which must hold it.
fn column(runs: &[Run], d: usize) -> usize {
    let before: u32 = runs.iter().take_while(|r| ((r.start + r.len) as usize) <= d).map(|r| r.len).sum();
    let first = runs.iter().find(|r| (r.start + r.len) as usize > d).map_or(0, |r| r.start as usize);
    before as usize + d - first
}
