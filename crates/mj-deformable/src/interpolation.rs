//! Vertices between the nodes of a grid of cells: linear or quadratic Lagrange interpolation along each axis.

use crate::grid::{Element, Grid};
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

/// Moves inner nodes of a grid to where the outer ones put them: transfinite interpolation of the faces.
pub fn track_interior(node: &mut [DVec3], [nx, ny, nz]: [usize; 3]) {
    let at = |x: usize, y: usize, z: usize| (x * ny + y) * nz + z;
    for x in 1..nx.saturating_sub(1) {
        for y in 1..ny.saturating_sub(1) {
            for z in 1..nz.saturating_sub(1) {
                let share = [x as f64 / (nx - 1) as f64, y as f64 / (ny - 1) as f64, z as f64 / (nz - 1) as f64];
                let ends = [[0, nx - 1], [0, ny - 1], [0, nz - 1]];
                let weight = |k: usize, end: usize| if end == 0 { 1.0 - share[k] } else { share[k] };
                let mut sum = DVec3::ZERO;
                for i in 0..2 {
                    sum += node[at(ends[0][i], y, z)] * weight(0, i);
                    sum += node[at(x, ends[1][i], z)] * weight(1, i);
                    sum += node[at(x, y, ends[2][i])] * weight(2, i);
                    for j in 0..2 {
                        sum -= node[at(ends[0][i], ends[1][j], z)] * (weight(0, i) * weight(1, j));
                        sum -= node[at(ends[0][i], y, ends[2][j])] * (weight(0, i) * weight(2, j));
                        sum -= node[at(x, ends[1][i], ends[2][j])] * (weight(1, i) * weight(2, j));
                        for k in 0..2 {
                            let w = weight(0, i) * weight(1, j) * weight(2, k);
                            sum += node[at(ends[0][i], ends[1][j], ends[2][k])] * w;
                        }
                    }
                }
                node[at(x, y, z)] = sum;
            }
        }
    }
}
