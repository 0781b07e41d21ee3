//! The nearest point of a friction cone, in closed form (2014, section III.E, Algorithm 5).
//!
//! The cone is x₀ ≥ 0, Σ (x_j/μ_j)² ≤ x₀², and distance is measured with weights r: Σ r_k (x_k − y_k)².
//! With one weight for the normal and the others coupled to the friction coefficients by μ_j² r_j =
//! μ̂² r₀ (equation 17) both cone and metric become round after scaling each x_k by √r_k, and the
//! problem is plane geometry: the point in the plane of the axis and ŷ, and in it the foot on one of
//! the cone's two generators.

use mj_math::dense::dot;

/// Greatest number of friction dimensions.
pub const MAX_FRICTION: usize = 5;

/// The coupled regularizers of a contact (equation 22): r_j = r_F μ_j⁻²/⟨μ_j⁻²⟩, whose mean is `r_friction`,
/// into `out`; returns μ̂² = r_F/(r₀ ⟨μ_j⁻²⟩).
pub fn coupled_weights(mu: &[f64], r_normal: f64, r_friction: f64, out: &mut [f64]) -> f64 {
    let mean = mu.iter().map(|m| 1.0 / (m * m)).sum::<f64>() / mu.len() as f64;
    let scale = r_friction / mean;
    for (r, m) in out.iter_mut().zip(mu) {
        *r = scale / (m * m);
    }
    scale / r_normal
}

/// Replaces `x` (1 + d numbers, normal first) by the nearest point of the cone with the positive
/// friction coefficients `mu` (d), in the metric of the weights r₀ = `r_normal` and r_j = μ̂² r₀/μ_j²,
/// with μ̂² = `mu_hat2`.
///
/// Of the cone's two generators in the plane of ŷ and the axis (λ⁺ and λ⁻ in the paper) the nearer
/// one is that on ŷ's side, so that the other is never asked: its foot lies across the axis.
pub fn cone(x: &mut [f64], mu: &[f64], mu_hat2: f64) {
    let (normal, friction) = x.split_at_mut(1);
    let normal = &mut normal[0];
    // g_j = x_j/μ_j measures friction so that the cone is |g| ≤ x₀; its weight is μ̂² r₀.
    let g = friction.iter().zip(mu).map(|(x, m)| (x / m) * (x / m)).sum::<f64>().sqrt();
    if g <= *normal {
        return;
    }
    // Minimum of (n − y₀)² + μ̂² (n − |g|)² over n ≥ 0.
    let n = ((*normal + mu_hat2 * g) / (1.0 + mu_hat2)).max(0.0);
    *normal = n;
    let scale = if n > 0.0 { n / g } else { 0.0 };
    friction.iter_mut().for_each(|x| *x *= scale);
}

/// Projects a vector on the cone by the paper's Algorithm 5 to the letter: both roots λ±, and the two special cases.
/// Tests compare it with [`cone`], which takes fewer steps.
pub fn algorithm5(x: &mut [f64], mu: &[f64], r_normal: f64, r_friction: f64) {
    let d = mu.len();
    let mut r = [0.0; MAX_FRICTION];
    let mu_hat2 = coupled_weights(mu, r_normal, r_friction, &mut r[..d]);
    let inside =
        |x: &[f64]| x[0] >= 0.0 && x[1..].iter().zip(mu).map(|(x, m)| (x / m).powi(2)).sum::<f64>() <= x[0] * x[0];
    if inside(x) {
        return;
    }
    if x[1..].iter().all(|&v| v == 0.0) {
        x.fill(0.0);
        return;
    }
    // Equation 16: scaled so that the metric is Euclid's.
    let mut y = [0.0; MAX_FRICTION + 1];
    y[0] = r_normal.sqrt() * x[0];
    for j in 0..d {
        y[j + 1] = r[j].sqrt() * x[j + 1];
    }
    let y = &y[..=d];
    let friction = dot(&y[1..], &y[1..]).sqrt();
    let mut best = [0.0; MAX_FRICTION + 1];
    if y[0] == 0.0 {
        // Equation 20.
        best[0] = mu_hat2.sqrt() / (1.0 + mu_hat2) * friction;
        for j in 1..=d {
            best[j] = mu_hat2 / (1.0 + mu_hat2) * y[j];
        }
    } else {
        // Equations 18 and 19; the apex competes with both roots.
        let beta = friction / (mu_hat2.sqrt() * y[0].abs());
        let mut least = dot(y, y);
        for sign in [1.0, -1.0] {
            let lambda = (1.0 - sign * beta) / (1.0 + sign * mu_hat2 * beta);
            let mut candidate = [0.0; MAX_FRICTION + 1];
            candidate[0] = y[0] / (1.0 + mu_hat2 * lambda);
            for j in 1..=d {
                candidate[j] = y[j] / (1.0 - lambda);
            }
            let distance: f64 = candidate.iter().zip(y).map(|(c, y)| (c - y) * (c - y)).sum();
            if candidate[0] >= 0.0 && distance < least {
                (least, best) = (distance, candidate);
            }
        }
    }
    x[0] = best[0] / r_normal.sqrt();
    for j in 0..d {
        x[j + 1] = best[j + 1] / r[j].sqrt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Weighted distance.
    fn distance(x: &[f64], y: &[f64], r0: f64, r: &[f64]) -> f64 {
        r0 * (x[0] - y[0]).powi(2)
            + r.iter().zip(x[1..].iter().zip(&y[1..])).map(|(r, (x, y))| r * (x - y).powi(2)).sum::<f64>()
    }

    fn check(d: usize, y: &[f64], mu: &[f64], r0: f64, rf: f64) -> Result<(), TestCaseError> {
        let (y, mu) = (&y[..=d], &mu[..d]);
        let mut r = [0.0; MAX_FRICTION];
        let mu_hat2 = coupled_weights(mu, r0, rf, &mut r[..d]);
        // Equation 17, and the mean of the weights.
        for j in 0..d {
            prop_assert!((mu[j] * mu[j] * r[j] - mu_hat2 * r0).abs() < 1e-12 * mu_hat2 * r0);
        }
        prop_assert!((r[..d].iter().sum::<f64>() / d as f64 - rf).abs() < 1e-12 * rf);
        let (mut x, mut z) = (y.to_vec(), y.to_vec());
        cone(&mut x, mu, mu_hat2);
        algorithm5(&mut z, mu, r0, rf);
        for (a, b) in x.iter().zip(&z) {
            prop_assert!((a - b).abs() < 1e-9, "{x:?} {z:?}");
        }
        let g = x[1..].iter().zip(mu).map(|(x, m)| (x / m).powi(2)).sum::<f64>().sqrt();
        prop_assert!(x[0] >= 0.0 && g <= x[0] * (1.0 + 1e-12));
        // Nearest: y − x is in the cone's polar, which for a cone means ⟨y − x, x⟩ = 0 and ⟨y − x, c⟩ ≤ 0 for all
        // c in it; the greatest of those over c with c₀ = 1 is at c_j = μ_j² s_j/|μ s|.
        let s: Vec<f64> = (0..d).map(|j| r[j] * (y[j + 1] - x[j + 1])).collect();
        let s0 = r0 * (y[0] - x[0]);
        let along = s0 * x[0] + dot(&s, &x[1..]);
        let reach = s0 + s.iter().zip(mu).map(|(s, m)| (s * m).powi(2)).sum::<f64>().sqrt();
        prop_assert!(along.abs() < 1e-9 && reach < 1e-9, "{along} {reach}");
        prop_assert!(distance(&x, y, r0, &r) <= distance(&vec![0.0; d + 1], y, r0, &r) + 1e-12);
        Ok(())
    }

    proptest! {
        #[test]
        fn nearest_point(
            d in 1usize..=5,
            y in prop::collection::vec(-2.0..2.0f64, 6),
            mu in prop::collection::vec(0.05..2.0f64, 5),
            r0 in 0.1..10.0f64,
            rf in 0.1..10.0f64,
        ) {
            check(d, &y, &mu, r0, rf)?;
        }

        /// The special cases: on the axis, and in the plane of the apex.
        #[test]
        fn special_cases(d in 1usize..=5, y in prop::collection::vec(-2.0..2.0f64, 6), mu in prop::collection::vec(0.05..2.0f64, 5)) {
            let mut on_axis = vec![0.0; 6];
            on_axis[0] = y[0];
            check(d, &on_axis, &mu, 1.3, 0.7)?;
            let mut flat = y.clone();
            flat[0] = 0.0;
            check(d, &flat, &mu, 1.3, 0.7)?;
        }
    }

    /// The polar-cone conditions above are checked against a search that knows nothing of them.
    #[test]
    fn nearest_of_a_brute_force_search() {
        let mut seed = 1u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        };
        for _ in 0..200 {
            let y = [next() * 2.0, next() * 2.0, next() * 2.0];
            let mu = [0.2 + next().abs(), 0.2 + next().abs()];
            let (r0, rf) = (0.2 + next().abs(), 0.2 + next().abs());
            let mut r = [0.0; 2];
            let mu_hat2 = coupled_weights(&mu, r0, rf, &mut r);
            let mut x = y;
            cone(&mut x, &mu, mu_hat2);
            let best = distance(&x, &y, r0, &r);
            for _ in 0..2000 {
                let n = (x[0] + 0.3 * next()).max(0.0);
                let (angle, radius) = (std::f64::consts::PI * next(), n * next().abs());
                let c = [n, mu[0] * radius * angle.cos(), mu[1] * radius * angle.sin()];
                assert!(distance(&c, &y, r0, &r) >= best - 1e-12);
            }
        }
    }
}
