//! Trees, dofs and constraint rows sorted by island: the arrays of islands, with the reference's names.

use super::islands::{IslandMap, islands};
use crate::data::Data;
use mj_model::*;

/// Islands of a state, and trees, dofs and constraint rows sorted by island; those of no island come last.
///
/// There are none where the flag `island` keeps the solver from using them.
#[derive(Clone, Debug, Default)]
pub struct SortedIslands {
    /// Islands of trees, dofs and rows.
    pub map: IslandMap,
    /// Number of dofs in islands.
    pub nidof: usize,
    trees: Vec<usize>,
    dofs: Vec<usize>,
    rows: Vec<usize>,
}

impl SortedIslands {
    /// Names of the arrays that [`SortedIslands::field`] gives.
    pub const FIELDS: [&'static str; 29] = [
        "tree_island",
        "island_ntree",
        "island_itreeadr",
        "map_itree2tree",
        "dof_island",
        "island_nv",
        "island_idofadr",
        "island_dofadr",
        "map_dof2idof",
        "map_idof2dof",
        "ifrc_smooth",
        "iacc_smooth",
        "iacc",
        "ifrc_constraint",
        "efc_island",
        "island_ne",
        "island_nf",
        "island_nefc",
        "island_iefcadr",
        "map_efc2iefc",
        "map_iefc2efc",
        "iefc_type",
        "iefc_id",
        "iefc_frictionloss",
        "iefc_D",
        "iefc_R",
        "iefc_aref",
        "iefc_state",
        "iefc_force",
    ];

    /// Sorts by island what the constraint rows in the data tie together.
    pub fn new(m: &Model, d: &Data) -> Self {
        let mut sorted = Self::default();
        if m.opt.disabled(disable::ISLAND) || d.rows.nefc() == 0 || islands(m, d, &mut sorted.map).is_err() {
            sorted.map = IslandMap::default();
            sorted.map.tree_island.resize(m.tree.len(), None);
            sorted.map.dof_island.resize(m.nv(), None);
            return sorted;
        }
        let order = |island: &dyn Fn(usize) -> Option<usize>, n: usize| {
            let mut sorted: Vec<usize> = (0..n).collect();
            sorted.sort_by_key(|&i| island(i).unwrap_or(usize::MAX));
            sorted
        };
        let map = &sorted.map;
        sorted.trees = order(&|i| map.tree_island[TreeId::new(i)], m.tree.len());
        sorted.dofs = order(&|i| map.dof_island[DofId::new(i)], m.nv());
        sorted.rows = order(&|i| map.efc_island[i], d.rows.nefc());
        sorted.nidof = map.dof_island.iter().flatten().count();
        sorted
    }

    /// Counts the members of each island.
    fn counts(&self, members: impl Iterator<Item = Option<usize>>) -> Vec<i32> {
        let mut out = vec![0; self.map.nisland];
        members.flatten().for_each(|i| out[i] += 1);
        out
    }

    fn rows_of_type(&self, d: &Data, is: impl Fn(ConstraintType) -> bool) -> Vec<i32> {
        let rows = self.map.efc_island.iter().zip(&d.rows.r#type);
        self.counts(rows.map(|(island, kind)| island.filter(|_| is(*kind))))
    }

    /// Returns an array by its name in [`SortedIslands::FIELDS`], for the model and data that were sorted. `None` for any
    /// other name. Where there are no islands, arrays whose sizes the model fixes hold zeros.
    pub fn field(&self, m: &Model, d: &Data, name: &str) -> Option<Column> {
        use Column::{F64, I32};
        let map = &self.map;
        let codes = |v: &mut dyn Iterator<Item = Option<usize>>| I32(v.map(|i| i.map_or(-1, |i| i as i32)).collect());
        let of_trees = || self.counts(map.tree_island.iter().copied());
        let of_dofs = || self.counts(map.dof_island.iter().copied());
        let of_rows = || self.counts(map.efc_island.iter().copied());
        let in_dofs =
            |v: &[f64]| F64(self.dofs[..self.nidof].iter().map(|&i| v.get(i).copied().unwrap_or(0.0)).collect());
        // A stage that ran alone may have left other rows than those that were solved.
        let in_rows = |v: &[f64]| F64(self.rows.iter().map(|&i| v.get(i).copied().unwrap_or(0.0)).collect());
        let padded = |v: &[usize], n: usize| {
            if v.is_empty() { I32(vec![0; n]) } else { I32(v.iter().map(|&i| i as i32).collect()) }
        };
        Some(match name {
            "tree_island" => codes(&mut map.tree_island.iter().copied()),
            "dof_island" => codes(&mut map.dof_island.iter().copied()),
            "efc_island" if map.nisland == 0 => I32(vec![0; d.rows.nefc()]),
            "efc_island" => codes(&mut map.efc_island.iter().copied()),
            "island_ntree" => I32(of_trees()),
            "island_itreeadr" => I32(starts(&of_trees())),
            "map_itree2tree" => padded(&self.trees, m.tree.len()),
            "island_nv" => I32(of_dofs()),
            "island_idofadr" => I32(starts(&of_dofs())),
            "island_dofadr" => I32(starts(&of_dofs()).iter().map(|&k| self.dofs[k as usize] as i32).collect()),
            "map_dof2idof" => I32(inverse(&self.dofs, m.nv())),
            "map_idof2dof" => padded(&self.dofs, m.nv()),
            "ifrc_smooth" => in_dofs(&d.smooth.actuation.qfrc_smooth),
            "iacc_smooth" => in_dofs(&d.smooth.actuation.qacc_smooth),
            "iacc" => in_dofs(&d.qacc),
            "ifrc_constraint" => in_dofs(&d.solution.qfrc_constraint),
            "island_ne" => I32(self.rows_of_type(d, |t| t == ConstraintType::Equality)),
            "island_nf" => {
                let friction = |t| matches!(t, ConstraintType::FrictionDof | ConstraintType::FrictionTendon);
                I32(self.rows_of_type(d, friction))
            }
            "island_nefc" => I32(of_rows()),
            "island_iefcadr" => I32(starts(&of_rows())),
            "map_efc2iefc" => I32(inverse(&self.rows, d.rows.nefc())),
            "map_iefc2efc" => padded(&self.rows, d.rows.nefc()),
            "iefc_type" => I32(self.rows.iter().map(|&i| d.rows.r#type[i].code()).collect()),
            "iefc_id" => I32(self.rows.iter().map(|&i| d.rows.id[i] as i32).collect()),
            "iefc_frictionloss" => in_rows(&d.rows.frictionloss),
            "iefc_D" => in_rows(&d.rows.d),
            "iefc_R" => in_rows(&d.rows.r),
            "iefc_aref" => in_rows(&d.rows.aref),
            "iefc_state" => {
                let code = |i: &usize| d.solution.efc_state.get(*i).map_or(0, |s| s.code());
                I32(self.rows.iter().map(code).collect())
            }
            "iefc_force" => in_rows(&d.solution.efc_force),
            _ => return None,
        })
    }
}

/// Inverse of a permutation; zeros where there is none.
fn inverse(order: &[usize], n: usize) -> Vec<i32> {
    let mut out = vec![0; n];
    order.iter().enumerate().for_each(|(k, &i)| out[i] = k as i32);
    out
}

/// Where each of some consecutive parts starts.
fn starts(counts: &[i32]) -> Vec<i32> {
    counts.iter().scan(0, |next, n| Some(std::mem::replace(next, *next + n))).collect()
}
