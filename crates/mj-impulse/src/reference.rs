//! Regularization of the rows and the velocity that they are to have at the end of the step.

use crate::options::{Options, Stabilization};
use mj_constraint::Rows;
use mj_contact_space::project::{MAX_FRICTION, coupled_weights};
use mj_math::dense::{cholesky, cholesky_solve, dot};
use mj_model::ConstraintType;
use mj_problem::ConeRows;

/// R of every row into `r` (nefc): ε A_ii with the approximate diagonal (2014, equation 27), coupled within each
/// friction cone so that it can be projected upon in closed form (equation 22).
pub fn regularization(rows: &Rows, o: &Options, r: &mut Vec<f64>) {
    r.clear();
    r.extend(rows.diag_a.iter().map(|a| (a * o.epsilon).max(o.r_min)));
    if let Some(lambda) = o.lambda {
        r[..rows.ne].fill(1.0 / lambda);
    }
    for c in &rows.cones {
        let (first, n) = (c.row as usize, c.dim as usize - 1);
        let friction = &mut r[first + 1..first + 1 + n];
        let mean = friction.iter().sum::<f64>() / n as f64;
        let mut coupled = [0.0; MAX_FRICTION];
        coupled_weights(&c.friction[..n], 1.0, mean, &mut coupled[..n]);
        friction.copy_from_slice(&coupled[..n]);
    }
}

/// μ̂² of a cone under such a regularization: how much heavier friction weighs than the normal.
pub fn mu_hat2(c: &ConeRows, r: &[f64]) -> f64 {
    let first = c.row as usize;
    c.friction[0] * c.friction[0] * r[first + 1] / r[first]
}

/// The velocity that the rows are to have at the end of a step of length `h`, into `target` (nefc), given
/// their velocities `vel`.
///
/// A limit or contact that is still apart by e > 0 may close the gap in the step, −e/h, and no faster.
pub fn desired_velocity(rows: &Rows, vel: &[f64], h: f64, o: &Options, target: &mut Vec<f64>) {
    target.clear();
    let mut cones = rows.cones.iter().peekable();
    let mut friction = 0..0;
    for i in 0..rows.nefc() {
        if let Some(c) = cones.next_if(|c| c.row as usize == i) {
            friction = i + 1..i + c.dim as usize;
        }
        let slides = friction.contains(&i) || is_dry_friction(rows.r#type[i]);
        let pushes = i >= rows.ne && !slides;
        // Of what slides only the velocity matters.
        let e = if slides { 0.0 } else { rows.pos[i] - rows.margin[i] };
        target.push(match o.stabilization {
            _ if pushes && e > 0.0 => -e / h,
            // Friction resists all motion.
            Stabilization::Critical { .. } if slides => 0.0,
            Stabilization::Critical { equality, inequality } => {
                critical(e, vel[i], h, if pushes { inequality } else { equality })
            }
            // The share of R⁻¹A is added when A is there.
            Stabilization::Coupled => vel[i] - h * decay(e, vel[i], o.kappa),
            Stabilization::ProportionalDerivative => {
                let (b, k) = (2.0 * (1.0 + o.epsilon) / o.kappa, (1.0 + o.epsilon) / (o.kappa * o.kappa));
                vel[i] - h * b * vel[i] - h * k * e
            }
        });
    }
}

/// Deceleration of a critically damped approach, 2 ė/κ + e/κ².
fn decay(e: f64, rate: f64, kappa: f64) -> f64 {
    2.0 * rate / kappa + e / (kappa * kappa)
}

/// Adds to the velocities `target` (nefc) what couples the rows: −h R A⁺ times their decelerations, given A of all rows
/// (nefc×nefc). Rows that only may close a gap take no part.
///
/// With S = R^(−1/2), A R⁻¹ B = 2/κ (I + A R⁻¹) has the solution B = 2/κ (I + S⁻¹ (S A S)⁺ S) where A is regular. A singular A
/// leaves the equations without a solution; then (S A S)⁺ (I + S A S) is the projection on what A moves, and the sum.
pub(crate) fn couple(rows: &Rows, vel: &[f64], h: f64, o: &Options, r: &[f64], a: &[f64], target: &mut [f64]) {
    let n = rows.nefc();
    let mut held = Vec::with_capacity(n);
    let mut wanted = Vec::with_capacity(n);
    let mut friction = 0..0;
    let mut cones = rows.cones.iter().peekable();
    for i in 0..n {
        if let Some(c) = cones.next_if(|c| c.row as usize == i) {
            friction = i + 1..i + c.dim as usize;
        }
        let slides = friction.contains(&i) || is_dry_friction(rows.r#type[i]);
        let e = if slides { 0.0 } else { rows.pos[i] - rows.margin[i] };
        if i < rows.ne || slides || e <= 0.0 {
            held.push(i);
            wanted.push(decay(e, vel[i], o.kappa) / r[i].sqrt());
        }
    }
    let k = held.len();
    let at = |i: usize, j: usize| a[held[i] * n + held[j]] / (r[held[i]] * r[held[j]]).sqrt();
    let scaled: Vec<f64> = (0..k * k).map(|x| at(x / k, x % k)).collect();
    let greatest = (0..k).map(|i| scaled[i * k + i]).fold(0.0, f64::max);
    if greatest == 0.0 {
        return;
    }
    // (Λ² + δ²)⁻¹ Λ (1 + Λ): the pseudo-inverse's (1 + Λ)/Λ where Λ is well above δ, 0 where it is 0.
    let delta = PSEUDO * greatest;
    let mut square = vec![0.0; k * k];
    for i in 0..k {
        for j in 0..=i {
            let x = dot(&scaled[i * k..(i + 1) * k], &scaled[j * k..(j + 1) * k]);
            (square[i * k + j], square[j * k + i]) = (x, x);
        }
        square[i * k + i] += delta * delta;
    }
    let times = |v: &[f64]| -> Vec<f64> { scaled.chunks(k).map(|row| dot(row, v)).collect() };
    let once = times(&wanted);
    let twice = times(&once);
    let mut answer: Vec<f64> = once.iter().zip(&twice).map(|(a, b)| a + b).collect();
    cholesky(&mut square, k);
    cholesky_solve(&square, k, &mut answer);
    for (&i, x) in held.iter().zip(&answer) {
        target[i] = vel[i] - h * r[i].sqrt() * x;
    }
}

/// Share of the greatest inverse inertia below which a direction counts as one that nothing moves.
const PSEUDO: f64 = 1e-6;

fn is_dry_friction(t: ConstraintType) -> bool {
    matches!(t, ConstraintType::FrictionDof | ConstraintType::FrictionTendon)
}

/// ė after a time h of ë + 2ω ė + ω² e = 0, with ω = 1/`time`: (ė − hω ė − hω² e) exp(−hω). Without a time
/// constant, the velocity that removes the error within h.
fn critical(e: f64, rate: f64, h: f64, time: f64) -> f64 {
    if time <= 0.0 {
        return -e / h;
    }
    let w = 1.0 / time;
    (rate - h * w * rate - h * w * w * e) * (-h * w).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula against fine steps of the differential equation.
    #[test]
    fn critical_damping_is_the_solution_of_its_equation() {
        let (h, time) = (0.01, 0.03);
        let (mut e, mut v) = (-0.002, 0.4);
        let want = critical(e, v, h, time);
        let n = 200_000;
        for _ in 0..n {
            let dt = h / f64::from(n);
            let a = -2.0 / time * v - e / (time * time);
            e += dt * (v + 0.5 * dt * a);
            v += dt * a;
        }
        assert!((v - want).abs() < 1e-5, "{v} {want}");
    }
}
