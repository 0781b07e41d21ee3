//! Units: rows whose forces a dual solver updates together, and what bounds them.

use crate::friction::{project_friction, squared_size};
use crate::islands::Islands;
use mj_problem::{ConeRows, ConstraintState, Problem};
use std::ops::Range;

/// Rows that are updated together.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// First row in the problem.
    pub first: u32,
    /// First row among those that are being solved.
    pub row: u32,
    /// Number of rows.
    pub nrow: u32,
    /// Where its part of A starts.
    pub a: u32,
    /// What bounds their force.
    pub bound: Bound,
}

/// What bounds the force of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing.
    Free,
    /// Friction loss: an interval.
    Interval,
    /// Not negative.
    Positive,
    /// The elliptic cone of this number.
    Cone(u32),
}

impl Unit {
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
    pub fn bound_one(&self, p: &Problem, f: f64) -> f64 {
        match self.bound {
            Bound::Positive => f.max(0.0),
            Bound::Interval => {
                let loss = p.rows.frictionloss[self.first as usize];
                f.max(-loss).min(loss)
            }
            Bound::Free | Bound::Cone(_) => f,
        }
    }

    /// Brings a force back to what is feasible: the nearest bound, or at a cone the same normal force.
    #[inline(always)]
    pub fn bound(&self, p: &Problem, f: &mut [f64]) {
        match self.bound {
            Bound::Cone(_) if f[0] < 0.0 => f.fill(0.0),
            Bound::Cone(c) => {
                let normal = f[0];
                project_friction(&mut f[1..], normal, &p.rows.cones[c as usize].friction);
            }
            _ => f[0] = self.bound_one(p, f[0]),
        }
    }

    /// Zone of its cost as its forces tell it.
    #[inline(always)]
    pub fn state(&self, p: &Problem, force: &[f64]) -> ConstraintState {
        let (i, f) = (self.first as usize, force[0]);
        match self.bound {
            Bound::Free => ConstraintState::Quadratic,
            Bound::Interval if f <= -p.rows.frictionloss[i] => ConstraintState::LinearPos,
            Bound::Interval if f >= p.rows.frictionloss[i] => ConstraintState::LinearNeg,
            Bound::Interval => ConstraintState::Quadratic,
            Bound::Positive if f <= 0.0 => ConstraintState::Satisfied,
            Bound::Positive => ConstraintState::Quadratic,
            Bound::Cone(c) => cone_state(&p.rows.cones[c as usize], &force[..self.dim()]),
        }
    }
}

/// Units of one island in row order.
pub fn find_units(p: &Problem, islands: &Islands, i: usize, out: &mut Vec<Unit>) {
    out.clear();
    islands.for_each_block(p, i, |k| {
        let b = &p.rows.jac.blocks()[k];
        let (mut row, end) = (b.row, b.row + b.nrow);
        while row < end {
            let mut dim = 1;
            let bound = if (row as usize) < p.rows.ne {
                Bound::Free
            } else if (row as usize) < p.rows.ne + p.rows.nf {
                Bound::Interval
            } else if let Ok(c) = p.rows.cones.binary_search_by_key(&row, |c| c.row) {
                dim = p.rows.cones[c].dim;
                Bound::Cone(c as u32)
            } else {
                Bound::Positive
            };
            out.push(Unit { first: row, row: 0, nrow: dim, a: 0, bound });
            row += dim;
        }
    });
}

/// Zone of an elliptic cone by its force, in the coordinates that make the cone round: f₀/μ, f_j/μ_j.
#[inline(always)]
fn cone_state(c: &ConeRows, f: &[f64]) -> ConstraintState {
    let n = f[0] / c.mu;
    let t = squared_size(&f[1..], &c.friction).sqrt();
    if c.mu * n >= t {
        ConstraintState::Satisfied
    } else if n + c.mu * t <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}
