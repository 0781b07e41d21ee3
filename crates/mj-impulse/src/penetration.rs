//! The penetration cost of 2012: impulses also avoid normal velocities below the recommended ones.
//!
//! Equation 6 of "MuJoCo: A physics engine for model-based control" adds q(A f + v₀) to the energy, here
//! q(v) = w/2 Σ min(0, v_N)². The sum is convex and quadratic by pieces. Newton's method replaces q by the quadratic of the
//! rows that are below zero, w/2 Σ (a_N f + b_N)², which makes a problem of the same form again, solved by the same sweeps; a
//! step that does not lower the cost is halved.

use crate::gauss_seidel::GaussSeidel;
use mj_contact_space::ContactSpace;
use mj_math::dense::{axpy, dot};
use mj_problem::{Bound, Unit};

/// Most steps of Newton's method, and halvings of a step.
const STEPS: u32 = 30;

/// Penetration cost of a contact-space problem.
pub(crate) struct Penalty {
    weight: f64,
    /// Rows along normals.
    normals: Vec<usize>,
}

/// The row of a unit that pushes along a normal, if it has one: the first of a cone, a limit or an edge of a pyramid.
pub(crate) fn normal(u: &Unit) -> Option<usize> {
    matches!(u.bound, Bound::Positive | Bound::Cone { .. }).then_some(u.row)
}

impl Penalty {
    pub fn new(space: &ContactSpace, weight: f64) -> Self {
        Self { weight, normals: space.units.iter().filter_map(normal).collect() }
    }

    /// A_N f + b_N.
    fn velocity(space: &ContactSpace, i: usize, f: &[f64]) -> f64 {
        dot(space.row(i), f) + space.b[i]
    }

    /// ½ fᵀ(A + R) f + fᵀ b + q(A f + b).
    fn cost(&self, space: &ContactSpace, f: &[f64]) -> f64 {
        let energy: f64 =
            (0..space.len()).map(|i| f[i] * (0.5 * (dot(space.row(i), f) + space.r[i] * f[i]) + space.b[i])).sum();
        let below = self.normals.iter().map(|&i| Self::velocity(space, i, f).min(0.0));
        energy + 0.5 * self.weight * below.map(|v| v * v).sum::<f64>()
    }

    /// Minimizes the cost over feasible `f`, from a feasible start. Returns the number of sweeps.
    pub fn minimize(
        &self,
        space: &ContactSpace,
        solver: &mut GaussSeidel,
        iterations: u32,
        tolerance: f64,
        f: &mut [f64],
    ) -> u32 {
        let mut sweeps = 0;
        let mut best = self.cost(space, f);
        for _ in 0..STEPS {
            let below: Vec<usize> =
                self.normals.iter().copied().filter(|&i| Self::velocity(space, i, f) < 0.0).collect();
            let mut local = space.clone();
            let k = space.len();
            for &n in &below {
                let row = space.row(n);
                for i in 0..k {
                    axpy(&mut local.a[i * k..(i + 1) * k], self.weight * row[i], row);
                    local.b[i] += self.weight * space.b[n] * row[i];
                }
            }
            (0..k).for_each(|i| local.diagonal[i] = local.a[i * k + i]);
            let mut next = f.to_vec();
            sweeps += solver.run(&local, iterations, tolerance, &mut next);
            // The feasible set is convex, so that what lies between is feasible.
            let mut share = 1.0;
            let mut moved = 0.0f64;
            for _ in 0..STEPS {
                let between: Vec<f64> = f.iter().zip(&next).map(|(f, g)| f + share * (g - f)).collect();
                let cost = self.cost(space, &between);
                if cost < best {
                    moved = f.iter().zip(&between).fold(0.0, |m, (f, g)| m.max((f - g).abs()));
                    f.copy_from_slice(&between);
                    best = cost;
                    break;
                }
                share *= 0.5;
            }
            let size = f.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if moved <= tolerance * size {
                break;
            }
        }
        sweeps
    }
}
