//! Static equilibria of whatever has forces at positions, by Newton's method with differences of the forces.

/// Symmetric positive definite matrix whose entries lie within a band about the diagonal, and its factor.
struct Banded {
    size: usize,
    width: usize,
    /// Row i has the entries (i, i − width) … (i, i).
    rows: Vec<f64>,
}

impl Banded {
    fn new(size: usize, width: usize) -> Self {
        let width = width.min(size.saturating_sub(1));
        Self { size, width, rows: vec![0.0; size * (width + 1)] }
    }

    fn at(&self, i: usize, j: usize) -> usize {
        i * (self.width + 1) + self.width + j - i
    }

    fn first(&self, i: usize) -> usize {
        i.saturating_sub(self.width)
    }

    /// Replaces the matrix A by L with A = L Lᵀ; false if it isn't positive definite.
    fn factor(&mut self) -> bool {
        for i in 0..self.size {
            for j in self.first(i)..=i {
                let from = self.first(i).max(self.first(j));
                let (a, b) = (self.at(i, from), self.at(j, from));
                let dot: f64 = (0..j - from).map(|k| self.rows[a + k] * self.rows[b + k]).sum();
                let (entry, diagonal) = (self.at(i, j), self.at(j, j));
                let rest = self.rows[entry] - dot;
                if i == j && rest.is_nan() | (rest <= 0.0) {
                    return false;
                }
                self.rows[entry] = if i == j { rest.sqrt() } else { rest / self.rows[diagonal] };
            }
        }
        true
    }

    /// Solves A x = b in place with the factor.
    fn solve(&self, b: &mut [f64]) {
        for i in 0..self.size {
            let dot: f64 = (self.first(i)..i).map(|j| self.rows[self.at(i, j)] * b[j]).sum();
            b[i] = (b[i] - dot) / self.rows[self.at(i, i)];
        }
        for i in (0..self.size).rev() {
            b[i] /= self.rows[self.at(i, i)];
            for j in self.first(i)..i {
                b[j] -= self.rows[self.at(i, j)] * b[i];
            }
        }
    }
}

/// Finds the positions near `q` where elastic forces balance `load`, by Newton's method.
///
/// The derivative of the forces is found once, by differences at `q`; forces at a position depend on positions at most
/// `band` places away in the list. Returns the rest of the force that is left, relative to the load.
///
/// # Errors
/// If the stiffness isn't positive definite, or no equilibrium is found in 200 iterations.
pub fn settle(
    q: &mut [f64],
    band: usize,
    load: &[f64],
    mut forces: impl FnMut(&[f64]) -> Vec<f64>,
) -> Result<f64, String> {
    const SMALL: f64 = 1e-6;
    let n = q.len();
    let mut matrix = Banded::new(n, band);
    let period = 2 * matrix.width + 1;
    for first in 0..period.min(n) {
        let mut moved = |by: f64| {
            let mut at = q.to_vec();
            at.iter_mut().skip(first).step_by(period).for_each(|x| *x += by);
            forces(&at)
        };
        let (more, less) = (moved(SMALL), moved(-SMALL));
        for j in (first..n).step_by(period) {
            // Both triangles, halved: their mean is symmetric.
            for i in matrix.first(j)..(j + matrix.width + 1).min(n) {
                let entry = matrix.at(i.max(j), i.min(j));
                matrix.rows[entry] += (less[i] - more[i]) / (2.0 * SMALL) * if i == j { 1.0 } else { 0.5 };
            }
        }
    }
    if !matrix.factor() {
        return Err("the stiffness is not positive definite".into());
    }
    let size = |f: &[f64]| f.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut left = f64::INFINITY;
    for _ in 0..200 {
        let mut rest: Vec<f64> = forces(q).iter().zip(load).map(|(f, l)| f + l).collect();
        let now = size(&rest) / size(load);
        // The end is where rounding is all that is left.
        if now < 1e-4 && now > 0.9 * left {
            return Ok(now);
        }
        left = now;
        matrix.solve(&mut rest);
        q.iter_mut().zip(rest).for_each(|(q, u)| *q += u);
    }
    Err(format!("the forces don't balance: {left:e} of the load is left"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of springs between fixed ends, with stiffnesses that depend on the elongation.
    #[test]
    fn a_chain_of_springs_is_in_balance() {
        let n = 9;
        let spring = |s: f64| 3.0 * s + s.powi(3);
        let forces = |q: &[f64]| -> Vec<f64> {
            let at = |i: usize| if i == 0 || i > n { 0.0 } else { q[i - 1] };
            (1..=n).map(|i| spring(at(i + 1) - at(i)) - spring(at(i) - at(i - 1))).collect()
        };
        for band in [1, 4, 100] {
            let mut q = vec![0.0; n];
            let mut load = vec![0.0; n];
            load[4] = 0.01;
            settle(&mut q, band, &load, forces).unwrap();
            // The middle is held by five springs in a row on either side.
            let expected = 0.01 / (2.0 * 3.0 / 5.0);
            assert!((q[4] / expected - 1.0).abs() < 1e-5, "{} {expected}", q[4]);
        }
        let free = |_: &[f64]| vec![0.0; n];
        assert!(settle(&mut vec![0.0; n], 1, &vec![1.0; n], free).is_err());
    }
}
