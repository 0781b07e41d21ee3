//! Plan that follows from the structure of a model's flexes alone.

use crate::cells::interpolation::Interpolation;
use crate::lines::Rod;
use mj_math::block::{BlockRows, Run};
use mj_model::{DofId, FlexId, IdVec, Model, TreeId};
use std::sync::Arc;

/// Patterns and weights that the stages of flexes go by. Models of one structure share it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FlexPlan {
    /// Pattern of the edges' Jacobian, nflexedge×nv.
    pub edge_J: BlockRows,
    /// How the vertices of each flex follow from its nodes; none where they are points of bodies.
    pub interpolation: Vec<Option<Interpolation>>,
    /// Elastic lines of each flex; none where it has no bending of dimension 1.
    pub(crate) rods: Arc<[Option<Rod>]>,
    /// Kinematic trees of flexes that springs alone hold together. They sleep only where their stiffness is part of the step's
    /// inertia.
    pub elastic_trees: IdVec<TreeId, bool>,
}

impl FlexPlan {
    /// Derives the plan of a model.
    pub fn new(m: &Model) -> Self {
        let d = &m.flex_data;
        let mut edge_J = BlockRows::default();
        edge_J.clear(m.nv());
        let mut runs = Vec::new();
        for e in 0..d.edge.len() {
            let columns = &d.j_colind[d.j_rowadr[e] as usize..][..d.j_rownnz[e] as usize];
            runs.clear();
            for chunk in columns.chunk_by(|a, b| a + 1 == *b) {
                runs.push(Run { start: chunk[0], len: chunk.len() as u32 });
            }
            edge_J.push(1, &runs);
        }
        let interpolation = m.flex.ids().map(|f| Interpolation::of(m, f)).collect();
        let mut elastic_trees = IdVec::filled(m.tree.len(), false);
        let rods: Arc<[_]> = m.flex.ids().map(|f| Rod::of(m, f)).collect();
        for f in m.flex.ids().filter(|&f| is_stiff(m, f) && m.flex.edgeequality[f] == 0) {
            trees(m, &rods, f).for_each(|t| elastic_trees[t] = true);
        }
        Self { edge_J, interpolation, rods, elastic_trees }
    }

    /// Returns the kinematic trees of a flex, some of them several times.
    pub fn trees<'a>(&'a self, m: &'a Model, f: FlexId) -> impl Iterator<Item = TreeId> + 'a {
        trees(m, &self.rods, f)
    }

    /// Returns the plan that a model shares with its copies, derived at the first call.
    pub fn of(m: &Model) -> Arc<Self> {
        m.plan(Self::new)
    }
}

/// Returns whether elements or hinges of a flex have stiffness, whatever it is.
pub fn is_stiff(m: &Model, f: FlexId) -> bool {
    !m.flex.rigid[f] && (m.flex.stiffnessadr[f] >= 0 || m.flex.bendingadr[f] >= 0)
}

/// Trees of a flex's vertices, nodes and angles of twist, some of them several times.
fn trees<'a>(m: &'a Model, rods: &'a [Option<Rod>], f: FlexId) -> impl Iterator<Item = TreeId> + 'a {
    let d = &m.flex_data;
    let verts = &d.vertbodyid[m.flex.vertadr[f] as usize..][..m.flex.vertnum[f] as usize];
    let nodes = &d.nodebodyid[m.flex.nodeadr[f] as usize..][..m.flex.nodenum[f] as usize];
    let twists = rods[f.index()].iter().flat_map(Rod::twist_dofs).map(|dof| m.dof.bodyid[DofId::new(dof)]);
    verts.iter().flatten().chain(nodes).copied().chain(twists).filter_map(|b| m.body.treeid[b])
}
