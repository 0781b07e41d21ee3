//! Vertices between the nodes of a grid of cells: linear or quadratic Lagrange interpolation along each axis.

use mj_math::DVec3;
use mj_model::{FlexId, Model};

/// Nodes of a cell along an axis, at most.
const MOST: usize = 3;

/// Values of the interpolation functions of one axis at `x`, 0 to 1 in the cell, for nodes at equal distances.
pub fn functions(order: usize, x: f64) -> [f64; MOST] {
    if order == 1 { [1.0 - x, x, 0.0] } else { [2.0 * (x - 0.5) * (x - 1.0), 4.0 * x * (1.0 - x), 2.0 * x * (x - 0.5)] }
}

/// A cell of a grid, with the nodes that span it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// First node: the one with the lowest place along each axis.
    pub first: usize,
    /// Nodes from one to the next along each axis.
    pub step: [usize; 3],
    /// Order of interpolation.
    pub order: usize,
}

impl Cell {
    /// Nodes of the cell, the last axis fastest.
    pub fn nodes(self) -> impl Iterator<Item = usize> {
        let n = self.order + 1;
        (0..n * n * n).map(move |i| {
            let at = [i / (n * n), i / n % n, i % n];
            self.first + at[0] * self.step[0] + at[1] * self.step[1] + at[2] * self.step[2]
        })
    }
}

/// Weights of nodes for the vertices of one flex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interpolation {
    /// Nodes of each vertex, `width` each, counted from the flex's first.
    pub node: Vec<u32>,
    /// Their weights.
    pub weight: Vec<f64>,
    /// Nodes of a vertex.
    pub width: usize,
    /// Nodes along each axis.
    pub nodes: [usize; 3],
    /// Whether only outer nodes are free: those inside follow from them.
    pub shell: bool,
}

impl Interpolation {
    /// Derives the weights of a flex; none if its vertices are points of bodies.
    pub fn of(m: &Model, f: FlexId) -> Option<Self> {
        let order = m.flex.interp[f].unsigned_abs() as usize;
        if order == 0 {
            return None;
        }
        let cells = m.flex.cellnum[f].map(|n| n.max(1) as usize);
        let nodes = cells.map(|n| n * order + 1);
        let width = (order + 1).pow(3);
        let mut out = Self { width, nodes, shell: m.flex.interp[f] < 0, ..Self::default() };
        for v in 0..m.flex.vertnum[f] as usize {
            let at = m.flex_data.vert0[m.flex.vertadr[f] as usize + v];
            let (cell, local) = cell_at(at, cells, order);
            out.node.extend(cell.nodes().map(|n| n as u32));
            out.weight.extend(weights(order, local));
        }
        Some(out)
    }

    /// Place of a vertex, by a value for each node.
    #[inline]
    pub fn place(&self, v: usize, node: &[DVec3]) -> DVec3 {
        let of = v * self.width..(v + 1) * self.width;
        self.node[of.clone()].iter().zip(&self.weight[of]).fold(DVec3::ZERO, |p, (&n, &w)| p + node[n as usize] * w)
    }

    /// Nodes of a vertex with their weights.
    pub fn of_vertex(&self, v: usize) -> impl Iterator<Item = (usize, f64)> {
        let of = v * self.width..(v + 1) * self.width;
        self.node[of.clone()].iter().map(|&n| n as usize).zip(self.weight[of].iter().copied())
    }
}

/// The cell that holds a place, given as its share of the grid along each axis, and the place in the cell.
pub fn cell_at(share: DVec3, cells: [usize; 3], order: usize) -> (Cell, DVec3) {
    let nodes = cells.map(|n| n * order + 1);
    let step = [nodes[1] * nodes[2], nodes[2], 1];
    let mut first = 0;
    let mut local = DVec3::ZERO;
    for k in 0..3 {
        let at = share[k] * cells[k] as f64;
        let cell = (at.max(0.0) as usize).min(cells[k] - 1);
        local[k] = at - cell as f64;
        first += cell * order * step[k];
    }
    (Cell { first, step, order }, local)
}

/// Weights of a cell's nodes at a place in it, the last axis fastest.
pub fn weights(order: usize, local: DVec3) -> impl Iterator<Item = f64> {
    let [x, y, z] = local.to_array().map(|x| functions(order, x));
    let n = order + 1;
    (0..n * n * n).map(move |i| x[i / (n * n)] * y[i / n % n] * z[i % n])
}

/// Moves inner nodes of a grid to where the outer ones put them.
pub fn track_interior(node: &mut [DVec3], nodes: [usize; 3]) {
    for i in 0..node.len() {
        let mut sum = DVec3::ZERO;
        outer_shares(i, nodes, |outer, share| sum += node[outer] * share);
        node[i] = sum;
    }
}

/// Calls `f` with the outer nodes that carry a node of a grid, and their shares: itself if it is outside; otherwise those of
/// the faces, edges and corners in its rows (transfinite interpolation: Gordon and Hall 1973).
pub fn outer_shares(node: usize, n: [usize; 3], mut f: impl FnMut(usize, f64)) {
    let row = |at: [usize; 3]| (at[0] * n[1] + at[1]) * n[2] + at[2];
    let at = [node / (n[1] * n[2]), node / n[2] % n[1], node % n[2]];
    if (0..3).any(|k| at[k] == 0 || at[k] == n[k] - 1) {
        return f(node, 1.0);
    }
    // Along each axis it keeps its place, or goes to either end.
    let choice = |k: usize, to: usize| {
        let share = at[k] as f64 / (n[k] - 1) as f64;
        match to {
            0 => (at[k], 1.0),
            1 => (0, 1.0 - share),
            _ => (n[k] - 1, share),
        }
    };
    for (x, y, z) in (0..27).map(|i| (i / 9, i / 3 % 3, i % 3)) {
        let moved = [x, y, z].iter().filter(|&&to| to != 0).count();
        if moved == 0 {
            continue;
        }
        let [(x, u), (y, v), (z, w)] = [choice(0, x), choice(1, y), choice(2, z)];
        // Faces, less edges, plus corners.
        let sign = if moved == 2 { -1.0 } else { 1.0 };
        f(row([x, y, z]), sign * u * v * w);
    }
}

/// Calls `f` with the nodes (counted from the first of all flexes) that carry a place of an interpolated flex, given as its
/// share of the flex's box along each axis, and their weights. In a shell, outer nodes stand for the inner ones.
pub fn carriers_of_place(m: &Model, flex: FlexId, place: DVec3, mut f: impl FnMut(usize, f64)) {
    let order = m.flex.interp[flex].unsigned_abs() as usize;
    let cells = m.flex.cellnum[flex].map(|n| n.max(1) as usize);
    let nodes = cells.map(|n| n * order + 1);
    let first = m.flex.nodeadr[flex] as usize;
    let (cell, local) = cell_at(place, cells, order);
    for (node, w) in cell.nodes().zip(weights(order, local)) {
        if m.flex.interp[flex] < 0 {
            outer_shares(node, nodes, |outer, share| f(first + outer, w * share));
        } else {
            f(first + node, w);
        }
    }
}
