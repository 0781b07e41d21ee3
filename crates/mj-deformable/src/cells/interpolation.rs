//! Vertices between the nodes of a grid of cells: linear or quadratic Lagrange interpolation along each axis.

use crate::cells::grid::{Element, Grid};
use mj_math::DVec3;
use mj_model::{FlexId, Model};

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
        let grid = Grid::of(m, f)?;
        let mut out =
            Self { width: (grid.order + 1).pow(3), nodes: grid.nodes(), shell: grid.shell, ..Self::default() };
        for v in 0..m.flex.vertnum[f] as usize {
            let at = m.flex_data.vert0[m.flex.vertadr[f] as usize + v];
            let (cell, local) = cell_at(at, &grid);
            out.node.extend(cell.nodes().map(|n| n as u32));
            out.weight.extend(cell.weights(local));
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
fn cell_at(share: DVec3, grid: &Grid) -> (Element, [f64; 3]) {
    let scaled = [0, 1, 2].map(|k| share[k] * grid.cells[k] as f64);
    let cell = [0, 1, 2].map(|k| (scaled[k].max(0.0) as usize).min(grid.cells[k] - 1));
    (grid.cell(cell), [0, 1, 2].map(|k| (scaled[k] - cell[k] as f64).clamp(0.0, 1.0)))
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
    let Some(grid) = Grid::of(m, flex) else { return };
    let first = m.flex.nodeadr[flex] as usize;
    let (cell, local) = cell_at(place, &grid);
    for (node, w) in cell.nodes().zip(cell.weights(local)) {
        if grid.shell {
            outer_shares(node, grid.nodes(), |outer, share| f(first + outer, w * share));
        } else {
            f(first + node, w);
        }
    }
}
