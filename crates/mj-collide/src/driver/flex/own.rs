//! Contacts of a flex with itself.

use super::reduce::reduce;
use super::sweep::axis_of;
use super::tree::Tree;
use super::{Elements, Job, MOST};
use crate::driver::params::{Own, flex_params};
use mj_math::DVec3;
use mj_model::*;

/// Cells of the grid of an interpolated flex in which a vertex lies: from the first to the last along each axis. A vertex on a
/// side lies in the cells on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells([[i32; 2]; 3]);

impl Cells {
    /// Places along a side that differ by less are the same, in cells.
    const EQUAL: f64 = 1e-9;

    /// Finds the cells of a place in the grid, whose coordinates go from 0 to 1.
    pub fn of(place: DVec3, number: [i32; 3]) -> Self {
        Self(std::array::from_fn(|k| {
            let at = place[k] * f64::from(number[k]);
            let last = (number[k] - 1).max(0);
            [(at - Self::EQUAL).ceil() - 1.0, (at + Self::EQUAL).floor()].map(|cell| (cell as i32).clamp(0, last))
        }))
    }

    /// Whether any of the cells is one of others, or its neighbour by a side, an edge or a corner.
    fn touch(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a[0] <= b[1] + 1 && b[0] <= a[1] + 1)
    }
}

/// Whether cells of two elements, given by their vertices, touch.
fn touch(cells: &[Cells], [a, b]: [&[i32]; 2]) -> bool {
    let of = |v: &i32| &cells[*v as usize];
    a.iter().any(|v| b.iter().any(|w| of(v).touch(of(w))))
}

impl Job<'_> {
    /// Elements of a flex with each other. Margins don't count. In an interpolated flex cells that touch move together: their
    /// elements don't collide.
    pub(super) fn own(&mut self, f: FlexId) {
        let m = self.m;
        let t = &m.flex;
        if t.rigid[f] || t.contype[f] & t.conaffinity[f] == 0 || t.selfcollide[f] == FlexSelf::None || !self.moves(f) {
            return;
        }
        if self.resolved([f, f]) {
            return;
        }
        let interpolated = m.flex.interp[f] != 0;
        if interpolated && t.cellnum[f].iter().all(|&n| n < 3) {
            return;
        }
        let elements = Elements::of(m, self.flexes, f);
        let own = Own::of_flex(m, f);
        let params = flex_params(m, [&own, &own], 0.0);
        let mut sweep = std::mem::take(&mut self.ws.flex.sweep);
        let kind = t.selfcollide[f];
        let divided = kind == FlexSelf::Bvh || kind == FlexSelf::Auto && (t.dim[f] == 3 || interpolated);
        if kind == FlexSelf::Narrow || m.opt.disabled(disable::MIDPHASE) {
            sweep.all(elements.aabb, |e| elements.is_active(e));
        } else if divided {
            let tree = Tree::of(m, f);
            self.ws.flex.tree.fit(tree, elements.aabb);
            self.ws.flex.tree.pairs(tree, &mut sweep);
            if interpolated && kind == FlexSelf::Auto {
                sweep.pairs.iter_mut().for_each(|pair| pair.sort_unstable());
            }
            sweep.pairs.sort_unstable();
        } else {
            sweep.within(elements.aabb, axis_of(elements.aabb, |e| elements.is_active(e)), |e| elements.is_active(e));
        }
        let first = self.ws.flex.found.len();
        let mut cells = std::mem::take(&mut self.ws.flex.cells);
        cells.clear();
        if interpolated {
            let places = &m.flex_data.vert0[t.vertadr[f] as usize..][..t.vertnum[f] as usize];
            cells.extend(places.iter().map(|&place| Cells::of(place, t.cellnum[f])));
        }
        for pair in &sweep.pairs {
            let pair = pair.map(|e| e as usize);
            if !pair.iter().all(|&e| elements.is_active(e)) {
                continue;
            }
            if !interpolated || !touch(&cells, pair.map(|e| elements.vertices(e))) {
                self.elements([&elements; 2], pair, 0.0, &params);
            }
        }
        self.ws.flex.cells = cells;
        self.ws.flex.sweep = sweep;
        if interpolated {
            let ws = &mut self.ws.flex;
            reduce(&mut ws.found, first, MOST, &mut ws.selected, &mut ws.nearest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_vertex_on_a_side_lies_on_both_sides() {
        let cells = Cells::of(DVec3::new(0.0, 2.0 / 3.0, 1.0), [3, 3, 1]);
        assert_eq!(cells, Cells([[0, 0], [1, 2], [0, 0]]));
        assert_eq!(Cells::of(DVec3::new(0.5, 0.34, 0.999), [3, 3, 4]), Cells([[1, 1], [1, 1], [3, 3]]));
    }

    proptest! {
        /// Vertices inside cells touch where these are at most one apart along every axis.
        #[test]
        fn cells_touch_their_neighbours(a in prop::array::uniform3(0..6i32), b in prop::array::uniform3(0..6i32), x in 0.1..0.9f64) {
            let inside = |cell: [i32; 3]| DVec3::from_array(cell.map(|c| (f64::from(c) + x) / 6.0));
            let [p, q] = [a, b].map(|cell| Cells::of(inside(cell), [6; 3]));
            prop_assert_eq!(touch(&[p, q], [&[0], &[1]]), (0..3).all(|k| (a[k] - b[k]).abs() <= 1));
        }
    }
}
