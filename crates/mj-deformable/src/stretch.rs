//! Stretching of a triangle or tetrahedron: energy ¼ sᵀ K s in the elongations s = l² − L² of its edges' squared lengths,
//! less what is plastic of them.

use mj_math::{DMat3, DVec3};

/// Ends of a triangle's edges.
pub(crate) const TRIANGLE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Ends of a tetrahedron's edges.
pub(crate) const TETRAHEDRON: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

/// Product of K, given by its upper triangle, with a vector.
#[inline]
pub fn product<const E: usize>(upper: &[f64], s: &[f64; E]) -> [f64; E] {
    let mut out = [0.0; E];
    let mut k = upper.iter();
    for i in 0..E {
        for (j, k) in (i..E).zip(&mut k) {
            out[i] += k * s[j];
            if i != j {
                out[j] += k * s[i];
            }
        }
    }
    out
}

/// Energy of an element with elongations `s`.
#[inline]
pub fn energy<const E: usize>(upper: &[f64], s: &[f64; E]) -> f64 {
    0.25 * product(upper, s).iter().zip(s).map(|(a, b)| a * b).sum::<f64>()
}

/// Adds to the force on each vertex what edges along `x[i] − x[j]` pull with tensions `t` for each unit of their length.
/// With t = K s that is the force of the energy.
#[inline]
pub fn add_tensions<const E: usize, const V: usize>(
    ends: &[[usize; 2]; E],
    x: &[DVec3; V],
    t: &[f64; E],
    force: &mut [DVec3; V],
) {
    for (&[i, j], t) in ends.iter().zip(t) {
        let pull = (x[i] - x[j]) * *t;
        force[i] -= pull;
        force[j] += pull;
    }
}

/// Calls `add` with the blocks (a, b), b ≤ a, of the stiffness between the vertices: the second derivative of the energy,
/// without the part of edges that are pressed, which could make it indefinite.
#[inline(always)]
pub fn stiffness<const E: usize, const V: usize>(
    ends: &[[usize; 2]; E],
    x: &[DVec3; V],
    upper: &[f64],
    s: &[f64; E],
    mut add: impl FnMut(usize, usize, DMat3),
) {
    let along = ends.map(|[i, j]| x[i] - x[j]);
    let tension = product(upper, s).map(|t| t.max(0.0));
    let k: [[f64; E]; E] = doubled(upper);
    // A translation makes no force: the blocks of a vertex add up to nothing.
    let mut own = [DMat3::ZERO; V];
    for a in 1..V {
        // Slopes of the tensions by vertex a.
        let mut slope = [DVec3::ZERO; E];
        for (i, &[from, to]) in ends.iter().enumerate() {
            if from == a || to == a {
                let along = if from == a { along[i] } else { -along[i] };
                (0..E).for_each(|e| slope[e] += along * k[e][i]);
            }
        }
        for b in 0..a {
            let mut block = DMat3::ZERO;
            for (e, &[from, to]) in ends.iter().enumerate() {
                if from != b && to != b {
                    continue;
                }
                let along = if from == b { along[e] } else { -along[e] };
                block += DMat3::from_cols(slope[e] * along.x, slope[e] * along.y, slope[e] * along.z);
                if from == a || to == a {
                    block -= DMat3::from_diagonal(DVec3::splat(tension[e]));
                }
            }
            own[a] -= block;
            own[b] -= block.transpose();
            add(a, b, block);
        }
    }
    own.into_iter().enumerate().for_each(|(a, block)| add(a, a, block));
}

/// 2 K, of its upper triangle.
#[inline(always)]
fn doubled<const E: usize>(upper: &[f64]) -> [[f64; E]; E] {
    let mut out = [[0.0; E]; E];
    let mut k = upper.iter();
    for i in 0..E {
        for (j, k) in (i..E).zip(&mut k) {
            (out[i][j], out[j][i]) = (2.0 * k, 2.0 * k);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SMALL: f64 = 1e-6;

    fn points<const V: usize>() -> impl Strategy<Value = [DVec3; V]> {
        prop::array::uniform(prop::array::uniform3(-1.0..1.0)).prop_map(|x: [[f64; 3]; V]| x.map(DVec3::from_array))
    }

    fn elongations<const E: usize, const V: usize>(ends: &[[usize; 2]; E], x: &[DVec3; V]) -> [f64; E] {
        ends.map(|[i, j]| (x[i] - x[j]).length_squared() - 0.5)
    }

    fn check<const E: usize, const V: usize>(
        ends: &[[usize; 2]; E],
        x: [DVec3; V],
        k: &[f64],
    ) -> Result<(), TestCaseError> {
        let mut force = [DVec3::ZERO; V];
        add_tensions(ends, &x, &product(k, &elongations(ends, &x)), &mut force);
        for v in 0..V {
            for axis in 0..3 {
                let at = |d: f64| {
                    let mut y = x;
                    y[v][axis] += d;
                    energy(k, &elongations(ends, &y))
                };
                let expected = -(at(SMALL) - at(-SMALL)) / (2.0 * SMALL);
                prop_assert!(
                    (force[v][axis] - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                    "{} {expected}",
                    force[v][axis]
                );
            }
        }
        let (sum, moment) =
            (0..V).fold((DVec3::ZERO, DVec3::ZERO), |(f, t), v| (f + force[v], t + x[v].cross(force[v])));
        prop_assert!(sum.length() < 1e-10 && moment.length() < 1e-10);
        Ok(())
    }

    /// Compares the stiffness with differences of the forces, where all edges are pulled.
    fn check_stiffness<const E: usize, const V: usize>(
        ends: &[[usize; 2]; E],
        x: [DVec3; V],
        weights: &[f64],
        stretched: f64,
    ) -> Result<(), TestCaseError> {
        // A diagonal form with positive tensions.
        let diagonal = |i: usize, j: usize| if i == j { weights[i].abs() } else { 0.0 };
        let k: Vec<f64> = (0..E).flat_map(|i| (i..E).map(move |j| diagonal(i, j))).collect();
        let s = |x: &[DVec3; V]| elongations(ends, x).map(|s| s + stretched);
        prop_assume!(s(&x).iter().all(|s| *s > 0.1));
        let force = |x: &[DVec3; V]| {
            let mut force = [DVec3::ZERO; V];
            add_tensions(ends, x, &product(&k, &s(x)), &mut force);
            force
        };
        let mut found = Ok(());
        stiffness(ends, &x, &k, &s(&x), |a, b, block| {
            for axis in 0..3 {
                let at = |d: f64| {
                    let mut y = x;
                    y[b][axis] += d;
                    force(&y)[a]
                };
                let expected = (at(-SMALL) - at(SMALL)) / (2.0 * SMALL);
                if (block.col(axis) - expected).length() > 1e-6 * (1.0 + expected.length()) {
                    found = Err(TestCaseError::fail(format!("{a} {b} {axis}: {} {expected}", block.col(axis))));
                }
            }
        });
        found
    }

    proptest! {
        #[test]
        fn stiffness_of_a_triangle_is_the_slope_of_its_forces(x in points::<3>(), k in prop::collection::vec(-2.0..2.0, 3)) {
            check_stiffness(&TRIANGLE, x, &k, 1.0)?;
        }

        #[test]
        fn stiffness_of_a_tetrahedron_is_the_slope_of_its_forces(x in points::<4>(), k in prop::collection::vec(-2.0..2.0, 6)) {
            check_stiffness(&TETRAHEDRON, x, &k, 1.0)?;
        }

        #[test]
        fn forces_of_a_triangle_are_minus_the_gradient(x in points::<3>(), k in prop::collection::vec(-2.0..2.0, 6)) {
            check(&TRIANGLE, x, &k)?;
        }

        #[test]
        fn forces_of_a_tetrahedron_are_minus_the_gradient(x in points::<4>(), k in prop::collection::vec(-2.0..2.0, 21)) {
            check(&TETRAHEDRON, x, &k)?;
        }
    }
}
