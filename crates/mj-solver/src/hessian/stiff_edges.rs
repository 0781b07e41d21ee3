//! Pairs of nodes that stiffness connects.

use mj_math::SparseSymmetric;

/// Pairs of nodes that a stiffness connects, kept until its entries are elsewhere.
#[derive(Clone, Debug, Default)]
pub struct StiffEdges {
    rowadr: Vec<u32>,
    colind: Vec<u32>,
    node: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl StiffEdges {
    /// Returns the pairs for a stiffness over dofs that belong to these nodes.
    pub fn of(&mut self, stiffness: &SparseSymmetric, node: &[u32]) -> &[(u32, u32)] {
        if self.rowadr != stiffness.rowadr || self.colind != stiffness.colind || self.node != node {
            self.rowadr.clone_from(&stiffness.rowadr);
            self.colind.clone_from(&stiffness.colind);
            node.clone_into(&mut self.node);
            self.edges.clear();
            for (i, &a) in node.iter().enumerate() {
                let columns = stiffness.colind[stiffness.row(i)].iter().map(|&c| node[c as usize]);
                self.edges.extend(columns.filter(|&c| c != a).map(|c| (c, a)));
            }
            self.edges.sort_unstable();
            self.edges.dedup();
        }
        &self.edges
    }
}
