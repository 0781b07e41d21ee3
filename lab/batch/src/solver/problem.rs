//! Problems in a form that lanes load quickly.

use super::{Bits, MAX_DOFS};
use mj_problem::{Problem, RowView};

/// Pattern of the inertia that all worlds of a model share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Number of dofs.
    pub nv: usize,
    /// First entry of each row, nv + 1.
    pub rowadr: Vec<usize>,
    /// Columns.
    pub colind: Vec<usize>,
}

impl Pattern {
    /// Copies the pattern of a problem.
    pub fn of(p: &Problem) -> Self {
        let mut rowadr: Vec<usize> = p.pattern.rowadr.iter().map(|&a| a as usize).collect();
        rowadr.push(p.pattern.nnz());
        Self { nv: p.nv(), rowadr, colind: p.pattern.colind.iter().map(|&c| c as usize).collect() }
    }
}

/// A problem that lanes can't solve.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unsuited {
    /// Elliptic cones.
    #[error("the problem has elliptic cones; expected pyramidal or frictionless contacts")]
    Cones,
    /// Stiffness of flexes.
    #[error("the problem has stiffness beside the inertia; expected none")]
    Stiffness,
    /// Too many dofs.
    #[error("the problem has {0} degrees of freedom; expected at most {MAX_DOFS}")]
    Size(usize),
}

/// A problem as dense rows, with the interval of each row's force law.
#[derive(Clone, Debug, Default)]
pub struct Compact {
    /// Values of M in the pattern.
    pub m: Vec<f64>,
    /// Force without constraints.
    pub qfrc_smooth: Vec<f64>,
    /// Acceleration without constraints.
    pub qacc_smooth: Vec<f64>,
    /// Acceleration to start from.
    pub qacc_warmstart: Vec<f64>,
    /// Jacobian, nefc×nv.
    pub jac: Vec<f64>,
    /// Columns of each row that are not zero, as bits.
    pub columns: Vec<Bits>,
    /// 1/R.
    pub d: Vec<f64>,
    /// Reference acceleration.
    pub aref: Vec<f64>,
    /// Interval of the projection: lower and upper ends.
    pub interval: Vec<[f64; 2]>,
    /// 1/trace(M), the scale of the tolerance.
    pub scale: f64,
}

impl Compact {
    /// Copies a problem.
    ///
    /// # Errors
    /// If lanes can't solve it: why.
    pub fn of(p: &Problem) -> Result<Self, Unsuited> {
        let (nv, n) = (p.nv(), p.nefc());
        if !p.rows.cones.is_empty() {
            return Err(Unsuited::Cones);
        }
        if p.stiffness.is_some() {
            return Err(Unsuited::Stiffness);
        }
        if nv > MAX_DOFS {
            return Err(Unsuited::Size(nv));
        }
        let mut jac = vec![0.0; n * nv];
        let mut columns = vec![0; n];
        for r in 0..n {
            p.rows.jac.for_each_in_row(r, |c, x| {
                jac[r * nv + c] = x;
                columns[r] |= 1 << c;
            });
        }
        Ok(Self {
            m: p.m.to_vec(),
            qfrc_smooth: p.qfrc_smooth.to_vec(),
            qacc_smooth: p.qacc_smooth.to_vec(),
            qacc_warmstart: if p.settings.warmstart { p.qacc_warmstart } else { p.qacc_smooth }.to_vec(),
            jac,
            columns,
            d: p.rows.d.to_vec(),
            aref: p.rows.aref.to_vec(),
            interval: (0..n).map(|r| interval(&p.rows, r)).collect(),
            scale: 1.0 / p.trace(),
        })
    }

    /// Returns the number of rows.
    pub fn nefc(&self) -> usize {
        self.d.len()
    }
}

/// Returns the interval on which the cost of a row projects.
pub(super) fn interval(rows: &RowView, r: usize) -> [f64; 2] {
    if r < rows.ne {
        [f64::NEG_INFINITY, f64::INFINITY]
    } else if r < rows.ne + rows.nf {
        let x = rows.r[r] * rows.frictionloss[r];
        [-x, x]
    } else {
        [f64::NEG_INFINITY, 0.0]
    }
}
