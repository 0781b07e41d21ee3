//! In which order to eliminate the trees of an island, so that the Hessian's factor stays sparse.
//!
//! Minimum degree: whoever has the least to the rest of the graph goes next, and leaves its
//! neighbours connected with each other (Tinney & Walker 1967; George & Liu, "The evolution of the
//! minimum degree ordering algorithm", 1989). Trees are few compared with dofs, so that the graph is
//! held as sets of bits and the elimination is carried out as it is.

/// Elimination order of a graph, and the columns of its factor. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Elimination {
    /// Nodes in the order of their elimination.
    pub order: Vec<u32>,
    /// Place of each node in the order.
    pub rank: Vec<u32>,
    /// First entry in `later` of each node in the order, and their number.
    pub start: Vec<u32>,
    /// Nodes eliminated later that a node is connected with when its turn comes.
    pub later: Vec<u32>,
    /// Neighbours of each node that are not eliminated yet: a row of words a node.
    near: Vec<u64>,
    row: Vec<u64>,
    /// Size of the nodes, where all have the same.
    same: Option<u32>,
    /// Number of dofs of the neighbours.
    degree: Vec<u32>,
    /// Nodes by degree: first of each list, and the next and last of each node.
    first: Vec<u32>,
    next: Vec<u32>,
    prev: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Elimination {
    /// Orders nodes with `size` dofs each, connected by `edges`.
    pub fn find(&mut self, size: &[u32], edges: &[(u32, u32)]) {
        let n = size.len();
        let words = n.div_ceil(64);
        self.near.clear();
        self.near.resize(n * words, 0);
        for &(a, b) in edges {
            let (a, b) = (a as usize, b as usize);
            if a != b {
                self.near[a * words + b / 64] |= 1 << (b % 64);
                self.near[b * words + a / 64] |= 1 << (a % 64);
            }
        }
        self.file(size, words);
        for v in [&mut self.order, &mut self.start, &mut self.later] {
            v.clear();
        }
        self.rank.clear();
        self.rank.resize(n, 0);
        let mut least = 0;
        while self.order.len() < n {
            while self.first[least] == NONE {
                least += 1;
            }
            let k = self.first[least] as usize;
            self.unlink(k);
            self.rank[k] = self.order.len() as u32;
            self.order.push(k as u32);
            self.start.push(self.later.len() as u32);
            self.row.clear();
            self.row.extend_from_slice(&self.near[k * words..(k + 1) * words]);
            let from = self.later.len();
            bits(&self.row, |j| self.later.push(j));
            for at in from..self.later.len() {
                let j = self.later[at] as usize;
                let near = &mut self.near[j * words..(j + 1) * words];
                for (near, row) in near.iter_mut().zip(&self.row) {
                    *near |= row;
                }
                near[j / 64] &= !(1 << (j % 64));
                near[k / 64] &= !(1 << (k % 64));
                self.unlink(j);
                self.link(j, size, words);
                least = least.min(self.degree[j] as usize);
            }
        }
        self.start.push(self.later.len() as u32);
    }

    /// Files all nodes by their degrees; of equals, the first comes first.
    fn file(&mut self, size: &[u32], words: usize) {
        let total: usize = size.iter().map(|&s| s as usize).sum();
        self.first.clear();
        self.first.resize(total + 1, NONE);
        for v in [&mut self.degree, &mut self.next, &mut self.prev] {
            v.clear();
            v.resize(size.len(), NONE);
        }
        self.same = size.first().copied().filter(|s| size.iter().all(|t| t == s));
        for j in (0..size.len()).rev() {
            self.link(j, size, words);
        }
    }

    fn link(&mut self, j: usize, size: &[u32], words: usize) {
        let near = &self.near[j * words..(j + 1) * words];
        let mut degree = 0;
        match self.same {
            Some(size) => degree = size * near.iter().map(|w| w.count_ones()).sum::<u32>(),
            None => bits(near, |i| degree += size[i as usize]),
        }
        self.degree[j] = degree;
        let head = &mut self.first[degree as usize];
        self.next[j] = *head;
        self.prev[j] = NONE;
        if *head != NONE {
            self.prev[*head as usize] = j as u32;
        }
        *head = j as u32;
    }

    fn unlink(&mut self, j: usize) {
        let (prev, next) = (self.prev[j], self.next[j]);
        match prev {
            NONE => self.first[self.degree[j] as usize] = next,
            p => self.next[p as usize] = next,
        }
        if next != NONE {
            self.prev[next as usize] = prev;
        }
    }
}

/// Calls `f` with each member of a set, ascending.
#[inline]
fn bits(words: &[u64], mut f: impl FnMut(u32)) {
    for (k, &w) in words.iter().enumerate() {
        let mut w = w;
        while w != 0 {
            f(64 * k as u32 + w.trailing_zeros());
            w &= w - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chain_fills_nothing() {
        let mut e = Elimination::default();
        let edges: Vec<_> = (0..99).map(|i| (i, i + 1)).collect();
        e.find(&[6; 100], &edges);
        assert_eq!(e.later.len(), 99);
    }

    #[test]
    fn the_hub_of_a_star_goes_last() {
        let mut e = Elimination::default();
        let edges: Vec<_> = (1..80).map(|i| (0, i)).collect();
        e.find(&[6; 80], &edges);
        assert!(e.rank[0] >= 78);
        assert_eq!(e.later.len(), 79);
    }

    proptest! {
        /// Every node once, and the factor's columns close under elimination.
        #[test]
        fn columns_are_those_of_the_factor(n in 1usize..90, edges in prop::collection::vec((0u32..90, 0u32..90), 0..150)) {
            let edges: Vec<_> = edges.iter().map(|&(a, b)| (a % n as u32, b % n as u32)).collect();
            let mut e = Elimination::default();
            e.find(&vec![3; n], &edges);
            let mut sorted = e.order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..n as u32).collect::<Vec<_>>());
            let columns = |k: usize| &e.later[e.start[k] as usize..e.start[k + 1] as usize];
            for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
                let (first, second) = if e.rank[a as usize] < e.rank[b as usize] { (a, b) } else { (b, a) };
                prop_assert!(columns(e.rank[first as usize] as usize).contains(&second));
            }
            for k in 0..n {
                for &a in columns(k) {
                    prop_assert!(e.rank[a as usize] as usize > k);
                    for &b in columns(k).iter().filter(|&&b| e.rank[b as usize] > e.rank[a as usize]) {
                        prop_assert!(columns(e.rank[a as usize] as usize).contains(&b));
                    }
                }
            }
        }
    }
}
