//! Meshes and height fields: every address and vertex lies where it should.

use super::fail::{names_row, want, within, wrong};
use crate::Model;
use crate::enums::GeomType;
use crate::ids::MeshId;
use crate::storage::Check;

pub(super) fn check(m: &Model) -> Check {
    let d = &m.mesh_data;
    want(d.polymapadr.len() == d.vert.len(), "mesh_polymapadr", 0, "not as many as vertices")?;
    want(d.polymapnum.len() == d.vert.len(), "mesh_polymapnum", 0, "not as many as vertices")?;
    want(d.polyvertadr.len() == d.polynormal.len(), "mesh_polyvertadr", 0, "not as many as polygons")?;
    want(d.polyvertnum.len() == d.polynormal.len(), "mesh_polyvertnum", 0, "not as many as polygons")?;
    want(d.facenormal.len() == d.face.len(), "mesh_facenormal", 0, "not as many as faces")?;
    want(d.facetexcoord.len() == d.face.len(), "mesh_facetexcoord", 0, "not as many as faces")?;
    octrees(m)?;
    follow_each_other(m)?;
    for i in m.mesh.ids() {
        mesh(m, i)?;
    }
    for i in m.hfield.ids() {
        let (rows, columns) = (m.hfield.nrow[i] as usize, m.hfield.ncol[i] as usize);
        let n = rows.checked_mul(columns).filter(|_| rows > 1 && columns > 1);
        let Some(n) = n else { return wrong("hfield_nrow", i.index(), "no size of a height field") };
        within(m.hfield.adr[i] as usize, n, m.hfield_data.len(), "hfield_adr", i.index())?;
    }
    for g in m.geom.ids() {
        let rows = match m.geom.r#type[g] {
            GeomType::Mesh | GeomType::Sdf => m.mesh.len(),
            GeomType::Hfield => m.hfield.len(),
            // A primitive that was fitted to a mesh remembers it.
            _ if m.geom.dataid[g] >= 0 => m.mesh.len(),
            _ => continue,
        };
        names_row(m.geom.dataid[g], rows, false, "geom_dataid", g.index())?;
    }
    Ok(())
}

/// Octrees: as many entries of each kind, and children that come after their parents.
fn octrees(m: &Model) -> Check {
    let (d, n) = (&m.mesh_data, m.mesh_data.oct_depth.len());
    want(d.oct_child.len() == n, "oct_child", 0, "not as many as nodes")?;
    want(d.oct_aabb.len() == n, "oct_aabb", 0, "not as many as nodes")?;
    want(d.oct_coeff.len() == n, "oct_coeff", 0, "not as many as nodes")?;
    for i in m.mesh.ids() {
        let num = m.mesh.octnum[i] as usize;
        let Ok(adr) = usize::try_from(m.mesh.octadr[i]) else {
            want(m.mesh.octadr[i] == -1 && num == 0, "mesh_octadr", i.index(), "it is negative")?;
            continue;
        };
        within(adr, num, n, "mesh_octadr", i.index())?;
        for (k, child) in d.oct_child[adr..adr + num].iter().enumerate() {
            let leaf = *child == [-1; 8];
            let later = |&c: &i32| usize::try_from(c).is_ok_and(|c| c > k && c < num);
            want(leaf || child.iter().all(later), "oct_child", adr + k, "a child is no later node of the mesh")?;
        }
    }
    Ok(())
}

/// What a file holds once, it is read once: meshes and polygons don't share their entries, so that the memory which a
/// model takes is bounded by its size.
fn follow_each_other(m: &Model) -> Check {
    let (t, d) = (&m.mesh, &m.mesh_data);
    let lists: [(&str, &[u32], &[u32]); 6] = [
        ("mesh_vertadr", t.vertadr.as_slice(), t.vertnum.as_slice()),
        ("mesh_faceadr", t.faceadr.as_slice(), t.facenum.as_slice()),
        ("mesh_normaladr", t.normaladr.as_slice(), t.normalnum.as_slice()),
        ("mesh_polyadr", t.polyadr.as_slice(), t.polynum.as_slice()),
        ("mesh_polyvertadr", &d.polyvertadr, &d.polyvertnum),
        ("mesh_polymapadr", &d.polymapadr, &d.polymapnum),
    ];
    for (field, adr, num) in lists {
        let mut next = 0u64;
        for (row, (&adr, &num)) in adr.iter().zip(num).enumerate() {
            want(u64::from(adr) == next, field, row, &format!("it is not {next}"))?;
            next += u64::from(num);
        }
    }
    Ok(())
}

fn mesh(m: &Model, i: MeshId) -> Check {
    let (t, d, row) = (&m.mesh, &m.mesh_data, i.index());
    let nvert = t.vertnum[i] as usize;
    within(t.vertadr[i] as usize, nvert, d.vert.len(), "mesh_vertadr", row)?;
    within(t.faceadr[i] as usize, t.facenum[i] as usize, d.face.len(), "mesh_faceadr", row)?;
    within(t.polyadr[i] as usize, t.polynum[i] as usize, d.polynormal.len(), "mesh_polyadr", row)?;
    corners(m, i)?;
    let is_vertex = |v: i32| usize::try_from(v).is_ok_and(|v| v < nvert);
    let faces = &d.face[t.faceadr[i] as usize..][..t.facenum[i] as usize];
    want(faces.iter().flatten().all(|&v| is_vertex(v)), "mesh_face", row, "a face has a vertex that is not there")?;

    for p in t.polyadr[i] as usize..(t.polyadr[i] + t.polynum[i]) as usize {
        let (adr, n) = (d.polyvertadr[p] as usize, d.polyvertnum[p] as usize);
        within(adr, n, d.polyvert.len(), "mesh_polyvertadr", p)?;
        want(n > 2, "mesh_polyvertnum", p, "a polygon has three corners and more")?;
        let good = d.polyvert[adr..adr + n].iter().all(|&v| (v as usize) < nvert);
        want(good, "mesh_polyvert", p, "a polygon has a vertex that is not there")?;
    }
    for v in t.vertadr[i] as usize..t.vertadr[i] as usize + nvert {
        let (adr, n) = (d.polymapadr[v] as usize, d.polymapnum[v] as usize);
        within(adr, n, d.polymap.len(), "mesh_polymapadr", v)?;
        let good = d.polymap[adr..adr + n].iter().all(|&p| p < t.polynum[i]);
        want(good, "mesh_polymap", v, "a vertex has a polygon that is not there")?;
    }
    match usize::try_from(t.graphadr[i]) {
        Ok(adr) => graph(&d.graph, adr, nvert, row),
        Err(_) => want(t.graphadr[i] == -1, "mesh_graphadr", row, "it is negative"),
    }
}

/// Normals and texture coordinates of the corners of triangles.
fn corners(m: &Model, i: MeshId) -> Check {
    let (t, d, row) = (&m.mesh, &m.mesh_data, i.index());
    let (first, count) = (t.faceadr[i] as usize, t.facenum[i] as usize);
    let below = |list: &[[i32; 3]], n: u32| {
        list[first..first + count].iter().flatten().all(|&x| u32::try_from(x).is_ok_and(|x| x < n))
    };
    within(t.normaladr[i] as usize, t.normalnum[i] as usize, d.normal.len(), "mesh_normaladr", row)?;
    want(below(&d.facenormal, t.normalnum[i]), "mesh_facenormal", row, "a corner has a normal that is not there")?;
    if let Ok(adr) = usize::try_from(t.texcoordadr[i]) {
        within(adr, t.texcoordnum[i] as usize, d.texcoord.len(), "mesh_texcoordadr", row)?;
        let good = below(&d.facetexcoord, t.texcoordnum[i]);
        want(good, "mesh_facetexcoord", row, "a corner has texture coordinates that are not there")?;
    }
    Ok(())
}

/// A hull's graph: counts, edge addresses and vertices, neighbours ended by −1, triangles.
fn graph(graph: &[i32], adr: usize, nvert: usize, row: usize) -> Check {
    let count = |at: usize| graph.get(at).and_then(|&n| usize::try_from(n).ok());
    let (Some(n), Some(f)) = (count(adr), count(adr + 1)) else {
        return wrong("mesh_graph", row, "it has no counts");
    };
    let edges = f.checked_mul(3).and_then(|f| f.checked_add(n));
    let total = edges.and_then(|e| e.checked_add(2 * n + 3 * f + 2));
    let (Some(edges), Some(total)) = (edges, total.filter(|_| n <= nvert && f <= 2 * nvert)) else {
        return wrong("mesh_graph", row, "its counts are too large");
    };
    within(adr, total, graph.len(), "mesh_graphadr", row)?;
    let (addresses, rest) = graph[adr + 2..adr + total].split_at(n);
    let (vertices, rest) = rest.split_at(n);
    let (neighbours, triangles) = rest.split_at(edges);
    let below = |list: &[i32], limit: usize| list.iter().all(|&x| usize::try_from(x).is_ok_and(|x| x < limit));
    want(below(vertices, nvert), "mesh_graph", row, "a vertex is not there")?;
    want(below(triangles, nvert), "mesh_graph", row, "a triangle has a vertex that is not there")?;
    let neighbour = |x: i32| x == -1 || usize::try_from(x).is_ok_and(|x| x < n);
    want(neighbours.iter().all(|&x| neighbour(x)), "mesh_graph", row, "a neighbour is not there")?;
    // Each vertex's neighbours begin where those of the one before have ended.
    let mut starts = std::iter::once(0).chain((1..).zip(neighbours).filter(|(_, x)| **x == -1).map(|(i, _)| i));
    let good = addresses.iter().all(|&adr| starts.next() == usize::try_from(adr).ok());
    want(good && starts.next() == Some(edges), "mesh_graph", row, "the neighbours don't follow each other")
}
