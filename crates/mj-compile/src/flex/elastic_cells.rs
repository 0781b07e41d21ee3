//! Elasticity and modes of strain of an interpolated flex: the records of its cells or faces, and of its bending.

use super::cells::Cells;
use super::stiffness::{Material, of_cell, of_face, twist};
use super::volume::{Fill, fills};
use super::{hinges, modes};
use mj_math::DVec3;
use mj_model::Elastic2d;
use mj_model::spec::Flex;

/// The most numbers that a flex's stiffness may have: more is taken for a slip.
const MOST: usize = 1 << 26;
/// Material of modes of strain, whose constraints give the stiffness.
const STRAIN: (f64, f64) = (10.0, 0.3);

/// Records of stiffness and bending; empty where there are none.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub stiffness: Vec<f64>,
    pub bending: Vec<f64>,
}

/// Computes the records of a flex with nodes at `position` along the axes of its grid.
pub(super) fn records(
    f: &Flex,
    cells: &Cells,
    points: &[DVec3],
    element: &[i32],
    position: &[DVec3],
    strain: bool,
) -> Result<Records, String> {
    let e = &f.elasticity;
    let kind = e.elastic2d;
    let shell = kind != Elastic2d::None;
    let bends = matches!(kind, Elastic2d::Bend | Elastic2d::Both) && e.thickness > 0.0 && e.young > 0.0;
    let own = Material { young: e.young, poisson: e.poisson, thickness: e.thickness };
    let mut out = Records::default();
    if bends {
        out.bending = hinges::record(&cells.grid(true), position, own);
    }
    if !strain && (e.young <= 0.0 || kind == Elastic2d::Bend) {
        return Ok(out);
    }
    let material = if strain { Material { young: STRAIN.0, poisson: STRAIN.1, ..own } } else { own };
    let grid = cells.grid(shell);
    let n = 3 * grid.element_nodes();
    if grid.num_elements().checked_mul(n * n).is_none_or(|size| size > MOST) {
        let [x, y, z] = cells.n;
        return Err(format!("{x} x {y} x {z} cells are too many for an elastic flex"));
    }
    let filled = if shell { Vec::new() } else { fills(cells, f.dim as usize, points, element) };
    // Full cells of one size are alike.
    let mut known: Option<([f64; 3], Vec<f64>)> = None;
    for i in 0..grid.num_elements() {
        let element = grid.element(i);
        let full = filled.get(i) == Some(&Fill::Full);
        if filled.get(i) == Some(&Fill::Empty) {
            out.stiffness.resize(out.stiffness.len() + n * n, 0.0);
            continue;
        }
        let size = element.extent(position);
        if let Some((_, record)) = known.as_ref().filter(|(s, _)| full && *s == size) {
            out.stiffness.extend(record);
            continue;
        }
        let k =
            if shell { of_face(element, position, material) } else { of_cell(element, position, material, &filled[i]) };
        let more = if shell && strain { twist(element, position, material) } else { None };
        let record = if strain { modes::record(&k, n, more) } else { k };
        out.stiffness.extend(&record);
        if full {
            known = Some((size, record));
        }
    }
    Ok(out)
}
