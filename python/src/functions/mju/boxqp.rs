//! Quadratic programs with bounds.

use crate::args::typed::{Matrix, OutMatrix, OutVector, ensure};
use mj_math::{MINVAL, dense};
use pyo3::PyResult;

super::functions! {
    /// Minimizes 0.5 * x' * H * x + x' * g with lower <= x <= upper, and returns the number of free dimensions, where x
    /// is at no bound; -1 if H isn't positive definite there or no descent is found.
    ///
    /// `res` (n) holds the point to start from and gets the solution. `R` (n * (n + 7) numbers) gets the Cholesky
    /// factor of the free dimensions' part of H in the lower triangle of its first nfree * nfree numbers, row-major;
    /// `index` (n, or None) gets the free dimensions in its first nfree numbers. The lower triangle of `H` (n x n) is
    /// read. `lower` and `upper` are n numbers each, or None.
    ///
    /// Source: Tassa, Mansard, Todorov, "Control-limited differential dynamic programming", 2014.
    fn mju_boxQP(
        res: OutVector, R: OutMatrix, index: Option<OutVector<i32>>, H: Matrix, g: Vec<f64>, lower: Option<Vec<f64>>,
        upper: Option<Vec<f64>>,
    ) -> PyResult<i32> {
        let n = res.len();
        let room = R.rows * R.columns;
        ensure!(room == n * (n + 7), "`R` has {room} numbers; it must have n * (n + 7) = {}", n * (n + 7));
        let size = (H.rows, H.columns);
        ensure!(size == (n, n), "`H` must be an array of shape ({n}, {n}), not {size:?}");
        let lengths = [
            ("g", Some(g.len())),
            ("index", index.as_ref().map(OutVector::len)),
            ("lower", lower.as_ref().map(Vec::len)),
            ("upper", upper.as_ref().map(Vec::len)),
        ];
        for (name, len) in lengths {
            let len = len.unwrap_or(n);
            ensure!(len == n, "`{name}` has {len} numbers; it must have as many as `res`, which is {n}");
        }
        if n == 0 {
            return Err(crate::error::fatal_anywhere("`res` is empty; the problem needs at least one dimension"));
        }

        let lower = lower.unwrap_or_else(|| vec![f64::NEG_INFINITY; n]);
        let upper = upper.unwrap_or_else(|| vec![f64::INFINITY; n]);
        let mut x = res.values();
        let mut free = Free::default();
        let found = Problem { hessian: symmetric(&H), gradient: g, lower, upper }.minimize(&mut x, &mut free);
        res.write(x)?;
        let mut factor = R.values();
        let rank = free.dimensions.len();
        for (i, (to, from)) in factor.chunks_mut(rank.max(1)).zip(free.factor.chunks(rank.max(1))).enumerate() {
            to[..=i].copy_from_slice(&from[..=i]);
        }
        R.write(factor)?;
        if let Some(index) = index {
            index.write(free.dimensions.iter().map(|&i| i as i32))?;
        }
        Ok(if found { rank as i32 } else { -1 })
    }
}

/// The matrix with the lower triangle of a square matrix on both sides of its diagonal.
fn symmetric(mat: &Matrix) -> Matrix {
    let n = mat.rows;
    let entry = |i: usize, j: usize| mat.values[i.max(j) * n + i.min(j)];
    Matrix { rows: n, columns: n, values: (0..n).flat_map(|i| (0..n).map(move |j| entry(i, j))).collect() }
}

/// Most iterations.
const LIMIT: usize = 100;
/// The squared gradient in the free dimensions below which a point is the minimum.
const FLAT: f64 = 1e-16;
/// Each step that decreases the objective too little is followed by one that is this much as long.
const BACKTRACK: f64 = 0.5;
/// Shortest step.
const SHORTEST: f64 = 1e-22;
/// Decrease of the objective that is enough, in parts of what the slope promises (Armijo's rule).
const DECREASE: f64 = 0.1;

/// The dimensions in which a point may move, and the Cholesky factor of their part of the Hessian.
#[derive(Default)]
struct Free {
    dimensions: Vec<usize>,
    factor: Vec<f64>,
}

struct Problem {
    hessian: Matrix,
    gradient: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Problem {
    /// Moves `x` to the minimum by projected Newton steps; returns whether it got there.
    fn minimize(&self, x: &mut [f64], free: &mut Free) -> bool {
        self.clip(x);
        let mut known = false;
        for _ in 0..LIMIT {
            let slope = self.slope(x);
            let dimensions: Vec<usize> = (0..x.len()).filter(|&i| !self.is_held(i, x[i], slope[i])).collect();
            if !known || dimensions != free.dimensions {
                *free = Free { factor: self.part(&dimensions), dimensions };
                if dense::cholesky_rank(&mut free.factor, free.dimensions.len(), MINVAL) < free.dimensions.len() {
                    return false;
                }
                known = true;
            }
            if free.dimensions.iter().map(|&i| slope[i] * slope[i]).sum::<f64>() < FLAT {
                return true;
            }
            let direction = self.newton(x, free);
            if !self.descend(x, &slope, &direction) {
                return false;
            }
        }
        false
    }

    fn clip(&self, x: &mut [f64]) {
        x.iter_mut().zip(self.lower.iter().zip(&self.upper)).for_each(|(x, (lo, hi))| *x = x.max(*lo).min(*hi));
    }

    /// H x + g.
    fn slope(&self, x: &[f64]) -> Vec<f64> {
        (0..x.len()).map(|i| dense::dot(self.hessian.row(i), x) + self.gradient[i]).collect()
    }

    /// 0.5 x' H x + x' g.
    fn value(&self, x: &[f64]) -> f64 {
        let half = |i: usize| 0.5 * dense::dot(self.hessian.row(i), x) + self.gradient[i];
        (0..x.len()).map(|i| x[i] * half(i)).sum()
    }

    /// Whether a dimension is at a bound that the objective falls towards.
    fn is_held(&self, i: usize, x: f64, slope: f64) -> bool {
        (x == self.lower[i] && slope > 0.0) || (x == self.upper[i] && slope < 0.0)
    }

    /// The part of the Hessian that some dimensions have, row-major.
    fn part(&self, dimensions: &[usize]) -> Vec<f64> {
        dimensions.iter().flat_map(|&i| dimensions.iter().map(move |&j| self.hessian.row(i)[j])).collect()
    }

    /// Step to the minimum over the free dimensions, the others held where they are.
    fn newton(&self, x: &[f64], free: &Free) -> Vec<f64> {
        let mut held = x.to_vec();
        free.dimensions.iter().for_each(|&i| held[i] = 0.0);
        let mut target: Vec<f64> =
            free.dimensions.iter().map(|&i| -(dense::dot(self.hessian.row(i), &held) + self.gradient[i])).collect();
        dense::cholesky_solve(&free.factor, free.dimensions.len(), &mut target);
        let mut step = vec![0.0; x.len()];
        free.dimensions.iter().zip(target).for_each(|(&i, target)| step[i] = target - x[i]);
        step
    }

    /// Moves `x` along a direction, clipped, as far as the objective decreases enough; returns whether it does at all.
    fn descend(&self, x: &mut [f64], slope: &[f64], direction: &[f64]) -> bool {
        let promise = dense::dot(slope, direction);
        if promise.is_nan() || promise >= 0.0 {
            return false;
        }
        let before = self.value(x);
        let mut step = 1.0;
        while step >= SHORTEST {
            let mut moved: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + step * d).collect();
            self.clip(&mut moved);
            if (self.value(&moved) - before) / (step * promise) >= DECREASE {
                x.copy_from_slice(&moved);
                return true;
            }
            step *= BACKTRACK;
        }
        false
    }
}
