//! Contacts, constraint rows and islands: arrays whose sizes change from call to call.

use super::fields;
use crate::model::derived::is_sparse;
use crate::sparse::{self, starts};
use mj_engine::{Data, IslandMap, Model, islands, problem};
use mj_model::{Buffer, Column, ConstraintType, DofId, IntegratorType, TreeId, disable};

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
        "nisland" => Maps::of(m, d).map.nisland,
        "nidof" => Maps::of(m, d).nidof,
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

/// Islands, and dofs, trees and rows sorted by island; those of no island come last.
#[derive(Default)]
struct Maps {
    map: IslandMap,
    trees: Vec<usize>,
    dofs: Vec<usize>,
    rows: Vec<usize>,
    /// Number of dofs in islands.
    nidof: usize,
}

impl Maps {
    fn of(m: &Model, d: &Data) -> Self {
        let mut maps = Self::default();
        if m.opt.disabled(disable::ISLAND) || d.rows.nefc() == 0 || islands(m, d, &mut maps.map).is_err() {
            maps.map = IslandMap { nisland: 0, ..IslandMap::default() };
            maps.map.tree_island.resize(m.tree.len(), None);
            maps.map.dof_island.resize(m.nv(), None);
            return maps;
        }
        let order = |island: &dyn Fn(usize) -> Option<usize>, n: usize| {
            let mut sorted: Vec<usize> = (0..n).collect();
            sorted.sort_by_key(|&i| island(i).unwrap_or(usize::MAX));
            sorted
        };
        let map = &maps.map;
        maps.trees = order(&|i| map.tree_island[TreeId::new(i)], m.tree.len());
        maps.dofs = order(&|i| map.dof_island[DofId::new(i)], m.nv());
        maps.rows = order(&|i| map.efc_island[i], d.rows.nefc());
        maps.nidof = map.dof_island.iter().flatten().count();
        maps
    }

    /// How many of the members of each island.
    fn counts(&self, members: impl Iterator<Item = Option<usize>>) -> Vec<i32> {
        let mut out = vec![0; self.map.nisland];
        members.flatten().for_each(|i| out[i] += 1);
        out
    }

    fn rows_of_type(&self, d: &Data, is: impl Fn(ConstraintType) -> bool) -> Vec<i32> {
        let rows = self.map.efc_island.iter().zip(&d.rows.r#type);
        self.counts(rows.map(|(island, kind)| island.filter(|_| is(*kind))))
    }
}

/// Inverse of a permutation; zeros where there is none.
fn inverse(order: &[usize], n: usize) -> Vec<i32> {
    let mut out = vec![0; n];
    order.iter().enumerate().for_each(|(k, &i)| out[i] = k as i32);
    out
}

fn as_i32(v: &[usize]) -> Vec<i32> {
    v.iter().map(|&i| i as i32).collect()
}

/// Whether a field holds results: rows or islands. Where there are none, arrays whose sizes the model fixes own their
/// memory, and programs see that their numbers are no results.
pub fn is_made(m: &Model, d: &Data, name: &str) -> bool {
    if is_of_islands(name) { Maps::of(m, d).map.nisland > 0 } else { d.rows.nefc() > 0 }
}

/// Whether a field is one of islands.
fn is_of_islands(name: &str) -> bool {
    ["island", "ifrc", "iacc", "iefc", "map_"].iter().any(|part| name.contains(part))
}

/// Fields of islands.
fn island(m: &Model, d: &Data, name: &str) -> Option<Array> {
    if !is_of_islands(name) {
        return None;
    }
    let maps = Maps::of(m, d);
    let map = &maps.map;
    let codes = |v: &mut dyn Iterator<Item = Option<usize>>| integers(v.map(|i| i.map_or(-1, |i| i as i32)).collect());
    let of_trees = || maps.counts(map.tree_island.iter().copied());
    let of_dofs = || maps.counts(map.dof_island.iter().copied());
    let of_rows = || maps.counts(map.efc_island.iter().copied());
    let in_dofs = |v: &[f64]| numbers(maps.dofs[..maps.nidof].iter().map(|&i| v[i]).collect());
    // A stage that ran alone may have left other rows than those that were solved.
    let in_rows = |v: &[f64]| numbers(maps.rows.iter().map(|&i| v.get(i).copied().unwrap_or(0.0)).collect());
    let padded = |v: &[usize], n: usize| if v.is_empty() { vec![0; n] } else { as_i32(v) };
    Some(match name {
        "tree_island" => codes(&mut map.tree_island.iter().copied()),
        "dof_island" => codes(&mut map.dof_island.iter().copied()),
        "efc_island" if map.nisland == 0 => integers(vec![0; d.rows.nefc()]),
        "efc_island" => codes(&mut map.efc_island.iter().copied()),
        "island_ntree" => integers(of_trees()),
        "island_itreeadr" => integers(starts(&of_trees())),
        "map_itree2tree" => integers(padded(&maps.trees, m.tree.len())),
        "island_nv" => integers(of_dofs()),
        "island_idofadr" => integers(starts(&of_dofs())),
        "island_dofadr" => integers(starts(&of_dofs()).iter().map(|&k| maps.dofs[k as usize] as i32).collect()),
        "map_dof2idof" => integers(inverse(&maps.dofs, m.nv())),
        "map_idof2dof" => integers(padded(&maps.dofs, m.nv())),
        "ifrc_smooth" => in_dofs(&d.smooth.actuation.qfrc_smooth),
        "iacc_smooth" => in_dofs(&d.smooth.actuation.qacc_smooth),
        "iacc" => in_dofs(&d.qacc),
        "ifrc_constraint" => in_dofs(&d.solution.qfrc_constraint),
        "island_ne" => integers(maps.rows_of_type(d, |t| t == ConstraintType::Equality)),
        "island_nf" => integers(
            maps.rows_of_type(d, |t| matches!(t, ConstraintType::FrictionDof | ConstraintType::FrictionTendon)),
        ),
        "island_nefc" => integers(of_rows()),
        "island_iefcadr" => integers(starts(&of_rows())),
        "map_efc2iefc" => integers(inverse(&maps.rows, d.rows.nefc())),
        "map_iefc2efc" => integers(padded(&maps.rows, d.rows.nefc())),
        "iefc_type" => integers(maps.rows.iter().map(|&i| d.rows.r#type[i].code()).collect()),
        "iefc_id" => integers(maps.rows.iter().map(|&i| d.rows.id[i] as i32).collect()),
        "iefc_frictionloss" => in_rows(&d.rows.frictionloss),
        "iefc_D" => in_rows(&d.rows.d),
        "iefc_R" => in_rows(&d.rows.r),
        "iefc_aref" => in_rows(&d.rows.aref),
        "iefc_state" => {
            let code = |i: &usize| d.solution.efc_state.get(*i).map_or(0, |s| s.code());
            integers(maps.rows.iter().map(code).collect())
        }
        "iefc_force" => in_rows(&d.solution.efc_force),
        _ => return None,
    })
}
