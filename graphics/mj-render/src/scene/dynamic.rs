//! Flexes and skins: triangles that come with each scene.

use super::instance::Placement;
use crate::geometry::Vertex;
use glam::{DMat3, DQuat, DVec3};
use mj_model::Model;
use mj_scene::{FlexSurface, SceneGeom, SkinSurface};

/// Corners of a skin's triangles: vertex and texture coordinates.
pub type SkinFaces = Vec<(usize, [f32; 2])>;

/// Returns the corners of all skins of a model.
pub fn skin_faces(m: &Model) -> Vec<SkinFaces> {
    let data = &*m.skin_data;
    let of = |s| {
        let first = m.skin.faceadr[s] as usize;
        let faces = data.face.get(first..first.saturating_add(m.skin.facenum[s] as usize)).unwrap_or_default();
        let texcoords = usize::try_from(m.skin.texcoordadr[s]).ok().and_then(|adr| data.texcoord.get(adr..));
        let corner = |&v: &i32| {
            let v = usize::try_from(v).unwrap_or(usize::MAX);
            (v, texcoords.and_then(|t| t.get(v)).copied().unwrap_or_default())
        };
        faces.iter().flatten().map(corner).collect()
    };
    m.skin.ids().map(of).collect()
}

fn vertex(p: [f32; 3], n: [f32; 3], t: [f32; 2]) -> Vertex {
    [p[0], p[1], p[2], 0.0, n[0], n[1], n[2], t[0], t[1]]
}

/// Appends the triangles of a skin; those with vertices that aren't there are left out.
pub fn append_skin(out: &mut Vec<Vertex>, skin: &SkinSurface, faces: &SkinFaces) {
    for triangle in faces.chunks_exact(3) {
        let corner = |&(v, t): &(usize, [f32; 2])| Some(vertex(*skin.vertices.get(v)?, *skin.normals.get(v)?, t));
        if let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|k| corner(&triangle[k])) {
            out.extend([a, b, c]);
        }
    }
}

/// Faces of a flex with the range of corners that a geom shows.
pub type FlexFaces<'a> = (&'a FlexSurface, std::ops::Range<usize>);

/// Returns the faces that a geom shows of its flex: all, or those of one material.
pub fn flex_faces<'a>(flex: &'a FlexSurface, geom: &SceneGeom) -> FlexFaces<'a> {
    let all = 0..flex.faces.positions.len();
    let slice = usize::try_from(geom.dataid).ok().and_then(|k| flex.slices.get(k));
    let corners = slice.map_or(all.clone(), |&(_, first, count)| {
        let first = first.saturating_mul(3).min(all.end);
        first..first.saturating_add(count.saturating_mul(3)).min(all.end)
    });
    (flex, corners)
}

/// Appends faces of a flex.
pub fn append_faces(out: &mut Vec<Vertex>, (flex, corners): FlexFaces) {
    let faces = &flex.faces;
    let whole = corners.start..corners.end - corners.len() % 3;
    out.extend(whole.map(|k| {
        let normal = faces.normals.get(k).copied().unwrap_or([0.0, 0.0, 1.0]);
        vertex(faces.positions[k], normal, faces.texcoords.get(k).copied().unwrap_or_default())
    }));
}

/// Returns the placements of tubes along the edges of a flex.
pub fn flex_edges(flex: &FlexSurface, radius: f32) -> impl Iterator<Item = Placement> {
    flex.edges.iter().filter_map(move |edge| {
        let end = |v: i32| usize::try_from(v).ok().and_then(|v| flex.vertices.get(v));
        let [a, b] = [end(edge[0])?, end(edge[1])?].map(|v| DVec3::from_array(v.map(f64::from)));
        let axis = (b - a).try_normalize()?;
        let rotation = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Z, axis)).transpose().to_cols_array();
        Some(Placement {
            pos: (0.5 * (a + b)).to_array().map(|x| x as f32),
            mat: rotation.map(|x| x as f32),
            scale: [radius, radius, 0.5 * (b - a).length() as f32],
            end: 0.0,
        })
    })
}
