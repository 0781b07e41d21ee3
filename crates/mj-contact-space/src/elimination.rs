//! Equality constraints, expressed by the contact forces and so removed from the problem.
//!
//! With S = J_E M⁻¹ J_Eᵀ + ρ the force of the equalities that brings J_E a to its target a_E is
//!
//! ```text
//! f_E = S⁻¹ (a_E − J_E (a₀ + M⁻¹ J_Cᵀ f)),
//! ```
//!
//! where a₀ is the acceleration without any constraint (2012, section II.A, with P and r). ρ = 0 makes
//! it hard. ρ = R_E is the soft Gauss principle: since (M + J_Eᵀ R_E⁻¹ J_E)⁻¹ = M⁻¹ − M⁻¹ J_Eᵀ (J_E M⁻¹
//! J_Eᵀ + R_E)⁻¹ J_E M⁻¹, it is equation 7 of 2014 without a factorization of the apparent inertia.

use crate::semidefinite::SemidefiniteFactor;

/// How equality constraints act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Equality {
    /// Exactly. Rows that say what others say already take no force.
    #[default]
    Hard,
    /// With the regularization R of their rows.
    Soft,
}

/// The factored inverse inertia of the equalities, and their share of the problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elimination {
    factor: SemidefiniteFactor,
    /// L⁻¹ J_E M⁻¹ J_Cᵀ, one row a column of J_C: k×ne, of which `rank` numbers a row count.
    coupling: Vec<f64>,
    /// L⁻¹ (a_E − J_E a₀).
    target: Vec<f64>,
    ne: usize,
    half: Vec<f64>,
}

impl Elimination {
    /// Factors S (ne×ne) and prepares the target, given a_E − J_E a₀.
    pub fn start(&mut self, s: &[f64], lack: &[f64]) {
        self.ne = lack.len();
        self.coupling.clear();
        self.half.resize(self.ne, 0.0);
        self.target.clear();
        self.target.resize(self.ne, 0.0);
        self.factor.factor(s, self.ne);
        self.factor.half(|i| lack[i], &mut self.target);
    }

    /// Takes in one contact row, given its column of J_E M⁻¹ J_Cᵀ.
    pub fn push(&mut self, column: impl Fn(usize) -> f64) {
        let at = self.coupling.len();
        self.coupling.resize(at + self.ne, 0.0);
        self.factor.half(column, &mut self.coupling[at..]);
    }

    fn coupling(&self, i: usize) -> &[f64] {
        &self.coupling[i * self.ne..][..self.factor.rank()]
    }

    /// Returns the term of the equalities in entry (i, j) of the contacts' inverse inertia, which is subtracted.
    pub fn inertia(&self, i: usize, j: usize) -> f64 {
        if self.ne == 0 { 0.0 } else { mj_math::dense::dot(self.coupling(i), self.coupling(j)) }
    }

    /// Returns the term of the equalities in row i of b.
    pub fn offset(&self, i: usize) -> f64 {
        if self.ne == 0 { 0.0 } else { mj_math::dense::dot(self.coupling(i), &self.target[..self.factor.rank()]) }
    }

    /// Their forces under the contact forces `f`.
    pub fn forces(&mut self, f: &[f64], out: &mut [f64]) {
        if self.ne == 0 {
            return;
        }
        let rank = self.factor.rank();
        self.half.copy_from_slice(&self.target);
        for (i, &x) in f.iter().enumerate() {
            mj_math::dense::axpy(&mut self.half[..rank], -x, &self.coupling[i * self.ne..][..rank]);
        }
        self.factor.finish(&mut self.half, out);
    }
}
