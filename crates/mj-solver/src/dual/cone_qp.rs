//! The forces of one elliptic cone, with all others held: quadratics of two, three or five friction
//! dimensions over an ellipsoid. Sizes are known to the compiler.

use mj_math::MINVAL;
use mj_problem::cost::elliptic::scale_to_surface;
use std::array::from_fn;

/// How exactly the friction of a cone is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Like the reference: by twenty steps at most, to an absolute tolerance; a matrix that is nearly singular has no
    /// minimum, and a cone without force gets one only along its normal.
    Quick,
    /// To a relative tolerance, and from the tip along the ray that descends most.
    Exact,
}

/// A quadratic cost ½ xᵀA x + resᵀx of a change x of one cone's forces: the normal force and `F` of friction.
#[derive(Clone, Copy, Debug)]
pub struct ConeProblem<const F: usize> {
    /// Curvature along the normal force.
    pub normal: f64,
    /// Curvature between the normal force and friction.
    pub mixed: [f64; F],
    /// Curvature along friction, symmetric.
    pub friction: [[f64; F]; F],
    /// Gradient at the present forces: along the normal force, along friction.
    pub res: (f64, [f64; F]),
}

impl<const F: usize> ConeProblem<F> {
    /// Forces after one step from `old`: first along the ray from the cone's tip (or along the normal, where
    /// there is no force yet), then over friction with the normal force held.
    #[inline(always)]
    pub fn step(&self, old: (f64, [f64; F]), mu: &[f64; F], search: Search) -> (f64, [f64; F]) {
        let normal = if old.0 < MINVAL { self.first_force(old.0, mu, search) } else { self.along_ray(old) };
        (normal, self.slide(old, normal, mu, search))
    }

    /// The normal force that is best along the normal, where there is none yet.
    #[inline(always)]
    fn first_force(&self, old: f64, mu: &[f64; F], search: Search) -> f64 {
        let n = (old - self.res.0 / self.normal).max(0.0);
        if n < MINVAL && search == Search::Exact { self.leave_tip(mu) } else { n }
    }

    /// The normal force that is best along the ray from the tip, which ends there.
    #[inline(always)]
    fn along_ray(&self, (n, t): (f64, [f64; F])) -> f64 {
        let curvature = n * (n * self.normal + 2.0 * dot(&self.mixed, &t)) + quadratic(&self.friction, &t);
        if curvature < MINVAL {
            return n;
        }
        n + (-(n * self.res.0 + dot(&t, &self.res.1)) / curvature).max(-1.0) * n
    }

    /// The normal force from the tip along the ray that descends most, for a force that along the normal alone would not:
    /// the tip is the minimum only where the gradient g has g₀ ≥ ‖μ g_t‖, that is, lies in the dual cone.
    #[inline(always)]
    fn leave_tip(&self, mu: &[f64; F]) -> f64 {
        let (normal, friction) = self.res;
        let scaled: [f64; F] = from_fn(|i| friction[i] * mu[i]);
        let size = dot(&scaled, &scaled).sqrt();
        if size <= normal {
            return 0.0;
        }
        let ray: [f64; F] = from_fn(|i| -mu[i] * scaled[i] / size);
        let curvature = self.normal + 2.0 * dot(&self.mixed, &ray) + quadratic(&self.friction, &ray);
        (size - normal) / curvature.max(MINVAL)
    }

    /// Best friction for a normal force.
    #[inline(always)]
    fn slide(&self, old: (f64, [f64; F]), normal: f64, mu: &[f64; F], search: Search) -> [f64; F] {
        if normal < MINVAL {
            return [0.0; F];
        }
        let mut b = self.res.1;
        for i in 0..F {
            b[i] += self.mixed[i] * (normal - old.0) - dot(&self.friction[i], &old.1);
        }
        best_friction(&self.friction, &b, mu, normal, search)
    }

    /// Change of the cost from `old` to `new`.
    #[inline(always)]
    pub fn change(&self, old: (f64, [f64; F]), new: (f64, [f64; F])) -> f64 {
        let n = new.0 - old.0;
        let t: [f64; F] = from_fn(|i| new.1[i] - old.1[i]);
        n * (0.5 * n * self.normal + dot(&self.mixed, &t) + self.res.0)
            + 0.5 * quadratic(&self.friction, &t)
            + dot(&t, &self.res.1)
    }
}

/// Minimizes ½ fᵀA f + bᵀf over friction forces within the ellipsoid of a normal force.
#[inline(always)]
pub fn best_friction<const F: usize>(
    a: &[[f64; F]; F],
    b: &[f64; F],
    mu: &[f64; F],
    normal: f64,
    search: Search,
) -> [f64; F] {
    let (mut f, active) = ellipsoid_minimum(a, b, mu, normal, search);
    if active {
        // Onto the bound, which the iterations approach from outside.
        scale_to_surface(&mut f, normal, mu);
    }
    f
}

/// Minimizes ½ xᵀA x + bᵀx over the ellipsoid Σ (xᵢ/dᵢ)² ≤ r²; also whether the bound is active.
///
/// In y = x/d the bound is a ball, and the minimum is y = −(Â + λ)⁻¹ b̂ with the least λ ≥ 0 that
/// brings it inside. Newton's method approaches that λ from 0 and from the left on any of two convex and decreasing
/// functions: |y(λ)|² − r², or 1/r − 1/|y(λ)|, which is almost a line and takes two or three steps (Moré & Sorensen,
/// "Computing a trust region step", 1983). The first is what the reference does; where y starts far outside, or r is
/// near the tolerance, it ends elsewhere, since it takes no more than twenty steps: there a quick search follows it.
#[inline(always)]
pub fn ellipsoid_minimum<const F: usize>(
    a: &[[f64; F]; F],
    b: &[f64; F],
    d: &[f64; F],
    r: f64,
    search: Search,
) -> ([f64; F], bool) {
    const TOLERANCE: f64 = 1e-10;
    let exact = search == Search::Exact;
    let least = if exact { 0.0 } else { TOLERANCE };
    let scaled: [[f64; F]; F] = from_fn(|i| from_fn(|j| a[i][j] * d[i] * d[j]));
    let minus_b: [f64; F] = from_fn(|i| -b[i] * d[i]);
    let mut y = [0.0; F];
    let mut lambda = 0.0;
    let mut by_norm = exact || r * r > 1e10 * TOLERANCE;
    for _ in 0..20 {
        let mut m = scaled;
        for i in 0..F {
            m[i][i] += lambda;
        }
        let Some(inverse) = Inverse::new(m, least) else { return ([0.0; F], false) };
        y = inverse.times(&minus_b);
        let squared = dot(&y, &y);
        if squared - r * r < if exact { TOLERANCE * r * r } else { TOLERANCE } {
            break;
        }
        by_norm &= exact || squared < 1e3 * r * r;
        let slope = dot(&y, &inverse.times(&y));
        let step = if by_norm { squared / slope * (squared.sqrt() - r) / r } else { 0.5 * (squared - r * r) / slope };
        if !step.is_finite() || step < if exact { TOLERANCE * lambda } else { TOLERANCE } {
            break;
        }
        lambda += step;
    }
    (from_fn(|i| y[i] * d[i]), lambda != 0.0)
}

/// What solves with a small positive definite matrix: its inverse for two dimensions, else its Cholesky factor,
/// whose diagonal is inverted.
struct Inverse<const F: usize>([[f64; F]; F]);

impl<const F: usize> Inverse<F> {
    /// Nothing if the matrix is too ill conditioned to go on: up to three dimensions its determinant has to be at
    /// least `least`, beyond them every pivot (which is what the reference looks at, and tells redundant
    /// contacts from others).
    #[inline(always)]
    fn new(mut a: [[f64; F]; F], least: f64) -> Option<Self> {
        if F == 2 {
            let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
            if a[0][0] <= 0.0 || det.is_nan() || det <= 0.0 || det < least {
                return None;
            }
            let s = 1.0 / det;
            let (p, q, o) = (a[0][0], a[1][1], a[0][1]);
            a[0][0] = s * q;
            a[1][1] = s * p;
            a[0][1] = -s * o;
            a[1][0] = -s * o;
            return Some(Self(a));
        }
        let (mut det, mut smallest) = (1.0, f64::INFINITY);
        for i in 0..F {
            for j in 0..i {
                let mut s = a[i][j];
                for k in 0..j {
                    s -= a[i][k] * a[j][k];
                }
                a[i][j] = s * a[j][j];
            }
            let mut pivot = a[i][i];
            for k in 0..i {
                pivot -= a[i][k] * a[i][k];
            }
            if pivot.is_nan() || pivot < MINVAL {
                return None;
            }
            det *= pivot;
            smallest = pivot.min(smallest);
            a[i][i] = 1.0 / pivot.sqrt();
        }
        (if F <= 3 { det } else { smallest } >= least).then_some(Self(a))
    }

    #[inline(always)]
    fn times(&self, b: &[f64; F]) -> [f64; F] {
        let a = &self.0;
        if F == 2 {
            return from_fn(|i| dot(&a[i], b));
        }
        let mut x = *b;
        for i in 0..F {
            for k in 0..i {
                x[i] -= a[i][k] * x[k];
            }
            x[i] *= a[i][i];
        }
        for i in (0..F).rev() {
            for k in i + 1..F {
                x[i] -= a[k][i] * x[k];
            }
            x[i] *= a[i][i];
        }
        x
    }
}

#[inline(always)]
fn dot<const F: usize>(a: &[f64; F], b: &[f64; F]) -> f64 {
    let mut s = 0.0;
    for i in 0..F {
        s += a[i] * b[i];
    }
    s
}

#[inline(always)]
fn quadratic<const F: usize>(a: &[[f64; F]; F], x: &[f64; F]) -> f64 {
    let mut s = 0.0;
    for i in 0..F {
        s += x[i] * dot(&a[i], x);
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_problem::cost::elliptic::{project_friction, squared_size};
    use proptest::prelude::*;

    /// No feasible point nearby is better.
    fn is_minimum<const F: usize>(search: Search, seed: &[f64], b: &[f64], step: &[f64]) -> Result<(), TestCaseError> {
        let mut a = [[0.0; F]; F];
        for i in 0..F {
            for j in 0..F {
                a[i][j] = (0..F).map(|k| seed[i * F + k] * seed[j * F + k]).sum();
            }
            a[i][i] += 0.3;
        }
        let d: [f64; F] = from_fn(|i| 0.5 + seed[i].abs());
        let b: [f64; F] = from_fn(|i| b[i]);
        let r = 0.8;
        let (x, active) = ellipsoid_minimum(&a, &b, &d, r, search);
        let size = |x: &[f64; F]| squared_size(x, &d).sqrt();
        prop_assert!(size(&x) <= r + 1e-6);
        prop_assert!(!active || size(&x) > r - 1e-4);
        let value = |x: &[f64; F]| 0.5 * quadratic(&a, x) + dot(&b, x);
        for t in [0.1, 0.01] {
            let mut y: [f64; F] = from_fn(|i| x[i] + t * step[i]);
            project_friction(&mut y, r, &d);
            prop_assert!(value(&y) >= value(&x) - 1e-6);
        }
        Ok(())
    }

    /// A step along the ray and over friction never raises the cost, and stays in the cone.
    fn step_descends<const F: usize>(
        search: Search,
        seed: &[f64],
        res: &[f64],
        old: &[f64],
    ) -> Result<(), TestCaseError> {
        let n = F + 1;
        let entry = |i: usize, j: usize| -> f64 {
            let product: f64 = (0..n).map(|k| seed[i * n + k] * seed[j * n + k]).sum();
            if i == j { product + 0.1 } else { product }
        };
        let problem = ConeProblem::<F> {
            normal: entry(0, 0),
            mixed: from_fn(|i| entry(0, i + 1)),
            friction: from_fn(|i| from_fn(|j| entry(i + 1, j + 1))),
            res: (res[0], from_fn(|i| res[i + 1])),
        };
        let mu: [f64; F] = from_fn(|i| 0.3 + 0.2 * i as f64);
        let mut t: [f64; F] = from_fn(|i| old[i + 1]);
        let normal = old[0].max(0.0);
        project_friction(&mut t, normal, &mu);
        let new = problem.step((normal, t), &mu, search);
        prop_assert!(problem.change((normal, t), new) <= 1e-9);
        prop_assert!(new.0 >= 0.0 && squared_size(&new.1, &mu).sqrt() <= new.0 * (1.0 + 1e-6) + 1e-6);
        Ok(())
    }

    proptest! {
        #[test]
        fn ellipsoid_minimum_is_one(exact: bool, seed in prop::collection::vec(-1.0..1.0f64, 25), b in prop::collection::vec(-3.0..3.0f64, 5), step in prop::collection::vec(-1.0..1.0f64, 5)) {
            let search = if exact { Search::Exact } else { Search::Quick };
            is_minimum::<2>(search, &seed, &b, &step)?;
            is_minimum::<3>(search, &seed, &b, &step)?;
            is_minimum::<5>(search, &seed, &b, &step)?;
        }

        #[test]
        fn a_step_of_a_cone_descends(exact: bool, seed in prop::collection::vec(-1.0..1.0f64, 36), res in prop::collection::vec(-3.0..3.0f64, 6), old in prop::collection::vec(-2.0..2.0f64, 6)) {
            let search = if exact { Search::Exact } else { Search::Quick };
            step_descends::<2>(search, &seed, &res, &old)?;
            step_descends::<3>(search, &seed, &res, &old)?;
            step_descends::<5>(search, &seed, &res, &old)?;
        }
    }
}
