//! Masses of the nodes of an interpolated flex.

use super::cells::Cells;
use super::volume::{Fill, OUTSIDE, Points};

/// Least mass of a node, as a share of what it would have were its cells full.
const LEAST: f64 = 0.02;

/// Functions by which the nodes of an axis share a mass at `x`: those of B-splines, which are nowhere negative.
fn splines(order: usize, x: f64) -> [f64; 3] {
    if order == 1 { [1.0 - x, x, 0.0] } else { [0.5 * (1.0 - x) * (1.0 - x), 0.5 + x - x * x, 0.5 * x * x] }
}

/// Their integrals over an axis.
fn integrals(order: usize) -> [f64; 3] {
    if order == 1 { [0.5, 0.5, 0.0] } else { [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0] }
}

/// Shares of the mass that nodes have; those that are pinned have none, and the others have all of it. Solids share the
/// mass of the volume that the mesh fills. Shells share it alike among linear nodes, and by Simpson's rule among others.
pub(crate) fn shares(cells: &Cells, shell: bool, fills: &[Fill], pinned: &[bool]) -> Vec<f64> {
    let mut shares = if shell && cells.order == 1 { vec![1.0; pinned.len()] } else { of_cells(cells, shell, fills) };
    shares.iter_mut().zip(pinned).filter(|(_, p)| **p).for_each(|(s, _)| *s = 0.0);
    let sum: f64 = shares.iter().sum();
    if sum > 0.0 {
        shares.iter_mut().for_each(|s| *s /= sum);
    }
    shares
}

fn of_cells(cells: &Cells, shell: bool, fills: &[Fill]) -> Vec<f64> {
    let nodes: usize = cells.nodes().iter().product();
    let (mut mass, mut full) = (vec![0.0; nodes], vec![0.0; nodes]);
    let grid = cells.grid(false);
    let n = cells.order + 1;
    let places = || (0..n * n * n).map(|i| [i / (n * n), i / n % n, i % n]);
    let product = |by: [[f64; 3]; 3], [x, y, z]: [usize; 3]| by[0][x] * by[1][y] * by[2][z];
    let whole: Vec<f64> = places().map(|p| product([integrals(cells.order); 3], p)).collect();
    let points = Points::of(cells.order);
    for c in 0..grid.num_elements() {
        let own = match fills.get(c).filter(|_| !shell) {
            Some(Fill::Empty) => continue,
            None | Some(Fill::Full) => whole.clone(),
            Some(Fill::Partial(weights)) => {
                let mut own: Vec<f64> = whole.iter().map(|w| OUTSIDE * w).collect();
                for (i, w) in weights.iter().enumerate() {
                    let by = points.point(i).map(|x| splines(cells.order, x));
                    own.iter_mut().zip(places()).for_each(|(o, p)| *o += (1.0 - OUTSIDE) * w * product(by, p));
                }
                own
            }
        };
        for ((node, own), whole) in grid.element(c).nodes().zip(own).zip(&whole) {
            mass[node] += own;
            full[node] += whole;
        }
    }
    mass.iter().zip(full).map(|(m, f)| m.max(LEAST * f)).collect()
}
