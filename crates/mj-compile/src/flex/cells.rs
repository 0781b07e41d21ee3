//! The grid of cells of an interpolated flex: its nodes, and the cells that the mesh leaves empty.

use mj_deformable::Grid;
use mj_math::DVec3;
use std::collections::VecDeque;

/// The most nodes of a grid: more is taken for a slip.
const MOST: usize = 1_000_000;

/// A grid of cells over the bounding box of a flex's vertices. Nodes and cells are numbered with z fastest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells {
    /// Cells along each axis.
    pub n: [usize; 3],
    /// Order of interpolation.
    pub order: usize,
    /// Corners of the box.
    pub low: DVec3,
    pub high: DVec3,
    /// Whether each cell has nothing of the mesh in it.
    pub empty: Vec<bool>,
}

impl Cells {
    /// Makes the grid over points, and finds the cells that elements leave empty.
    pub fn of(count: [i32; 3], order: usize, dim: i32, points: &[DVec3], element: &[i32]) -> Result<Self, String> {
        let n = count.map(|n| usize::try_from(n).unwrap_or(0));
        let nodes = n.iter().try_fold(1usize, |all, &n| all.checked_mul(n.checked_mul(order)?.checked_add(1)?));
        if n.contains(&0) {
            return Err(format!(
                "`cellcount` is {} {} {}, but along each axis is at least one cell",
                count[0], count[1], count[2]
            ));
        }
        if nodes.is_none_or(|nodes| nodes > MOST) {
            return Err(format!("{} x {} x {} cells are too many", n[0], n[1], n[2]));
        }
        let low = points.iter().fold(DVec3::INFINITY, |a, p| a.min(*p));
        let high = points.iter().fold(DVec3::NEG_INFINITY, |a, p| a.max(*p));
        let mut cells = Self { n, order, low, high, empty: Vec::new() };
        cells.find_empty(dim as usize, points, element);
        Ok(cells)
    }

    /// Nodes along each axis.
    pub fn nodes(&self) -> [usize; 3] {
        self.grid(false).nodes()
    }

    /// The grid with its elements: the cells, or the outer faces of a shell.
    pub fn grid(&self, shell: bool) -> Grid {
        Grid { cells: self.n, order: self.order, shell }
    }

    /// Place of a node in the grid.
    pub fn place(&self, node: usize) -> [usize; 3] {
        let [_, ny, nz] = self.nodes();
        [node / (ny * nz), node / nz % ny, node % nz]
    }

    /// Position of a node.
    pub fn node(&self, node: usize) -> DVec3 {
        let (at, n) = (self.place(node), self.nodes());
        let share = DVec3::from_array([0, 1, 2].map(|k| at[k] as f64 / (n[k] - 1) as f64));
        self.low + share * (self.high - self.low)
    }

    /// Whether a node is on the outside of the grid.
    pub fn is_outer(&self, node: usize) -> bool {
        let (at, n) = (self.place(node), self.nodes());
        (0..3).any(|k| at[k] == 0 || at[k] == n[k] - 1)
    }

    /// Cell that holds a point, given as its share of the box along each axis.
    pub fn cell_at(&self, share: DVec3) -> [usize; 3] {
        [0, 1, 2].map(|k| ((share[k] * self.n[k] as f64) as usize).min(self.n[k] - 1))
    }

    /// Row of a cell.
    pub fn cell(&self, at: [usize; 3]) -> usize {
        (at[0] * self.n[1] + at[1]) * self.n[2] + at[2]
    }

    /// Cells that have a node, as a range along each axis.
    fn around(&self, node: usize) -> [std::ops::RangeInclusive<usize>; 3] {
        let at = self.place(node);
        [0, 1, 2].map(|k| at[k].saturating_sub(1) / self.order..=(at[k] / self.order).min(self.n[k] - 1))
    }

    /// Whether all cells that have a node are empty.
    pub fn is_in_empty_cells(&self, node: usize) -> bool {
        let [xs, ys, zs] = self.around(node);
        xs.into_iter().all(|x| ys.clone().all(|y| zs.clone().all(|z| self.empty[self.cell([x, y, z])])))
    }

    /// Cells that strain constraints are for: those that are not empty, or for a shell the outer faces by number.
    pub fn constrained(&self, shell: bool) -> Vec<[i32; 3]> {
        let [nx, ny, nz] = self.n;
        if shell {
            return (0..self.grid(true).num_elements()).map(|face| [face as i32, -1, -1]).collect();
        }
        let all = (0..nx).flat_map(|x| (0..ny).flat_map(move |y| (0..nz).map(move |z| [x, y, z])));
        all.filter(|&at| !self.empty[self.cell(at)]).map(|at| at.map(|n| n as i32)).collect()
    }

    /// Marks cells that no element's box reaches; inside a closed surface they are full.
    fn find_empty(&mut self, dim: usize, points: &[DVec3], element: &[i32]) {
        let mut reached = vec![false; self.n.iter().product()];
        let size = self.high - self.low;
        let share = |p: DVec3, k: usize| if size[k] > 0.0 { (p[k] - self.low[k]) / size[k] } else { 0.0 };
        let cell_of = |p: DVec3| self.cell_at(DVec3::from_array([0, 1, 2].map(|k| share(p, k))));
        for e in element.chunks_exact(dim + 1) {
            let corners = e.iter().map(|&v| points[v as usize]);
            let (a, b) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
            let (a, b) = (cell_of(a), cell_of(b));
            for x in a[0]..=b[0] {
                for y in a[1]..=b[1] {
                    (a[2]..=b[2]).for_each(|z| reached[self.cell([x, y, z])] = true);
                }
            }
        }
        self.empty = if dim == 2 { self.outside(&reached) } else { reached.iter().map(|r| !r).collect() };
    }

    /// Cells that a path from outside the grid reaches without one that holds a part of the surface.
    fn outside(&self, reached: &[bool]) -> Vec<bool> {
        let mut outside = vec![false; reached.len()];
        let mut todo = VecDeque::new();
        let [nx, ny, nz] = self.n;
        for x in 0..nx {
            for y in 0..ny {
                for z in 0..nz {
                    let border = [(x, nx), (y, ny), (z, nz)].iter().any(|&(i, n)| i == 0 || i == n - 1);
                    let c = self.cell([x, y, z]);
                    if border && !reached[c] {
                        outside[c] = true;
                        todo.push_back([x, y, z]);
                    }
                }
            }
        }
        while let Some(at) = todo.pop_front() {
            for k in 0..3 {
                for next in [at[k].checked_sub(1), Some(at[k] + 1).filter(|&i| i < self.n[k])].into_iter().flatten() {
                    let mut there = at;
                    there[k] = next;
                    let c = self.cell(there);
                    if !reached[c] && !outside[c] {
                        outside[c] = true;
                        todo.push_back(there);
                    }
                }
            }
        }
        outside
    }
}
