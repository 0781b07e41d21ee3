//! Meshes, hulls and height fields that geoms of a recording show.

use super::column::{quantize, write_column};
use super::json::{Object, list};
use super::look::Look;
use super::topology::TEXELS;
use mj_engine::Model;
use mj_model::{HfieldId, MeshId};
use mj_scene::SceneShape;
use std::collections::HashMap;

/// Steps of vertices along each side of a mesh's box.
const STEPS: f64 = 16383.0;

/// Most rows and columns of a height field.
const MAX_GRID: usize = 128;

#[derive(Clone, Copy, PartialEq)]
enum Source {
    Mesh(MeshId),
    Hull(MeshId),
    Hfield(HfieldId),
}

/// Vertices with what belongs to them, and triangles.
#[derive(Default)]
struct Geometry {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    index: Vec<i64>,
}

/// Geometry that is shown, in the order of the page's numbers.
#[derive(Default)]
pub struct Meshes {
    all: Vec<Source>,
}

impl Meshes {
    /// Returns the number of meshes.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the page's number of a geom's mesh or height field; −1: it has none.
    pub fn number(&mut self, m: &Model, look: &Look) -> i64 {
        let Ok(id) = usize::try_from(look.dataid) else { return -1 };
        let source = match SceneShape::from_code(look.shape) {
            Some(SceneShape::Mesh | SceneShape::Sdf) if id / 2 < m.mesh.len() => {
                let mesh = MeshId::new(id / 2);
                if id % 2 == 1 { Source::Hull(mesh) } else { Source::Mesh(mesh) }
            }
            Some(SceneShape::Hfield) if id < m.hfield.len() => Source::Hfield(HfieldId::new(id)),
            _ => return -1,
        };
        let known = self.all.iter().position(|s| *s == source);
        known.unwrap_or_else(|| {
            self.all.push(source);
            self.all.len() - 1
        }) as i64
    }

    /// Appends columns to a block, and returns the meshes from one on in JSON.
    pub fn describe(&self, m: &Model, first: usize, out: &mut Vec<u8>) -> String {
        list(self.all.iter().skip(first).map(|source| {
            let geometry = match *source {
                Source::Mesh(id) => mesh(m, id),
                Source::Hull(id) => hull(m, id),
                Source::Hfield(id) => hfield(m, id),
            };
            geometry.describe(out)
        }))
    }
}

impl Geometry {
    fn describe(&self, out: &mut Vec<u8>) -> String {
        let (mut low, mut step) = ([0.0_f32; 3], [0.0_f32; 3]);
        for k in 0..3 {
            let along = || self.positions.iter().map(|p| p[k]).filter(|x| x.is_finite());
            low[k] = along().reduce(f32::min).unwrap_or(0.0);
            let high = along().reduce(f32::max).unwrap_or(0.0);
            step[k] = (f64::from(high - low[k]) / STEPS) as f32;
            let steps = |p: &[f32; 3]| quantize(f64::from(p[k] - low[k]), f64::from(step[k]).max(1e-30));
            write_column(out, &self.positions.iter().map(steps).collect::<Vec<_>>());
        }
        for k in 0..if self.normals.is_empty() { 0 } else { 3 } {
            write_column(out, &self.normals.iter().map(|n| quantize(n[k].into(), 1.0 / 127.0)).collect::<Vec<_>>());
        }
        for k in 0..if self.texcoords.is_empty() { 0 } else { 2 } {
            write_column(out, &self.texcoords.iter().map(|t| quantize(t[k].into(), 1.0 / TEXELS)).collect::<Vec<_>>());
        }
        write_column(out, &self.index);
        Object::default()
            .int("vertices", self.positions.len() as i64)
            .int("corners", self.index.len() as i64)
            .reals("low", &low)
            .reals("step", &step)
            .flag("normals", !self.normals.is_empty())
            .flag("texcoords", !self.texcoords.is_empty())
            .finish()
    }
}

/// Returns a mesh with its normals and texture coordinates: corners that share all are one vertex.
fn mesh(m: &Model, id: MeshId) -> Geometry {
    let (t, data) = (&m.mesh, &m.mesh_data);
    let textured = usize::try_from(t.texcoordadr[id]).ok();
    let faces = t.faceadr[id] as usize..(t.faceadr[id] + t.facenum[id]) as usize;
    let (mut out, mut known) = (Geometry::default(), HashMap::new());
    for f in faces {
        let at = |list: &[[i32; 3]], c: usize| list.get(f).map_or(0, |face| usize::try_from(face[c]).unwrap_or(0));
        for c in 0..3 {
            let corner = (at(&data.face, c), at(&data.facenormal, c), textured.map(|_| at(&data.facetexcoord, c)));
            let next = out.positions.len();
            let vertex = *known.entry(corner).or_insert(next);
            out.index.push(vertex as i64);
            if vertex < next {
                continue;
            }
            let (v, n, t2) = corner;
            out.positions.push(data.vert.get(t.vertadr[id] as usize + v).copied().unwrap_or_default());
            out.normals.push(data.normal.get(t.normaladr[id] as usize + n).copied().unwrap_or_default());
            if let (Some(adr), Some(t2)) = (textured, t2) {
                out.texcoords.push(data.texcoord.get(adr + t2).copied().unwrap_or_default());
            }
        }
    }
    out
}

/// Returns a mesh's convex hull with a normal for each face, by its polygons.
fn hull(m: &Model, id: MeshId) -> Geometry {
    let (t, data) = (&m.mesh, &m.mesh_data);
    let first = t.vertadr[id] as usize;
    let mut out = Geometry::default();
    for p in t.polyadr[id] as usize..(t.polyadr[id] + t.polynum[id]) as usize {
        let (adr, count) = match (data.polyvertadr.get(p), data.polyvertnum.get(p)) {
            (Some(adr), Some(count)) => (*adr as usize, *count as usize),
            _ => continue,
        };
        let Some(corners) = data.polyvert.get(adr..adr + count) else { continue };
        let start = out.positions.len() as i64;
        let normal = data.polynormal.get(p).map_or([0.0; 3], |n| n.to_array().map(|x| x as f32));
        for &v in corners {
            out.positions.push(data.vert.get(first + v as usize).copied().unwrap_or_default());
            out.normals.push(normal);
        }
        for k in 2..count as i64 {
            out.index.extend([start, start + k - 1, start + k]);
        }
    }
    out
}

/// Returns a height field with the sides of its base, thinned to [`MAX_GRID`].
fn hfield(m: &Model, id: HfieldId) -> Geometry {
    let (rows, columns) = (m.hfield.nrow[id] as usize, m.hfield.ncol[id] as usize);
    let [sx, sy, top, base] = m.hfield.size[id].map(|x| x as f32);
    let first = m.hfield.adr[id] as usize;
    let (down, across) = (rows.clamp(2, MAX_GRID), columns.clamp(2, MAX_GRID));
    let place = |i: usize, n: usize| i as f32 / (n - 1) as f32;
    let nearest = |i: usize, n: usize, of: usize| (i * of.saturating_sub(1) + (n - 1) / 2) / (n - 1);
    let vertex = |r: usize, c: usize| {
        let at = first + nearest(r, down, rows) * columns + nearest(c, across, columns);
        let height = m.hfield_data.get(at).copied().unwrap_or(0.0);
        [(2.0 * place(c, across) - 1.0) * sx, (2.0 * place(r, down) - 1.0) * sy, height * top]
    };
    let mut out = Geometry::default();
    for r in 0..down {
        out.positions.extend((0..across).map(|c| vertex(r, c)));
    }
    let cell =
        |r: usize, c: usize| [r * across + c, r * across + c + 1, (r + 1) * across + c, (r + 1) * across + c + 1];
    for (r, c) in (0..down - 1).flat_map(|r| (0..across - 1).map(move |c| (r, c))) {
        let [a, b, d, e] = cell(r, c).map(|i| i as i64);
        out.index.extend([a, b, e, a, e, d]);
    }
    // The border, counter-clockwise seen from above; its vertices are not the surface's, so that edges stay sharp.
    let south = (0..across - 1).map(|c| (0, c));
    let east = (0..down - 1).map(|r| (r, across - 1));
    let north = (1..across).rev().map(|c| (down - 1, c));
    let west = (1..down).rev().map(|r| (r, 0));
    let border: Vec<_> = south.chain(east).chain(north).chain(west).collect();
    for (k, &(r, c)) in border.iter().enumerate() {
        let (r2, c2) = border[(k + 1) % border.len()];
        let (a, b) = (vertex(r, c), vertex(r2, c2));
        let start = out.positions.len() as i64;
        out.positions.extend([[a[0], a[1], -base], [b[0], b[1], -base], b, a]);
        out.index.extend([0, 1, 2, 0, 2, 3].map(|i| start + i));
    }
    out
}
