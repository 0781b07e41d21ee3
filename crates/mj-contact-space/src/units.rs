//! Rows whose forces are bounded together.

use mj_problem::Problem;

/// What bounds the forces of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Dry friction: |f| ≤ η.
    Interval(f64),
    /// Limits, frictionless contacts, edges of pyramids: f ≥ 0.
    Positive,
    /// An elliptic cone: f₀ ≥ 0, Σ (f_j/μ_j)² ≤ f₀².
    Cone {
        /// Number of rows, the normal's included: 2 to 6.
        dim: usize,
        /// Friction coefficients μ₁ …; the first `dim` − 1 count.
        mu: [f64; 5],
    },
}

/// Consecutive rows of the contact space, bounded together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// First row, counted from the first that is no equality.
    pub row: usize,
    /// What bounds their forces.
    pub bound: Bound,
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
    pub fn range(&self) -> std::ops::Range<usize> {
        self.row..self.row + self.dim()
    }
}

/// The units of a problem, in row order.
pub(crate) fn find(p: &Problem, out: &mut Vec<Unit>) {
    out.clear();
    let (ne, nf) = (p.rows.ne, p.rows.nf);
    out.extend((0..nf).map(|i| Unit { row: i, bound: Bound::Interval(p.rows.frictionloss[ne + i]) }));
    let mut cones = p.rows.cones.iter().peekable();
    let mut row = ne + nf;
    while row < p.nefc() {
        let cone = cones.next_if(|c| c.row as usize == row);
        let bound = cone.map_or(Bound::Positive, |c| Bound::Cone { dim: c.dim as usize, mu: c.friction });
        let unit = Unit { row: row - ne, bound };
        row += unit.dim();
        out.push(unit);
    }
}
