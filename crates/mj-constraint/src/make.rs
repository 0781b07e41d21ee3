//! All rows of a state, and their reference once velocities are known.

use crate::builder::RowWorkspace;
use crate::custom;
use crate::inputs::RowInputs;
use crate::regularize::{exact_diagonal, regularize};
use crate::rows::Rows;
use crate::{contact, equality, friction, limit, passive};
use mj_model::*;

/// Makes the constraint rows of a state in the order equality, friction loss, limits, contacts:
/// Jacobian, violation, impedance and regularization.
pub fn make_rows(m: &Model, s: &State, inputs: RowInputs<'_>, ws: &mut RowWorkspace, rows: &mut Rows) {
    let RowInputs { chains, smooth, flexes, contacts, custom } = inputs;
    let (poses, trans, inertia) = (&smooth.poses, &smooth.transmissions, &smooth.inertia);
    rows.clear(m);
    contact::start(m, contacts, rows);
    if m.opt.disabled(disable::CONSTRAINT) || m.nv() == 0 {
        return;
    }
    equality::append(m, s, inputs, ws, rows);
    if let Some(custom) = custom.filter(|_| !m.opt.disabled(disable::EQUALITY)) {
        custom::append(m, s, custom, ws, rows);
    }
    friction::append(m, &s.awake, trans, rows);
    limit::append(m, s, trans, ws, rows);
    contact::append(m, chains, poses, flexes, contacts, ws, rows);
    passive::append(m, inputs, ws, rows);
    if m.opt.enabled(enable::DIAGEXACT) {
        exact_diagonal(rows, &m.m_pattern, &inertia.qLD, &inertia.qLDiagInv, &mut ws.work, &mut ws.jar);
        regularize(m, |_, i| ws.jar[i], contacts, rows);
    } else {
        regularize(m, |rows, i| rows.approx[i], contacts, rows);
    }
}

/// Sets the velocities of the rows and their reference acceleration
///
/// a_ref = −b v − k d (pos − margin),
///
/// less J̇v for connects and welds, so that they hold in the acceleration itself.
#[inline]
pub fn reference(m: &Model, s: &State, inputs: RowInputs<'_>, ws: &mut RowWorkspace, rows: &mut Rows) {
    let RowInputs { chains, smooth, contacts, custom, .. } = inputs;
    let n = rows.nefc();
    rows.vel.resize(n, 0.0);
    ws.work.resize(m.nv(), 0.0);
    rows.jac.mul(&s.qvel, &mut rows.vel, &mut ws.work);
    contact::add_surface_velocity(contacts, rows);
    rows.aref.clear();
    for i in 0..n {
        let [k, b, imp, _] = rows.kbip[i];
        rows.aref.push(-b * rows.vel[i] - k * imp * (rows.pos[i] - rows.margin[i]));
    }
    equality::subtract_bias(m, s, chains, &smooth.poses, &smooth.velocities, rows);
    if let Some(custom) = custom {
        for i in 0..rows.ne {
            rows.aref[i] -= custom.bias(m, rows.id[i] as usize);
        }
    }
    if m.opt.integrator == IntegratorType::Discrete {
        rows.continuous_aref.clone_from(&rows.aref);
    }
    contact::add_adhesion(contacts, rows);
}
