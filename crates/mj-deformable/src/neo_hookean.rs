//! Neo-Hookean tetrahedra: the terms of their energy beside the quadratic form of the elongations, and the part of their
//! stiffness that is positive semidefinite.
//!
//! The energy is ¼ sᵀ K s + c det S + p (J − 1)² (Smith, de Goes, Kim, "Stable neo-Hookean flesh simulation", 2018). S is the
//! matrix of products of the edges from the first vertex, less that at rest, and J the volume by that at rest, negative for an
//! inverted element. With ε the strain, μ and λ Lamé's parameters and V the volume it is
//! V (−2 μ I₂(ε) − 4 μ I₃(ε) + (½ λ + μ) (J − 1)²).

use crate::singular::{SingularValues, singular_values};
use crate::stretch::{energy, product};
use mj_math::{DMat3, DVec3, eig3, quat};

/// Parameters behind K in an element's record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Material {
    /// Coefficient c of det S.
    pub cubic: f64,
    /// Coefficient p of (J − 1)².
    pub volumetric: f64,
    /// J by six times the signed volume.
    pub inverse: f64,
}

impl Material {
    /// Returns the parameters of an element's record; none where its material is another.
    pub fn of(record: &[f64]) -> Option<Self> {
        match record.get(21..24) {
            Some(&[cubic, volumetric, inverse]) if inverse != 0.0 => Some(Self { cubic, volumetric, inverse }),
            _ => None,
        }
    }

    /// Returns the energy of an element with elongations `s`.
    pub fn energy(&self, upper: &[f64], s: &[f64; 6], x: &[DVec3; 4]) -> f64 {
        let [a, b, c] = [1, 2, 3].map(|i| x[i] - x[0]);
        let change = self.inverse * a.dot(b.cross(c)) - 1.0;
        energy(upper, s) + self.cubic * products(s).determinant() + self.volumetric * change * change
    }

    /// Returns what each edge pulls for each unit of its length, as [`crate::stretch::add_tensions`] takes it: forces of all
    /// but the last term of the energy.
    pub fn tensions(&self, upper: &[f64], s: &[f64; 6]) -> [f64; 6] {
        let c = cofactors(&products(s));
        let from_first = [0, 1, 2].map(|i| c.row(i).element_sum());
        let slope = [from_first[0], -c.x_axis.y, from_first[1], -c.y_axis.z, from_first[2], -c.x_axis.z];
        let mut t = product(upper, s);
        t.iter_mut().zip(slope).for_each(|(t, d)| *t += 2.0 * self.cubic * d);
        t
    }

    /// Adds the forces of the last term of the energy.
    pub fn add_pressure(&self, x: &[DVec3; 4], force: &mut [DVec3; 4]) {
        let [a, b, c] = [1, 2, 3].map(|i| x[i] - x[0]);
        let by = -2.0 * self.volumetric * self.inverse * (self.inverse * a.dot(b.cross(c)) - 1.0);
        for (i, slope) in [b.cross(c), c.cross(a), a.cross(b)].into_iter().enumerate() {
            force[i + 1] += slope * by;
            force[0] -= slope * by;
        }
    }

    /// Calls `add` with the blocks (a, b), b ≤ a, of the stiffness between the vertices: the second derivative of the energy
    /// by the deformation gradient F, where that is positive, taken to the vertices. `rest` are the squared lengths of edges
    /// at rest, `plastic` what is plastic of their elongations.
    ///
    /// The derivative is written in the axes of F = U Σ Vᵀ, in which it falls apart into 3 directions of stretching and 3 pairs
    /// of shears (Smith, de Goes, Kim, "Analytic eigensystems for isotropic distortion energies", 2019). Where strain is
    /// plastic its terms between these are left out.
    pub fn stiffness(
        &self,
        x: &[DVec3; 4],
        rest: &[f64; 6],
        plastic: Option<&[f64; 6]>,
        mut add: impl FnMut(usize, usize, DMat3),
    ) {
        let Some(shape) = rest_shape(&products(rest), self.inverse < 0.0) else { return };
        let to_rest = shape.inverse();
        let f = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * to_rest;
        let SingularValues { u, sigma, v } = singular_values(f);
        let gradient = to_rest * v;
        let mut strain = DMat3::from_diagonal(0.5 * (sigma * sigma - DVec3::ONE));
        if let Some(p) = plastic {
            strain += gradient.transpose() * products(p) * gradient * -0.5;
        }
        let curvature = self.curvature(sigma, &strain);
        let [g1, g2, g3] = [0, 1, 2].map(|i| gradient.row(i));
        let gradient = [-(g1 + g2 + g3), g1, g2, g3];
        for a in 0..4 {
            for b in 0..=a {
                add(a, b, u * curvature.block(gradient[a], gradient[b]) * u.transpose());
            }
        }
    }

    /// Returns the second derivative of the energy by F, in the axes of its singular values, without negative curvature.
    fn curvature(&self, sigma: DVec3, strain: &DMat3) -> Curvature {
        let mu = -2.0 * self.cubic / (self.inverse * self.inverse);
        let bulk = 2.0 * self.volumetric;
        let (s, e) = (sigma.to_array(), strain.to_cols_array_2d());
        let trace = e[0][0] + e[1][1] + e[2][2];
        let (change, minors) = (sigma.element_product() - 1.0, cofactors(strain));
        let stress = [0, 1, 2].map(|i| -2.0 * mu * (trace - e[i][i]) - 4.0 * mu * minors.col(i)[i]);
        let area = [s[1] * s[2], s[2] * s[0], s[0] * s[1]];
        let mut normal = DMat3::ZERO;
        let (mut along, mut across) = ([0.0; 3], [0.0; 3]);
        for i in 0..3 {
            normal.col_mut(i)[i] = stress[i] + bulk * area[i] * area[i];
            // The pair of the other two axes.
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let third = mu * (1.0 + 2.0 * e[i][i]);
            let twist = bulk * change * s[i];
            let off = bulk * area[j] * area[k] + twist - 2.0 * third * s[j] * s[k];
            normal.col_mut(j)[k] = off;
            normal.col_mut(k)[j] = off;
            let shear = |sign: f64| {
                let dilation = s[j] + sign * s[k];
                0.5 * (stress[j] + stress[k]) + 0.5 * third * dilation * dilation - sign * twist
            };
            let [plus, minus] = [shear(1.0).max(0.0), shear(-1.0).max(0.0)];
            (along[i], across[i]) = (0.5 * (plus + minus), 0.5 * (plus - minus));
        }
        Curvature { normal: positive_part(normal), along, across }
    }
}

/// Second derivative of an energy by a deformation gradient, in the axes of its singular values.
struct Curvature {
    /// Second derivative by the three stretches.
    normal: DMat3,
    /// Second derivative by each of the two shears in the plane across an axis.
    along: [f64; 3],
    /// Second derivative by both of these.
    across: [f64; 3],
}

impl Curvature {
    /// Returns the stiffness between two vertices whose barycentric coordinates have these gradients.
    fn block(&self, a: DVec3, b: DVec3) -> DMat3 {
        let mut out = DMat3::ZERO;
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            out.col_mut(i)[i] =
                self.normal.col(i)[i] * a[i] * b[i] + self.along[k] * a[j] * b[j] + self.along[j] * a[k] * b[k];
            out.col_mut(k)[j] = self.normal.col(k)[j] * a[j] * b[k] + self.across[i] * a[k] * b[j];
            out.col_mut(j)[k] = self.normal.col(j)[k] * a[k] * b[j] + self.across[i] * a[j] * b[k];
        }
        out
    }
}

/// Products of the edges from the first vertex, by the squared lengths of all edges.
fn products(s: &[f64; 6]) -> DMat3 {
    let (bc, cd, bd) = (0.5 * (s[0] + s[2] - s[1]), 0.5 * (s[2] + s[4] - s[3]), 0.5 * (s[0] + s[4] - s[5]));
    DMat3::from_cols_array(&[s[0], bc, bd, bc, s[2], cd, bd, cd, s[4]])
}

/// Cofactors of a matrix: the derivative of its determinant by each entry.
fn cofactors(m: &DMat3) -> DMat3 {
    let [a, b, c] = [m.x_axis, m.y_axis, m.z_axis];
    DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b))
}

/// Edges from the first vertex, one a column, that have these products: an upper triangle. None where there are none.
fn rest_shape(products: &DMat3, mirrored: bool) -> Option<DMat3> {
    let [a, b, c] = [products.x_axis, products.y_axis, products.z_axis];
    let xx = a.x.sqrt();
    let (xy, xz) = (a.y / xx, a.z / xx);
    let yy = (b.y - xy * xy).sqrt();
    let yz = (b.z - xy * xz) / yy;
    let zz = (c.z - xz * xz - yz * yz).sqrt();
    let zz = if mirrored { -zz } else { zz };
    let is_shape = xx > 0.0 && yy > 0.0 && zz != 0.0 && zz.is_finite();
    is_shape.then(|| DMat3::from_cols_array(&[xx, 0.0, 0.0, xy, yy, 0.0, xz, yz, zz]))
}

/// Returns the part of a symmetric matrix that is positive semidefinite.
fn positive_part(m: DMat3) -> DMat3 {
    let (values, axes, _) = eig3::in_step(m);
    let axes = quat::to_mat(axes);
    axes * DMat3::from_diagonal(values.max(DVec3::ZERO)) * axes.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stretch::{TETRAHEDRON, add_tensions};
    use proptest::prelude::*;

    const SMALL: f64 = 1e-5;
    const MU: f64 = 1.3;
    const LAMBDA: f64 = 2.1;

    fn points() -> impl Strategy<Value = [DVec3; 4]> {
        prop::array::uniform(prop::array::uniform3(-1.0..1.0)).prop_map(|x: [[f64; 3]; 4]| x.map(DVec3::from_array))
    }

    fn edges(x: &[DVec3; 4]) -> DMat3 {
        DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0])
    }

    fn squares(x: &[DVec3; 4]) -> [f64; 6] {
        TETRAHEDRON.map(|[i, j]| (x[i] - x[j]).length_squared())
    }

    /// Record of an element without K, and its K by columns of unit elongations.
    fn material(rest: &[DVec3; 4]) -> (Material, [f64; 21]) {
        let six = edges(rest).determinant();
        let volume = six.abs() / 6.0;
        let to_rest = edges(rest).inverse();
        let strain = |e: usize| {
            let mut s = [0.0; 6];
            s[e] = 1.0;
            0.5 * (to_rest.transpose() * products(&s) * to_rest)
        };
        let trace = |m: DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        let mut upper = [0.0; 21];
        let pairs = (0..6).flat_map(|i| (i..6).map(move |j| (i, j)));
        for (k, (i, j)) in upper.iter_mut().zip(pairs) {
            let (a, b) = (strain(i), strain(j));
            *k = 4.0 * volume * MU * (trace(a * b) - trace(a) * trace(b));
        }
        let volumetric = volume * (0.5 * LAMBDA + MU);
        (Material { cubic: -0.5 * MU * volume / (six * six), volumetric, inverse: 1.0 / six }, upper)
    }

    /// Energy of the material itself.
    fn expected_energy(rest: &[DVec3; 4], x: &[DVec3; 4]) -> f64 {
        let f = edges(x) * edges(rest).inverse();
        let square: f64 = f.to_cols_array().iter().map(|x| x * x).sum();
        let j = f.determinant();
        edges(rest).determinant().abs() / 6.0
            * (0.5 * MU * (square - 3.0) - MU * (j - 1.0) + 0.5 * (LAMBDA + MU) * (j - 1.0).powi(2))
    }

    fn forces(rest: &[DVec3; 4], x: &[DVec3; 4], plastic: &[f64; 6]) -> [DVec3; 4] {
        let (material, upper) = material(rest);
        let (was, is) = (squares(rest), squares(x));
        let s = [0, 1, 2, 3, 4, 5].map(|e| is[e] - was[e] - plastic[e]);
        let mut force = [DVec3::ZERO; 4];
        add_tensions(&TETRAHEDRON, x, &material.tensions(&upper, &s), &mut force);
        material.add_pressure(x, &mut force);
        force
    }

    fn stiffness(rest: &[DVec3; 4], x: &[DVec3; 4], plastic: Option<&[f64; 6]>) -> [[DMat3; 4]; 4] {
        let mut all = [[DMat3::ZERO; 4]; 4];
        material(rest).0.stiffness(x, &squares(rest), plastic, |a, b, block| {
            all[a][b] = block;
            all[b][a] = block.transpose();
        });
        all
    }

    fn work(k: &[[DMat3; 4]; 4], v: &[DVec3; 4]) -> f64 {
        (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).map(|(a, b)| v[a].dot(k[a][b] * v[b])).sum()
    }

    proptest! {
        #[test]
        fn energy_is_that_of_the_material(rest in points(), x in points()) {
            prop_assume!(edges(&rest).determinant().abs() > 0.1);
            let (material, upper) = material(&rest);
            let (was, is) = (squares(&rest), squares(&x));
            let found = material.energy(&upper, &[0, 1, 2, 3, 4, 5].map(|e| is[e] - was[e]), &x);
            let expected = expected_energy(&rest, &x);
            prop_assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{found} {expected}");
        }

        #[test]
        fn forces_are_minus_the_gradient(rest in points(), x in points()) {
            prop_assume!(edges(&rest).determinant().abs() > 0.1);
            let force = forces(&rest, &x, &[0.0; 6]);
            for v in 0..4 {
                for axis in 0..3 {
                    let at = |d: f64| {
                        let mut y = x;
                        y[v][axis] += d;
                        expected_energy(&rest, &y)
                    };
                    let expected = -(at(SMALL) - at(-SMALL)) / (2.0 * SMALL);
                    prop_assert!((force[v][axis] - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{} {expected}", force[v][axis]);
                }
            }
        }

        /// Near rest, where no curvature is negative but by turning, the stiffness is the slope of the forces: in a body that
        /// is stretched alike along all axes by so much that it is free of tension across.
        #[test]
        fn stiffness_is_the_slope_of_the_forces(rest in points(), shear in prop::array::uniform9(-0.003..0.003f64)) {
            prop_assume!(edges(&rest).determinant().abs() > 0.1);
            // J at which (λ + μ)(J − 1) = μ: shears have the curvature μ.
            let stretch = mj_math::real::pow(1.0 + MU / (LAMBDA + MU), 1.0 / 3.0);
            let f = DMat3::from_diagonal(DVec3::splat(stretch)) + DMat3::from_cols_array(&shear);
            let x = rest.map(|p| f * p);
            let k = stiffness(&rest, &x, None);
            for b in 0..4 {
                for axis in 0..3 {
                    let at = |d: f64| {
                        let mut y = x;
                        y[b][axis] += d;
                        forces(&rest, &y, &[0.0; 6])
                    };
                    let (low, high) = (at(-SMALL), at(SMALL));
                    for a in 0..4 {
                        let expected = (low[a] - high[a]) / (2.0 * SMALL);
                        prop_assert!((k[a][b].col(axis) - expected).length() < 1e-5 * (1.0 + expected.length()));
                    }
                }
            }
        }

        /// At any deformation, also with plastic strain, it does no negative work, and not less than the slope of the forces.
        #[test]
        fn stiffness_is_positive_and_bounds_the_slope(
            rest in points(), x in points(), v in points(), plastic in prop::array::uniform6(-0.1..0.1f64),
        ) {
            prop_assume!(edges(&rest).determinant().abs() > 0.1);
            let plastic_work = work(&stiffness(&rest, &x, Some(&plastic)), &v);
            let elastic = work(&stiffness(&rest, &x, None), &v);
            prop_assert!(plastic_work > -1e-9 * (1.0 + elastic));
            let moved = |d: f64| {
                let mut y = x;
                y.iter_mut().zip(&v).for_each(|(y, v)| *y += *v * d);
                forces(&rest, &y, &[0.0; 6])
            };
            let (low, high) = (moved(-SMALL), moved(SMALL));
            let slope: f64 = (0..4).map(|a| v[a].dot(low[a] - high[a])).sum::<f64>() / (2.0 * SMALL);
            prop_assert!(elastic > slope - 1e-5 * (1.0 + elastic), "{elastic} {slope}");
        }
    }
}
