//! Surfaces of flexes and skins over the frames: corners at one place are one vertex, whose places are recorded.

use super::column::{quantize, write_column};
use super::json::list;
use super::look::Look;
use super::tracks::Runs;
use mj_engine::Model;
use mj_scene::{Scene, SceneGeom, SceneShape};
use std::collections::HashMap;

/// Elements between vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Triangles = 3,
    /// Edges, drawn with a radius.
    Edges = 2,
    /// Vertices, drawn with a radius.
    Points = 1,
}

/// Steps of texture coordinates in one.
pub const TEXELS: f64 = 4096.0;

struct Surface {
    kind: Kind,
    look: Look,
    rgba: [f32; 4],
    radius: f32,
    runs: Runs,
    /// Vertex of each corner.
    index: Vec<usize>,
    /// Corner of each vertex.
    corners: Vec<usize>,
    texcoords: Vec<[f32; 2]>,
    /// Places of all vertices, frame by frame.
    places: Vec<i64>,
}

/// All surfaces over the frames.
pub struct Surfaces {
    quantum: f64,
    all: Vec<Surface>,
}

impl Surfaces {
    /// Returns no surfaces, with a quantum of positions, m.
    pub fn new(quantum: f64) -> Self {
        Self { quantum, all: Vec::new() }
    }

    /// Adds the surfaces of a frame.
    pub fn push(&mut self, m: &Model, frame: usize, scene: &Scene) {
        for geom in &scene.geoms {
            let Ok(id) = usize::try_from(geom.objid) else { continue };
            match geom.r#type {
                SceneShape::Flex => self.flex(frame, scene, geom, id),
                SceneShape::Skin => self.skin(m, frame, scene, geom, id),
                _ => {}
            }
        }
    }

    fn flex(&mut self, frame: usize, scene: &Scene, geom: &SceneGeom, id: usize) {
        let Some(flex) = scene.flexes.get(id) else { return };
        let all = flex.faces.positions.len() / 3;
        // Of several materials, each geom has its faces.
        let (first, count) = if geom.dataid < 0 { (0, all) } else { (geom.size[1] as usize, geom.size[2] as usize) };
        let first = first.min(all);
        let corners = 3 * first..3 * first.saturating_add(count).min(all);
        if !corners.is_empty() {
            let texcoords = flex.faces.texcoords.get(corners.clone()).unwrap_or_default();
            self.add(frame, geom, Kind::Triangles, &flex.faces.positions[corners], texcoords);
        }
        let smooth = scene.flexskinopt && all > 0;
        if smooth || geom.dataid > 0 {
            return;
        }
        let vertex = |v: i32| usize::try_from(v).ok().and_then(|v| flex.vertices.get(v)).copied().unwrap_or_default();
        if scene.flexedgeopt {
            let ends: Vec<_> = flex.edges.iter().flatten().map(|&v| vertex(v)).collect();
            self.add(frame, geom, Kind::Edges, &ends, &[]);
        }
        if scene.flexvertopt {
            self.add(frame, geom, Kind::Points, &flex.vertices, &[]);
        }
    }

    fn skin(&mut self, m: &Model, frame: usize, scene: &Scene, geom: &SceneGeom, id: usize) {
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
        self.add(frame, geom, Kind::Triangles, &corners, if complete { &texcoords } else { &[] });
    }

    fn add(&mut self, frame: usize, geom: &SceneGeom, kind: Kind, corners: &[[f32; 3]], texcoords: &[[f32; 2]]) {
        let look = Look::new(geom);
        let same = |s: &&mut Surface| s.kind == kind && s.look == look && s.rgba == geom.rgba && s.fits(corners);
        let quantum = self.quantum;
        if let Some(known) = self.all.iter_mut().rev().find(same) {
            return known.push(frame, corners, quantum);
        }
        let mut new = Surface::new(kind, look, geom, corners, texcoords);
        new.push(frame, corners, quantum);
        self.all.push(new);
    }

    /// Appends columns to a block, and returns the surfaces in JSON; `texture` gives the page's number of a texture.
    pub fn describe(&self, out: &mut Vec<u8>, mut texture: impl FnMut(i32) -> i64) -> String {
        list(self.all.iter().map(|s| {
            let index: Vec<i64> = s.index.iter().map(|i| *i as i64).collect();
            write_column(out, &index);
            for k in 0..if s.texcoords.is_empty() { 0 } else { 2 } {
                let coordinates: Vec<i64> = s.texcoords.iter().map(|t| quantize(t[k].into(), 1.0 / TEXELS)).collect();
                write_column(out, &coordinates);
            }
            let numbers = 3 * s.corners.len();
            for k in 0..numbers {
                let column: Vec<i64> = s.places.iter().skip(k).step_by(numbers).copied().collect();
                write_column(out, &column);
            }
            s.look
                .describe(-1, texture(s.look.texid))
                .int("kind", s.kind as i64)
                .int("corners", s.index.len() as i64)
                .int("vertices", s.corners.len() as i64)
                .flag("texcoords", !s.texcoords.is_empty())
                .reals("rgba", &s.rgba)
                .real("radius", s.radius)
                .raw("runs", &s.runs.describe())
                .finish()
        }))
    }
}

impl Surface {
    fn new(kind: Kind, look: Look, geom: &SceneGeom, corners: &[[f32; 3]], texcoords: &[[f32; 2]]) -> Self {
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
        let runs = Runs::default();
        Self {
            kind,
            look,
            rgba: geom.rgba,
            radius: geom.size[0],
            runs,
            index,
            corners: first,
            texcoords,
            places: Vec::new(),
        }
    }

    /// Returns whether corners that are one vertex are still at one place.
    fn fits(&self, corners: &[[f32; 3]]) -> bool {
        corners.len() == self.index.len()
            && self
                .index
                .iter()
                .zip(corners)
                .all(|(&v, at)| corners[self.corners[v]].map(f32::to_bits) == at.map(f32::to_bits))
    }

    fn push(&mut self, frame: usize, corners: &[[f32; 3]], quantum: f64) {
        self.runs.push(frame);
        let places = self.corners.iter().flat_map(|&k| corners[k]);
        self.places.extend(places.map(|x| quantize(x.into(), quantum)));
    }
}
