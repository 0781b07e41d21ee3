//! A tree of boxes over a flex's elements, divided in the middle along the longest axis.

use mj_math::DVec3;

/// Lengths that differ by less count as equal.
const EPS: f64 = 1e-14;

/// Places along an axis that differ by less are mostly taken for one.
const ROUNDING: f64 = 1e-13;

/// Nodes, each before its children.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Children; −1 in a leaf.
    pub child: Vec<[i32; 2]>,
    /// Element of a leaf; −1 in other nodes.
    pub leaf: Vec<i32>,
}

impl Tree {
    /// Makes the tree over elements with the corners of their boxes.
    pub fn over(boxes: &[(usize, [DVec3; 2])]) -> Self {
        let mut out = Self::default();
        let mut list: Vec<&(usize, [DVec3; 2])> = boxes.iter().collect();
        if !list.is_empty() {
            out.divide(&mut list);
        }
        out
    }

    fn divide(&mut self, list: &mut [&(usize, [DVec3; 2])]) -> i32 {
        let node = self.child.len();
        self.child.push([-1; 2]);
        self.leaf.push(-1);
        if let [one] = list {
            self.leaf[node] = one.0 as i32;
            return node as i32;
        }
        let hold = |(a, b): (DVec3, DVec3), e: &&(usize, [DVec3; 2])| (a.min(e.1[0]), b.max(e.1[1]));
        let (low, high) = list.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), hold);
        let size = high - low;
        let mut axis = usize::from(size.y >= size.x + EPS);
        if size.z >= size[axis] + EPS {
            axis = 2;
        }
        // Rounded, so that middles that are equal but for rounding go by the order of the elements.
        let middle = |e: &(usize, [DVec3; 2])| (0.5 * (e.1[0][axis] + e.1[1][axis]) / ROUNDING).round();
        list.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.0.cmp(&b.0)));
        let (first, second) = list.split_at_mut(list.len() / 2);
        self.child[node] = [self.divide(first), self.divide(second)];
        node as i32
    }
}
