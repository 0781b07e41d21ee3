//! Costs: sums of weighted norms of residuals, and constraints.

use crate::error::ControlError;
use crate::norm::Norm;
use crate::residual::Residual;
use mj_engine::model::Stage;
use mj_engine::{Data, Model};

/// Weighted norm of a residual.
#[derive(Clone, Debug)]
pub struct Term {
    /// Name.
    pub name: String,
    /// Vector that the term wants to be small.
    pub residual: Residual,
    /// Norm.
    pub norm: Norm,
    /// Weight at each step.
    pub weight: f64,
    /// Weight at the end.
    pub last: f64,
}

/// Limits of the entries of a residual: lower ≤ r ≤ upper.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Name.
    pub name: String,
    /// Vector that has limits.
    pub residual: Residual,
    /// Lower limit of each entry.
    pub lower: f64,
    /// Upper limit of each entry.
    pub upper: f64,
    /// Whether it holds at the end alone.
    pub last_only: bool,
}

/// Cost of a trajectory, Σ l(x, u) over its steps plus that of its end, where l is a sum of terms; and constraints.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// Terms.
    pub terms: Vec<Term>,
    /// Constraints. Planners that know none count their violations with the weight `penalty`.
    pub constraints: Vec<Constraint>,
}

/// Multipliers of the constraints along a trajectory, and the weight of their violations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multipliers {
    /// Weight ρ of half the squared violations.
    pub weight: f64,
    /// λ, (steps + 1) × the entries of all constraints.
    pub lambda: Vec<f64>,
}

/// Kind of a row of the residuals of a step.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Term(&'a Term, f64),
    Constraint(&'a Constraint, usize),
}

impl Cost {
    /// Makes a cost without terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a term with its weight at each step and at the end.
    #[must_use]
    pub fn with(mut self, name: &str, residual: Residual, norm: Norm, weight: f64, last: f64) -> Self {
        self.terms.push(Term { name: name.into(), residual, norm, weight, last });
        self
    }

    /// Adds a constraint, lower ≤ r ≤ upper in all entries at each step and at the end.
    #[must_use]
    pub fn within(mut self, name: &str, residual: Residual, lower: f64, upper: f64) -> Self {
        self.constraints.push(Constraint { name: name.into(), residual, lower, upper, last_only: false });
        self
    }

    /// Returns the number of entries of all residuals, those of constraints last.
    pub fn dim(&self) -> usize {
        self.residuals().map(Residual::dim).sum()
    }

    /// Returns the number of entries of all constraints.
    pub fn constraint_dim(&self) -> usize {
        self.constraints.iter().map(|c| c.residual.dim()).sum()
    }

    fn residuals(&self) -> impl Iterator<Item = &Residual> {
        self.terms.iter().map(|t| &t.residual).chain(self.constraints.iter().map(|c| &c.residual))
    }

    /// Returns the latest stage whose results a residual reads.
    pub fn stage(&self) -> Stage {
        self.residuals().map(Residual::stage).max_by_key(|s| s.code()).unwrap_or(Stage::None)
    }

    /// Checks sizes, weights, widths and limits against a model.
    ///
    /// # Errors
    /// If one doesn't fit.
    pub fn check(&self, m: &Model) -> Result<(), ControlError> {
        self.residuals().try_for_each(|r| r.check(m))?;
        let setting = |name, value: f64, good: bool, expected| {
            if good && value.is_finite() { Ok(()) } else { Err(ControlError::Setting { name, value, expected }) }
        };
        for t in &self.terms {
            setting("weight", t.weight, t.weight >= 0.0, "a finite number that is not negative")?;
            setting("last", t.last, t.last >= 0.0, "a finite number that is not negative")?;
            setting("width", t.norm.width(), t.norm.width() > 0.0, "a positive finite number")?;
        }
        let wrong = self.constraints.iter().find(|c| c.lower.is_nan() || c.upper.is_nan() || c.lower > c.upper);
        match wrong {
            Some(c) => Err(ControlError::Setting {
                name: "lower",
                value: c.lower,
                expected: "a number that is not greater than `upper`",
            }),
            None => Ok(()),
        }
    }

    /// Writes the residuals of the present state and results (`dim` numbers); `scratch` is nv numbers.
    pub fn residuals_of(&self, m: &Model, d: &Data, scratch: &mut [f64], out: &mut [f64]) {
        let mut at = 0;
        for r in self.residuals() {
            let dim = r.dim();
            r.evaluate(m, d, scratch, &mut out[at..at + dim]);
            at += dim;
        }
    }

    /// Returns each term with its weight and each constraint at a step, and the first entry of its residual.
    pub(crate) fn parts(&self, is_last: bool) -> impl Iterator<Item = (Part<'_>, &Residual, usize)> {
        let mut at = 0;
        let mut place = move |r: &Residual| {
            at += r.dim();
            at - r.dim()
        };
        let (mut row, terms) = (0, self.terms.iter());
        let parts = terms.map(move |t| (Part::Term(t, if is_last { t.last } else { t.weight }), &t.residual)).chain(
            self.constraints.iter().map(move |c| {
                row += c.residual.dim();
                (Part::Constraint(c, row - c.residual.dim()), &c.residual)
            }),
        );
        parts.map(move |(part, r)| (part, r, place(r))).filter(move |(part, ..)| match part {
            Part::Term(_, weight) => *weight > 0.0,
            Part::Constraint(c, _) => is_last || !c.last_only,
        })
    }

    /// Computes the cost of a step from its residuals, without constraints.
    pub(crate) fn plain_value(&self, residuals: &[f64], is_last: bool) -> f64 {
        let terms = self.parts(is_last).filter_map(|(part, residual, at)| match part {
            Part::Term(t, weight) => Some(weight * t.norm.value(&residuals[at..at + residual.dim()])),
            Part::Constraint(..) => None,
        });
        terms.sum()
    }

    /// Returns the greatest violation of a constraint by the residuals of a step.
    pub(crate) fn violation(&self, residuals: &[f64], is_last: bool) -> f64 {
        let mut worst = 0.0f64;
        for (part, residual, at) in self.parts(is_last) {
            if let Part::Constraint(c, _) = part {
                residuals[at..at + residual.dim()].iter().for_each(|&r| worst = worst.max(c.violation(r)));
            }
        }
        worst
    }

    /// Takes the slopes of the augmented cost of a step for its multipliers.
    pub(crate) fn update_multipliers(&self, residuals: &[f64], step: usize, is_last: bool, of: &mut Multipliers) {
        let (nc, rho) = (self.constraint_dim(), of.weight);
        for (part, residual, at) in self.parts(is_last) {
            let Part::Constraint(c, first) = part else { continue };
            for i in 0..residual.dim() {
                let lambda = &mut of.lambda[step * nc + first + i];
                *lambda = c.force(residuals[at + i], *lambda, rho).0;
            }
        }
    }

    /// Computes the cost of a step from its residuals, with constraints by their multipliers.
    pub(crate) fn value(&self, residuals: &[f64], step: usize, is_last: bool, multipliers: &Multipliers) -> f64 {
        let (nc, rho) = (self.constraint_dim(), multipliers.weight);
        self.parts(is_last)
            .map(|(part, residual, at)| {
                let r = &residuals[at..at + residual.dim()];
                match part {
                    Part::Term(t, weight) => weight * t.norm.value(r),
                    Part::Constraint(c, row) => (r.iter().zip(&multipliers.lambda[step * nc + row..]))
                        .map(|(&r, &lambda)| {
                            let (force, _) = c.force(r, lambda, rho);
                            (force * force - lambda * lambda) / (2.0 * rho)
                        })
                        .sum(),
                }
            })
            .sum()
    }
}

/// Next multiplier, which is the slope of the augmented cost, and whether r is at a limit: the minimum over s within the limits of
/// λ (r − s) + ½ ρ (r − s)².
pub(crate) fn force_of_limits([lower, upper]: [f64; 2], r: f64, lambda: f64, rho: f64) -> (f64, bool) {
    let free = r + lambda / rho;
    let s = free.max(lower).min(upper);
    (rho * (free - s), free != s || lower == upper)
}

impl Constraint {
    /// [`force_of_limits`] of an entry.
    pub(crate) fn force(&self, r: f64, lambda: f64, rho: f64) -> (f64, bool) {
        force_of_limits([self.lower, self.upper], r, lambda, rho)
    }

    /// Violation of the limits by an entry.
    pub(crate) fn violation(&self, r: f64) -> f64 {
        (self.lower - r).max(r - self.upper).max(0.0)
    }
}
