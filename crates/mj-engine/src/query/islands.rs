//! Islands of constraints with their maps, and constraint rows with what made them.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::query::QueryError;
use crate::pipeline::forward::problem;
use mj_model::*;
use mj_solver::Islands;

/// The islands of a state: groups of kinematic trees that constraints and elastic flexes tie together, and which trees, dofs and
/// constraint rows belong to each. Islands are numbered by their first tree. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IslandMap {
    /// Number of islands (`nisland`).
    pub nisland: usize,
    /// Island of each tree; `None` where no constraint acts on the tree (`tree_island`).
    pub tree_island: IdVec<TreeId, Option<usize>>,
    /// Island of each dof; `None` where no constraint acts on its tree (`dof_island`).
    pub dof_island: IdVec<DofId, Option<usize>>,
    /// Island of each constraint row; `None` for a row that moves no dof (`efc_island`).
    pub efc_island: Vec<Option<usize>>,
}

impl IslandMap {
    /// Returns the trees of an island, ascending.
    pub fn trees(&self, island: usize) -> impl Iterator<Item = TreeId> {
        self.tree_island.iter_ids().filter(move |(_, i)| **i == Some(island)).map(|(t, _)| t)
    }

    /// Returns the dofs of an island, ascending.
    pub fn dofs(&self, island: usize) -> impl Iterator<Item = DofId> {
        self.dof_island.iter_ids().filter(move |(_, i)| **i == Some(island)).map(|(dof, _)| dof)
    }

    /// Returns the constraint rows of an island, ascending.
    pub fn rows(&self, island: usize) -> impl Iterator<Item = usize> {
        let rows = self.efc_island.iter().enumerate();
        rows.filter(move |(_, i)| **i == Some(island)).map(|(row, _)| row)
    }
}

/// Finds the islands of the constraint rows in the data, which the last step or call of forward dynamics made. It finds
/// them whether or not the flag `island` lets the solver use them.
///
/// Example: [`contact_force`](crate::contact_force).
///
/// # Errors
/// If data and model don't fit together.
pub fn islands(m: &Model, d: &Data, out: &mut IslandMap) -> Result<(), QueryError> {
    check_data(m, d)?;
    let mut p = problem(m, d);
    p.settings.islands = true;
    // Couplings of the integrator `discrete` come before the rows of the state.
    let before = p.nefc() - d.rows.nefc().min(p.nefc());
    let mut found = Islands::default();
    found.find(&p);

    out.nisland = 0;
    out.tree_island.resize(0, None);
    out.tree_island.resize(m.tree.len(), None);
    out.dof_island.resize(0, None);
    out.dof_island.resize(m.nv(), None);
    out.efc_island.clear();
    out.efc_island.resize(d.rows.nefc(), None);
    if p.nefc() == 0 {
        return Ok(());
    }
    out.nisland = found.count();
    let nv = m.nv();
    for island in 0..out.nisland {
        let mut enter = |dofs: std::ops::Range<usize>| {
            for dof in dofs.map(DofId::new) {
                out.dof_island[dof] = Some(island);
                out.tree_island[m.dof.treeid[dof]] = Some(island);
            }
        };
        if found.is_whole() {
            enter(0..nv);
        } else {
            found.dofs(island).for_each(&mut enter);
        }
        found.for_each_block(&p, island, |block| {
            let block = &p.rows.jac.blocks()[block];
            for row in (block.row as usize..(block.row + block.nrow) as usize).filter(|&row| row >= before) {
                out.efc_island[row - before] = Some(island);
            }
        });
    }
    join_flexes(m, out);
    Ok(())
}

/// Joins the trees of each elastic flex, which stiffness ties together whether or not rows do.
fn join_flexes(m: &Model, out: &mut IslandMap) {
    let flexes: Vec<FlexId> = m.flex.ids().filter(|&f| is_elastic(m, f)).collect();
    if flexes.is_empty() {
        return;
    }
    // Each tree is in the group of one: of the first of its island, or its own.
    let mut first = vec![None; out.nisland];
    let mut group: IdVec<TreeId, TreeId> =
        out.tree_island.iter_ids().map(|(t, island)| island.map_or(t, |i| *first[i].get_or_insert(t))).collect();
    let mut tied: IdVec<TreeId, bool> = out.tree_island.iter().map(Option::is_some).collect();
    for f in flexes {
        let trees: Vec<TreeId> = bodies_of_flex(m, f).filter_map(|b| m.body.treeid[b]).collect();
        for &t in &trees {
            tied[t] = true;
            let (from, to) = (group[t], group[trees[0]]);
            group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
        }
    }
    let mut number: IdVec<TreeId, Option<usize>> = m.tree.ids().map(|_| None).collect();
    out.nisland = 0;
    for t in m.tree.ids().filter(|&t| tied[t]) {
        let next = out.nisland;
        let island = *number[group[t]].get_or_insert(next);
        out.nisland = next.max(island + 1);
        out.tree_island[t] = Some(island);
    }
    for (dof, island) in m.dof.ids().zip(out.dof_island.iter_mut()) {
        *island = out.tree_island[m.dof.treeid[dof]];
    }
    for island in out.efc_island.iter_mut().flatten() {
        *island = first[*island].and_then(|t| number[group[t]]).unwrap_or(*island);
    }
}

/// Tells whether elements or hinges of a flex resist deformation.
fn is_elastic(m: &Model, f: FlexId) -> bool {
    let stiffness = usize::try_from(m.flex.stiffnessadr[f]).ok().and_then(|adr| m.flex_shape.stiffness.get(adr));
    !m.flex.rigid[f] && (m.flex.bendingadr[f] >= 0 || stiffness.is_some_and(|&k| k != 0.0))
}

/// Returns the bodies that move a flex: those of its nodes if it is interpolated, else those of its vertices, and those that
/// twist the edges of a rod.
fn bodies_of_flex(m: &Model, f: FlexId) -> impl Iterator<Item = BodyId> {
    let part = |adr: u32, n: u32| adr as usize..(adr + n) as usize;
    let (vertices, nodes) = match m.flex.interp[f] {
        0 => (part(m.flex.vertadr[f], m.flex.vertnum[f]), 0..0),
        _ => (0..0, part(m.flex.nodeadr[f], m.flex.nodenum[f])),
    };
    let of_vertices = m.flex_data.vertbodyid[vertices].iter().flatten().copied();
    let vertices_of_rod = m.rod_records(f).iter().filter(|r| r[3] < 0.0 && r[7] >= 0.0);
    // The joint of the edge before a vertex is the one before that of the edge after it.
    let twists = vertices_of_rod.flat_map(|r| [r[7] as usize, (r[7] as usize).saturating_sub(1)]);
    let of_edges = twists.filter(move |&j| m.rod_twists(f) && j < m.jnt.len()).map(|j| m.jnt.bodyid[JointId::new(j)]);
    of_vertices.chain(m.flex_data.nodebodyid[nodes].iter().copied()).chain(of_edges)
}

/// The element or contact that made a constraint row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// An equality constraint.
    Equality(EqualityId),
    /// An equality constraint of a program's own, by its number among the rows that hooks added.
    Custom(usize),
    /// Friction loss of a dof.
    FrictionDof(DofId),
    /// Friction loss of a tendon.
    FrictionTendon(TendonId),
    /// A limit of a joint.
    LimitJoint(JointId),
    /// A limit of a tendon.
    LimitTendon(TendonId),
    /// A contact, by its number in `data.contacts`.
    Contact(usize),
}

/// One constraint row, with what made it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintRow {
    /// Number of the row.
    pub row: usize,
    /// Element or contact that made the row.
    pub source: RowSource,
    /// Type of constraint (`efc_type`).
    pub r#type: ConstraintType,
    /// Violation: residual or distance (`efc_pos`).
    pub pos: f64,
    /// Velocity (`efc_vel`).
    pub vel: f64,
    /// Reference acceleration (`efc_aref`).
    pub aref: f64,
    /// Regularization (`efc_R`).
    pub r: f64,
    /// Force (`efc_force`); zero where no solver ran yet.
    pub force: f64,
}

/// Returns a constraint row with what made it. [`describe_row`](crate::describe_row) says it in words.
///
/// Example: [`contact_force`](crate::contact_force).
///
/// # Errors
/// If there is no such row, or data and model don't fit together.
pub fn constraint_row(m: &Model, d: &Data, row: usize) -> Result<ConstraintRow, QueryError> {
    check_data(m, d)?;
    let rows = &d.rows;
    let missing = QueryError::Row { index: row, count: rows.nefc() };
    let (Some(&kind), Some(&id)) = (rows.r#type.get(row), rows.id.get(row)) else { return Err(missing) };
    let id = id as usize;
    let source = match kind {
        ConstraintType::Equality if id >= m.eq.len() => RowSource::Custom(id - m.eq.len()),
        ConstraintType::Equality => RowSource::Equality(EqualityId::new(id)),
        ConstraintType::FrictionDof => RowSource::FrictionDof(DofId::new(id)),
        ConstraintType::FrictionTendon => RowSource::FrictionTendon(TendonId::new(id)),
        ConstraintType::LimitJoint => RowSource::LimitJoint(JointId::new(id)),
        ConstraintType::LimitTendon => RowSource::LimitTendon(TendonId::new(id)),
        ConstraintType::ContactFrictionless | ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic => {
            RowSource::Contact(id)
        }
    };
    let number = |v: &[f64]| v.get(row).copied().unwrap_or(0.0);
    Ok(ConstraintRow {
        row,
        source,
        r#type: kind,
        pos: number(&rows.pos),
        vel: number(&rows.vel),
        aref: number(&rows.aref),
        r: number(&rows.r),
        force: number(&d.solution.efc_force),
    })
}
