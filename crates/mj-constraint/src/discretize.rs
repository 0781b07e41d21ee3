//! Rows whose spring and damper act at the end of the time step.

use crate::builder::RowWorkspace;
use crate::contact::add_adhesion;
use crate::regularize::{exact_diagonal, regularize};
use crate::rows::Rows;
use crate::softness::least_regularization;
use mj_collide::Contacts;
use mj_model::*;

/// The inertia in which constraints are solved over a time step.
#[derive(Clone, Copy, Debug)]
pub struct StepInertia<'a> {
    /// Diagonal of the inertia matrix, in its pattern: M.
    pub m: &'a [f64],
    /// Sum that the step adds to its diagonal, nv.
    pub added: &'a [f64],
    /// Factor LᵀDL of it all in the pattern of M with 1/D: the flag `diagexact` asks for it.
    pub factor: (&'a [f64], &'a [f64]),
}

/// Makes the rows implicit in the step h: the reference is taken at the step's end, where the
/// velocity is v + h a and the violation r + h (v + h a),
///
/// a_ref' = −b (v + h a) − k d (r + h v + h² a) = a_ref − h k d v − s a,  s = h b + h² k d.
///
/// A row's force is (a_ref' − a)/R, so that the row is one with the reference
/// (a_ref − h k d v)/(1 + s) and the regularization R/(1 + s), held above the one of the greatest
/// impedance. R itself stands to the inertia over the step: it is corrected by how much the step adds
/// to the diagonal of the inertia matrix, or taken from the exact diagonal (`diagexact`). The
/// friction rows of a cone keep their proportion to the normal's.
///
/// Starts from what [`make_rows`](crate::make_rows) and [`reference`](crate::reference) left, and can
/// be called again for another inertia.
///
/// Manual: Computation, "Numerical integration", `discrete`, and "Constraint model".
pub fn discretize_rows(
    m: &Model,
    inertia: StepInertia<'_>,
    contacts: &Contacts,
    ws: &mut RowWorkspace,
    rows: &mut Rows,
) {
    let h = m.opt.timestep;
    let folded = |[k, b, imp, _]: [f64; 4]| 1.0 + h * b + h * h * k * imp;
    let softer = |rows: &Rows, i: usize| (1.0 / folded(rows.kbip[i])).max(least_regularization(rows.kbip[i][2]));
    if m.opt.enabled(enable::DIAGEXACT) {
        let (ld, dinv) = inertia.factor;
        exact_diagonal(rows, &m.m_pattern, ld, dinv, &mut ws.work, &mut ws.jar);
        regularize(m, |rows, i| ws.jar[i] * softer(rows, i), contacts, rows);
    } else {
        regularize(m, |rows, i| rows.approx[i] * hardening(m, inertia, rows, i) * softer(rows, i), contacts, rows);
    }
    for i in 0..rows.nefc() {
        let [k, _, imp, _] = rows.kbip[i];
        rows.aref[i] = (rows.continuous_aref[i] - h * k * imp * rows.vel[i]) / folded(rows.kbip[i]);
    }
    add_adhesion(contacts, rows);
}

/// The row's part of J M̂⁻¹ Jᵀ by that of J M⁻¹ Jᵀ, as the diagonals of the matrices give it.
fn hardening(m: &Model, inertia: StepInertia<'_>, rows: &Rows, i: usize) -> f64 {
    let (mut bare, mut full) = (0.0, 0.0);
    rows.jac.for_each_in_row(i, |d, j| {
        let mass = inertia.m[m.m_pattern.diag(d)];
        bare += j * j / mass;
        full += j * j / (mass + inertia.added[d]);
    });
    if bare > 0.0 { full / bare } else { 1.0 }
}
