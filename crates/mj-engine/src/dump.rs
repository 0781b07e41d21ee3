//! Results as arrays, with the reference's names.

use crate::data::Data;
use mj_model::{Buffer, Column, Field, Model};

/// Calls `f` with every result as `mj dump` writes it, without the prefix `data.`.
pub fn visit_data(m: &Model, d: &Data, f: &mut dyn FnMut(Field)) {
    d.state.visit(f);
    d.poses.visit(f);
    d.inertia.visit(f);
    d.velocities.visit(f);
    d.actuation.visit(f);
    d.rows.visit(f);
    d.body_forces.visit(f);
    d.contacts.visit(f);
    let mut array = |name: &str, b: &dyn Buffer| {
        let (shape, data) = b.array();
        f(Field { name: name.to_string(), shape, data });
    };
    let t = &d.transmissions;
    array("ten_length", &t.ten_length);
    array("actuator_length", &t.actuator_length);
    array("qacc", &d.qacc);
    array("qfrc_constraint", &d.solution.qfrc_constraint);
    array("efc_force", &d.solution.efc_force);
    array("efc_state", &d.solution.efc_state);
    array("solver_niter", &d.solution.niter());
    array("solver_fwdinv", &d.solver_fwdinv);
    array("qfrc_inverse", &d.qfrc_inverse);
    array("sensordata", &d.sensordata);
    array("energy", &d.energy);
    let mut dense = |name: &str, rows: usize, fill: &dyn Fn(&mut [f64])| {
        let mut data = vec![0.0; rows * m.nv()];
        fill(&mut data);
        f(Field { name: name.to_string(), shape: vec![rows, m.nv()], data: Column::F64(data) });
    };
    dense("M_dense", m.nv(), &|out| m.m_pattern.to_dense(&d.inertia.M, out));
    dense("ten_J_dense", t.ten_J.nrows(), &|out| t.ten_J.to_dense(out));
    dense("actuator_moment_dense", t.actuator_moment.nrows(), &|out| t.actuator_moment.to_dense(out));
}
