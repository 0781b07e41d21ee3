//! Height fields: elevations on a grid.

use mj_math::DVec3;
use mj_model::{HfieldId, Model};

/// A terrain: elevations on a regular grid over a rectangle about the origin of the x-y plane, z up, with a solid
/// base below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heights<'a> {
    /// Half sizes along x and y, height where the elevation is 1, depth of the base below 0.
    pub size: [f64; 4],
    /// Rows of the grid, along y.
    pub nrow: usize,
    /// Columns of the grid, along x.
    pub ncol: usize,
    /// Elevations from 0 to 1, row by row, the first row at the least y.
    pub data: &'a [f32],
}

impl<'a> Heights<'a> {
    /// A height field of a model.
    pub fn of_model(m: &'a Model, field: HfieldId) -> Option<Self> {
        let (nrow, ncol) = (m.hfield.nrow[field] as usize, m.hfield.ncol[field] as usize);
        let start = m.hfield.adr[field] as usize;
        let data = m.hfield_data.get(start..start + nrow * ncol)?;
        (nrow >= 2 && ncol >= 2).then_some(Self { size: m.hfield.size[field], nrow, ncol, data })
    }

    /// The grid point of a row and a column.
    pub fn point(&self, row: usize, column: usize) -> DVec3 {
        let [x, y, top, _] = self.size;
        let step = |half: f64, n: usize| 2.0 * half / (n - 1) as f64;
        DVec3::new(
            step(x, self.ncol) * column as f64 - x,
            step(y, self.nrow) * row as f64 - y,
            f64::from(self.data[row * self.ncol + column]) * top,
        )
    }

    /// The rows or columns of cells that reach from `low` to `high` along an axis: x is 0, y is 1.
    pub(crate) fn cells(&self, axis: usize, low: f64, high: f64) -> std::ops::Range<usize> {
        let (half, n) = (self.size[axis], if axis == 0 { self.ncol } else { self.nrow });
        let at = |x: f64| (x + half) / (2.0 * half) * (n - 1) as f64;
        // The cast takes what is below zero to zero.
        let first = at(low).floor() as usize;
        let last = (at(high).ceil() as usize).min(n - 1);
        first.min(last)..last
    }
}
