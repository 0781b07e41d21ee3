//! Supernodes: trees that are eliminated one after the other and are connected with nearly the same later ones, so that
//! their rows are kept as one dense panel.
//!
//! The order of least degree is first made a postorder of the elimination tree, which changes nothing of the factor and
//! puts those trees side by side (Liu, Ng & Peyton, "On finding supernodes for sparse matrix computations", 1993). A
//! few zeros are stored where that makes panels larger (Ashcraft & Grimes, "The influence of relaxed supernode
//! partitions on the multifrontal method", 1989).

use crate::hessian::ordering::Elimination;
use crate::policy;

/// Nodes in the order of their elimination, in groups. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Supernodes {
    /// Nodes in the order of their elimination: a postorder of the elimination tree.
    pub order: Vec<u32>,
    /// First entry in `order` of each supernode, and the number of nodes.
    pub start: Vec<u32>,
    /// For each place in the order of least degree: that of the parent in the elimination tree, the number of
    /// descendants with itself, the number of dofs it is connected with, its last child, and its place in the postorder.
    parent: Vec<u32>,
    count: Vec<u32>,
    later: Vec<usize>,
    last_child: Vec<u32>,
    rank: Vec<u32>,
    /// Places from here on are taken by nodes above, or by other children.
    free: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Supernodes {
    /// Groups nodes with `size` dofs each, in a given order of elimination.
    pub fn find(&mut self, e: &Elimination, size: &[u32]) {
        self.find_tree(e, size);
        self.find_postorder(e);
        self.start.clear();
        let (mut own, mut stored, mut before) = (0, 0, NONE);
        for (i, &node) in self.order.iter().enumerate() {
            let k = e.rank[node as usize];
            let (n, later) = (size[node as usize] as usize, self.later[k as usize]);
            let is_parent = before != NONE && self.parent[before as usize] == k;
            let alone = values(n, later);
            let joined = values(own + n, later);
            if is_parent
                && own + n <= policy::SUPERNODE_DOFS
                && (joined as f64) <= policy::SUPERNODE_STORAGE * (stored + alone) as f64
            {
                (own, stored) = (own + n, stored + alone);
            } else {
                self.start.push(i as u32);
                (own, stored) = (n, alone);
            }
            before = k;
        }
        self.start.push(self.order.len() as u32);
    }

    /// Finds the elimination tree: a node's parent is the first of the later ones that it is connected with.
    fn find_tree(&mut self, e: &Elimination, size: &[u32]) {
        let n = size.len();
        self.parent.clear();
        self.later.clear();
        for k in 0..n {
            let later = &e.later[e.start[k] as usize..e.start[k + 1] as usize];
            self.parent.push(later.iter().map(|&j| e.rank[j as usize]).min().unwrap_or(NONE));
            self.later.push(later.iter().map(|&j| size[j as usize] as usize).sum());
        }
        self.count.clear();
        self.count.resize(n, 1);
        self.last_child.clear();
        self.last_child.resize(n, NONE);
        for k in 0..n {
            let parent = self.parent[k];
            if parent != NONE {
                self.count[parent as usize] += self.count[k];
                // The child with the most columns is the likeliest to share its parent's.
                let last = &mut self.last_child[parent as usize];
                if *last == NONE || self.later[k] >= self.later[*last as usize] {
                    *last = k as u32;
                }
            }
        }
    }

    /// Orders nodes so that all descendants of a node come right before it.
    fn find_postorder(&mut self, e: &Elimination) {
        let n = self.parent.len();
        self.rank.clear();
        self.rank.resize(n, NONE);
        self.free.clear();
        self.free.resize(n, 0);
        self.order.clear();
        self.order.resize(n, 0);
        let mut free = n as u32;
        for k in (0..n).rev() {
            if self.rank[k] == NONE {
                let parent = self.parent[k];
                let free = if parent == NONE { &mut free } else { &mut self.free[parent as usize] };
                self.rank[k] = *free - 1;
                *free -= self.count[k];
            }
            self.order[self.rank[k] as usize] = e.order[k];
            self.free[k] = self.rank[k];
            let last = self.last_child[k];
            if last != NONE {
                self.rank[last as usize] = self.free[k] - 1;
                self.free[k] -= self.count[last as usize];
            }
        }
    }
}

/// Number of values in the rows of a panel of `n` own dofs that is connected with `m` others.
fn values(n: usize, m: usize) -> usize {
    n * m + n * (n + 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn trees_that_all_touch_are_one_supernode() {
        let edges: Vec<_> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
        let (mut e, mut s) = (Elimination::default(), Supernodes::default());
        e.find(&[6; 5], &edges);
        s.find(&e, &[6; 5]);
        assert_eq!(s.start, [0, 5]);
    }

    proptest! {
        /// Every node once, after all its descendants, which come side by side, and in the one supernode with its child before.
        #[test]
        fn the_order_is_a_postorder(n in 1usize..60, edges in prop::collection::vec((0u32..60, 0u32..60), 0..120)) {
            let edges: Vec<_> = edges.iter().map(|&(a, b)| (a % n as u32, b % n as u32)).collect();
            let (mut e, mut s) = (Elimination::default(), Supernodes::default());
            let size = vec![3; n];
            e.find(&size, &edges);
            s.find(&e, &size);
            let mut sorted = s.order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..n as u32).collect::<Vec<_>>());
            for k in 0..n {
                let parent = s.parent[k];
                if parent != NONE {
                    let (own, above) = (s.rank[k], s.rank[parent as usize]);
                    prop_assert!(own < above && own + s.count[parent as usize] > above);
                }
            }
            for group in s.start.windows(2) {
                for i in group[0] + 1..group[1] {
                    let [child, parent] = [i - 1, i].map(|i| e.rank[s.order[i as usize] as usize]);
                    prop_assert_eq!(s.parent[child as usize], parent);
                }
            }
        }
    }
}
