//! Results as arrays, with the reference's names.

use crate::data::Data;
use crate::query::sorted_islands::SortedIslands;
use mj_math::DQuat;
use mj_model::{BodyId, Buffer, Column, Field, GeomId, IdVec, Model, SiteId, SleepState};

/// What sleeps and what is awake.
fn sleep(m: &Model, d: &Data, array: &mut impl FnMut(&str, &dyn Buffer)) {
    let awake = &d.state.awake;
    let code = |b: BodyId| awake.body(b).code();
    let rows = |holds: &dyn Fn(BodyId) -> bool| -> Vec<i32> {
        m.body.ids().filter(|&b| holds(b)).map(|b| b.index() as i32).collect()
    };
    let bodies = rows(&|b| awake.body(b) != SleepState::Asleep);
    let hanging = rows(&|b| b != BodyId::WORLD && awake.body(m.body.parentid[b]) != SleepState::Asleep);
    let dofs: Vec<i32> = awake.dofs.iter().flat_map(|r| r.start as i32..r.end as i32).collect();
    let trees: Vec<i32> = m.tree.ids().map(|t| i32::from(awake.tree(t))).collect();
    array("tree_asleep", &d.sleep.tree_asleep);
    array("ntree_awake", &trees.iter().sum::<i32>());
    array("tree_awake", &trees);
    array("body_awake", &m.body.ids().map(code).collect::<Vec<_>>());
    array("nbody_awake", &(bodies.len() as i32));
    array("body_awake_ind", &bodies);
    array("nparent_awake", &(hanging.len() as i32));
    array("parent_awake_ind", &hanging);
    array("nv_awake", &(dofs.len() as i32));
    array("dof_awake_ind", &dofs);
}

/// Calls `f` with every result as `mj dump` writes it, without the prefix `data.`.
///
/// Example: [`explain`](crate::explain).
pub fn visit_data(m: &Model, d: &Data, f: &mut dyn FnMut(Field)) {
    d.state.visit(f);
    d.smooth.poses.visit(f);
    d.smooth.inertia.visit(f);
    d.smooth.velocities.visit(f);
    d.smooth.actuation.visit(f);
    d.rows.visit(f);
    d.body_forces.visit(f);
    d.flexes.visit(f);
    d.contact_memory.visit(f);
    d.contacts.visit(f);
    let mut array = |name: &str, b: &dyn Buffer| {
        let (shape, data) = b.array();
        f(Field { name: name.to_string(), shape, data });
    };
    let t = &d.smooth.transmissions;
    array("ten_length", &t.ten_length);
    array("actuator_length", &t.actuator_length);
    array("qacc", &d.qacc);
    array("qfrc_constraint", &d.solution.qfrc_constraint);
    array("efc_force", &d.solution.efc_force);
    array("efc_state", &d.solution.efc_state.iter().map(|s| s.code()).collect::<Vec<_>>());
    array("solver_niter", &d.solution.niter());
    array("solver_fwdinv", &d.solver_fwdinv);
    array("qfrc_inverse", &d.qfrc_inverse);
    array("sensordata", &d.sensordata);
    array("energy", &d.energy);
    let of = |body: BodyId, local: DQuat| d.smooth.poses.xquat[body] * local;
    array("xiquat", &m.body.ids().map(|b| of(b, m.body.iquat[b])).collect::<IdVec<BodyId, _>>());
    array("geom_xquat", &m.geom.ids().map(|g| of(m.geom.bodyid[g], m.geom.quat[g])).collect::<IdVec<GeomId, _>>());
    array("site_xquat", &m.site.ids().map(|s| of(m.site.bodyid[s], m.site.quat[s])).collect::<IdVec<SiteId, _>>());
    sleep(m, d, &mut array);
    array("ncon", &(d.contacts.len() as i32));
    let sorted = SortedIslands::new(m, d);
    array("nisland", &(sorted.map.nisland as i32));
    array("nidof", &(sorted.nidof as i32));
    for name in SortedIslands::FIELDS {
        if let Some(data) = sorted.field(m, d, name) {
            f(Field { name: name.to_string(), shape: vec![data.len()], data });
        }
    }
    let mut dense = |name: &str, rows: usize, fill: &dyn Fn(&mut [f64])| {
        let mut data = vec![0.0; rows * m.nv()];
        fill(&mut data);
        f(Field { name: name.to_string(), shape: vec![rows, m.nv()], data: Column::F64(data) });
    };
    dense("M_dense", m.nv(), &|out| m.m_pattern.to_dense(&d.smooth.inertia.M, out));
    dense("ten_J_dense", t.ten_J.nrows(), &|out| t.ten_J.to_dense(out));
    dense("flexedge_J_dense", d.flexes.edge_J.nrows(), &|out| d.flexes.edge_J.to_dense(out));
    dense("actuator_moment_dense", t.actuator_moment.nrows(), &|out| t.actuator_moment.to_dense(out));
}
