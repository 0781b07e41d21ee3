//! Quadratic programs with bounds.

use crate::{MINVAL, dense};
use std::fmt;

/// Most iterations.
const LIMIT: usize = 100;
/// Squared gradient in the free dimensions below which a point is the minimum.
const FLAT: f64 = 1e-16;
/// Decrease that is lost in the rounding of the objective, in parts of the magnitude of its terms.
const ROUNDING: f64 = 1e-15;
/// Ratio of lengths of a step and of the one before it, which decreased the objective too little.
const BACKTRACK: f64 = 0.5;
/// Shortest step.
const SHORTEST: f64 = 1e-22;
/// Decrease of the objective that is enough, in parts of that by the slope (Armijo's rule).
const DECREASE: f64 = 0.1;

/// A quadratic program with bounds can't be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoxQpError {
    /// An array of another length than the problem's.
    Length {
        /// Name of the array.
        array: &'static str,
        /// Numbers given.
        got: usize,
        /// Numbers that the problem has.
        expected: usize,
    },
    /// The Hessian of the free dimensions is not positive definite.
    Indefinite,
    /// No step along the direction of descent decreases the objective, or the iterations ran out.
    NoDescent,
}

impl fmt::Display for BoxQpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { array, got, expected } => {
                write!(f, "array `{array}` has {got} numbers; the quadratic program has {expected}")
            }
            Self::Indefinite => write!(f, "the Hessian is not positive definite in the free dimensions"),
            Self::NoDescent => write!(f, "no step decreases the objective; are all numbers finite?"),
        }
    }
}

impl std::error::Error for BoxQpError {}

/// Dimensions of a quadratic program that are at no bound at its minimum, the factor of their part of the Hessian, and the
/// memory of the solver. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct BoxQp {
    /// Free dimensions, ascending.
    pub free: Vec<usize>,
    /// Cholesky factor L of the Hessian of the free dimensions, row-major, in the lower triangle.
    pub factor: Vec<f64>,
    /// Iterations that the last problem took.
    pub iterations: usize,
    next_free: Vec<usize>,
    product: Vec<f64>,
    direction: Vec<f64>,
    moved: Vec<f64>,
    target: Vec<f64>,
}

impl BoxQp {
    /// Solves H z = b in the free dimensions in place; the entries of the other dimensions become zero.
    pub fn solve_free(&mut self, b: &mut [f64]) {
        self.target.clear();
        self.target.extend(self.free.iter().map(|&i| b[i]));
        dense::cholesky_solve(&self.factor, self.free.len(), &mut self.target);
        b.fill(0.0);
        self.free.iter().zip(&self.target).for_each(|(&i, z)| b[i] = *z);
    }
}

/// Minimizes ½ xᵀH x + gᵀx with lower ≤ x ≤ upper by projected Newton steps, from the point `x` on (n), which becomes the
/// minimum.
///
/// `h` is symmetric, n × n, row-major; bounds may be infinite. `out` gets the free dimensions and the factor of their part of H.
///
/// # Errors
/// If lengths differ, H is not positive definite in dimensions that become free, or numbers are not finite.
///
/// Source: Tassa, Mansard, Todorov, "Control-limited differential dynamic programming", 2014.
pub fn box_qp(
    h: &[f64],
    g: &[f64],
    lower: &[f64],
    upper: &[f64],
    x: &mut [f64],
    out: &mut BoxQp,
) -> Result<(), BoxQpError> {
    let n = x.len();
    let lengths = [("h", h.len(), n * n), ("g", g.len(), n), ("lower", lower.len(), n), ("upper", upper.len(), n)];
    if let Some((array, got, expected)) = lengths.into_iter().find(|(_, got, expected)| got != expected) {
        return Err(BoxQpError::Length { array, got, expected });
    }
    let problem = Problem { h, g, lower, upper };
    out.iterations = 0;
    problem.clip(x);
    for iteration in 0..LIMIT {
        out.iterations = iteration;
        problem.multiply(x, &mut out.product);
        out.next_free.clear();
        out.next_free.extend((0..n).filter(|&i| !problem.is_held(i, x[i], out.product[i] + g[i])));
        if iteration == 0 || out.next_free != out.free {
            out.free.clone_from(&out.next_free);
            problem.factor(out)?;
        }
        if out.free.iter().map(|&i| (out.product[i] + g[i]).powi(2)).sum::<f64>() < FLAT {
            return Ok(());
        }
        problem.newton(x, out);
        if problem.descend(x, out)? {
            return Ok(());
        }
    }
    Err(BoxQpError::NoDescent)
}

struct Problem<'a> {
    h: &'a [f64],
    g: &'a [f64],
    lower: &'a [f64],
    upper: &'a [f64],
}

impl Problem<'_> {
    fn clip(&self, x: &mut [f64]) {
        x.iter_mut().zip(self.lower.iter().zip(self.upper)).for_each(|(x, (lo, hi))| *x = x.max(*lo).min(*hi));
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.h[i * self.g.len()..][..self.g.len()]
    }

    /// H x.
    fn multiply(&self, x: &[f64], product: &mut Vec<f64>) {
        product.clear();
        product.extend((0..x.len()).map(|i| dense::dot(self.row(i), x)));
    }

    /// Whether a dimension is at a bound that the objective falls towards.
    fn is_held(&self, i: usize, x: f64, slope: f64) -> bool {
        (x == self.lower[i] && slope > 0.0) || (x == self.upper[i] && slope < 0.0)
    }

    /// Factors the part of the Hessian that the free dimensions have.
    fn factor(&self, out: &mut BoxQp) -> Result<(), BoxQpError> {
        let (free, factor) = (&out.free, &mut out.factor);
        factor.clear();
        free.iter().for_each(|&i| factor.extend(free.iter().map(|&j| self.row(i)[j])));
        match dense::cholesky_rank(factor, free.len(), MINVAL) {
            rank if rank < free.len() => Err(BoxQpError::Indefinite),
            _ => Ok(()),
        }
    }

    /// Direction to the minimum over the free dimensions, the others held where they are.
    fn newton(&self, x: &[f64], out: &mut BoxQp) {
        out.moved.clear();
        out.moved.extend_from_slice(x);
        out.free.iter().for_each(|&i| out.moved[i] = 0.0);
        out.direction.clear();
        out.direction.extend((0..x.len()).map(|i| -(dense::dot(self.row(i), &out.moved) + self.g[i])));
        let mut direction = std::mem::take(&mut out.direction);
        out.solve_free(&mut direction);
        out.free.iter().for_each(|&i| direction[i] -= x[i]);
        out.direction = direction;
    }

    /// Moves `x` along the direction, clipped, as far as the objective decreases enough; returns whether it is the minimum
    /// already, up to the rounding of the objective.
    fn descend(&self, x: &mut [f64], out: &mut BoxQp) -> Result<bool, BoxQpError> {
        let promise: f64 = (0..x.len()).map(|i| (out.product[i] + self.g[i]) * out.direction[i]).sum();
        let value =
            |x: &[f64], product: &[f64]| -> f64 { (0..x.len()).map(|i| x[i] * (0.5 * product[i] + self.g[i])).sum() };
        let size: f64 = (0..x.len()).map(|i| x[i].abs() * (out.product[i].abs() + self.g[i].abs())).sum();
        if promise.abs() <= ROUNDING * size {
            return Ok(true);
        }
        if promise.is_nan() || promise > 0.0 {
            return Err(BoxQpError::NoDescent);
        }
        let before = value(x, &out.product);
        let mut step = 1.0;
        while step >= SHORTEST {
            out.moved.clear();
            out.moved.extend(x.iter().zip(&out.direction).map(|(x, d)| x + step * d));
            self.clip(&mut out.moved);
            self.multiply(&out.moved, &mut out.product);
            if (value(&out.moved, &out.product) - before) / (step * promise) >= DECREASE {
                x.copy_from_slice(&out.moved);
                return Ok(false);
            }
            step *= BACKTRACK;
        }
        Err(BoxQpError::NoDescent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn solved(h: &[f64], g: &[f64], lower: &[f64], upper: &[f64]) -> (Vec<f64>, BoxQp) {
        let (mut x, mut out) = (vec![0.0; g.len()], BoxQp::default());
        box_qp(h, g, lower, upper, &mut x, &mut out).unwrap();
        (x, out)
    }

    fn near(a: &[f64], b: &[f64]) {
        assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
    }

    const H: [f64; 9] = [3.0, 1.0, 0.5, 1.0, 2.0, -0.3, 0.5, -0.3, 1.5];
    const G: [f64; 3] = [-4.0, 1.0, 2.0];

    #[test]
    fn bounds_hold_and_the_factor_is_of_the_free_dimensions() {
        let (x, out) = solved(&H, &G, &[f64::NEG_INFINITY; 3], &[0.5; 3]);
        near(&x, &[0.5, -1.005154639175258, -1.7010309278350517]);
        assert_eq!(out.free, [1, 2]);
        let root = 2.0f64.sqrt();
        near(&[out.factor[0], out.factor[2], out.factor[3]], &[root, -0.3 / root, (1.5f64 - 0.045).sqrt()]);
        let (x, out) = solved(&H, &G, &[-0.5; 3], &[0.5; 3]);
        assert!(out.free.is_empty());
        near(&x, &[0.5, -0.5, -0.5]);
    }

    /// Numbers of the reference's function of this purpose.
    #[test]
    fn agrees_with_recorded_numbers() {
        let h = [
            1.155, -1.5058, -0.6387, -0.8939, -1.5058, 3.1818, 1.3461, 1.8074, -0.6387, 1.3461, 1.1942, 0.76, -0.8939,
            1.8074, 0.76, 1.5679,
        ];
        let (x, out) = solved(&h, &[-0.4, 1.1, -0.7, 0.3], &[-1.0; 4], &[1.0; 4]);
        near(&x, &[-0.0635115203694348, -1.0, 1.0, 0.44047901775735837]);
        assert_eq!(out.free, [0, 3]);
        near(
            &[out.factor[0], out.factor[2], out.factor[3]],
            &[1.074709263010234, -0.8317598356751931, 0.9359890895505012],
        );
    }

    #[test]
    fn faults_are_told() {
        let (mut x, mut out) = ([0.0; 2], BoxQp::default());
        let no = [f64::NEG_INFINITY; 2];
        let up = [f64::INFINITY; 2];
        let mut tried = |h: &[f64], g: &[f64]| box_qp(h, g, &no, &up, &mut x, &mut out);
        assert_eq!(tried(&[1.0, 0.0, 0.0, -1.0], &[1.0, 1.0]), Err(BoxQpError::Indefinite));
        assert_eq!(tried(&[1.0, 0.0, 0.0, f64::NAN], &[1.0, 1.0]), Err(BoxQpError::Indefinite));
        assert_eq!(tried(&[1.0, 0.0, 0.0, 1.0], &[f64::NAN, 1.0]), Err(BoxQpError::NoDescent));
        let error = tried(&[1.0, 0.0], &[1.0, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), "array `h` has 2 numbers; the quadratic program has 4");
        assert_eq!(box_qp(&[], &[], &[], &[], &mut [], &mut out), Ok(()));
    }

    /// The gradient of a large objective never gets below a small number; its minimum is found all the same.
    #[test]
    fn scale_does_not_matter() {
        for scale in [1e-6, 1e6, 1e12] {
            let (h, g) = (H.map(|x| x * scale), G.map(|x| x * scale));
            let (x, out) = solved(&h, &g, &[f64::NEG_INFINITY; 3], &[0.5; 3]);
            assert!(x.iter().zip([0.5, -1.005154639175258, -1.7010309278350517]).all(|(a, b)| (a - b).abs() < 1e-2));
            assert_eq!(out.free, [1, 2], "{scale}");
        }
    }

    proptest! {
        /// Karush, Kuhn and Tucker: no slope where free, at a bound towards which the objective falls elsewhere.
        #[test]
        fn the_minimum_is_optimal(
            n in 1usize..10,
            seed in prop::collection::vec(-1.0..1.0f64, 100),
            g in prop::collection::vec(-9.0..9.0f64, 10),
            width in prop::collection::vec(0.0..2.0f64, 20),
            start in prop::collection::vec(-5.0..5.0f64, 10),
        ) {
            let mut h = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    let (a, b) = (&seed[i * n..(i + 1) * n], &seed[j * n..(j + 1) * n]);
                    h[i * n + j] = dense::dot(a, b) + if i == j { 0.3 } else { 0.0 };
                }
            }
            let lower: Vec<f64> = width[..n].iter().map(|w| -w).collect();
            let (g, upper, mut x) = (&g[..n], &width[10..10 + n], start[..n].to_vec());
            let mut out = BoxQp::default();
            prop_assert_eq!(box_qp(&h, g, &lower, upper, &mut x, &mut out), Ok(()));
            for i in 0..n {
                let slope = dense::dot(&h[i * n..(i + 1) * n], &x) + g[i];
                prop_assert!(lower[i] <= x[i] && x[i] <= upper[i]);
                if out.free.contains(&i) {
                    prop_assert!(slope.abs() < 1e-6, "{slope}");
                } else {
                    let bound = if slope > 0.0 { lower[i] } else { upper[i] };
                    prop_assert_eq!(x[i], bound);
                }
            }
            // The factor solves in the free dimensions.
            let mut z: Vec<f64> = g.to_vec();
            out.solve_free(&mut z);
            for i in 0..n {
                let product = dense::dot(&h[i * n..(i + 1) * n], &z);
                let solved = if out.free.contains(&i) { (product - g[i]).abs() < 1e-7 } else { z[i] == 0.0 };
                prop_assert!(solved);
            }
        }
    }
}
