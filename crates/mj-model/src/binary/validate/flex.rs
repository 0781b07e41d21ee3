//! Flexes: every address, vertex, node and edge lies where it should.

use super::fail::{want, within};
use crate::Model;
use crate::enums::{JointType, plastic};
use crate::ids::{BodyId, FlexId, JointId};
use crate::storage::Check;

/// Edges of an element, by dimension.
const EDGES: [usize; 3] = [1, 3, 6];

fn all_below(ids: &[i32], n: usize, field: &str, row: usize) -> Check {
    let good = ids.iter().all(|&i| usize::try_from(i).is_ok_and(|i| i < n));
    want(good, field, row, "an id that is not there")
}

fn lengths(m: &Model) -> Check {
    let (d, s) = (&m.flex_data, &m.flex_shape);
    let (nvert, nnode, nedge) = (d.vertbodyid.len(), d.nodebodyid.len(), m.flexedge.len());
    let columns = [
        ("flex_vertcell", d.vertcell.len(), nvert),
        ("flex_vert0", d.vert0.len(), nvert),
        ("flex_vert", s.vert.len(), nvert),
        ("flex_node0", d.node0.len(), nnode),
        ("flex_node", s.node.len(), nnode),
        ("flex_edge", d.edge.len(), nedge),
        ("flex_edgeflap", d.edgeflap.len(), nedge),
        ("flexedge_J_rownnz", d.j_rownnz.len(), nedge),
        ("flexedge_J_rowadr", d.j_rowadr.len(), nedge),
        ("flex_matid", d.matid.len(), d.elemlayer.len()),
        ("flex_elemtexcoord", d.elemtexcoord.len(), d.elem.len()),
        ("flex_bvh", d.bvh_nodeid.len(), d.bvh_child.len()),
    ];
    for (field, n, expected) in columns {
        want(n == expected, field, 0, "not as many as the flexes have")?;
    }
    for e in 0..nedge {
        let (first, n) = (d.j_rowadr[e] as usize, d.j_rownnz[e] as usize);
        within(first, n, d.j_colind.len(), "flexedge_J_rowadr", e)?;
        let columns = &d.j_colind[first..first + n];
        want(columns.is_sorted_by(|a, b| a < b), "flexedge_J_colind", e, "columns that don't ascend")?;
    }
    let nv = m.nv();
    want(
        d.j_colind.iter().all(|&c| (c as usize) < nv),
        "flexedge_J_colind",
        0,
        "a degree of freedom that is not there",
    )?;
    let is_body = |b: &BodyId| b.index() < m.body.len();
    want(d.nodebodyid.iter().all(is_body), "flex_nodebodyid", 0, "a body that is not there")?;
    want(d.vertbodyid.iter().flatten().all(is_body), "flex_vertbodyid", 0, "a body that is not there")?;
    want(d.matid.iter().flatten().all(|i| i.index() < m.mat.len()), "flex_matid", 0, "a material that is not there")
}

/// The tree of boxes over a flex's elements: children come after their parents, leaves name elements.
fn tree(m: &Model, i: FlexId) -> Check {
    let (first, n) = (m.flex.bvhadr[i] as usize, m.flex.bvhnum[i] as usize);
    for node in 0..n {
        let (child, elem) = (m.flex_data.bvh_child[first + node], m.flex_data.bvh_nodeid[first + node]);
        let good = if elem < 0 {
            child.iter().all(|&c| usize::try_from(c).is_ok_and(|c| c > node && c < n))
        } else {
            child == [-1; 2] && (elem as u32) < m.flex.elemnum[i]
        };
        want(good, "flex_bvh", first + node, "a node that is neither a leaf nor has two children")?;
    }
    Ok(())
}

/// Numbers of the plastic state; as many as can be where the counts of cells are too high.
fn plastic_count(m: &Model, i: FlexId) -> usize {
    let cells = m.flex.cellnum[i].iter().try_fold(1i32, |n, &c| n.checked_mul(c));
    let small = m.flex.interp[i] == 0 || cells.is_some_and(|n| n < 1 << 20) && m.flex.cellnum[i].iter().all(|&n| n > 0);
    if small { m.flex_plastic_count(i) } else { usize::MAX }
}

/// Records of a rod: they are all there, and name vertices and hinge joints.
fn rod(m: &Model, i: FlexId) -> Check {
    let row = i.index();
    let Some(at) = usize::try_from(m.flex.bendingadr[i]).ok().filter(|_| m.flex.dim[i] == 1) else { return Ok(()) };
    let count = m.flex_shape.bending.get(at).copied().unwrap_or(-1.0);
    let records = m.rod_records(i);
    want(count == records.len() as f64, "flex_bending", row, "not as many records as it says")?;
    let vertex = |x: f64| x >= 0.0 && x.fract() == 0.0 && x < f64::from(m.flex.vertnum[i]);
    let hinge = |x: f64| {
        x.fract() == 0.0
            && x >= 0.0
            && (x as usize) < m.jnt.len()
            && m.jnt.r#type[JointId::new(x as usize)] == JointType::Hinge
    };
    for r in records {
        let named = r[..3].iter().all(|&v| vertex(v)) && (r[3] == -1.0 || vertex(r[3]));
        want(named, "flex_bending", row, "a vertex that is not there")?;
        want(r[3] >= 0.0 || r[7] == -1.0 || hinge(r[7]), "flex_bending", row, "a joint that is no hinge")?;
    }
    let twists = !m.rod_twists(i) || m.flex.plasticadr[i] >= 0;
    want(twists, "flex_plasticadr", row, "no place for the frames of its edges")
}

fn one(m: &Model, i: FlexId) -> Check {
    let (t, d, s, row) = (&m.flex, &m.flex_data, &m.flex_shape, i.index());
    let dim = t.dim[i] as usize;
    want((1..=3).contains(&dim), "flex_dim", row, "not 1, 2 or 3")?;
    let at = |adr: u32, num: usize, n: usize, field: &str| within(adr as usize, num, n, field, row);
    let (nvert, nedge, nelem) = (t.vertnum[i] as usize, t.edgenum[i] as usize, t.elemnum[i] as usize);
    at(t.nodeadr[i], t.nodenum[i] as usize, d.nodebodyid.len(), "flex_nodeadr")?;
    at(t.vertadr[i], nvert, d.vertbodyid.len(), "flex_vertadr")?;
    at(t.edgeadr[i], nedge, m.flexedge.len(), "flex_edgeadr")?;
    at(t.elemadr[i], nelem, d.elemlayer.len(), "flex_elemadr")?;
    let (ndata, nelemedge) = (nelem.saturating_mul(dim + 1), nelem.saturating_mul(EDGES[dim - 1]));
    at(t.elemdataadr[i], ndata, d.elem.len(), "flex_elemdataadr")?;
    at(t.elemedgeadr[i], nelemedge, d.elemedge.len(), "flex_elemedgeadr")?;
    let nshell = (t.shellnum[i] as usize).saturating_mul(dim);
    let shell = u32::try_from(t.shelldataadr[i]).unwrap_or(0);
    at(shell, nshell, d.shell.len(), "flex_shelldataadr")?;
    rod(m, i)?;
    let (each, loose) = (if dim == 3 { 24 } else { 21 }, t.interp[i] == 0 && dim > 1);
    let records = |n: usize, of: usize| if loose { n.saturating_mul(of) } else { 1 };
    for (adr, count, n, field) in [
        (t.stiffnessadr[i], records(nelem, each), s.stiffness.len(), "flex_stiffnessadr"),
        (t.bendingadr[i], records(nedge, 17), s.bending.len(), "flex_bendingadr"),
        (t.plasticadr[i], plastic_count(m, i), m.nplastic, "flex_plasticadr"),
    ] {
        match usize::try_from(adr) {
            Ok(adr) => within(adr, count, n, field, row)?,
            Err(_) => want(adr == -1, field, row, "an address that is not there")?,
        }
    }
    at(t.bvhadr[i], t.bvhnum[i] as usize, d.bvh_child.len(), "flex_bvhadr")?;
    tree(m, i)?;
    want(t.plasticmode[i] == 0 || t.plasticadr[i] >= 0, "flex_plasticadr", row, "no place for what is plastic")?;
    let bends = t.plasticmode[i] & plastic::BENDING != 0;
    want(!bends || loose && t.bendingadr[i] >= 0, "flex_plasticmode", row, "hinges that are not there")?;
    let stretches = t.plasticmode[i] & plastic::STRETCHING != 0;
    want(!stretches || t.stiffnessadr[i] >= 0, "flex_plasticmode", row, "elements that are not there")?;
    all_below(&d.elem[t.elemdataadr[i] as usize..][..ndata], nvert, "flex_elem", row)?;
    all_below(&d.elemedge[t.elemedgeadr[i] as usize..][..nelemedge], nedge, "flex_elemedge", row)?;
    all_below(&d.shell[shell as usize..][..nshell], nvert, "flex_shell", row)?;
    let edges = t.edgeadr[i] as usize..t.edgeadr[i] as usize + nedge;
    all_below(d.edge[edges.clone()].as_flattened(), nvert, "flex_edge", row)?;
    let flaps = d.edgeflap[edges].as_flattened();
    want(
        flaps.iter().all(|&v| v == -1 || usize::try_from(v).is_ok_and(|v| v < nvert)),
        "flex_edgeflap",
        row,
        "a vertex that is not there",
    )?;
    let order = t.interp[i].unsigned_abs() as usize;
    want(order <= 2, "flex_interp", row, "an order of interpolation above 2")?;
    if order == 0 {
        let bodies = &d.vertbodyid[t.vertadr[i] as usize..][..nvert];
        return want(bodies.iter().all(Option::is_some), "flex_vertbodyid", row, "a vertex without a body");
    }
    let nodes = t.cellnum[i].iter().try_fold(1usize, |n, &c| n.checked_mul(usize::try_from(c).ok()? * order + 1));
    want(nodes == Some(t.nodenum[i] as usize), "flex_nodenum", row, "not the nodes of its grid")?;
    want(t.cellnum[i].iter().all(|&c| c > 0), "flex_cellnum", row, "no cell along an axis")
}

pub(super) fn check(m: &Model) -> Check {
    lengths(m)?;
    m.flex.ids().try_for_each(|i| one(m, i))
}
