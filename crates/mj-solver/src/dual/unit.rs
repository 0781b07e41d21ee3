//! The units of an island in the memory of a dual solver.

use crate::dual::cone_qp::{project_friction, squared_size};
use crate::island::find::Islands;
use mj_problem::{Bound, ConstraintState, Problem};
use std::ops::Range;

/// A [unit](mj_problem::Unit), or those of its rows that move, among the rows that a dual solver updates.
#[derive(Clone, Copy, Debug)]
pub struct DualUnit {
    /// First row in the problem.
    pub first: u32,
    /// First row among those that are being solved.
    pub row: u32,
    /// Number of rows.
    pub nrow: u32,
    /// Where its part of A starts.
    pub a: u32,
    /// Bound of the unit's forces.
    pub bound: Bound,
}

impl DualUnit {
    /// Number of rows.
    #[inline(always)]
    pub fn dim(&self) -> usize {
        self.nrow as usize
    }

    /// Its rows in the problem.
    #[inline(always)]
    pub fn rows(&self) -> Range<usize> {
        self.first as usize..(self.first + self.nrow) as usize
    }

    /// Brings the force of a single row, not of a cone, back to what is feasible.
    #[inline(always)]
    pub fn bound_one(&self, f: f64) -> f64 {
        match self.bound {
            Bound::Positive => f.max(0.0),
            Bound::Interval(loss) => f.max(-loss).min(loss),
            Bound::Free | Bound::Cone { .. } => f,
        }
    }

    /// Brings a force back to what is feasible: the nearest bound, or at a cone the same normal force.
    #[inline(always)]
    pub fn bound(&self, f: &mut [f64]) {
        match &self.bound {
            Bound::Cone { .. } if f[0] < 0.0 => f.fill(0.0),
            Bound::Cone { friction, .. } => {
                let normal = f[0];
                project_friction(&mut f[1..], normal, friction);
            }
            _ => f[0] = self.bound_one(f[0]),
        }
    }

    /// Zone of its cost as its forces tell it.
    #[inline(always)]
    pub fn state(&self, force: &[f64]) -> ConstraintState {
        let f = force[0];
        match &self.bound {
            Bound::Free => ConstraintState::Quadratic,
            Bound::Interval(loss) if f <= -loss => ConstraintState::LinearPos,
            Bound::Interval(loss) if f >= *loss => ConstraintState::LinearNeg,
            Bound::Interval(_) => ConstraintState::Quadratic,
            Bound::Positive if f <= 0.0 => ConstraintState::Satisfied,
            Bound::Positive => ConstraintState::Quadratic,
            Bound::Cone { mu, friction, .. } => cone_state(*mu, friction, &force[..self.dim()]),
        }
    }
}

/// Units of one island in row order.
pub fn find_units(p: &Problem, islands: &Islands, i: usize, out: &mut Vec<DualUnit>) {
    out.clear();
    islands.for_each_block(p, i, |k| {
        let b = &p.rows.jac.blocks()[k];
        let units = p.rows.units(b.row as usize..(b.row + b.nrow) as usize);
        out.extend(units.map(|u| DualUnit { first: u.row as u32, row: 0, nrow: u.dim() as u32, a: 0, bound: u.bound }));
    });
}

/// Zone of an elliptic cone by its force, in the coordinates that make the cone round: f₀/μ, f_j/μ_j.
#[inline(always)]
fn cone_state(mu: f64, friction: &[f64; 5], f: &[f64]) -> ConstraintState {
    let n = f[0] / mu;
    let t = squared_size(&f[1..], friction).sqrt();
    if mu * n >= t {
        ConstraintState::Satisfied
    } else if n + mu * t <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}
