//! Plastic flow of the cells and faces of interpolated flexes: each has one plastic strain, in the frame that turns with it.
//!
//! Strains are numbers along the grid's axes: three normal ones and the shears xy, xz, yz of a cell, two normal ones and
//! the shear of a face, shears as angles.

use crate::cells::grid::{Element, Grid};
use crate::cells::polar::rotation_of;
use mj_math::{DMat3, DVec3, quat};
use mj_model::{FlexId, Model};

/// Greatest norm of a plastic strain.
const LARGEST: f64 = 0.35;

/// Numbers of an element's plastic strain.
pub(crate) fn strain_size(grid: Grid) -> usize {
    if grid.shell { 3 } else { 6 }
}

/// The strain as a tensor.
fn tensor(element: Element, strain: &[f64]) -> DMat3 {
    let mut e = [[0.0; 3]; 3];
    let n = element.dim;
    for k in 0..n {
        e[element.axes[k]][element.axes[k]] = strain[k];
    }
    let shears = [[0, 1], [0, 2], [1, 2]];
    for (&[i, j], shear) in shears.iter().zip(&strain[n..]) {
        let [i, j] = [element.axes[i], element.axes[j]];
        (e[i][j], e[j][i]) = (0.5 * shear, 0.5 * shear);
    }
    DMat3::from_cols_array_2d(&e)
}

/// Displacement that an element with this plastic strain has at rest, by its nodes' places in the reference.
pub(crate) struct PlasticDisplacement(DMat3);

impl PlasticDisplacement {
    pub fn of(element: Element, strain: &[f64]) -> Self {
        Self(tensor(element, strain))
    }

    pub fn at(&self, reference: DVec3) -> DVec3 {
        self.0 * reference
    }
}

/// Lets the elements of a flex yield, given its nodes' positions.
pub(crate) fn yield_elements(m: &Model, f: FlexId, grid: Grid, position: &[DVec3], plastic: &mut [f64]) {
    let threshold = m.flex.r#yield[f][0].max(0.0);
    let reference = &m.flex_data.node0[m.flex.nodeadr[f] as usize..][..position.len()];
    let n = strain_size(grid);
    for (i, strain) in plastic.chunks_exact_mut(n).enumerate() {
        let element = grid.element(i);
        let mut at = [DVec3::ZERO; crate::cells::grid::MAX_ELEMENT_NODES];
        for (p, node) in at.iter_mut().zip(element.nodes()) {
            *p = position[node];
        }
        let gradient = element.deformation(&at[..element.num_nodes()], element.extent(reference));
        let stretch = quat::to_mat(rotation_of(gradient)).transpose() * gradient;
        let total = 0.5 * (stretch + stretch.transpose()) - DMat3::IDENTITY;
        match n {
            3 => flow_face(element, &total, threshold, strain),
            _ => flow_cell(&total, threshold, strain),
        }
    }
}

/// Factor of the deviator by which it flows: what is beyond the yield strain.
pub(crate) fn flow(equivalent: f64, threshold: f64) -> Option<f64> {
    (equivalent > threshold).then(|| 1.0 - threshold / equivalent)
}

/// Shrinks a strain, of which so many numbers are normal strains, to the greatest norm.
fn bound(normal: usize, strain: &mut [f64]) {
    let norm =
        strain[..normal].iter().map(|e| e * e).sum::<f64>() + 0.5 * strain[normal..].iter().map(|s| s * s).sum::<f64>();
    if norm > LARGEST * LARGEST {
        let scale = LARGEST / norm.sqrt();
        strain.iter_mut().for_each(|e| *e *= scale);
    }
}

/// Return mapping of a cell: the deviator flows.
fn flow_cell(total: &DMat3, threshold: f64, strain: &mut [f64]) {
    let [x, y, z] = total.to_cols_array_2d();
    let total = [x[0], y[1], z[2], 2.0 * x[1], 2.0 * x[2], 2.0 * y[2]];
    let mut elastic: [f64; 6] = std::array::from_fn(|k| total[k] - strain[k]);
    let mean = (elastic[0] + elastic[1] + elastic[2]) / 3.0;
    elastic[..3].iter_mut().for_each(|e| *e -= mean);
    let norm = elastic[..3].iter().map(|e| e * e).sum::<f64>() + 0.5 * elastic[3..].iter().map(|s| s * s).sum::<f64>();
    let Some(part) = flow((2.0 / 3.0 * norm).sqrt(), threshold) else { return };
    strain.iter_mut().zip(elastic).for_each(|(p, e)| *p += part * e);
    bound(3, strain);
}

/// Return mapping of a face in plane stress: all of the strain flows in tension, its deviator in compression.
fn flow_face(element: Element, total: &DMat3, threshold: f64, strain: &mut [f64]) {
    let [a, b, _] = element.axes;
    let of = |i: usize, j: usize| total.col(j)[i];
    let total = [of(a, a), of(b, b), 2.0 * of(a, b)];
    let elastic: [f64; 3] = std::array::from_fn(|k| total[k] - strain[k]);
    let trace = elastic[0] + elastic[1];
    let square = elastic[0] * elastic[0] + elastic[1] * elastic[1] + 0.5 * elastic[2] * elastic[2];
    let tension = trace > 0.0;
    let norm = if tension { square + trace * trace } else { square - 0.5 * trace * trace };
    let Some(part) = flow((2.0 / 3.0 * norm).max(0.0).sqrt(), threshold) else { return };
    let mean = if tension { 0.0 } else { 0.5 * trace };
    let flowing = [elastic[0] - mean, elastic[1] - mean, elastic[2]];
    strain.iter_mut().zip(flowing).for_each(|(p, e)| *p += part * e);
    bound(2, strain);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// After it has flowed, a cell's elastic strain is at the threshold, its pressure as before.
        #[test]
        fn a_cell_flows_to_its_threshold(
            strain in prop::array::uniform6(-0.05..0.05f64),
            total in prop::array::uniform6(-0.05..0.05f64),
        ) {
            let [x, y, z, xy, xz, yz] = total;
            let total = DMat3::from_cols_array_2d(&[[x, xy, xz], [xy, y, yz], [xz, yz, z]]);
            let (mut flowed, threshold) = (strain, 0.01);
            flow_cell(&total, threshold, &mut flowed);
            let equivalent = |p: &[f64; 6]| {
                let e = [x - p[0], y - p[1], z - p[2]];
                let mean = (e[0] + e[1] + e[2]) / 3.0;
                let normal: f64 = e.iter().map(|e| (e - mean).powi(2)).sum();
                let shear: f64 = [xy, xz, yz].iter().zip(&p[3..]).map(|(s, p)| 2.0 * (s - 0.5 * p).powi(2)).sum();
                ((2.0 / 3.0 * (normal + shear)).sqrt(), mean)
            };
            let (before, after) = (equivalent(&strain), equivalent(&flowed));
            prop_assert!((after.0 - before.0.min(threshold)).abs() < 1e-12);
            prop_assert!((after.1 - before.1).abs() < 1e-12);
        }
    }
}
