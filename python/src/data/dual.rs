//! The dual of the constraint problem (`efc_Y`, `efc_AR`): computed when it is read.

use super::rows::{Array, integers, numbers};
use crate::model::derived::is_sparse;
use crate::sparse::starts;
use mj_engine::{Data, Model, problem};
use mj_model::{DofId, SolverType};

/// Entries of a row with their columns, ascending.
type Row = Vec<(usize, f64)>;

/// The whitened Jacobian Y = J M^(-1/2), and A + R = Y Yᵀ + R.
struct Dual {
    y: Vec<Row>,
    ar: Vec<Row>,
}

/// Whether a solver needs the dual, so that it is shown.
fn is_shown(m: &Model, d: &Data) -> bool {
    let needed = m.opt.solver == SolverType::Pgs || m.opt.noslip_iterations > 0;
    needed && d.rows.nefc() > 0 && problem(m, d).dinv.len() == m.nv()
}

/// Returns the whitened Jacobian. Its row has the dofs of the Jacobian's row and their ancestors.
fn whitened(m: &Model, d: &Data) -> Vec<Row> {
    let p = problem(m, d);
    let mut x = vec![0.0; m.nv()];
    let mut known = vec![false; m.nv()];
    (0..d.rows.nefc())
        .map(|i| {
            x.fill(0.0);
            known.fill(false);
            d.rows.jac.for_each_in_row(i, |dof, j| {
                x[dof] = j;
                let chain = std::iter::successors(Some(DofId::new(dof)), |&a| m.dof.parentid[a]);
                chain.for_each(|a| known[a.index()] = true);
            });
            m.m_pattern.solve_transposed(p.ld, &mut x);
            (0..m.nv()).filter(|&k| known[k]).map(|k| (k, x[k] * p.dinv[k].sqrt())).collect()
        })
        .collect()
}

/// Scalar product of two rows; none if they have no column in common.
fn product(a: &Row, b: &Row) -> Option<f64> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut sum = None;
    while let (Some(&&(i, x)), Some(&&(j, y))) = (a.peek(), b.peek()) {
        if i == j {
            sum = Some(sum.unwrap_or(0.0) + x * y);
        }
        if i <= j {
            a.next();
        }
        if j <= i {
            b.next();
        }
    }
    sum
}

impl Dual {
    fn new(m: &Model, d: &Data) -> Self {
        let y = whitened(m, d);
        let entry = |i: usize, j: usize| {
            let regularization = if i == j { d.rows.r[i] } else { 0.0 };
            product(&y[i], &y[j]).map(|a| (j, a + regularization))
        };
        let ar = (0..y.len()).map(|i| (0..y.len()).filter_map(|j| entry(i, j)).collect()).collect();
        Self { y, ar }
    }
}

/// Counts entries of a row.
fn rownnz(rows: &[Row]) -> Vec<i32> {
    rows.iter().map(|row| row.len() as i32).collect()
}

/// Returns all numbers of a matrix of so many columns, row-major.
fn dense(rows: &[Row], ncols: usize) -> Vec<f64> {
    let mut out = vec![0.0; rows.len() * ncols];
    for (row, out) in rows.iter().zip(out.chunks_exact_mut(ncols.max(1))) {
        row.iter().for_each(|&(k, x)| out[k] = x);
    }
    out
}

/// Returns a field of the dual as it is now; none if there is no such field.
pub fn snapshot(m: &Model, d: &Data, name: &str) -> Option<Array> {
    let (matrix, part) = name.strip_prefix("efc_")?.split_once('_').map_or((&name[4..], ""), |split| split);
    if !["Y", "AR"].contains(&matrix) {
        return None;
    }
    let n = d.rows.nefc();
    if !is_shown(m, d) {
        return Some(match part {
            "" => numbers(Vec::new()),
            "colind" => integers(Vec::new()),
            _ => integers(vec![0; n]),
        });
    }
    let ncols = if matrix == "Y" { m.nv() } else { n };
    if !is_sparse(m) && !part.is_empty() {
        // Dense matrices have no pattern.
        return Some(integers(vec![0; if part == "colind" { n * ncols } else { n }]));
    }
    let dual = Dual::new(m, d);
    let rows = if matrix == "Y" { &dual.y } else { &dual.ar };
    Some(match part {
        "" if is_sparse(m) => numbers(rows.iter().flatten().map(|&(_, x)| x).collect()),
        "" => numbers(dense(rows, ncols)),
        "rownnz" => integers(rownnz(rows)),
        "rowadr" => integers(starts(&rownnz(rows))),
        "colind" => integers(rows.iter().flatten().map(|&(k, _)| k as i32).collect()),
        _ => return None,
    })
}

/// Returns a number of entries, `nY` or `nA`; none for other names.
pub fn count(m: &Model, d: &Data, name: &str) -> Option<usize> {
    if !["nY", "nA"].contains(&name) {
        return None;
    }
    if !is_shown(m, d) {
        return Some(0);
    }
    let n = d.rows.nefc();
    Some(match (is_sparse(m), name) {
        (false, "nY") => n * m.nv(),
        (false, _) => n * n,
        (true, "nY") => whitened(m, d).iter().map(Vec::len).sum(),
        (true, _) => Dual::new(m, d).ar.iter().map(Vec::len).sum(),
    })
}
