//! Fields of `MjModel` that the engine doesn't keep in the reference's form: sparsity patterns, addresses of names, sizes.

use super::names::Bytes;
use super::volumes;
use crate::sparse::starts;
use mj_engine::{Data, Model};
use mj_model::{BodyId, Column, DofId, Field, Id, Jacobian};

/// Whether constraint Jacobians are shown as sparse matrices (`mj_isSparse`).
pub fn is_sparse(m: &Model) -> bool {
    match m.opt.jacobian {
        Jacobian::Dense => false,
        Jacobian::Sparse => true,
        Jacobian::Auto => m.nv() >= 60,
    }
}

/// Rows of columns: a sparsity pattern.
struct Pattern(Vec<Vec<usize>>);

impl Pattern {
    fn rownnz(&self) -> Vec<i32> {
        self.0.iter().map(|row| row.len() as i32).collect()
    }

    fn rowadr(&self) -> Vec<i32> {
        starts(&self.rownnz())
    }

    fn colind(&self) -> Vec<i32> {
        self.0.iter().flatten().map(|&c| c as i32).collect()
    }

    fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

/// Each dof with its ancestors, itself first: the rows of the inertia in its older form (`qM`).
fn ancestors(m: &Model) -> Vec<Vec<usize>> {
    m.dof.ids().map(|dof| std::iter::successors(Some(dof), |&d| m.dof.parentid[d]).map(Id::index).collect()).collect()
}

/// Number of entries of the inertia in its older form.
pub fn older_len(m: &Model) -> usize {
    Pattern(ancestors(m)).len()
}

/// Joint-space inertia as the engine keeps it.
fn of_inertia(m: &Model) -> Pattern {
    let p = &m.m_pattern;
    Pattern((0..m.nv()).map(|i| p.colind[p.row(i)].iter().map(|&c| c as usize).collect()).collect())
}

/// Derivative of forces by velocities: dofs on one path from the root.
fn of_derivative(m: &Model) -> Pattern {
    let mut rows = ancestors(m);
    rows.iter_mut().for_each(|row| row.reverse());
    for i in 0..m.nv() {
        for c in rows[i].clone().into_iter().filter(|&c| c < i) {
            rows[c].push(i);
        }
    }
    Pattern(rows)
}

/// Columns of each row of the derivative of forces by velocities.
pub fn derivative_rows(m: &Model) -> Vec<Vec<usize>> {
    of_derivative(m).0
}

/// Dofs that move a body, or that it carries.
fn of_bodies(m: &Model) -> Pattern {
    let above = |mut b: BodyId, top: BodyId| {
        while b > top {
            b = m.body.parentid[b];
        }
        b == top
    };
    Pattern(
        m.body
            .ids()
            .map(|b| {
                let related = |dof: &DofId| above(b, m.dof.bodyid[*dof]) || above(m.dof.bodyid[*dof], b);
                m.dof.ids().filter(related).map(Id::index).collect()
            })
            .collect(),
    )
}

/// For each entry of the inertia, its place in the older form.
pub fn inertia_to_older(m: &Model) -> Vec<i32> {
    let older = ancestors(m);
    let mut adr = 0;
    let mut out = Vec::new();
    for (row, chain) in of_inertia(m).0.iter().zip(&older) {
        out.extend(row.iter().filter_map(|c| chain.iter().position(|a| a == c)).map(|k| (adr + k) as i32));
        adr += chain.len();
    }
    out
}

/// For each entry of the derivative, the entry of the inertia, which is symmetric; -1 where the inertia has none.
fn derivative_to_inertia(m: &Model) -> Vec<i32> {
    let p = &m.m_pattern;
    let at = |i: usize, j: usize| p.row(i).find(|&k| p.colind[k] as usize == j).map_or(-1, |k| k as i32);
    let entries = of_derivative(m).0.into_iter().enumerate();
    entries.flat_map(|(i, row)| row.into_iter().map(move |j| (i.max(j), i.min(j)))).map(|(i, j)| at(i, j)).collect()
}

/// For each entry of the inertia, the entry of the derivative.
fn inertia_to_derivative(m: &Model) -> Vec<i32> {
    let (of_m, d) = (of_inertia(m), of_derivative(m));
    let adr = d.rowadr();
    let rows = of_m.0.iter().zip(&d.0).zip(adr);
    rows.flat_map(|((row, d), adr)| {
        row.iter().filter_map(move |c| d.iter().position(|x| x == c)).map(move |k| adr + k as i32)
    })
    .collect()
}

/// Position of the diagonal in each row of the derivative.
fn derivative_diagonal(m: &Model) -> Vec<i32> {
    let rows = of_derivative(m).0;
    rows.iter().enumerate().map(|(i, row)| row.iter().take_while(|&&c| c < i).count() as i32).collect()
}

/// Returns a field that is derived here.
pub fn field(m: &Model, name: &str) -> Option<Field> {
    if let Some(field) = volumes::field(m, name) {
        return Some(field);
    }
    let tendons = || Data::new(m).map(|d| d.smooth.transmissions.ten_J).unwrap_or_default();
    let numbers = match name {
        "dof_Madr" => Pattern(ancestors(m)).rowadr(),
        "B_rownnz" => of_bodies(m).rownnz(),
        "B_rowadr" => of_bodies(m).rowadr(),
        "B_colind" => of_bodies(m).colind(),
        "M_rownnz" => of_inertia(m).rownnz(),
        "M_rowadr" => of_inertia(m).rowadr(),
        "M_colind" => of_inertia(m).colind(),
        "mapM2M" => inertia_to_older(m),
        "D_rownnz" => of_derivative(m).rownnz(),
        "D_rowadr" => of_derivative(m).rowadr(),
        "D_diag" => derivative_diagonal(m),
        "D_colind" => of_derivative(m).colind(),
        "mapM2D" => derivative_to_inertia(m),
        "mapD2M" => inertia_to_derivative(m),
        "ten_J_rownnz" => crate::sparse::rownnz(&tendons()),
        "ten_J_rowadr" => crate::sparse::rowadr(&tendons()),
        "ten_J_colind" => crate::sparse::colind(&tendons()),
        "names_map" => vec![-1; 2 * named(m)],
        _ => Bytes::of(m).addresses.into_iter().find(|(field, _)| *field == name)?.1,
    };
    Some(Field { name: name.into(), shape: vec![numbers.len()], data: Column::I32(numbers) })
}

/// Number of elements that can have names.
fn named(m: &Model) -> usize {
    Bytes::of(m).addresses.iter().map(|(_, a)| a.len()).sum()
}

/// Names of sizes that are derived here.
const SIZES: &[&str] = &[
    "nbvh",
    "nbvhstatic",
    "nM",
    "nB",
    "nC",
    "nD",
    "nJten",
    "nJmom",
    "nnames",
    "nnames_map",
    "npaths",
    "nemax",
    "narena",
    "nbuffer",
    "nconmax",
    "njmax",
];

/// Number of nodes in the trees of bounding volumes: over the geoms of a body that may collide, and the triangles of a mesh.
fn bounding_volumes(m: &Model) -> usize {
    let nodes = |leaves: usize| (2 * leaves).saturating_sub(1);
    let mut of_body = vec![0; m.body.len()];
    for g in m.geom.ids().filter(|&g| m.geom.contype[g] | m.geom.conaffinity[g] != 0) {
        of_body[m.geom.bodyid[g].index()] += 1;
    }
    let faces = m.mesh.ids().map(|mesh| nodes(m.mesh.facenum[mesh] as usize));
    of_body.into_iter().map(nodes).chain(faces).sum()
}

/// Returns a size by name; none if there is no such size.
pub fn size(m: &Model, name: &str) -> Option<usize> {
    let entries = |rows: fn(&Data) -> &mj_math::BlockRows| {
        Data::new(m).map(|d| crate::sparse::colind(rows(&d)).len()).unwrap_or_default()
    };
    Some(match name {
        "nbvh" | "nbvhstatic" => bounding_volumes(m),
        "nM" => older_len(m),
        "nB" => of_bodies(m).len(),
        "nC" => m.m_pattern.nnz(),
        "nD" => of_derivative(m).len(),
        "nJten" => entries(|d| &d.smooth.transmissions.ten_J),
        "nJmom" => entries(|d| &d.smooth.transmissions.actuator_moment),
        "nnames" => Bytes::of(m).names.len(),
        "nnames_map" => 2 * named(m),
        "npaths" => 1,
        "nemax" => 0,
        // Memory of contacts and rows grows as it must: these say what it may grow to at least.
        "narena" => 1 << 24,
        "nbuffer" => m.to_bytes().len(),
        _ => m.sizes().into_iter().find(|s| s.0 == name)?.1,
    })
}

/// Names of all sizes.
pub fn size_names(m: &Model) -> Vec<&'static str> {
    let mut names: Vec<_> = m.sizes().into_iter().map(|s| s.0).collect();
    names.extend(SIZES.iter().filter(|n| !names.contains(n)).copied().collect::<Vec<_>>());
    names
}
