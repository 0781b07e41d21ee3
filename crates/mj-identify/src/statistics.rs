//! Spread of estimates by their normal equations, and combinations that the data can't tell apart.

use faer::{Mat, Side};

/// Parts of a direction below this are left out of a combination.
const PART: f64 = 0.1;

/// Estimate of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Parameter.
    pub name: String,
    /// Value that the fit began with.
    pub start: f64,
    /// Estimated value.
    pub value: f64,
    /// Standard deviation; infinite where the data say nothing.
    pub std: f64,
    /// Bounds.
    pub bounds: [f64; 2],
}

impl Estimate {
    /// Whether it is at one of its bounds, so that its standard deviation says nothing of it.
    pub fn is_at_bound(&self) -> bool {
        self.bounds.contains(&self.value)
    }
}

/// Direction in which parameters can change together, relative to their sizes, without a change that the data would show.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// Relative standard deviation along it; infinite where the data say nothing.
    pub std: f64,
    /// Parameters by number, with their parts of the unit direction.
    pub parts: Vec<(usize, f64)>,
}

/// Spread of the estimates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread {
    pub std: Vec<f64>,
    /// n × n.
    pub correlation: Vec<f64>,
    pub combinations: Vec<Combination>,
}

/// Finds the spread from the information matrix `h` (n × n) and the parameters' sizes. Directions whose relative
/// standard deviation is at least `unknown` are told as combinations.
pub(crate) fn spread(h: &[f64], size: &[f64], unknown: f64) -> Spread {
    let n = size.len();
    let scaled = Mat::from_fn(n, n, |i, j| 0.5 * (h[i * n + j] + h[j * n + i]) * size[i] * size[j]);
    let Ok(eigen) = scaled.self_adjoint_eigen(Side::Lower) else {
        return Spread { std: vec![f64::INFINITY; n], correlation: vec![f64::NAN; n * n], combinations: Vec::new() };
    };
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let greatest = (0..n).fold(0.0, |x: f64, k| x.max(values[k]));
    let mut covariance = vec![0.0; n * n];
    let mut out = Spread { std: vec![0.0; n], ..Spread::default() };
    for k in 0..n {
        let variance = 1.0 / values[k].max(greatest * 1e-15).max(f64::MIN_POSITIVE);
        let is_lost = values[k] <= greatest * 1e-13;
        let std = if is_lost { f64::INFINITY } else { variance.sqrt() };
        if std >= unknown {
            let parts = (0..n).map(|i| (i, vectors[(i, k)])).filter(|(_, x)| x.abs() >= PART).collect();
            out.combinations.push(Combination { std, parts });
        }
        for i in 0..n {
            for j in 0..n {
                covariance[i * n + j] += vectors[(i, k)] * vectors[(j, k)] * variance;
            }
            if is_lost && vectors[(i, k)].abs() > 1e-6 {
                out.std[i] = f64::INFINITY;
            }
        }
    }
    out.combinations.sort_by(|a, b| b.std.total_cmp(&a.std));
    out.correlation = (0..n * n)
        .map(|at| covariance[at] / (covariance[at / n * (n + 1)] * covariance[at % n * (n + 1)]).sqrt())
        .collect();
    for i in 0..n {
        if out.std[i].is_finite() {
            out.std[i] = covariance[i * (n + 1)].sqrt() * size[i];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_without_information_are_told() {
        // Only the sum of the first two is measured, and the third.
        let h = [100.0, 100.0, 0.0, 100.0, 100.0, 0.0, 0.0, 0.0, 400.0];
        let s = spread(&h, &[1.0; 3], 1.0);
        assert!(s.std[0].is_infinite() && s.std[1].is_infinite());
        assert!((s.std[2] - 0.05).abs() < 1e-12);
        assert_eq!(s.combinations.len(), 1);
        let parts = &s.combinations[0].parts;
        assert_eq!(parts.iter().map(|p| p.0).collect::<Vec<_>>(), [0, 1]);
        assert!((parts[0].1 + parts[1].1).abs() < 1e-9);
    }

    #[test]
    fn covariance_is_the_inverse_of_information() {
        let h = [4.0, 1.0, 1.0, 2.0];
        let s = spread(&h, &[3.0, 0.5], 1e9);
        let det: f64 = 7.0;
        assert!((s.std[0] - (2.0 / det).sqrt()).abs() < 1e-12 && (s.std[1] - (4.0 / det).sqrt()).abs() < 1e-12);
        assert!((s.correlation[1] + 1.0 / 8f64.sqrt()).abs() < 1e-12);
    }
}
