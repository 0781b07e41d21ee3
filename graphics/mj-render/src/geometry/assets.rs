//! Meshes, their convex hulls, and height fields of models.

use super::builder::{Builder, face_normal, vertex};
use mj_model::{HfieldId, MeshId, Model};

/// Cosine of the angle to the face beyond which a corner takes the face's normal: edges stay sharp.
const SHARP: f32 = 0.8;

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns entry `first + offset` of a list, if it is there.
fn entry<T: Copy>(list: &[T], first: u32, offset: i32) -> Option<T> {
    list.get(usize::try_from(i64::from(first) + i64::from(offset)).ok()?).copied()
}

/// Adds a mesh of the model; triangles with vertices that aren't there are left out.
pub fn mesh(b: &mut Builder, m: &Model, id: MeshId) {
    let (t, data) = (&m.mesh, &*m.mesh_data);
    let texcoords = u32::try_from(t.texcoordadr[id]).ok();
    let faces = t.faceadr[id] as usize..(t.faceadr[id] as usize).saturating_add(t.facenum[id] as usize);
    for f in faces {
        let Some((face, normals)) = data.face.get(f).zip(data.facenormal.get(f)) else { break };
        let p = face.map(|v| entry(&data.vert, t.vertadr[id], v));
        let n = normals.map(|v| entry(&data.normal, t.normaladr[id], v));
        let ([Some(p0), Some(p1), Some(p2)], [Some(n0), Some(n1), Some(n2)]) = (p, n) else { continue };
        let (p, mut n) = ([p0, p1, p2], [n0, n1, n2]);
        let mut uv = [[0.0; 2]; 3];
        if let (Some(first), Some(numbers)) = (texcoords, data.facetexcoord.get(f)) {
            uv = numbers.map(|v| entry(&data.texcoord, first, v).unwrap_or_default());
        } else {
            let flat = face_normal(p0, p1, p2);
            for corner in &mut n {
                if dot(*corner, flat) < SHARP {
                    *corner = flat;
                }
            }
        }
        b.triangle([0, 1, 2].map(|k| vertex(p[k], n[k], uv[k])));
    }
}

/// Adds the convex hull of a mesh, if it has one.
pub fn hull(b: &mut Builder, m: &Model, id: MeshId) {
    let (t, data) = (&m.mesh, &*m.mesh_data);
    let Some(graph) = usize::try_from(t.graphadr[id]).ok().and_then(|adr| data.graph.get(adr..)) else { return };
    let [vertices, faces, ..] = *graph else { return };
    let (Ok(vertices), Ok(faces)) = (usize::try_from(vertices), usize::try_from(faces)) else { return };
    let Some(start) = vertices.checked_add(faces).and_then(|n| n.checked_mul(3)) else { return };
    let Some(triangles) = graph.get(start + 2..) else { return };
    let texcoords = u32::try_from(t.texcoordadr[id]).ok();
    for face in triangles.chunks_exact(3).take(faces) {
        let face = [face[0], face[1], face[2]];
        let [Some(p0), Some(p1), Some(p2)] = face.map(|v| entry(&data.vert, t.vertadr[id], v)) else { continue };
        let n = face_normal(p0, p1, p2);
        let uv = face.map(|v| texcoords.and_then(|first| entry(&data.texcoord, first, v)).unwrap_or_default());
        b.triangle([vertex(p0, n, uv[0]), vertex(p1, n, uv[1]), vertex(p2, n, uv[2])]);
    }
}

/// Adds a height field with its sides and its base.
pub fn hfield(b: &mut Builder, m: &Model, id: HfieldId, quads: u32) {
    let t = &m.hfield;
    let size = t.size[id].map(|x| x as f32);
    let (rows, cols, first) = (t.nrow[id] as usize, t.ncol[id] as usize, t.adr[id] as usize);
    let Some(data) = rows.checked_mul(cols).and_then(|n| m.hfield_data.get(first..first.checked_add(n)?)) else {
        return;
    };
    if rows < 2 || cols < 2 {
        return;
    }
    let x = |c: usize| size[0] * (2.0 * c as f32 / (cols - 1) as f32 - 1.0);
    let y = |r: usize| size[1] * (2.0 * r as f32 / (rows - 1) as f32 - 1.0);
    let top = |r: usize, c: usize| [x(c), y(r), size[2] * data[r * cols + c]];
    let bottom = |r: usize, c: usize| [x(c), y(r), -size[3]];
    let mut flat = |p: [[f32; 3]; 3]| {
        let n = face_normal(p[0], p[1], p[2]);
        b.triangle(p.map(|p| vertex(p, n, [0.0; 2])));
    };
    for r in 0..rows - 1 {
        for c in 0..cols - 1 {
            flat([top(r + 1, c), top(r, c), top(r + 1, c + 1)]);
            flat([top(r, c), top(r, c + 1), top(r + 1, c + 1)]);
        }
    }
    let mut side = |n: [f32; 3], p: [[f32; 3]; 4]| b.quad(p.map(|p| vertex(p, n, [0.0; 2])));
    let (last_row, last_col) = (rows - 1, cols - 1);
    for r in 0..last_row {
        side([-1.0, 0.0, 0.0], [bottom(r + 1, 0), bottom(r, 0), top(r, 0), top(r + 1, 0)]);
        let e = last_col;
        side([1.0, 0.0, 0.0], [bottom(r, e), bottom(r + 1, e), top(r + 1, e), top(r, e)]);
    }
    for c in 0..last_col {
        side([0.0, -1.0, 0.0], [bottom(0, c), bottom(0, c + 1), top(0, c + 1), top(0, c)]);
        let e = last_row;
        side([0.0, 1.0, 0.0], [bottom(e, c + 1), bottom(e, c), top(e, c), top(e, c + 1)]);
    }
    let step = |k: u32| 2.0 * k as f32 / quads as f32 - 1.0;
    for r in 0..quads {
        for c in 0..quads {
            let at = |r: u32, c: u32| [size[0] * step(c), size[1] * step(r), -size[3]];
            side([0.0, 0.0, -1.0], [at(r, c), at(r + 1, c), at(r + 1, c + 1), at(r, c + 1)]);
        }
    }
}
