//! Linear elasticity of cells and faces, each in a frame that turns with it (the manual's "Computation": soft bodies).
//!
//! An element whose nodes are at x, and at x₀ in its reference, has the forces R K (Rᵀ x − x₀), where R is the rotation of
//! its deformation at the centre and K, the negative of the usual stiffness matrix, is constant.

use crate::cells::grid::{Element, Grid, MAX_ELEMENT_NODES};
use crate::cells::plastic::{PlasticDisplacement, strain_size};
use crate::cells::polar::rotation_of;
use mj_math::{DMat3, DVec3, quat};
use mj_model::{FlexId, Model};

/// An element in its own frame.
pub(crate) struct Corotated {
    /// Nodes, counted from the first of the flex.
    pub node: [usize; MAX_ELEMENT_NODES],
    /// Rotation from the reference to the world.
    pub rotation: DMat3,
    /// Displacements Rᵀ x − x₀ of the nodes.
    pub displacement: [DVec3; MAX_ELEMENT_NODES],
    /// Number of nodes.
    pub count: usize,
}

impl Corotated {
    /// Turns an element's nodes, which are at `position` now and at `reference` when it has no strain, into its frame.
    pub fn of(element: Element, position: &[DVec3], reference: &[DVec3]) -> Self {
        let mut node = [0; MAX_ELEMENT_NODES];
        let mut at = [DVec3::ZERO; MAX_ELEMENT_NODES];
        let count = element.num_nodes();
        for (i, n) in element.nodes().enumerate() {
            (node[i], at[i]) = (n, position[n]);
        }
        let rotation = quat::to_mat(rotation_of(element.deformation(&at[..count], element.extent(reference))));
        let back = rotation.transpose();
        let mut displacement = [DVec3::ZERO; MAX_ELEMENT_NODES];
        for i in 0..count {
            displacement[i] = back * at[i] - reference[node[i]];
        }
        Self { node, rotation, displacement, count }
    }

    /// Adds to the nodes' forces, world frame, those that a matrix K gives for vectors in the element's frame.
    fn add(&self, k: &[f64], of: &[DVec3], force: &mut [DVec3]) {
        let width = 3 * self.count;
        for (i, rows) in k.chunks_exact(3 * width).enumerate().take(self.count) {
            let dot = |row: &[f64]| row.as_chunks::<3>().0.iter().zip(of).map(|(k, u)| DVec3::from(*k).dot(*u)).sum();
            let [x, y, z] = [0, 1, 2].map(|j| dot(&rows[j * width..(j + 1) * width]));
            force[self.node[i]] += self.rotation * DVec3::new(x, y, z);
        }
    }
}

/// Numbers of the elements of a flex, and their stiffness matrices, those of elements without any left out.
fn matrices(m: &Model, f: FlexId, grid: Grid) -> impl Iterator<Item = (usize, Element, &[f64])> {
    let size = (3 * grid.element_nodes()).pow(2);
    let elastic = m.flex.edgeequality[f] != 3;
    let from = usize::try_from(m.flex.stiffnessadr[f]).ok().filter(|_| elastic);
    let all = from.and_then(|a| m.flex_shape.stiffness.get(a..a + size * grid.num_elements())).unwrap_or_default();
    // Cells without anything of the mesh have none. Faces have none along their normal, and so perhaps in the first place.
    let elements = all.chunks_exact(size).enumerate().filter(move |(_, k)| grid.shell || k[0] != 0.0);
    elements.map(move |(i, k)| (i, grid.element(i), k))
}

/// Whether a flex is interpolated and has elastic elements.
pub(crate) fn is_elastic(m: &Model, f: FlexId) -> bool {
    m.flex.interp[f] != 0 && m.flex.stiffnessadr[f] >= 0 && m.flex.edgeequality[f] != 3
}

/// State of a flex's nodes, world frame.
#[derive(Clone, Copy)]
pub(crate) struct Nodes<'a> {
    /// Positions.
    pub position: &'a [DVec3],
    /// Velocities.
    pub velocity: &'a [DVec3],
    /// Positions without strain, along the axes of the grid.
    pub reference: &'a [DVec3],
}

/// Adds the elastic forces of a flex's elements on its nodes to `spring`, and those of the same stiffness on velocities to
/// `rate`. `plastic` has the plastic strains of the elements; it is empty where they don't yield.
pub(crate) fn add_forces(
    m: &Model,
    f: FlexId,
    grid: Grid,
    nodes: Nodes<'_>,
    plastic: &[f64],
    spring: &mut [DVec3],
    rate: Option<&mut [DVec3]>,
) {
    let mut rate = rate;
    let n = strain_size(grid);
    for (i, element, k) in matrices(m, f, grid) {
        let mut at = Corotated::of(element, nodes.position, nodes.reference);
        if let Some(strain) = plastic.get(n * i..n * (i + 1)) {
            let rest = PlasticDisplacement::of(element, strain);
            for (u, node) in at.displacement.iter_mut().zip(&at.node).take(at.count) {
                *u -= rest.at(nodes.reference[*node]);
            }
        }
        at.add(k, &at.displacement[..at.count], spring);
        if let Some(rate) = &mut rate {
            let back = at.rotation.transpose();
            let mut velocity = [DVec3::ZERO; MAX_ELEMENT_NODES];
            (0..at.count).for_each(|i| velocity[i] = back * nodes.velocity[at.node[i]]);
            at.add(k, &velocity[..at.count], rate);
        }
    }
}

/// Calls `add` with the number of each element and the blocks (a, b), b ≤ a, of the stiffness between its nodes, world
/// frame, as if its rotation were constant.
pub(crate) fn stiffness(
    m: &Model,
    f: FlexId,
    grid: Grid,
    nodes: Nodes<'_>,
    mut add: impl FnMut(usize, usize, usize, DMat3),
) {
    for (i, element, k) in matrices(m, f, grid) {
        let at = Corotated::of(element, nodes.position, nodes.reference);
        let (width, back) = (3 * at.count, at.rotation.transpose());
        for a in 0..at.count {
            for b in 0..=a {
                let row = |r: usize| DVec3::from_slice(&k[(3 * a + r) * width + 3 * b..]);
                let own = DMat3::from_cols(row(0), row(1), row(2)).transpose();
                add(i, a, b, -(at.rotation * own * back));
            }
        }
    }
}

/// Elastic energy of a flex's elements.
#[cfg(test)]
pub(crate) fn energy(m: &Model, f: FlexId, grid: Grid, nodes: Nodes<'_>) -> f64 {
    let of = |(_, element, k): (usize, Element, &[f64])| {
        let at = Corotated::of(element, nodes.position, nodes.reference);
        let u = &at.displacement[..at.count];
        let row = |row: &[f64]| row.as_chunks::<3>().0.iter().zip(u).map(|(k, u)| DVec3::from(*k).dot(*u)).sum::<f64>();
        let own = |(i, k): (usize, &[f64])| u[i / 3][i % 3] * row(k);
        -0.5 * k.chunks_exact(3 * at.count).enumerate().map(own).sum::<f64>()
    };
    matrices(m, f, grid).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_model::model::FlexRow;
    use proptest::prelude::*;

    /// A flex of one cell, 1 x 0.8 x 0.5, whose matrix resists everything but translations.
    fn cell() -> (Model, Grid, Vec<DVec3>) {
        let mut m = Model::default();
        let row = FlexRow { interp: 1, cellnum: [1; 3], stiffnessadr: 0, nodenum: 8, ..FlexRow::default() };
        m.flex.push(row);
        let n = 24;
        let entry = |r: usize, c: usize| ((r * 13 + c * 7 + r * c) % 17) as f64 - 8.0;
        let mean = |r: usize, axis: usize| (0..8).map(|i| entry(r, 3 * i + axis)).sum::<f64>() / 8.0;
        let rows: Vec<Vec<f64>> = (0..6).map(|r| (0..n).map(|c| entry(r, c) - mean(r, c % 3)).collect()).collect();
        let product = |e: usize| -rows.iter().map(|r| r[e / n] * r[e % n]).sum::<f64>();
        m.flex_shape.stiffness = (0..n * n).map(product).collect();
        let grid = Grid { cells: [1; 3], order: 1, shell: false };
        let at = |i: usize| DVec3::new((i / 4) as f64, 0.8 * (i / 2 % 2) as f64, 0.5 * (i % 2) as f64);
        (m, grid, (0..8).map(at).collect())
    }

    fn forces(m: &Model, grid: Grid, position: &[DVec3], reference: &[DVec3]) -> Vec<DVec3> {
        let mut out = vec![DVec3::ZERO; position.len()];
        let nodes = Nodes { position, velocity: position, reference };
        add_forces(m, FlexId::new(0), grid, nodes, &[], &mut out, None);
        out
    }

    #[test]
    fn rigid_motions_are_free() {
        let (m, grid, reference) = cell();
        let q = quat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 2.0);
        let moved: Vec<DVec3> = reference.iter().map(|p| quat::rotate(q, *p) + DVec3::new(1.0, -2.0, 3.0)).collect();
        assert!(forces(&m, grid, &moved, &reference).iter().all(|f| f.length() < 1e-7));
    }

    proptest! {
        /// Symmetric deformations leave the frame where it is: there forces are the negative gradient of the energy.
        #[test]
        fn forces_are_the_gradient_of_the_energy(
            now in prop::array::uniform6(-0.2..0.2f64), by in prop::array::uniform6(-1.0..1.0f64),
        ) {
            let (m, grid, reference) = cell();
            let symmetric = |[a, b, c, d, e, f]: [f64; 6]| DMat3::from_cols_array(&[a, d, e, d, b, f, e, f, c]);
            let (now, by) = (DMat3::IDENTITY + symmetric(now), symmetric(by));
            let at = |h: f64| reference.iter().map(|p| (now + by * h) * *p).collect::<Vec<_>>();
            let f = FlexId::new(0);
            let energy = |h: f64| {
                let position = at(h);
                energy(&m, f, grid, Nodes { position: &position, velocity: &position, reference: &reference })
            };
            let h = 1e-5;
            let slope = (energy(h) - energy(-h)) / (2.0 * h);
            let force = forces(&m, grid, &at(0.0), &reference);
            let power: f64 = force.iter().zip(&reference).map(|(f, p)| f.dot(by * *p)).sum();
            prop_assert!((slope + power).abs() < 1e-5 * (1.0 + slope.abs()), "{slope} {power}");
        }
    }
}
