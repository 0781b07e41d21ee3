//! Edges of an interpolated shell's faces, with what bending there takes.

use super::stiffness::Material;
use mj_deformable::{BENDING_EDGE_SIZE, Grid};
use mj_math::DVec3;

/// Returns the record of a shell's bending: the number of edges, then two faces, the middle of the edge in each of them,
/// the stiffness and the difference of the normals for each.
pub(super) fn record(grid: &Grid, position: &[DVec3], material: Material) -> Vec<f64> {
    let Material { young, poisson, thickness } = material;
    let rigidity = young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson));
    let mut out = vec![0.0];
    for face in 0..grid.num_elements() {
        for axis in 0..2 {
            for upper in [false, true] {
                let (other, at) = across(grid, face, axis, upper);
                if face < other {
                    out.extend(edge(grid, position, rigidity, [face, other], at));
                }
            }
        }
    }
    out[0] = (out.len() / BENDING_EDGE_SIZE) as f64;
    out
}

/// The face beyond the lower or upper end of a face along one of its axes, and the middle of the edge in both.
fn across(grid: &Grid, face: usize, axis: usize, upper: bool) -> (usize, [[f64; 2]; 2]) {
    let (normal, outer, i) = grid.side(face);
    let axes = [(normal + 1) % 3, (normal + 2) % 3];
    let at = [i / grid.cells[axes[1]], i % grid.cells[axes[1]]];
    let end = |upper: bool| if upper { 1.0 } else { 0.0 };
    let middle = |k: usize, upper: bool| if k == 0 { [end(upper), 0.5] } else { [0.5, end(upper)] };
    let here = middle(axis, upper);
    let last = grid.cells[axes[axis]] - 1;
    if if upper { at[axis] < last } else { at[axis] > 0 } {
        let mut next = at;
        next[axis] = if upper { at[axis] + 1 } else { at[axis] - 1 };
        let face = grid.first_of_side(normal, outer) + next[0] * grid.cells[axes[1]] + next[1];
        return (face, [here, middle(axis, !upper)]);
    }
    // Around a border of the box. Seen from the side beyond it, the edge is at the end at which this side is.
    let side = axes[axis];
    let beyond = [(side + 1) % 3, (side + 2) % 3];
    let border = if outer { grid.cells[normal] - 1 } else { 0 };
    let place = beyond.map(|k| if k == normal { border } else { at[1 - axis] });
    let face = grid.first_of_side(side, upper) + place[0] * grid.cells[beyond[1]] + place[1];
    (face, [here, middle(usize::from(beyond[1] == normal), outer)])
}

fn edge(
    grid: &Grid,
    position: &[DVec3],
    rigidity: f64,
    faces: [usize; 2],
    at: [[f64; 2]; 2],
) -> [f64; BENDING_EDGE_SIZE] {
    let mut normal = [DVec3::ZERO; 2];
    // Lengths along the edge and across it.
    let (mut along, mut over) = (0.0, 0.0);
    for k in 0..2 {
        let face = grid.element(faces[k]);
        let nodes: Vec<DVec3> = face.nodes().map(|n| position[n]).collect();
        let [a, b, _] = face.tangents([at[k][0], at[k][1], 0.0], &nodes);
        normal[k] = a.cross(b).normalize_or_zero();
        let (a, b) = (a.length(), b.length());
        let first_along = at[k][0] == 0.5;
        along += if first_along { a } else { b };
        over += if first_along { b } else { a };
    }
    let stiffness = rigidity * (along / 2.0) / (over / 2.0).max(1e-12);
    let jump = normal[0] - normal[1];
    let [[a0, a1], [b0, b1]] = at;
    [faces[0] as f64, faces[1] as f64, a0, a1, b0, b1, stiffness, jump.x, jump.y, jump.z]
}
