//! Topologies of surfaces of flexes and skins: which corners are one vertex, with all that doesn't move.

use super::column::{quantize, write_column};
use super::json::Object;
use super::look::Look;
use mj_engine::Model;
use mj_scene::{Scene, SceneGeom, SceneShape};
use std::collections::HashMap;

/// Elements between vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Triangles = 3,
    /// Edges, drawn with a radius.
    Edges = 2,
    /// Vertices, drawn with a radius.
    Points = 1,
}

/// Steps of texture coordinates in one.
pub const TEXELS: f64 = 4096.0;

/// Taker of a surface: its geom, elements, corners, and texture coordinates of the corners or none.
pub type Take<'a> = dyn FnMut(&SceneGeom, Kind, &[[f32; 3]], &[[f32; 2]]) + 'a;

/// Gives all surfaces of a scene.
pub fn visit(m: &Model, scene: &Scene, take: &mut Take) {
    for geom in &scene.geoms {
        let Ok(id) = usize::try_from(geom.objid) else { continue };
        match geom.r#type {
            SceneShape::Flex => flex(scene, geom, id, take),
            SceneShape::Skin => skin(m, scene, geom, id, take),
            _ => {}
        }
    }
}

fn flex(scene: &Scene, geom: &SceneGeom, id: usize, take: &mut Take) {
    let Some(flex) = scene.flexes.get(id) else { return };
    let all = flex.faces.positions.len() / 3;
    // Of several materials, each geom has its faces.
    let (first, count) = if geom.dataid < 0 { (0, all) } else { (geom.size[1] as usize, geom.size[2] as usize) };
    let first = first.min(all);
    let corners = 3 * first..3 * first.saturating_add(count).min(all);
    if !corners.is_empty() {
        let texcoords = flex.faces.texcoords.get(corners.clone()).unwrap_or_default();
        take(geom, Kind::Triangles, &flex.faces.positions[corners], texcoords);
    }
    let smooth = scene.flexskinopt && all > 0;
    if smooth || geom.dataid > 0 {
        return;
    }
    let vertex = |v: i32| usize::try_from(v).ok().and_then(|v| flex.vertices.get(v)).copied().unwrap_or_default();
    if scene.flexedgeopt {
        let ends: Vec<_> = flex.edges.iter().flatten().map(|&v| vertex(v)).collect();
        take(geom, Kind::Edges, &ends, &[]);
    }
    if scene.flexvertopt {
        take(geom, Kind::Points, &flex.vertices, &[]);
    }
}

fn skin(m: &Model, scene: &Scene, geom: &SceneGeom, id: usize, take: &mut Take) {
    let (Some(skin), true) = (scene.skins.get(id), id < m.skin.len()) else { return };
    let s = mj_model::SkinId::new(id);
    let first = m.skin.faceadr[s] as usize;
    let faces = m.skin_data.face.get(first..first + m.skin.facenum[s] as usize).unwrap_or_default();
    let vertices: Vec<usize> = faces.iter().flatten().map(|&v| usize::try_from(v).unwrap_or(usize::MAX)).collect();
    let corners: Vec<_> = vertices.iter().map(|&v| skin.vertices.get(v).copied().unwrap_or_default()).collect();
    let start = usize::try_from(m.skin.texcoordadr[s]).ok();
    let coordinates = start.and_then(|adr| m.skin_data.texcoord.get(adr..)).unwrap_or_default();
    let texcoords: Vec<_> = vertices.iter().filter_map(|&v| coordinates.get(v).copied()).collect();
    let complete = texcoords.len() == corners.len();
    take(geom, Kind::Triangles, &corners, if complete { &texcoords } else { &[] });
}

/// Vertices of a surface, found once; corners that are at one place then are one vertex.
pub struct Topology {
    kind: Kind,
    pub look: Look,
    rgba: [f32; 4],
    radius: f32,
    /// Vertex of each corner.
    index: Vec<usize>,
    /// Corner of each vertex.
    corners: Vec<usize>,
    texcoords: Vec<[f32; 2]>,
}

impl Topology {
    /// Finds the vertices.
    pub fn new(geom: &SceneGeom, kind: Kind, corners: &[[f32; 3]], texcoords: &[[f32; 2]]) -> Self {
        let mut places: HashMap<[u32; 5], usize> = HashMap::new();
        let (mut index, mut first) = (Vec::new(), Vec::new());
        for (k, corner) in corners.iter().enumerate() {
            let [x, y, z] = corner.map(f32::to_bits);
            let [u, v] = texcoords.get(k).copied().unwrap_or_default().map(f32::to_bits);
            let next = first.len();
            let vertex = *places.entry([x, y, z, u, v]).or_insert(next);
            if vertex == next {
                first.push(k);
            }
            index.push(vertex);
        }
        let texcoords = first.iter().filter_map(|&k| texcoords.get(k).copied()).collect();
        Self { kind, look: Look::new(geom), rgba: geom.rgba, radius: geom.size[0], index, corners: first, texcoords }
    }

    /// Returns whether it is that of a surface: corners that are one vertex are still at one place.
    pub fn fits(&self, geom: &SceneGeom, kind: Kind, corners: &[[f32; 3]]) -> bool {
        let together =
            |(&v, at): (&usize, &[f32; 3])| corners[self.corners[v]].map(f32::to_bits) == at.map(f32::to_bits);
        self.kind == kind
            && self.rgba == geom.rgba
            && corners.len() == self.index.len()
            && self.look == Look::new(geom)
            && self.index.iter().zip(corners).all(together)
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.corners.len()
    }

    /// Returns the places of the vertices, of corners that fit.
    pub fn places<'a>(&'a self, corners: &'a [[f32; 3]]) -> impl Iterator<Item = [f32; 3]> + 'a {
        self.corners.iter().map(|&k| corners[k])
    }

    /// Appends the columns of all that doesn't move.
    pub fn write(&self, out: &mut Vec<u8>) {
        let index: Vec<i64> = self.index.iter().map(|i| *i as i64).collect();
        write_column(out, &index);
        for k in 0..if self.texcoords.is_empty() { 0 } else { 2 } {
            let coordinates: Vec<i64> = self.texcoords.iter().map(|t| quantize(t[k].into(), 1.0 / TEXELS)).collect();
            write_column(out, &coordinates);
        }
    }

    /// Returns the description, with the page's number of the texture.
    pub fn describe(&self, texture: i64) -> Object {
        self.look
            .describe(-1, texture)
            .int("kind", self.kind as i64)
            .int("corners", self.index.len() as i64)
            .int("vertices", self.corners.len() as i64)
            .flag("texcoords", !self.texcoords.is_empty())
            .reals("rgba", &self.rgba)
            .real("radius", self.radius)
    }
}
