//! Stiffness matrices of cells and faces by linear elasticity, with the sign of forces: negative definite.

use super::volume::{Fill, OUTSIDE, Points};
use mj_deformable::{Element, shape_functions, shape_slopes};
use mj_math::DVec3;

/// Isotropic material.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    pub young: f64,
    pub poisson: f64,
    /// Thickness of a shell.
    pub thickness: f64,
}

/// Points of Gauss and Legendre from 0 to 1, as many as nodes, with their weights. The middle one is first: sums then round
/// as the reference's do, and with them the modes of equal stiffness that are taken of the matrix.
fn quadrature(order: usize) -> Vec<(f64, f64)> {
    if order == 1 {
        let x = 0.5 / 3f64.sqrt();
        return vec![(0.5 - x, 0.5), (0.5 + x, 0.5)];
    }
    let x = 0.5 * (3.0f64 / 5.0).sqrt();
    vec![(0.5, 8.0 / 9.0 * 0.5), (0.5 - x, 5.0 / 9.0 * 0.5), (0.5 + x, 5.0 / 9.0 * 0.5)]
}

/// Strain of a displacement along axis `k` with the gradient `g`.
fn strain(k: usize, g: [f64; 3]) -> [[f64; 3]; 3] {
    let mut e = [[0.0; 3]; 3];
    for a in 0..3 {
        e[a][k] += g[a] / 2.0;
        e[k][a] += g[a] / 2.0;
    }
    e
}

fn contraction(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> f64 {
    let row = |i: usize| a[i][0] * b[0][i] + a[i][1] * b[1][i] + a[i][2] * b[2][i];
    row(0) + row(1) + row(2)
}

/// Subtracts the energy's second derivative at a point of volume `dvol`, for displacements along `axes`.
fn subtract(k: &mut [f64], gradients: &[[f64; 3]], axes: &[usize], lame: [f64; 2], dvol: f64) {
    let [la, mu] = lame;
    let n = 3 * gradients.len();
    let strains: Vec<[[[f64; 3]; 3]; 3]> = gradients.iter().map(|g| [0, 1, 2].map(|a| strain(a, *g))).collect();
    for (i, gi) in gradients.iter().enumerate() {
        for (j, gj) in gradients.iter().enumerate() {
            for &a in axes {
                for &b in axes {
                    let at = &mut k[n * (3 * i + a) + 3 * j + b];
                    *at -= la * gi[a] * gj[b] * dvol;
                    *at -= 2.0 * mu * contraction(&strains[i][a], &strains[j][b]) * dvol;
                }
            }
        }
    }
}

/// Gradients of an element's interpolation functions at a point, by its own axes.
fn gradients(order: usize, dim: usize, at: [f64; 3], inverse: [f64; 3]) -> Vec<[f64; 3]> {
    let (value, slope) = (at.map(|x| shape_functions(order, x)), at.map(|x| shape_slopes(order, x)));
    let n = order + 1;
    let of = |i: usize| {
        let p = if dim == 2 { [i / n, i % n, 0] } else { [i / (n * n), i / n % n, i % n] };
        let along = |by: usize| {
            let factor = |k: usize| if k == by { slope[k][p[k]] } else { value[k][p[k]] };
            let product = factor(0) * factor(1);
            inverse[by] * if dim == 2 { product } else { product * factor(2) }
        };
        [0, 1, 2].map(|by| if by < dim { along(by) } else { 0.0 })
    };
    (0..n.pow(dim as u32)).map(of).collect()
}

/// Stiffness matrix of a cell between nodes at `position`, of which the mesh fills a part.
pub(super) fn of_cell(element: Element, position: &[DVec3], material: Material, fill: &Fill) -> Vec<f64> {
    let n = 3 * element.num_nodes();
    let mut k = vec![0.0; n * n];
    let Material { young, poisson, .. } = material;
    let lame = [young * poisson / (1.0 + poisson) / (1.0 - 2.0 * poisson), young / (2.0 * (1.0 + poisson))];
    let [dx, dy, dz] = element.extent(position);
    let det = dx * dy * dz;
    let inverse = [1.0 / dx, 1.0 / dy, 1.0 / dz];
    if *fill == Fill::Empty {
        return k;
    }
    let line = quadrature(element.order);
    for &(s, ws) in &line {
        for &(t, wt) in &line {
            for &(u, wu) in &line {
                let g = gradients(element.order, 3, [s, t, u], inverse);
                subtract(&mut k, &g, &[0, 1, 2], lame, ws * wt * wu * det);
            }
        }
    }
    if let Fill::Partial(weights) = fill {
        k.iter_mut().for_each(|k| *k *= OUTSIDE);
        let points = Points::of(element.order);
        for (i, w) in weights.iter().enumerate() {
            let g = gradients(element.order, 3, points.point(i), inverse);
            subtract_fast(&mut k, &g, lame, (1.0 - OUTSIDE) * w * det);
        }
    }
    k
}

/// [`subtract`] along all axes, with fewer operations.
fn subtract_fast(k: &mut [f64], gradients: &[[f64; 3]], [la, mu]: [f64; 2], dvol: f64) {
    let n = 3 * gradients.len();
    for (i, gi) in gradients.iter().enumerate() {
        for (j, gj) in gradients.iter().enumerate() {
            let dot = mu * (gi[0] * gj[0] + gi[1] * gj[1] + gi[2] * gj[2]);
            for a in 0..3 {
                for b in 0..3 {
                    let same = if a == b { dot } else { 0.0 };
                    k[n * (3 * i + a) + 3 * j + b] -= (la * gi[a] * gj[b] + mu * gi[b] * gj[a] + same) * dvol;
                }
            }
        }
    }
}

/// Stiffness matrix of a face in plane stress: only displacements in its plane have any.
pub(super) fn of_face(element: Element, position: &[DVec3], material: Material) -> Vec<f64> {
    let n = 3 * element.num_nodes();
    let mut k = vec![0.0; n * n];
    let Material { young, poisson, thickness } = material;
    let lame = [young * poisson / (1.0 - poisson * poisson), young / (2.0 * (1.0 + poisson))];
    let [d0, d1, _] = element.extent(position);
    let (det, inverse) = (d0 * d1, [1.0 / d0, 1.0 / d1, 0.0]);
    let line = quadrature(element.order);
    let [slow, fast, _] = element.axes;
    for &(s, ws) in &line {
        for &(t, wt) in &line {
            let turned = gradients(element.order, 2, [s, t, 0.0], inverse).into_iter().map(|g| {
                let mut out = [0.0; 3];
                (out[slow], out[fast]) = (g[0], g[1]);
                out
            });
            let g: Vec<_> = turned.collect();
            subtract(&mut k, &g, &[slow, fast], lame, ws * wt * det * thickness);
        }
    }
    k
}

/// Twist of a face: its corners move along its normal, alternately up and down. The mode of unit length is returned times
/// the root of a plate's stiffness against it; none where that is zero.
pub(super) fn twist(element: Element, position: &[DVec3], material: Material) -> Option<Vec<f64>> {
    let [d0, d1, _] = element.extent(position).map(f64::abs);
    let Material { young, poisson, thickness } = material;
    let rigidity = young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson));
    let stiffness = rigidity * (1.0 - poisson) * 4.0 / (d0 * d1);
    if !(stiffness > 0.0 && stiffness.is_finite()) {
        return None;
    }
    let n = element.order + 1;
    let side = |i: usize| 1.0 - 2.0 * (i as f64 / element.order as f64);
    let values: Vec<f64> = (0..n * n).map(|i| side(i / n) * side(i % n)).collect();
    let length = values.iter().map(|v| v * v).sum::<f64>().sqrt();
    let mut mode = vec![0.0; 3 * n * n];
    for (i, v) in values.iter().enumerate() {
        mode[3 * i + element.axes[2]] = stiffness.sqrt() * v / length;
    }
    Some(mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_deformable::Grid;

    /// Nodes of one cell, 1 x 0.7 x 0.4.
    fn nodes(order: usize) -> Vec<DVec3> {
        let n = order + 1;
        let part = |i: usize| i as f64 / order as f64;
        let at = |i: usize| DVec3::new(part(i / (n * n)), 0.7 * part(i / n % n), 0.4 * part(i % n));
        (0..n * n * n).map(at).collect()
    }

    const MATERIAL: Material = Material { young: 100.0, poisson: 0.3, thickness: 0.1 };

    #[test]
    fn a_cell_resists_stretching_as_hooke_says_and_no_rigid_motion() {
        for order in [1, 2] {
            let at = nodes(order);
            let cell = Grid { cells: [1; 3], order, shell: false }.element(0);
            let k = of_cell(cell, &at, MATERIAL, &Fill::Full);
            let n = 3 * at.len();
            let energy = |u: &dyn Fn(DVec3) -> DVec3| {
                let u: Vec<f64> = at.iter().flat_map(|p| u(*p).to_array()).collect();
                -0.5 * (0..n * n).map(|e| k[e] * u[e / n] * u[e % n]).sum::<f64>()
            };
            assert!(energy(&|_| DVec3::ONE).abs() < 1e-12);
            assert!(energy(&|p| DVec3::new(1.0, 2.0, 3.0).cross(p)).abs() < 1e-11);
            // Free to contract sideways, a bar has the energy ½ E ε² V.
            let stretched = energy(&|p| DVec3::new(p.x, -0.3 * p.y, -0.3 * p.z) * 0.01);
            assert!((stretched - 0.5 * 100.0 * 1e-4 * 0.28).abs() < 1e-12, "{stretched}");
            // ½ µ γ² V.
            let sheared = energy(&|p| DVec3::new(p.y, 0.0, 0.0) * 0.01);
            assert!((sheared - 0.5 * 100.0 / 2.6 * 1e-4 * 0.28).abs() < 1e-12, "{sheared}");
        }
    }

    #[test]
    fn a_half_of_a_cell_and_the_other_half_are_the_whole() {
        for order in [1, 2] {
            let at = nodes(order);
            let cell = Grid { cells: [1; 3], order, shell: false }.element(0);
            let points = super::super::volume::tests_support::halves(order);
            let [a, b] = points.map(|w| of_cell(cell, &at, MATERIAL, &Fill::Partial(w)));
            let whole = of_cell(cell, &at, MATERIAL, &Fill::Full);
            for ((a, b), w) in a.iter().zip(&b).zip(&whole) {
                assert!((a + b - w * (1.0 + OUTSIDE)).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn a_face_resists_stretching_in_plane_stress_and_twists_along_its_normal() {
        for order in [1, 2] {
            let at = nodes(order);
            let grid = Grid { cells: [1; 3], order, shell: true };
            let face = grid.element(4);
            let k = of_face(face, &at, MATERIAL);
            let place: Vec<DVec3> = face.nodes().map(|n| at[n]).collect();
            let u: Vec<f64> = place.iter().flat_map(|p| [0.01 * p.x, -0.003 * p.y, 0.0]).collect();
            let n = u.len();
            let energy = -0.5 * (0..n * n).map(|e| k[e] * u[e / n] * u[e % n]).sum::<f64>();
            assert!((energy - 0.5 * 100.0 * 1e-4 * 0.7 * 0.1).abs() < 1e-12, "{energy}");
            let mode = twist(face, &at, MATERIAL).unwrap();
            let stiffness: f64 = mode.iter().map(|x| x * x).sum();
            assert!((stiffness - 100.0 * 1e-3 / (12.0 * 1.3) * 4.0 / 0.7).abs() < 1e-12);
            assert!((0..n).filter(|i| i % 3 != 2).all(|i| mode[i] == 0.0));
        }
    }
}
