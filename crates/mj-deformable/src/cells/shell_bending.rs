//! Bending of interpolated shells: faces that meet in an edge resist a change of the angle between their normals.
//!
//! At the middle of an edge the faces A and B have unit normals, whose difference in the reference is Δ₀. The energy is
//! ½ c |n_A − n_B − R̄ Δ₀|², with the mean R̄ of the faces' rotations, which counts as constant.

use crate::cells::corotational::Nodes;
use crate::cells::grid::{Element, Grid};
use crate::cells::polar::rotation_of;
use mj_math::{DQuat, DVec3, MINVAL, quat};
use mj_model::{FlexId, Model};

/// Numbers of an edge: two faces, the edge's middle in each of them, stiffness, difference of the normals in the reference.
pub const BENDING_EDGE_SIZE: usize = 10;
/// Nodes of a face, at most.
const MAX_FACE_NODES: usize = 9;

/// A face at a point of an edge.
struct Side {
    face: Element,
    /// Place in the face.
    at: [f64; 3],
    tangent: [DVec3; 2],
    normal: DVec3,
    /// Length of the tangents' cross product.
    area: f64,
    rotation: DQuat,
}

impl Side {
    fn of(face: Element, at: [f64; 2], node: &[DVec3], reference: &[DVec3]) -> Option<Self> {
        let mut position = [DVec3::ZERO; MAX_FACE_NODES];
        for (p, n) in position.iter_mut().zip(face.nodes()) {
            *p = node[n];
        }
        let position = &position[..face.num_nodes()];
        let at = [at[0], at[1], 0.0];
        let [a, b, _] = face.tangents(at, position);
        let normal = a.cross(b);
        let area = normal.length();
        let rotation = rotation_of(face.deformation(position, face.extent(reference)));
        (area >= MINVAL).then(|| Self { face, at, tangent: [a, b], normal: normal / area, area, rotation })
    }

    /// Adds the forces of an energy with the derivative `g` by the normal.
    fn add(&self, g: DVec3, force: &mut [DVec3]) {
        let w = (g - self.normal * self.normal.dot(g)) / self.area;
        let [a, b] = self.tangent.map(|t| w.cross(t));
        for (n, slope) in self.face.nodes().zip(self.face.slopes(self.at)) {
            force[n] += b * slope[0] - a * slope[1];
        }
    }
}

/// The two sides of an edge with the residual, and the stiffness; none where there is none.
fn edge(data: &[f64; BENDING_EDGE_SIZE], grid: Grid, nodes: Nodes<'_>) -> Option<([Side; 2], DVec3, f64)> {
    let stiffness = data[6];
    if stiffness == 0.0 {
        return None;
    }
    let side = |k: usize| {
        let i = data[k] as usize;
        let at = [data[2 + 2 * k], data[3 + 2 * k]];
        (i < grid.num_elements()).then(|| Side::of(grid.element(i), at, nodes.position, nodes.reference)).flatten()
    };
    let (a, b) = (side(0)?, side(1)?);
    let other = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    let mean = quat::normalize(a.rotation + other);
    let residual = a.normal - b.normal - quat::rotate(mean, DVec3::from_slice(&data[7..]));
    Some(([a, b], residual, stiffness))
}

fn edges(m: &Model, f: FlexId) -> &[[f64; BENDING_EDGE_SIZE]] {
    let Some(from) = usize::try_from(m.flex.bendingadr[f]).ok().filter(|_| m.flex.interp[f] < 0) else { return &[] };
    let data = &m.flex_shape.bending[from..];
    let all = data.get(1..).map_or(&[][..], |d| d.as_chunks().0);
    let count = data.first().map_or(0, |&n| n.max(0.0) as usize);
    &all[..count.min(all.len())]
}

/// Adds the forces of bending on a flex's nodes at `position`.
pub(crate) fn add_forces(m: &Model, f: FlexId, grid: Grid, nodes: Nodes<'_>, force: &mut [DVec3]) {
    for data in edges(m, f) {
        if let Some(([a, b], residual, stiffness)) = edge(data, grid, nodes) {
            a.add(residual * stiffness, force);
            b.add(residual * -stiffness, force);
        }
    }
}

/// Energy of bending.
#[cfg(test)]
pub(crate) fn energy(m: &Model, f: FlexId, grid: Grid, nodes: Nodes<'_>) -> f64 {
    let of = |data| edge(data, grid, nodes).map_or(0.0, |(_, r, c)| 0.5 * c * r.length_squared());
    edges(m, f).iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_model::model::FlexRow;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn forces_are_the_gradient_of_the_energy(noise in prop::collection::vec(-0.2..0.2f64, 81), node in 0..27usize, axis in 0..3usize) {
            let mut m = Model::default();
            m.flex.push(FlexRow { interp: -2, cellnum: [1; 3], bendingadr: 0, nodenum: 27, ..FlexRow::default() });
            // Faces at the lower end of x and of y, whose normals had no angle.
            m.flex_shape.bending = vec![1.0, 0.0, 2.0, 0.0, 0.5, 0.5, 0.0, 3.0, 0.0, 0.0, 0.0];
            let grid = Grid { cells: [1; 3], order: 2, shell: true };
            let reference: Vec<DVec3> =
                (0..27).map(|i| DVec3::new((i / 9) as f64, (i / 3 % 3) as f64, (i % 3) as f64)).collect();
            let mut position = reference.clone();
            position.iter_mut().zip(noise.as_chunks::<3>().0).for_each(|(p, n)| *p += DVec3::from_array(*n));
            let f = FlexId::new(0);
            let nodes = |position| Nodes { position, velocity: position, reference: &reference };
            let mut force = vec![DVec3::ZERO; 27];
            add_forces(&m, f, grid, nodes(&position), &mut force);
            let h = 1e-6;
            let at = |d: f64| {
                let mut moved = position.clone();
                moved[node][axis] += d;
                energy(&m, f, grid, Nodes { position: &moved, velocity: &moved, reference: &reference })
            };
            let slope = (at(h) - at(-h)) / (2.0 * h);
            prop_assert!((slope + force[node][axis]).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} {}", force[node][axis]);
        }
    }
}
