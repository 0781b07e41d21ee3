//! Finite elements of an interpolated flex: the cells of its grid of nodes, or for a shell the outer faces of these.

use crate::cells::basis::{shape_functions, shape_slopes};
use mj_math::{DMat3, DVec3};
use mj_model::{FlexId, Model};

/// Nodes of an element, at most.
pub const MAX_ELEMENT_NODES: usize = 27;

/// Grid of cells, whose nodes are numbered with the last axis fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Cells along each axis, at least one.
    pub cells: [usize; 3],
    /// Order of interpolation, 1 or 2.
    pub order: usize,
    /// Whether the elements are the outer faces of the cells.
    pub shell: bool,
}

/// Finite element: a cell, or an outer face of one, between nodes of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// First node: the one with the lowest place along each axis.
    pub first: usize,
    /// Axes that it extends along, the slowest first; a face has two.
    pub axes: [usize; 3],
    /// Nodes of the grid from one to the next along these.
    pub step: [usize; 3],
    /// Number of axes.
    pub dim: usize,
    /// Order of interpolation.
    pub order: usize,
}

impl Grid {
    /// Returns the grid of a flex; none if it isn't interpolated.
    pub fn of(m: &Model, f: FlexId) -> Option<Self> {
        let interp = m.flex.interp[f];
        let cells = m.flex.cellnum[f].map(|n| n.max(1) as usize);
        (interp != 0).then(|| Self { cells, order: interp.unsigned_abs() as usize, shell: interp < 0 })
    }

    /// Nodes along each axis.
    pub fn nodes(&self) -> [usize; 3] {
        self.cells.map(|n| n * self.order + 1)
    }

    /// Nodes from one to the next along each axis.
    fn step(&self) -> [usize; 3] {
        let [_, y, z] = self.nodes();
        [y * z, z, 1]
    }

    /// Number of elements.
    pub fn num_elements(&self) -> usize {
        let [x, y, z] = self.cells;
        if self.shell { 2 * (y * z + x * z + x * y) } else { x * y * z }
    }

    /// Number of nodes of an element.
    pub fn element_nodes(&self) -> usize {
        (self.order + 1).pow(if self.shell { 2 } else { 3 })
    }

    /// Returns the cell at a place.
    pub fn cell(&self, at: [usize; 3]) -> Element {
        let step = self.step();
        let first = (0..3).map(|k| at[k] * self.order * step[k]).sum();
        Element { first, axes: [0, 1, 2], step, dim: 3, order: self.order }
    }

    /// Returns element number `i`. Cells are numbered with z fastest. Faces are those at the lower and the upper end of x,
    /// then of y, then of z; in each the axis that follows the normal is slower than the one after it.
    pub fn element(&self, i: usize) -> Element {
        let [_, cy, cz] = self.cells;
        if !self.shell {
            return self.cell([i / (cy * cz), i / cz % cy, i % cz]);
        }
        let (normal, upper, i) = self.side(i);
        let (slow, fast) = ((normal + 1) % 3, (normal + 2) % 3);
        let mut at = [0; 3];
        (at[slow], at[fast]) = (i / self.cells[fast], i % self.cells[fast]);
        if upper {
            at[normal] = self.cells[normal];
        }
        let cell = self.cell(at);
        let axes = [slow, fast, normal];
        Element { axes, step: axes.map(|k| cell.step[k]), dim: 2, ..cell }
    }

    /// Axis at right angles to face `i`, whether it is at the upper end, and its number among those there.
    pub fn side(&self, mut i: usize) -> (usize, bool, usize) {
        for normal in 0..3 {
            let size = self.cells[(normal + 1) % 3] * self.cells[(normal + 2) % 3];
            for upper in [false, true] {
                if i < size {
                    return (normal, upper, i);
                }
                i -= size;
            }
        }
        (2, true, 0)
    }

    /// Number of the first face of a side.
    pub fn first_of_side(&self, normal: usize, upper: bool) -> usize {
        let size = |k: usize| self.cells[(k + 1) % 3] * self.cells[(k + 2) % 3];
        (0..normal).map(|k| 2 * size(k)).sum::<usize>() + if upper { size(normal) } else { 0 }
    }

    /// Element that an equality constraint of strain is for, by its numbers: a cell's place, or a face; none if it has none.
    pub fn constrained(&self, data: &[f64]) -> Option<usize> {
        let number = |x: f64| (0.0..1e9).contains(&x).then_some(x as usize);
        if self.shell {
            return number(data[0]).filter(|&i| i < self.num_elements());
        }
        let [x, y, z] = [number(data[0])?, number(data[1])?, number(data[2])?];
        let inside = x < self.cells[0] && y < self.cells[1] && z < self.cells[2];
        inside.then(|| (x * self.cells[1] + y) * self.cells[2] + z)
    }
}

impl Element {
    /// Number of nodes.
    pub fn num_nodes(&self) -> usize {
        (self.order + 1).pow(self.dim as u32)
    }

    /// Place of node `i` in the element, along its axes.
    #[inline]
    fn place(&self, i: usize) -> [usize; 3] {
        let n = self.order + 1;
        if self.dim == 2 { [i / n, i % n, 0] } else { [i / (n * n), i / n % n, i % n] }
    }

    /// Nodes of the grid that it lies between, the last axis fastest.
    #[inline]
    pub fn nodes(self) -> impl Iterator<Item = usize> {
        (0..self.num_nodes()).map(move |i| {
            let at = self.place(i);
            self.first + (0..self.dim).map(|k| at[k] * self.step[k]).sum::<usize>()
        })
    }

    /// Weights of its nodes at a point in it, 0 to 1 along each of its axes.
    #[inline]
    pub fn weights(self, at: [f64; 3]) -> impl Iterator<Item = f64> {
        let values = at.map(|x| shape_functions(self.order, x));
        (0..self.num_nodes()).map(move |i| {
            let p = self.place(i);
            (0..self.dim).map(|k| values[k][p[k]]).product()
        })
    }

    /// Derivatives of the weights by its own axes.
    #[inline]
    pub fn slopes(self, at: [f64; 3]) -> impl Iterator<Item = [f64; 3]> {
        let values = at.map(|x| shape_functions(self.order, x));
        let slopes = at.map(|x| shape_slopes(self.order, x));
        (0..self.num_nodes()).map(move |i| {
            let p = self.place(i);
            let along = |by: usize| {
                let factor = |k: usize| if k == by { slopes[k][p[k]] } else { values[k][p[k]] };
                (0..self.dim).map(factor).product()
            };
            [0, 1, 2].map(|by| if by < self.dim { along(by) } else { 0.0 })
        })
    }

    /// Tangents at a point in it: derivatives of the position by its own axes.
    #[inline]
    pub fn tangents(self, at: [f64; 3], position: &[DVec3]) -> [DVec3; 3] {
        let mut out = [DVec3::ZERO; 3];
        for (slopes, p) in self.slopes(at).zip(position) {
            (0..self.dim).for_each(|k| out[k] += *p * slopes[k]);
        }
        out
    }

    /// Lengths along its own axes, 0 along those that it hasn't, where the grid's nodes are at `reference`.
    pub fn extent(&self, reference: &[DVec3]) -> [f64; 3] {
        let last = self.first + (0..self.dim).map(|k| self.order * self.step[k]).sum::<usize>();
        let d = reference[last] - reference[self.first];
        [0, 1, 2].map(|k| if k < self.dim { d[self.axes[k]] } else { 0.0 })
    }

    /// Deformation gradient at its centre: derivatives of its nodes' positions by those of the grid, as columns. A face has
    /// its normal for the third.
    #[inline]
    pub fn deformation(self, position: &[DVec3], extent: [f64; 3]) -> DMat3 {
        let tangents = self.tangents([0.5; 3], position);
        let mut columns = [DVec3::ZERO; 3];
        for k in 0..self.dim {
            columns[self.axes[k]] = tangents[k] / extent[k];
        }
        if self.dim == 2 {
            columns[self.axes[2]] = columns[self.axes[0]].cross(columns[self.axes[1]]);
        }
        DMat3::from_cols(columns[0], columns[1], columns[2])
    }
}
