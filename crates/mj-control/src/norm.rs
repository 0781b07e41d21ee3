//! Norms of residuals.

/// Function of a residual r that is zero where all its entries are (but for `Softplus`), and convex. Widths are positive, in
/// the residual's unit.
///
/// Source: Howell, Gileadi, Tunyasuvunakool, Zakka, Erez, Tassa, "Predictive sampling: real-time behaviour synthesis with
/// MuJoCo", 2022.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Norm {
    /// ½ |r|².
    #[default]
    Quadratic,
    /// √(|r|² + p²) − p: length, rounded off at the width p.
    L2(f64),
    /// Σ p² (cosh(r/p) − 1): quadratic near zero, exponential beyond the width p.
    Cosh(f64),
    /// Σ √(r² + p²) − p: absolute values, rounded off at the width p.
    SmoothAbs(f64),
    /// Σ ½ r² below the width p, p |r| − ½ p² above it.
    Huber(f64),
    /// Σ p log(1 + exp(r/p)): positive part, rounded off at the width p.
    Softplus(f64),
}

impl Norm {
    /// Returns the width; 1 where the norm has none.
    pub fn width(self) -> f64 {
        match self {
            Self::Quadratic => 1.0,
            Self::L2(p) | Self::Cosh(p) | Self::SmoothAbs(p) | Self::Huber(p) | Self::Softplus(p) => p,
        }
    }

    /// Computes the norm of a residual.
    pub fn value(self, r: &[f64]) -> f64 {
        match self {
            Self::L2(p) => (square(r) + p * p).sqrt() - p,
            _ => r.iter().map(|&r| self.entry(r)[0]).sum(),
        }
    }

    /// Computes the gradient, and the Hessian as diag(`curve`) − c r rᵀ, of which it returns c.
    pub fn expand(self, r: &[f64], gradient: &mut [f64], curve: &mut [f64]) -> f64 {
        if let Self::L2(p) = self {
            let length = (square(r) + p * p).sqrt();
            gradient.iter_mut().zip(r).for_each(|(g, r)| *g = r / length);
            curve.fill(1.0 / length);
            return length.powi(-3);
        }
        for ((g, c), &r) in gradient.iter_mut().zip(curve).zip(r) {
            [_, *g, *c] = self.entry(r);
        }
        0.0
    }

    /// Value, slope and curvature of an entry.
    fn entry(self, r: f64) -> [f64; 3] {
        match self {
            Self::Quadratic | Self::L2(_) => [0.5 * r * r, r, 1.0],
            Self::Cosh(p) => {
                let (cosh, sinh) = ((r / p).cosh(), (r / p).sinh());
                [p * p * (cosh - 1.0), p * sinh, cosh]
            }
            Self::SmoothAbs(p) => {
                let s = (r * r + p * p).sqrt();
                [s - p, r / s, p * p / (s * s * s)]
            }
            Self::Huber(p) if r.abs() <= p => [0.5 * r * r, r, 1.0],
            Self::Huber(p) => [p * (r.abs() - 0.5 * p), p * r.signum(), 0.0],
            Self::Softplus(p) => {
                let s = 1.0 / (1.0 + (-r / p).exp());
                // Exponents stay negative, so that nothing overflows.
                [r.max(0.0) + p * (-r.abs() / p).exp().ln_1p(), s, s * (1.0 - s) / p]
            }
        }
    }
}

fn square(r: &[f64]) -> f64 {
    mj_math::dense::dot(r, r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slopes_and_curvatures_are_those_of_the_value(
            kind in 0usize..6, p in 0.2..2.0f64, r in prop::collection::vec(-2.0..2.0f64, 3)
        ) {
            let norms = [Norm::Quadratic, Norm::L2(p), Norm::Cosh(p), Norm::SmoothAbs(p), Norm::Huber(p), Norm::Softplus(p)];
            let norm = norms[kind];
            prop_assume!(r.iter().all(|r| (r.abs() - p).abs() > 1e-3));
            let (mut g, mut c, mut other) = ([0.0; 3], [0.0; 3], [0.0; 3]);
            let rank_one = norm.expand(&r, &mut g, &mut c);
            let h = 1e-6;
            for j in 0..3 {
                let moved = |h: f64| { let mut x = r.clone(); x[j] += h; x };
                let slope = (norm.value(&moved(h)) - norm.value(&moved(-h))) / (2.0 * h);
                prop_assert!((slope - g[j]).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} {}", g[j]);
                let mut curve = [0.0; 3];
                norm.expand(&moved(h), &mut other, &mut curve);
                for i in 0..3 {
                    let own = if i == j { c[i] } else { 0.0 };
                    let entry = (other[i] - g[i]) / h;
                    let want = own - rank_one * r[i] * r[j];
                    prop_assert!((entry - want).abs() < 1e-4 * (1.0 + want.abs()), "{norm:?}");
                }
            }
        }
    }
}
