//! Bending of a hinge, the edge p q of triangles p q a and q p b: energy ½ Σ Bᵢⱼ xᵢ·xⱼ + β V, where x are p, q, a, b and V is
//! the volume (q − p)×(a − p)·(b − p). β is not zero where the hinge rests at an angle, at qpos0 or by plastic flow.

use mj_math::DVec3;

/// Numbers of a hinge: B by rows, β at qpos0.
pub(crate) const RECORD: usize = 17;

/// Gradient of the volume by p, q, a, b.
#[inline]
pub fn volume_gradient(x: &[DVec3; 4]) -> [DVec3; 4] {
    let (q, a, b) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let (by_q, by_a, by_b) = (a.cross(b), b.cross(q), q.cross(a));
    [-(by_q + by_a + by_b), by_q, by_a, by_b]
}

/// Product of B with a vector for each vertex.
#[inline]
pub fn product(record: &[f64; RECORD], x: &[DVec3; 4]) -> [DVec3; 4] {
    [0, 1, 2, 3].map(|i| (0..4).fold(DVec3::ZERO, |sum, j| sum + x[j] * record[4 * i + j]))
}

/// Gradient of the energy.
#[inline]
pub fn gradient(record: &[f64; RECORD], plastic: f64, x: &[DVec3; 4]) -> [DVec3; 4] {
    let mut out = product(record, x);
    let factor = record[16] + plastic;
    if factor != 0.0 {
        out.iter_mut().zip(volume_gradient(x)).for_each(|(g, v)| *g += v * factor);
    }
    out
}

/// Energy of a hinge whose factor of the volume is β at qpos0 plus `plastic`.
pub fn energy(record: &[f64; RECORD], plastic: f64, x: &[DVec3; 4]) -> f64 {
    // The rows of B sum to zero, so that vectors from one vertex keep more digits than those from the origin.
    let from_first = x.map(|p| p - x[0]);
    let quadratic: f64 = product(record, &from_first).iter().zip(&from_first).map(|(a, b)| a.dot(*b)).sum();
    let volume = from_first[1].cross(from_first[2]).dot(from_first[3]);
    0.5 * quadratic + (record[16] + plastic) * volume
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SMALL: f64 = 1e-6;

    proptest! {
        #[test]
        fn the_gradient_is_that_of_the_energy(
            x in prop::array::uniform4(prop::array::uniform3(-1.0..1.0)),
            c in prop::array::uniform4(-1.0..1.0),
            curved in -2.0..2.0,
            plastic in -2.0..2.0,
        ) {
            let x = x.map(DVec3::from_array);
            let mut record = [0.0; RECORD];
            // Coefficients that sum to zero, as those of hinges do.
            let c = c.map(|x| x - c.iter().sum::<f64>() / 4.0);
            (0..16).for_each(|i| record[i] = c[i / 4] * c[i % 4]);
            record[16] = curved;
            let gradient = gradient(&record, plastic, &x);
            for v in 0..4 {
                for axis in 0..3 {
                    let at = |d: f64| {
                        let mut y = x;
                        y[v][axis] += d;
                        energy(&record, plastic, &y)
                    };
                    let expected = (at(SMALL) - at(-SMALL)) / (2.0 * SMALL);
                    prop_assert!((gradient[v][axis] - expected).abs() < 1e-7, "{} {expected}", gradient[v][axis]);
                }
            }
        }
    }
}
