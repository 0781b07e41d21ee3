//! Pairs of a flex's elements that are near each other, by a tree of boxes.

use super::sweep::Sweep;
use mj_math::DVec3;
use mj_model::{FlexId, Model};

/// The tree over a flex's elements: children of nodes, and elements of leaves.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    pub child: &'a [[i32; 2]],
    pub leaf: &'a [i32],
}

impl<'a> Tree<'a> {
    /// The tree of a flex.
    pub fn of(m: &'a Model, f: FlexId) -> Self {
        let nodes = m.flex.bvhadr[f] as usize..(m.flex.bvhadr[f] + m.flex.bvhnum[f]) as usize;
        Self { child: &m.flex_data.bvh_child[nodes.clone()], leaf: &m.flex_data.bvh_nodeid[nodes] }
    }
}

/// Boxes of a tree's nodes, and memory for going through it.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeBoxes {
    node: Vec<[f64; 6]>,
    todo: Vec<[u32; 2]>,
}

/// Sum of the faces of a box by the differences that the reference takes for its edges.
fn surface(b: &[f64; 6]) -> f64 {
    let [x, y, z] = [b[3] - b[0], b[4] - b[1], b[5] - b[2]];
    x * y + y * z + z * x
}

impl TreeBoxes {
    /// Fits the boxes to those of the elements.
    pub fn fit(&mut self, tree: Tree<'_>, elements: &[[f64; 6]]) {
        self.node.resize(tree.leaf.len(), [0.0; 6]);
        for i in (0..tree.leaf.len()).rev() {
            self.node[i] = match usize::try_from(tree.leaf[i]) {
                Ok(e) => elements[e],
                Err(_) => {
                    let [a, b] = tree.child[i].map(|c| self.node[c as usize]);
                    let mut out = [0.0; 6];
                    for k in 0..3 {
                        let low = (a[k] - a[k + 3]).min(b[k] - b[k + 3]);
                        let high = (a[k] + a[k + 3]).max(b[k] + b[k + 3]);
                        (out[k], out[k + 3]) = (0.5 * (high + low), 0.5 * (high - low));
                    }
                    out
                }
            };
        }
    }

    /// Finds pairs of elements whose boxes may overlap, in any order.
    pub fn pairs(&mut self, tree: Tree<'_>, out: &mut Sweep) {
        out.pairs.clear();
        self.todo.clear();
        if !tree.leaf.is_empty() {
            self.todo.push([0, 0]);
        }
        while let Some([a, b]) = self.todo.pop() {
            if a > b {
                continue;
            }
            let (leaf1, leaf2) = (tree.leaf[a as usize], tree.leaf[b as usize]);
            if leaf1 >= 0 && leaf2 >= 0 {
                out.pairs.push([leaf1 as u32, leaf2 as u32]);
                continue;
            }
            let (x, y) = (&self.node[a as usize], &self.node[b as usize]);
            if (0..3).any(|k| x[k] + x[k + 3] < y[k] - y[k + 3] || y[k] + y[k + 3] < x[k] - x[k + 3]) {
                continue;
            }
            let divide_first = leaf2 >= 0 || leaf1 < 0 && surface(x) > surface(y);
            if divide_first {
                self.todo.extend(tree.child[a as usize].map(|c| [c as u32, b]));
            } else {
                self.todo.extend(tree.child[b as usize].map(|c| [a, c as u32]));
            }
        }
    }

    /// Calls `visit` with the elements in boxes that `near` doesn't refuse, given their centres and half sizes; the second
    /// child of a box comes first. Stops when `visit` returns false.
    pub fn search(&mut self, tree: Tree<'_>, near: &dyn Fn(DVec3, DVec3) -> bool, visit: &mut dyn FnMut(u32) -> bool) {
        self.todo.clear();
        if !tree.leaf.is_empty() {
            self.todo.push([0, 0]);
        }
        while let Some([i, _]) = self.todo.pop() {
            let [x, y, z, a, b, c] = self.node[i as usize];
            if !near(DVec3::new(x, y, z), DVec3::new(a, b, c)) {
                continue;
            }
            match u32::try_from(tree.leaf[i as usize]) {
                Ok(e) if visit(e) => {}
                Ok(_) => return,
                Err(_) => self.todo.extend(tree.child[i as usize].map(|c| [c as u32, 0])),
            }
        }
    }
}
