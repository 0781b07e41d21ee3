//! The contact-space problem of one state.

use crate::elimination::{Elimination, Equality};
use mj_math::dense::dot;
use mj_problem::{Bound, ConstraintState, Problem, Solution, Unit};

/// A row of whose inverse inertia the equalities leave less than this share is held by them: the rest is rounding.
const HELD: f64 = 1e-12;
/// A row whose inverse inertia is less than this share of the greatest has a Jacobian of rounding errors, as between
/// bodies that don't move against each other.
const NOISE: f64 = 1e-24;

/// A f + b = w over the k rows that are no equalities. Reuse it: its vectors keep their memory.
#[derive(Clone, Debug, Default)]
pub struct ContactSpace {
    /// Inverse inertia, k×k row-major, symmetric positive semidefinite; empty after [`Self::begin`] alone.
    pub a: Vec<f64>,
    /// Diagonal of A; k. 0 where nothing moves a row, whose other entries of A are then 0 too.
    pub diagonal: Vec<f64>,
    /// Acceleration (or velocity) of the rows without forces, less its reference; k.
    pub b: Vec<f64>,
    /// Regularization of the rows; k.
    pub r: Vec<f64>,
    /// Rows whose forces are bounded together, counted from the first that is no equality.
    pub units: Vec<Unit>,
    /// M⁻¹ Jᵀ, one row a constraint row (equalities first): nefc×nv.
    response: Vec<f64>,
    elimination: Elimination,
    work: Vec<f64>,
    matrix: Vec<f64>,
}

impl ContactSpace {
    /// Number of rows k.
    #[inline]
    pub fn len(&self) -> usize {
        self.b.len()
    }

    /// Whether nothing pushes or rubs.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.b.is_empty()
    }

    /// Row i of A.
    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        let k = self.len();
        &self.a[i * k..(i + 1) * k]
    }

    /// Builds A, b and the bounds of a problem: 2012, equation 3, with P and r of equation 2.
    pub fn build(&mut self, p: &Problem, equality: Equality) {
        self.begin(p, equality);
        let (nv, ne, k) = (p.nv(), p.rows.ne, self.len());
        self.a.resize(k * k, 0.0);
        for i in 0..k {
            self.a[i * k + i] = self.diagonal[i];
            for j in 0..i {
                let y = &self.response[(ne + j) * nv..(ne + j + 1) * nv];
                let held = self.diagonal[i] == 0.0 || self.diagonal[j] == 0.0;
                let a = if held { 0.0 } else { jac_dot(p, ne + i, y) - self.elimination.inertia(i, j) };
                self.a[i * k + j] = a;
                self.a[j * k + i] = a;
            }
        }
    }

    /// Builds the diagonal of A alone; see [`Self::build`].
    pub fn begin(&mut self, p: &Problem, equality: Equality) {
        let (nv, ne, n) = (p.nv(), p.rows.ne, p.nefc());
        self.units.clear();
        self.units.extend(p.rows.units(ne..n).map(|u| Unit { row: u.row - ne, ..u }));
        self.response.clear();
        self.response.resize(n * nv, 0.0);
        for i in 0..n {
            let y = &mut self.response[i * nv..(i + 1) * nv];
            p.rows.jac.for_each_in_row(i, |c, v| y[c] = v);
            p.pattern.solve(p.ld, p.dinv, y);
        }
        self.eliminate(p, equality);

        self.r.clear();
        self.r.extend_from_slice(&p.rows.r[ne..]);
        self.a.clear();
        self.b.clear();
        self.diagonal.clear();
        for i in ne..n {
            let y = &self.response[i * nv..(i + 1) * nv];
            let free = jac_dot(p, i, y);
            let left = free - self.elimination.inertia(i - ne, i - ne);
            self.diagonal.push(if left > HELD * free { left } else { 0.0 });
            self.b.push(jac_dot(p, i, p.qacc_smooth) - p.rows.aref[i] + self.elimination.offset(i - ne));
        }
        let greatest = self.diagonal.iter().fold(0.0f64, |m, a| m.max(*a));
        self.diagonal.iter_mut().filter(|a| **a <= NOISE * greatest).for_each(|a| *a = 0.0);
    }

    /// Factors the equalities' inverse inertia and couples it with the contact rows.
    fn eliminate(&mut self, p: &Problem, equality: Equality) {
        let (nv, ne, n) = (p.nv(), p.rows.ne, p.nefc());
        self.matrix.clear();
        self.work.clear();
        for i in 0..ne {
            for j in 0..ne {
                self.matrix.push(jac_dot(p, i, &self.response[j * nv..(j + 1) * nv]));
            }
            if equality == Equality::Soft {
                self.matrix[i * ne + i] += p.rows.r[i];
            }
            self.work.push(p.rows.aref[i] - jac_dot(p, i, p.qacc_smooth));
        }
        self.elimination.start(&self.matrix, &self.work);
        for i in ne..n {
            let y = &self.response[i * nv..(i + 1) * nv];
            self.elimination.push(|e| jac_dot(p, e, y));
        }
    }

    /// Takes the contact forces `f` (k) back to joint space: all forces, the acceleration, the zones.
    pub fn report(&mut self, p: &Problem, f: &[f64], out: &mut Solution) {
        let (nv, ne) = (p.nv(), p.rows.ne);
        out.reset(p);
        self.elimination.forces(f, &mut out.efc_force[..ne]);
        out.efc_force[ne..].copy_from_slice(f);
        for (i, &force) in out.efc_force.iter().enumerate() {
            mj_math::dense::axpy(&mut out.qacc, force, &self.response[i * nv..(i + 1) * nv]);
        }
        self.work.resize(nv.max(self.work.len()), 0.0);
        p.rows.jac.mul_transposed_add(&out.efc_force, &mut out.qfrc_constraint, &mut self.work);
        out.efc_state[..ne].fill(ConstraintState::Quadratic);
        for u in &self.units {
            let state = zone(u, f);
            out.efc_state[ne..][u.rows()].fill(state);
        }
    }
}

/// Jᵢ x.
fn jac_dot(p: &Problem, i: usize, x: &[f64]) -> f64 {
    let (runs, values) = p.rows.jac.row(i);
    let (mut s, mut at) = (0.0, 0);
    for r in runs {
        let (start, len) = (r.start as usize, r.len as usize);
        s += dot(&values[at..at + len], &x[start..start + len]);
        at += len;
    }
    s
}

/// Where a unit's force lies in what bounds it, in the terms of the convex solvers: inside, at the
/// bound, or none at all.
fn zone(u: &Unit, f: &[f64]) -> ConstraintState {
    let f = &f[u.rows()];
    match u.bound {
        Bound::Interval(loss) if f[0] <= -loss => ConstraintState::LinearPos,
        Bound::Interval(loss) if f[0] >= loss => ConstraintState::LinearNeg,
        Bound::Interval(_) => ConstraintState::Quadratic,
        Bound::Free => ConstraintState::Quadratic,
        _ if f[0] <= 0.0 => ConstraintState::Satisfied,
        Bound::Positive => ConstraintState::Quadratic,
        Bound::Cone { friction, .. } => {
            let round: f64 = f[1..].iter().zip(&friction).map(|(f, m)| (f / m) * (f / m)).sum();
            if round >= f[0] * f[0] * (1.0 - 1e-9) { ConstraintState::Cone } else { ConstraintState::Quadratic }
        }
    }
}
