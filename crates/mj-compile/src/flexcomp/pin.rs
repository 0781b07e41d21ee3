//! Points or nodes of a flexcomp that are fixed to the parent.

use mj_model::spec::Pin;

/// What pins count: points or nodes, and how these are laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pinned {
    /// Number of points or nodes.
    pub number: usize,
    /// Dimension of the elements, that is of places in the grid.
    pub dim: usize,
    /// Points along each axis of the grid; none: there is no grid.
    pub grid: Option<[usize; 3]>,
}

impl Pinned {
    /// Marks all points that pins name.
    pub fn mark(self, pins: &[Pin], pinned: &mut [bool]) -> Result<(), String> {
        for pin in pins {
            for &id in &pin.id {
                pinned[self.point(id, "id")?] = true;
            }
            if !pin.range.len().is_multiple_of(2) {
                return Err(format!("`range` of a pin has {} numbers, which is odd", pin.range.len()));
            }
            for ends in pin.range.as_chunks::<2>().0 {
                let [first, last] = [self.point(ends[0], "range")?, self.point(ends[1], "range")?];
                pinned[first..(last + 1).max(first)].fill(true);
            }
            self.places(&pin.grid, "grid", self.dim)?.chunks_exact(self.dim).for_each(|at| {
                pinned[self.id(at)] = true;
            });
            for ends in self.places(&pin.gridrange, "gridrange", 2 * self.dim)?.chunks_exact(2 * self.dim) {
                self.fill(ends, pinned);
            }
        }
        Ok(())
    }

    fn point(self, id: i32, what: &str) -> Result<usize, String> {
        let found = usize::try_from(id).ok().filter(|&i| i < self.number);
        found.ok_or_else(|| format!("`{what}` of a pin names {id}, but there are {}, counted from 0", self.number))
    }

    /// Checks places in the grid.
    fn places(self, list: &[i32], what: &str, width: usize) -> Result<Vec<usize>, String> {
        if list.is_empty() {
            return Ok(Vec::new());
        }
        let Some(grid) = self.grid.filter(|_| self.dim > 1) else {
            return Err(format!("`{what}` of a pin is for grids of dimension 2 or 3, and for interpolated flexes"));
        };
        if !list.len().is_multiple_of(width) {
            return Err(format!("`{what}` of a pin has {} numbers, which is no multiple of {width}", list.len()));
        }
        let place = |(i, &n): (usize, &i32)| {
            let limit = grid[i % self.dim];
            usize::try_from(n).ok().filter(|&n| n < limit).ok_or_else(|| {
                format!("`{what}` of a pin is at {n}, where the grid has {limit} points, counted from 0")
            })
        };
        list.iter().enumerate().map(place).collect()
    }

    /// Row of a place in the grid.
    fn id(self, at: &[usize]) -> usize {
        let n = self.grid.unwrap_or([1; 3]);
        let [x, y, z] = [at[0], at[1], at.get(2).copied().unwrap_or(0)];
        if self.dim == 2 { x * n[1] + y } else { (x * n[1] + y) * n[2] + z }
    }

    fn fill(self, ends: &[usize], pinned: &mut [bool]) {
        let (low, high) = ends.split_at(self.dim);
        let end = |list: &[usize], axis: usize| list.get(axis).copied().unwrap_or(0);
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in end(low, 2)..=end(high, 2) {
                    pinned[self.id(&[x, y, z][..self.dim])] = true;
                }
            }
        }
    }
}
