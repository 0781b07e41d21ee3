//! Contacts, constraint rows and islands: arrays whose sizes change from call to call.

use super::fields;
use crate::model::derived::is_sparse;
use crate::sparse;
use mj_engine::{Data, Model, SortedIslands, problem};
use mj_model::{Buffer, Column, ConstraintType, IntegratorType};

/// Shape and numbers of a field.
pub type Array = (Vec<usize>, Column);

/// Returns a field as it is now; none if there is no such field.
pub fn snapshot(m: &Model, d: &Data, name: &str) -> Option<Array> {
    row(m, d, name).or_else(|| island(m, d, name))
}

/// Makes an array of integers.
pub fn integers(v: Vec<i32>) -> Array {
    (vec![v.len()], Column::I32(v))
}

/// Makes an array of numbers.
pub fn numbers(v: Vec<f64>) -> Array {
    (vec![v.len()], Column::F64(v))
}

/// Fields of constraint rows.
fn row(m: &Model, d: &Data, name: &str) -> Option<Array> {
    let r = &d.rows;
    let nefc = r.nefc();
    let sparse = is_sparse(m);
    let whole_row = |f: &dyn Fn(usize) -> usize| integers((0..nefc).map(|i| f(i) as i32).collect());
    Some(match name {
        "efc_type" => r.r#type.array(),
        "efc_id" => r.id.array(),
        "efc_J" if sparse => numbers(r.jac.all_values().to_vec()),
        "efc_J" => numbers(sparse::dense(&r.jac)),
        // A dense Jacobian has no pattern.
        "efc_J_rownnz" | "efc_J_rowadr" if !sparse => whole_row(&|_| 0),
        "efc_J_colind" if !sparse => integers(vec![0; nefc * m.nv()]),
        "efc_J_rownnz" => integers(sparse::rownnz(&r.jac)),
        "efc_J_rowadr" => integers(sparse::rowadr(&r.jac)),
        "efc_J_colind" => integers(sparse::colind(&r.jac)),
        "efc_J_rowsuper" => whole_row(&|_| 0),
        "efc_pos" => r.pos.array(),
        "efc_margin" => r.margin.array(),
        "efc_frictionloss" => r.frictionloss.array(),
        "efc_diagA" => r.diag_a.array(),
        "efc_KBIP" => r.kbip.array(),
        "efc_D" => r.d.array(),
        "efc_R" => r.r.array(),
        "efc_vel" => r.vel.array(),
        "efc_aref" => r.aref.array(),
        "efc_b" => {
            let qacc = &d.smooth.actuation.qacc_smooth;
            numbers((0..nefc).map(|i| r.jac.row_dot(i, qacc) - r.aref.get(i).unwrap_or(&0.0)).collect())
        }
        "efc_force" => d.solution.efc_force.array(),
        "efc_state" => integers(d.solution.efc_state.iter().map(|s| s.code()).collect()),
        "tendon_efcadr" => {
            let mut adr = vec![-1; m.tendon.len()];
            for i in (0..nefc).rev().filter(|&i| r.r#type[i] == ConstraintType::LimitTendon) {
                adr[r.id[i] as usize] = i as i32;
            }
            integers(adr)
        }
        _ => return None,
    })
}

/// The number of a field, and of what it counts.
pub fn count(m: &Model, d: &Data, name: &str) -> Option<usize> {
    let sparse = is_sparse(m);
    Some(match name {
        "nJ" if sparse => sparse::rownnz(&d.rows.jac).iter().sum::<i32>() as usize,
        "nJ" => d.rows.nefc() * m.nv(),
        "nisland" => SortedIslands::new(m, d).map.nisland,
        "nidof" => SortedIslands::new(m, d).nidof,
        "nbody_awake" => fields::awake_bodies(m, d).count(),
        "nparent_awake" => fields::bodies_of_awake(m, d).count(),
        "ntree_awake" => m.tree.ids().filter(|&t| d.state.awake.tree(t)).count(),
        "nv_awake" => d.state.awake.dofs.iter().map(ExactSizeIterator::len).sum(),
        "efm_active" => {
            let prepared = !d.smooth.actuation.qacc_smooth.is_empty() && problem(m, d).qacc_smooth.len() == m.nv();
            (m.opt.integrator == IntegratorType::Discrete && prepared).into()
        }
        "nefmK" | "nefmcon" | "nefmT" | "nefmA" | "nefmdof" | "nefmL" => 0,
        _ => return None,
    })
}

/// Whether a field holds results: rows or islands. Where there are none, arrays whose sizes the model fixes own their
/// memory, and programs see that their numbers are no results.
pub fn is_made(m: &Model, d: &Data, name: &str) -> bool {
    if is_of_islands(name) { SortedIslands::new(m, d).map.nisland > 0 } else { d.rows.nefc() > 0 }
}

/// Whether a field is one of islands.
fn is_of_islands(name: &str) -> bool {
    ["island", "ifrc", "iacc", "iefc", "map_"].iter().any(|part| name.contains(part))
}

/// Fields of islands.
fn island(m: &Model, d: &Data, name: &str) -> Option<Array> {
    let column = if is_of_islands(name) { SortedIslands::new(m, d).field(m, d, name)? } else { return None };
    Some((vec![column.len()], column))
}
