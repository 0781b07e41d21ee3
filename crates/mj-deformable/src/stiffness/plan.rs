//! Structure of the stiffness: which points act on each other, and where that goes in the matrix over the dofs.

use crate::cells::corotational;
use crate::cells::grid::Grid;
use crate::elastic;
use crate::lines::{Rod, Twist};
use mj_dynamics::Chains;
use mj_math::SparseSymmetric;
use mj_model::{BodyId, FlexId, Model};
use std::ops::Range;
use std::sync::Arc;

/// Structure of the stiffness of all elastic flexes. A point is a vertex, or a node of an interpolated flex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StiffnessPlan {
    pub(super) parts: Vec<Part>,
    /// Bodies of the points.
    pub(super) body: Vec<BodyId>,
    /// First entry of each point in `dofs`, and the number of all.
    pub(super) chain: Vec<u32>,
    /// Dofs that move each point, ascending.
    pub(super) dofs: Vec<u32>,
    /// Pairs of points that act on each other, the later one first.
    pub(super) pairs: Vec<[u32; 2]>,
    /// Where the entries of each point's own block, by rows up to the diagonal, and then those of each pair's block go.
    pub(super) targets: Vec<Target>,
    /// Dofs of the twists that act on each other in rods, the later one first.
    twists: Vec<[u32; 2]>,
    /// Zeros.
    pub(super) matrix: SparseSymmetric,
}

/// Place in the matrix over the dofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Diagonal(u32),
    Below(u32),
}

/// One flex.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub flex: FlexId,
    /// Its points and pairs.
    pub points: Range<usize>,
    pub pairs: Range<usize>,
    /// Simplices or cells.
    pub elements: Stencils,
    /// Hinges of triangles, and the number of the edge of each.
    pub hinges: Stencils,
    pub hinge_edge: Vec<u32>,
}

/// Sets of points that act on each other, all of one size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stencils {
    pub size: usize,
    /// Points, counted from the first of the flex.
    pub points: Vec<u32>,
    /// Numbers of the pairs (a, b) with b < a in each set, twice, and one more where b is the later point.
    pub pairs: Vec<u32>,
}

impl Stencils {
    fn new(size: usize) -> Self {
        Self { size, ..Self::default() }
    }

    /// Points of set `i`, and its pairs.
    pub fn of(&self, i: usize) -> (&[u32], &[u32]) {
        let (n, k) = (self.size, self.size * self.size.saturating_sub(1) / 2);
        (&self.points[i * n..(i + 1) * n], &self.pairs[i * k..(i + 1) * k])
    }

    /// Pairs of points in a set, the later one first, and whether that is the second.
    fn ordered(&self) -> impl Iterator<Item = ([u32; 2], bool)> + '_ {
        self.points.chunks_exact(self.size.max(1)).flat_map(|set| {
            let pairs = set.iter().enumerate().flat_map(move |(a, &p)| set[..a].iter().map(move |&q| [p, q]));
            pairs.map(|[p, q]| ([p.max(q), p.min(q)], q > p))
        })
    }
}

impl StiffnessPlan {
    /// Returns the structure that a model shares with its copies, derived at the first call.
    pub fn of(m: &Model) -> Arc<Self> {
        m.plan(Self::new)
    }

    /// Derives the structure for a model.
    pub fn new(m: &Model) -> Self {
        let chains = Chains::new(m);
        let mut plan = Self { chain: vec![0], ..Self::default() };
        for f in m.flex.ids().filter(|&f| !m.flex.rigid[f]) {
            let found = match &Rod::of(m, f) {
                Some(rod) => {
                    plan.add_twists(rod);
                    Some(of_rod(m, f, rod))
                }
                None => stencils(m, f),
            };
            if let Some((bodies, elements, hinges, hinge_edge)) = found {
                plan.add(f, &bodies, elements, (hinges, hinge_edge), &chains);
            }
        }
        if !plan.parts.is_empty() {
            plan.lay_out(m.nv());
        }
        plan
    }

    fn add(
        &mut self,
        flex: FlexId,
        bodies: &[BodyId],
        mut elements: Stencils,
        (mut hinges, hinge_edge): (Stencils, Vec<u32>),
        chains: &Chains,
    ) {
        let (first, first_pair) = (self.body.len(), self.pairs.len());
        for &b in bodies {
            self.body.push(b);
            self.dofs.extend(chains.of(b).iter().flat_map(|r| r.start..r.start + r.len));
            self.chain.push(self.dofs.len() as u32);
        }
        let mut pairs: Vec<[u32; 2]> = elements.ordered().chain(hinges.ordered()).map(|(pair, _)| pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        for set in [&mut elements, &mut hinges] {
            let number = |(pair, turned): ([u32; 2], bool)| {
                let at = pairs.partition_point(|p| *p < pair) + first_pair;
                2 * at as u32 + u32::from(turned)
            };
            set.pairs = set.ordered().map(number).collect();
        }
        self.pairs.extend(pairs.iter().map(|p| p.map(|i| i + first as u32)));
        let (points, pairs) = (first..self.body.len(), first_pair..self.pairs.len());
        self.parts.push(Part { flex, points, pairs, elements, hinges, hinge_edge });
    }

    fn add_twists(&mut self, rod: &Rod) {
        let Some(chain) = &rod.chain else { return };
        let dof = |t: &Twist| match t {
            Twist::Joint { dof, .. } => Some(*dof as u32),
            Twist::Fixed(_) => None,
        };
        let pairs = chain.twist.windows(2).filter_map(|w| Some([dof(&w[0])?, dof(&w[1])?]));
        self.twists.extend(pairs.map(|[a, b]| [a.max(b), a.min(b)]));
    }

    /// Entries of the blocks over the dofs, row by row: those of the points' own, and those of the pairs'.
    fn entries(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let own = (0..self.body.len()).flat_map(|i| {
            let dofs = self.dofs(i);
            dofs.iter().enumerate().flat_map(|(k, &d)| dofs[..=k].iter().map(move |&c| [d, c]))
        });
        let between = self.pairs.iter().flat_map(|&[i, j]| {
            let [rows, columns] = [i, j].map(|i| self.dofs(i as usize));
            rows.iter().flat_map(|&d| columns.iter().map(move |&c| [d.max(c), d.min(c)]))
        });
        own.chain(between)
    }

    fn lay_out(&mut self, nv: usize) {
        let mut below: Vec<(u32, u32)> = self.entries().filter(|[d, c]| d != c).map(|[d, c]| (d, c)).collect();
        below.extend(self.twists.iter().map(|&[a, b]| (a, b)));
        below.sort_unstable();
        below.dedup();
        self.matrix = SparseSymmetric::zeros(nv, &below);
        let target = |[d, c]: [u32; 2]| match self.matrix.address(d as usize, c) {
            Some(at) if d != c => Target::Below(at as u32),
            _ => Target::Diagonal(d),
        };
        self.targets = self.entries().map(target).collect();
    }

    /// Dofs that move a point.
    pub(super) fn dofs(&self, point: usize) -> &[u32] {
        &self.dofs[self.chain[point] as usize..self.chain[point + 1] as usize]
    }
}

/// Bodies of the vertices of a rod, its hinges of three vertices, and its pairs of hinges.
fn of_rod(m: &Model, f: FlexId, rod: &Rod) -> (Vec<BodyId>, Stencils, Stencils, Vec<u32>) {
    let verts = m.flex.vertadr[f] as usize..(m.flex.vertadr[f] + m.flex.vertnum[f]) as usize;
    let (mut three, mut four) = (Stencils::new(3), Stencils::new(4));
    for h in &rod.hinges {
        let set = if h.pair { &mut four } else { &mut three };
        let n = set.size;
        set.points.extend(h.vertex[..n].iter().map(|&v| v as u32));
    }
    (verts.map(|v| elastic::body_of(m, v)).collect(), three, four, Vec::new())
}

/// Bodies of the points of an elastic flex, its elements, and its hinges with their edges; none where it isn't elastic.
fn stencils(m: &Model, f: FlexId) -> Option<(Vec<BodyId>, Stencils, Stencils, Vec<u32>)> {
    if let Some(grid) = Grid::of(m, f) {
        if !corotational::is_elastic(m, f) {
            return None;
        }
        let nodes = m.flex.nodeadr[f] as usize..(m.flex.nodeadr[f] + m.flex.nodenum[f]) as usize;
        let mut cells = Stencils::new(grid.element_nodes());
        cells.points.extend((0..grid.num_elements()).flat_map(|i| grid.element(i).nodes().map(|n| n as u32)));
        return Some((m.flex_data.nodebodyid[nodes].to_vec(), cells, Stencils::new(4), Vec::new()));
    }
    let (stretches, bends) = (m.flex.stiffnessadr[f] >= 0, elastic::hinges(m, f).is_some());
    if m.flex.dim[f] < 2 || !(stretches || bends) {
        return None;
    }
    let verts = m.flex.vertadr[f] as usize..(m.flex.vertadr[f] + m.flex.vertnum[f]) as usize;
    let corners = m.flex.dim[f] as usize + 1;
    let (mut elements, mut hinges, mut hinge_edge) = (Stencils::new(corners), Stencils::new(4), Vec::new());
    if stretches {
        let all = &m.flex_data.elem[m.flex.elemdataadr[f] as usize..][..corners * m.flex.elemnum[f] as usize];
        elements.points.extend(all.iter().map(|&v| v as u32));
    }
    if bends {
        for (k, e) in crate::edges::range(m, f).enumerate() {
            if let Some(vertex) = elastic::hinge_vertices(m, e) {
                hinges.points.extend(vertex.map(|v| v as u32));
                hinge_edge.push(k as u32);
            }
        }
    }
    let bodies = verts.map(|v| elastic::body_of(m, v)).collect();
    Some((bodies, elements, hinges, hinge_edge))
}
