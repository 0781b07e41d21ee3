//! Bodies, joints, degrees of freedom and trees: most of it follows from the parents and the joints'
//! types, and must be what follows.

use super::fail::{want, within, wrong};
use crate::Model;
use crate::ids::*;
use crate::storage::Check;

pub(super) fn check(m: &Model) -> Check {
    bodies(m)?;
    elements(m)?;
    trees(m)?;
    pattern(m)
}

fn bodies(m: &Model) -> Check {
    let (b, j, d) = (&m.body, &m.jnt, &m.dof);
    want(!b.is_empty(), "body_parentid", 0, "there is no world")?;
    let (mut nq, mut nv, mut njnt, mut ngeom, mut nmocap, mut ntree) = (0, 0, 0, 0, 0, 0);
    let mut last_dof: Vec<Option<DofId>> = Vec::with_capacity(b.len());
    for id in b.ids() {
        let i = id.index();
        let parent = b.parentid[id];
        let world = id == BodyId::WORLD;
        want(parent < id || world && parent == id, "body_parentid", i, "a parent comes before its children")?;
        let root = if world || parent == BodyId::WORLD { id } else { b.rootid[parent] };
        want(
            b.rootid[id] == root,
            "body_rootid",
            i,
            &format!("it is not the ancestor {} below the world", root.index()),
        )?;
        let fixed = b.jntnum[id] == 0 && !world && b.weldid[id] == b.weldid[parent];
        want(b.weldid[id] == id || fixed, "body_weldid", i, "neither itself nor what its parent is fixed to")?;
        want(b.simple[id] <= 2, "body_simple", i, "it is none of 0, 1, 2")?;

        if let Some(mocap) = b.mocapid[id] {
            want(mocap.index() == nmocap, "body_mocapid", i, "mocap bodies are not numbered in order")?;
            nmocap += 1;
        }
        consecutive(b.jntadr[id].map(JointId::index), b.jntnum[id], &mut njnt, m.jnt.len(), "body_jntadr", i)?;
        consecutive(b.geomadr[id].map(GeomId::index), b.geomnum[id], &mut ngeom, m.geom.len(), "body_geomadr", i)?;

        let first_dof = nv;
        let mut last = if world { None } else { last_dof[parent.index()] };
        for joint in id_range(b.jntadr[id], b.jntnum[id]) {
            let row = joint.index();
            let (wq, wv) = j.r#type[joint].sizes();
            want(j.bodyid[joint] == id, "jnt_bodyid", row, "it is not the body that has the joint")?;
            want(j.qposadr[joint] as usize == nq, "jnt_qposadr", row, &format!("the coordinates start at {nq}"))?;
            want(j.dofadr[joint].index() == nv, "jnt_dofadr", row, &format!("the dofs start at {nv}"))?;
            within(nq, wq, m.nq(), "jnt_qposadr", row)?;
            within(nv, wv, m.nv(), "jnt_dofadr", row)?;
            for dof in id_range(Some(j.dofadr[joint]), wv as u32) {
                let k = dof.index();
                want(d.bodyid[dof] == id, "dof_bodyid", k, "it is not the body that has the joint")?;
                want(d.jntid[dof] == joint, "dof_jntid", k, "it is not the joint that has the dof")?;
                want(d.parentid[dof] == last, "dof_parentid", k, "it is not the previous dof on the way to the root")?;
                let tree = match last {
                    Some(last) => d.treeid[last].index(),
                    None => {
                        ntree += 1;
                        ntree - 1
                    }
                };
                want(d.treeid[dof].index() == tree, "dof_treeid", k, &format!("the dof is of tree {tree}"))?;
                last = Some(dof);
            }
            (nq, nv) = (nq + wq, nv + wv);
        }
        let num = nv - first_dof;
        want(b.dofnum[id] as usize == num, "body_dofnum", i, &format!("its joints have {num} dofs"))?;
        let adr = (num > 0).then(|| DofId::new(first_dof));
        want(b.dofadr[id] == adr, "body_dofadr", i, "it is not the first dof of its joints")?;
        let tree = b.dofadr[b.weldid[id]].map(|d| m.dof.treeid[d]);
        want(b.treeid[id] == tree, "body_treeid", i, "it is not the tree of the body's dofs")?;
        last_dof.push(last);
    }
    let ends = [
        ("qpos0", nq, m.nq()),
        ("qpos_spring", nq, m.qpos_spring.len()),
        ("dof_bodyid", nv, m.nv()),
        ("jnt_bodyid", njnt, m.jnt.len()),
        ("geom_bodyid", ngeom, m.geom.len()),
        ("nmocap", nmocap, m.nmocap),
        ("tree_bodyadr", ntree, m.tree.len()),
    ];
    for (field, used, n) in ends {
        if used != n {
            return wrong(field, used, format!("{n} rows, but the bodies have {used}"));
        }
    }
    Ok(())
}

/// Fails unless the rows of a body follow those of the bodies before it.
fn consecutive(adr: Option<usize>, num: u32, next: &mut usize, n: usize, field: &str, row: usize) -> Check {
    let want_adr = (num > 0).then_some(*next);
    if adr != want_adr {
        return wrong(field, row, format!("its {num} rows start at {next}"));
    }
    within(*next, num as usize, n, field, row)?;
    *next += num as usize;
    Ok(())
}

/// Geoms are among their bodies' rows.
fn elements(m: &Model) -> Check {
    for b in m.body.ids() {
        for g in id_range(m.body.geomadr[b], m.body.geomnum[b]) {
            want(m.geom.bodyid[g] == b, "geom_bodyid", g.index(), "it is not the body that has the geom")?;
        }
    }
    Ok(())
}

fn trees(m: &Model) -> Check {
    let t = &m.tree;
    let (mut dofs, mut bodies) = (vec![0; t.len()], vec![0; t.len()]);
    for d in m.dof.ids() {
        let tree = m.dof.treeid[d];
        let first = dofs[tree.index()] == 0;
        want(!first || t.dofadr[tree] == d, "tree_dofadr", tree.index(), "it is not the first dof of the tree")?;
        dofs[tree.index()] += 1;
    }
    for b in m.body.ids() {
        let Some(tree) = m.body.treeid[b] else { continue };
        let first = bodies[tree.index()] == 0;
        want(!first || t.bodyadr[tree] == b, "tree_bodyadr", tree.index(), "it is not the first body of the tree")?;
        bodies[tree.index()] += 1;
    }
    for id in t.ids() {
        let i = id.index();
        want(t.dofnum[id] as usize == dofs[i], "tree_dofnum", i, &format!("the tree has {} dofs", dofs[i]))?;
        want(t.bodynum[id] as usize == bodies[i], "tree_bodynum", i, &format!("the tree has {} bodies", bodies[i]))?;
        within(t.bodyadr[id].index(), bodies[i], m.body.len(), "tree_bodyadr", i)?;
    }
    Ok(())
}

/// The pattern of the inertia matrix follows from the dofs' parents.
fn pattern(m: &Model) -> Check {
    let (d, p) = (&m.dof, &m.m_pattern);
    let mut next = 0;
    for id in d.ids().rev() {
        let simple = d.simplenum[id];
        want(
            simple == 0 || simple == next + 1,
            "dof_simplenum",
            id.index(),
            "it does not count the simple dofs from here",
        )?;
        next = simple;
    }
    let field = "m_pattern";
    want(p.rownnz.len() == m.nv() && p.rowadr.len() == m.nv(), field, 0, "it does not have a row for each dof")?;
    let mut end = 0;
    for id in d.ids() {
        let i = id.index();
        let n = p.rownnz[i] as usize;
        want(p.rowadr[i] as usize == end, field, i, "its rows do not follow each other")?;
        within(end, n, p.colind.len(), field, i)?;
        // From the diagonal, last, to the root.
        let mut columns = p.colind[end..end + n].iter().rev();
        let mut expected = Some(id);
        while let Some(dof) = expected {
            want(columns.next() == Some(&(dof.index() as u32)), field, i, "its columns are not the dof's ancestors")?;
            expected = if d.simplenum[id] > 0 { None } else { d.parentid[dof] };
        }
        want(columns.next().is_none(), field, i, "its columns are not the dof's ancestors")?;
        end += n;
    }
    want(end == p.colind.len(), field, m.nv(), "it has more entries than its rows")
}
