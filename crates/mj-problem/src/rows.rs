//! Constraint rows as a solver reads them.

use mj_math::BlockRows;

/// An elliptic friction cone over consecutive rows: the normal row first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConeRows {
    /// First row.
    pub row: u32,
    /// Number of rows: 3, 4 or 6.
    pub dim: u32,
    /// Contact that it belongs to.
    pub contact: u32,
    /// Friction of the regularized cone: μ = friction₁ √(R₁/R₀).
    pub mu: f64,
    /// Friction coefficients: two tangents, spin, two rolls.
    pub friction: [f64; 5],
}

/// Borrows the constraint rows as a solver reads them.
///
/// Rows are ordered equality (`ne`), friction loss (`nf`), then the rest, which push only (limits,
/// frictionless contacts, pyramid edges) except where a cone covers them. The rows of one block of
/// `jac` are of one kind, and a cone's rows lie in one block.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    /// Jacobian, nefc×nv.
    pub jac: &'a BlockRows,
    /// Number of equality rows.
    pub ne: usize,
    /// Number of friction-loss rows.
    pub nf: usize,
    /// Inverse regularization 1/R.
    pub d: &'a [f64],
    /// Regularization.
    pub r: &'a [f64],
    /// Reference acceleration.
    pub aref: &'a [f64],
    /// Greatest force of friction-loss rows.
    pub frictionloss: &'a [f64],
    /// Elliptic cones, in row order.
    pub cones: &'a [ConeRows],
}

impl RowView<'_> {
    /// Number of rows.
    #[inline]
    pub fn nefc(&self) -> usize {
        self.d.len()
    }
}
