//! The closed-form projection on a friction cone against a minimizer that knows only the cost and the cone.
//!
//! The witness follows the central path of a logarithmic barrier with Newton's method, as interior-point methods do: it
//! minimizes t/2 Σ r (x − y)² − log(x₀² − Σ (x_j/μ_j)²). Its point is within the cone and costs at most 2/t more than
//! the least, since 2 is the barrier's parameter. So the closed form is right if it is within the cone and costs no
//! more than the witness.

use crate::random::Random;
use crate::text::{Error, table, thousands};
use mj_contact_space::project::{MAX_FRICTION, algorithm5, cone, coupled_weights};
use mj_math::dense::{cholesky, cholesky_solve};

/// Numbers of a contact's vector.
const MOST: usize = MAX_FRICTION + 1;
/// How much the witness may cost more than the least, relative to the scale of the costs.
const GAP: f64 = 1e-11;

/// Where a vector lies before its projection; the cases that Algorithm 5 tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Inside,
    /// y_j = 0 for all j ≥ 1: the first special case.
    OnAxis,
    /// y₀ = 0: the second special case.
    InPlane,
    /// The root λ⁺: y₀ > 0.
    Plus,
    /// The root λ⁻: y₀ < 0, and the nearest point is not the apex.
    Minus,
    /// y₀ < 0, and the nearest point is the apex.
    Apex,
}

const CASES: [(Case, &str); 6] = [
    (Case::Inside, "inside the cone"),
    (Case::OnAxis, "on the axis, outside (step 2)"),
    (Case::InPlane, "in the apex's plane, y₀ = 0 (step 5)"),
    (Case::Plus, "root λ⁺"),
    (Case::Minus, "root λ⁻"),
    (Case::Apex, "the apex, 0"),
];

/// A problem: d friction dimensions, coefficients, two free weights, and the vector to project.
struct Given {
    d: usize,
    mu: [f64; MAX_FRICTION],
    normal: f64,
    friction: f64,
    y: [f64; MOST],
}

impl Given {
    fn random(random: &mut Random) -> Self {
        let pick = |random: &mut Random, n: usize| ((random.within(0.0, 1.0) * n as f64) as usize).min(n - 1);
        let d = 1 + pick(random, MAX_FRICTION);
        let log = |random: &mut Random, low: f64, high: f64| random.within(low.ln(), high.ln()).exp();
        let mut g = Self {
            d,
            mu: [0.0; MAX_FRICTION],
            normal: log(random, 0.1, 10.0),
            friction: log(random, 0.1, 10.0),
            y: [0.0; MOST],
        };
        g.mu.iter_mut().for_each(|m| *m = log(random, 0.05, 3.0));
        g.y[..=d].iter_mut().for_each(|y| *y = 2.0 * random.next());
        // Special cases are rare by chance: a tenth each.
        match pick(random, 10) {
            0 => g.y[1..].fill(0.0),
            1 => g.y[0] = 0.0,
            _ => {}
        }
        g
    }
}

/// Greatest differences of a comparison.
#[derive(Clone, Debug, Default)]
struct Worst {
    counts: [u64; CASES.len()],
    /// Cost above the witness's.
    above: [f64; CASES.len()],
    /// Distance to the witness's point.
    apart: [f64; CASES.len()],
    /// Distance to Algorithm 5 to the letter.
    letter: [f64; CASES.len()],
    /// How far outside the cone.
    outside: f64,
}

/// Projects `count` random vectors by the closed form, by Algorithm 5 to the letter and by the witness.
fn compare(count: u64, seed: u64) -> Worst {
    let mut random = Random(seed);
    let mut worst = Worst::default();
    for _ in 0..count {
        let g = Given::random(&mut random);
        let (d, mu, y) = (g.d, &g.mu[..g.d], &g.y[..=g.d]);
        let mut r = [0.0; MOST];
        r[0] = g.normal;
        let mu_hat2 = coupled_weights(mu, g.normal, g.friction, &mut r[1..=d]);
        let r = &r[..=d];
        let (mut x, mut z) = (g.y, g.y);
        cone(&mut x[..=d], mu, mu_hat2);
        algorithm5(&mut z[..=d], mu, g.normal, g.friction);
        let witness = barrier(y, mu, r);

        let scale = cost(&[0.0; MOST][..=d], y, r).max(1e-300);
        let round = x[1..=d].iter().zip(mu).map(|(x, m)| (x / m) * (x / m)).sum::<f64>().sqrt();
        worst.outside = worst.outside.max(-x[0]).max(round - x[0]);
        let case = case_of(y, mu, &x[..=d]);
        let k = CASES.iter().position(|c| c.0 == case).unwrap_or(0);
        let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        worst.counts[k] += 1;
        worst.above[k] = worst.above[k].max((cost(&x[..=d], y, r) - cost(&witness[..=d], y, r)) / scale);
        worst.apart[k] = worst.apart[k].max(distance(&x[..=d], &witness[..=d]));
        worst.letter[k] = worst.letter[k].max(distance(&x[..=d], &z[..=d]));
    }
    worst
}

/// Σ r (x − y)².
fn cost(x: &[f64], y: &[f64], r: &[f64]) -> f64 {
    r.iter().zip(x.iter().zip(y)).map(|(r, (x, y))| r * (x - y) * (x - y)).sum()
}

/// Where `y` lies, given its projection `x`.
fn case_of(y: &[f64], mu: &[f64], x: &[f64]) -> Case {
    let round: f64 = y[1..].iter().zip(mu).map(|(y, m)| (y / m) * (y / m)).sum();
    if y[0] >= 0.0 && round <= y[0] * y[0] {
        Case::Inside
    } else if round == 0.0 {
        Case::OnAxis
    } else if y[0] == 0.0 {
        Case::InPlane
    } else if y[0] > 0.0 {
        Case::Plus
    } else if x[0] > 0.0 {
        Case::Minus
    } else {
        Case::Apex
    }
}

/// The witness: the point of the cone of least cost, to [`GAP`], by Newton's method on a barrier.
fn barrier(y: &[f64], mu: &[f64], r: &[f64]) -> [f64; MOST] {
    let n = y.len();
    let scale = cost(&[0.0; MOST][..n], y, r).max(1e-300);
    // Starts on the axis, as far out as the vector is long.
    let mut x = [0.0; MOST];
    x[0] = y.iter().map(|y| y * y).sum::<f64>().sqrt().max(1e-150);
    let s: Vec<f64> = std::iter::once(1.0).chain(mu.iter().map(|m| -1.0 / (m * m))).collect();
    let inside = |x: &[f64; MOST]| x[0] > 0.0 && (0..n).map(|i| s[i] * x[i] * x[i]).sum::<f64>() > 0.0;
    // The cost is Σ r (x − y)², twice the half of it that t weighs.
    let value =
        |x: &[f64; MOST], t: f64| 0.5 * t * cost(&x[..n], y, r) - (0..n).map(|i| s[i] * x[i] * x[i]).sum::<f64>().ln();
    let mut t = 1.0 / scale;
    let end = 4.0 / (GAP * scale);
    loop {
        for _ in 0..60 {
            let q: f64 = (0..n).map(|i| s[i] * x[i] * x[i]).sum();
            let mut gradient = [0.0; MOST];
            let mut hessian = [0.0; MOST * MOST];
            for i in 0..n {
                gradient[i] = t * r[i] * (x[i] - y[i]) - 2.0 * s[i] * x[i] / q;
                for j in 0..n {
                    hessian[i * n + j] = 4.0 * s[i] * x[i] * s[j] * x[j] / (q * q);
                }
                hessian[i * n + i] += t * r[i] - 2.0 * s[i] / q;
            }
            let mut step = gradient;
            cholesky(&mut hessian[..n * n], n);
            cholesky_solve(&hessian[..n * n], n, &mut step[..n]);
            let decrement: f64 = step[..n].iter().zip(&gradient).map(|(s, g)| s * g).sum();
            if decrement.is_nan() || decrement < 1e-10 {
                break;
            }
            // Back until inside and lower.
            let (before, mut length) = (value(&x, t), 1.0);
            let moved = loop {
                let mut to = x;
                (0..n).for_each(|i| to[i] -= length * step[i]);
                if inside(&to) && value(&to, t) <= before - 0.1 * length * decrement {
                    break Some(to);
                }
                length *= 0.5;
                if length < 1e-12 {
                    break None;
                }
            };
            match moved {
                Some(to) => x = to,
                None => break,
            }
        }
        if t >= end {
            return x;
        }
        t = (8.0 * t).min(end);
    }
}

/// The million.
pub fn section() -> Result<String, Error> {
    const COUNT: u64 = 1_000_000;
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let parts: Vec<Worst> = std::thread::scope(|scope| {
        let share = |k: u64| COUNT * (k + 1) / threads - COUNT * k / threads;
        let spawned: Vec<_> = (0..threads).map(|k| scope.spawn(move || compare(share(k), 1000 + k))).collect();
        spawned.into_iter().map(|t| t.join().map_err(|_| "a thread panicked")).collect::<Result<_, _>>()
    })?;
    let greatest =
        |of: fn(&Worst) -> &[f64; CASES.len()], k: usize| parts.iter().fold(f64::MIN, |a, p| a.max(of(p)[k]));
    let rows = CASES.iter().enumerate().map(|(k, (_, name))| {
        vec![
            (*name).to_string(),
            thousands(parts.iter().map(|p| p.counts[k]).sum::<u64>() as f64),
            format!("{:.1e}", greatest(|p| &p.above, k).max(0.0)),
            format!("{:.1e}", greatest(|p| &p.apart, k)),
            format!("{:.1e}", greatest(|p| &p.letter, k)),
        ]
    });
    let head = ["case", "vectors", "cost above the witness's", "apart from the witness", "apart from Algorithm 5"];
    let text = table(&head, rows);
    let outside = parts.iter().fold(f64::MIN, |a, p| a.max(p.outside)).max(0.0);
    let above = (0..CASES.len()).fold(0.0, |a: f64, k| a.max(greatest(|p| &p.above, k)));
    if above > GAP || outside > 1e-12 {
        return Err(format!(
            "the closed form is not the nearest point: cost above by {above:e}, outside by {outside:e}"
        )
        .into());
    }
    Ok(format!(
        "{} random vectors with 1 to 5 friction dimensions, coefficients from 0.05 to 3, weights from 0.1 to 10 and the \
         coupling of equation 22, projected in closed form (`mj_contact_space::project::cone`), by Algorithm 5 to the \
         letter, and by a minimizer that knows only the cost and the cone: Newton's method on a logarithmic barrier, \
         whose cost is within {GAP:e} of the least. Costs are relative to that of the apex. A point whose cost is within \
         g of the least is within √g of the nearest, which is what \"apart from the witness\" shows. Outside the cone: \
         by {outside:.1e} at most.\n\n{text}",
        thousands(COUNT as f64)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample of what `cargo xtask papers projection` does a million times.
    #[test]
    fn the_closed_form_is_the_nearest_point() {
        let w = compare(3000, 7);
        for (k, (case, _)) in CASES.iter().enumerate() {
            assert!(w.counts[k] > 50, "{case:?}: {} vectors", w.counts[k]);
            assert!(w.above[k] <= GAP, "{case:?}: cost above by {:e}", w.above[k]);
            assert!(w.apart[k] < 1e-4, "{case:?}: apart by {:e}", w.apart[k]);
            assert!(w.letter[k] < 1e-9, "{case:?}: {:e} from Algorithm 5", w.letter[k]);
        }
        assert!(w.outside < 1e-12);
    }

    /// The comparison can fail: with other weights than equation 22's, the closed form isn't the nearest point.
    #[test]
    fn the_witness_finds_a_wrong_projection() {
        let (y, mu, r) = ([0.2, 1.0, -1.5], [0.5, 0.8], [1.0, 1.0, 1.0]);
        let mut x = y;
        cone(&mut x, &mu, mu[0] * mu[0]);
        let witness = barrier(&y, &mu, &r);
        assert!(cost(&x, &y, &r) > cost(&witness[..3], &y, &r) + 1e-3);
    }
}
