//! Rows whose forces are bounded together.

use crate::cost::{elliptic, friction_loss, one_sided};
use crate::rows::RowView;
use crate::state::ConstraintState;
use std::ops::Range;

/// Set to which the forces of a unit are confined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Equality: any force.
    Free,
    /// Friction loss η: |f| ≤ η.
    Interval(f64),
    /// Limit, frictionless contact, edge of a pyramid: f ≥ 0.
    Positive,
    /// Elliptic cone: f₀ ≥ 0, Σ (f_j/μ_j)² ≤ f₀².
    Cone {
        /// Number of rows, the normal's included: 2 to 6.
        dim: usize,
        /// Friction of the regularized cone ([`ConeRows::mu`](crate::ConeRows::mu)).
        mu: f64,
        /// Friction coefficients μ₁ …; the first `dim` − 1 count.
        friction: [f64; 5],
    },
}

/// Consecutive rows whose forces are bounded together: one row, or those of one elliptic cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// First row.
    pub row: usize,
    /// Bound of the forces.
    pub bound: Bound,
}

impl Bound {
    /// Projects the forces of a unit on the set: to the nearest bound, or at a cone with the same normal force.
    #[inline(always)]
    pub fn project(&self, f: &mut [f64]) {
        match self {
            Self::Free => {}
            Self::Interval(loss) => f[0] = friction_loss::project(*loss, f[0]),
            Self::Positive => f[0] = one_sided::project(f[0]),
            Self::Cone { friction, .. } => elliptic::project(friction, f),
        }
    }

    /// Returns the zone of the cost in which the forces of a unit are the minus of its slope.
    #[inline(always)]
    pub fn zone(&self, f: &[f64]) -> ConstraintState {
        match self {
            Self::Free => ConstraintState::Quadratic,
            Self::Interval(loss) => friction_loss::zone(*loss, f[0]),
            Self::Positive => one_sided::zone(f[0]),
            Self::Cone { mu, friction, .. } => elliptic::zone_of_force(*mu, friction, f),
        }
    }
}

impl Unit {
    /// Number of rows.
    #[inline]
    pub fn dim(&self) -> usize {
        match self.bound {
            Bound::Cone { dim, .. } => dim,
            _ => 1,
        }
    }

    /// The rows.
    #[inline]
    pub fn rows(&self) -> Range<usize> {
        self.row..self.row + self.dim()
    }
}

impl<'a> RowView<'a> {
    /// Iterates over the units of consecutive rows, in order. The range may not divide a cone.
    #[inline]
    pub fn units(&self, rows: Range<usize>) -> impl Iterator<Item = Unit> + use<'a> {
        let view = *self;
        let passed = view.cones.partition_point(|c| (c.row as usize) < rows.start);
        let mut cones = view.cones[passed..].iter().peekable();
        let mut row = rows.start;
        std::iter::from_fn(move || {
            if row >= rows.end {
                return None;
            }
            let bound = if row < view.ne {
                Bound::Free
            } else if row < view.ne + view.nf {
                Bound::Interval(view.frictionloss[row])
            } else if let Some(c) = cones.next_if(|c| c.row as usize == row) {
                Bound::Cone { dim: c.dim as usize, mu: c.mu, friction: c.friction }
            } else {
                Bound::Positive
            };
            let unit = Unit { row, bound };
            row += unit.dim();
            Some(unit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::ConeRows;
    use mj_math::BlockRows;

    #[test]
    fn units_follow_the_order_of_rows() {
        let jac = BlockRows::default();
        let cone = |row, dim| ConeRows { row, dim, contact: 0, mu: 0.5, friction: [0.7; 5] };
        let (numbers, cones) = ([2.0; 12], [cone(4, 3), cone(8, 4)]);
        let rows = RowView {
            jac: &jac,
            ne: 1,
            nf: 2,
            d: &numbers,
            r: &numbers,
            aref: &numbers,
            frictionloss: &numbers,
            cones: &cones,
        };
        let round = |dim| Bound::Cone { dim, mu: 0.5, friction: [0.7; 5] };
        let (loss, push) = (Bound::Interval(2.0), Bound::Positive);
        let all: Vec<Unit> = rows.units(0..12).collect();
        let bounds: Vec<Bound> = all.iter().map(|u| u.bound).collect();
        assert_eq!(bounds, [Bound::Free, loss, loss, push, round(3), push, round(4)]);
        // Together they cover the rows, and a part of the rows has its part of the units.
        assert_eq!(all.iter().flat_map(Unit::rows).collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
        assert_eq!(rows.units(7..12).collect::<Vec<_>>(), all[5..]);
    }
}
