//! Meshes: from files, built-in shapes or lists of vertices to tables about the centre of mass.

pub(crate) mod builtin;
mod cells;
pub(crate) mod enclosed;
mod graph;
mod marching_cubes;
mod msh;
mod normal;
mod obj;
mod octree;
mod sides;
mod soup;
mod stl;
mod volume;

use crate::frames::{EPS, Pose, unit_quat};
use graph::Hull;
use mj_math::{DMat3, DQuat, DVec3, eig3, quat};
use mj_model::plugin::SdfPlugin;
use mj_model::spec::Mesh;
use mj_model::{GeomType, MeshInertia};
pub(crate) use octree::OctreeBuild;
pub(crate) use soup::Bytes;
use soup::{Soup, corners};
use std::collections::HashSet;

/// Relative precision of single-precision coordinates, about.
const SINGLE: f64 = 1e-7;

/// A mesh in its own frame: about the centre of mass, along the principal axes of inertia.
#[derive(Clone, Debug)]
pub(crate) struct MeshBuild {
    pub vert: Vec<[f32; 3]>,
    pub face: Vec<[u32; 3]>,
    /// Unit normals, and which one each corner of a triangle has.
    pub normal: Vec<[f32; 3]>,
    pub facenormal: Vec<[u32; 3]>,
    /// Texture coordinates, if there are any, and which ones each corner of a triangle has.
    pub texcoord: Vec<[f32; 2]>,
    pub facetexcoord: Vec<[u32; 3]>,
    pub hull: Option<Hull>,
    /// Unit normals of the hull's polygons.
    pub polynormal: Vec<DVec3>,
    pub scale: DVec3,
    /// The frame in the scaled source.
    pub pose: Pose,
    /// Corners of the bounding box.
    pub low: DVec3,
    pub high: DVec3,
    /// Volume, or area of a shell.
    pub volume: f64,
    /// Principal moments of a unit of mass.
    pub inertia: DVec3,
    /// Half sizes of the box with the same inertia.
    pub inertia_box: DVec3,
    /// Material of geoms that have none.
    pub material: String,
    /// How many times the mesh's volume its hull has, where the mesh collides as a hull that is little like it.
    pub unlike_hull: Option<f64>,
    /// Signed distances around the mesh.
    pub octree: Option<OctreeBuild>,
}

/// Parts of a mesh that are wanted.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted<'a> {
    /// Map that stretches it after its own scale.
    pub stretch: Option<DMat3>,
    /// Whether it needs a hull.
    pub collides: bool,
    /// Whether it collides as that hull, and not by its signed distance.
    pub as_hull: bool,
    /// Whether it needs an octree.
    pub octree: bool,
    /// Function whose surface it is.
    pub function: Option<&'a dyn SdfPlugin>,
}

impl MeshBuild {
    /// The box about the frame's origin that holds the mesh, as half sizes.
    pub fn reach(&self) -> DVec3 {
        self.low.abs().max(self.high.abs())
    }

    /// Size of a primitive fitted to the mesh, and where its centre lies in the mesh's frame.
    pub fn fit(&self, kind: GeomType, by_box: bool) -> Option<(DVec3, DVec3)> {
        let centre = if by_box { (self.low + self.high) / 2.0 } else { DVec3::ZERO };
        let half = if by_box { self.high - centre } else { self.inertia_box };
        let size = match (kind, by_box) {
            (GeomType::Ellipsoid | GeomType::Box, _) => half,
            (GeomType::Sphere, false) => DVec3::X * half.element_sum() / 3.0,
            (GeomType::Sphere, true) => DVec3::X * half.max_element(),
            (GeomType::Cylinder, false) => DVec3::new((half.x + half.y) / 2.0, half.z, 0.0),
            (GeomType::Cylinder, true) => DVec3::new(half.x.max(half.y), half.z, 0.0),
            (GeomType::Capsule, false) => {
                let r = (half.x + half.y) / 2.0;
                DVec3::new(r, (half.z - r / 2.0).max(0.0), 0.0)
            }
            (GeomType::Capsule, true) => {
                let r = half.x.max(half.y);
                DVec3::new(r, half.z - r, 0.0)
            }
            _ => return None,
        };
        Some((size, centre))
    }
}

/// The surface of a mesh as written, unscaled.
pub(crate) struct Surface {
    pub vert: Vec<DVec3>,
    /// Triangles; lines are triangles whose last corner stands twice.
    pub face: Vec<[u32; 3]>,
    pub texcoord: Vec<[f32; 2]>,
    /// Texture coordinates of the triangles' corners; empty: those of the vertices.
    pub facetexcoord: Vec<[u32; 3]>,
}

/// Reads the surface of a mesh. Vertices whose coordinates are equal are united.
pub(crate) fn surface(m: &Mesh) -> Result<Surface, String> {
    let (mut soup, _) = written(m, None)?;
    soup.weld();
    let lines = soup.line.iter().map(|&[a, b]| [a, b, b]);
    let face = if soup.face.is_empty() { lines.collect() } else { soup.face };
    let vert = soup.vert.iter().map(|v| DVec3::from_array(v.map(f64::from))).collect();
    Ok(Surface { vert, face, texcoord: soup.texcoord, facetexcoord: soup.facetexcoord })
}

/// Vertices and triangles of a mesh as written, unscaled; and what its inertia is computed from.
fn source(m: &Mesh, function: Option<&dyn SdfPlugin>) -> Result<(Soup, MeshInertia), String> {
    let (mut soup, inertia) = written(m, function)?;
    if soup.vert.len() < 4 {
        return Err(format!("a mesh needs 4 different vertices, but there are {}", soup.vert.len()));
    }
    add_normals(m, &mut soup)?;
    add_texcoords(m, &mut soup)?;
    Ok((soup, inertia))
}

/// Reads the triangles of a file, a built-in shape, a distance function or lists.
fn written(m: &Mesh, function: Option<&dyn SdfPlugin>) -> Result<(Soup, MeshInertia), String> {
    let mut soup = Soup::default();
    let mut inertia = m.inertia;
    if let Some(function) = function {
        if m.scale != DVec3::ONE {
            return Err("a plugin's shape has no `scale`".into());
        }
        soup = marching_cubes::surface(function)?;
    } else if !m.file.is_empty() {
        let ending = m.file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        soup = match m.content_type.as_str() {
            "model/stl" => stl::read(&m.contents),
            "model/obj" => obj::read(&m.contents),
            "model/vnd.mujoco.msh" => msh::read(&m.contents),
            _ => match ending.as_str() {
                "stl" => stl::read(&m.contents),
                "obj" => obj::read(&m.contents),
                "msh" => msh::read(&m.contents),
                _ => Err("the format is none of stl, obj, msh, and no decoder of it is registered".into()),
            },
        }
        .map_err(|e| format!("`{}`: {e}", m.file))?;
    } else if !m.builtin.is_empty() {
        let made = builtin::make(&m.builtin, &m.params)?;
        soup = made.soup;
        if made.surface {
            inertia = MeshInertia::Shell;
        }
    }
    if !m.vertex.is_empty() {
        if !soup.vert.is_empty() {
            return Err("its vertices are given twice".into());
        }
        if !m.vertex.len().is_multiple_of(3) {
            return Err(format!("`vertex` has {} numbers, which is no multiple of 3", m.vertex.len()));
        }
        soup.vert = m.vertex.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
    }
    if !m.face.is_empty() {
        if !soup.face.is_empty() {
            return Err("its faces are given twice".into());
        }
        if !m.face.len().is_multiple_of(3) {
            return Err(format!("`face` has {} numbers, which is no multiple of 3", m.face.len()));
        }
        for (i, f) in m.face.chunks_exact(3).enumerate() {
            soup.face.push(corners([f[0], f[1], f[2]], i, soup.vert.len())?);
        }
    }
    if let Some(i) = soup.vert.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
        return Err(format!("vertex {i} is not finite"));
    }
    Ok((soup, inertia))
}

/// Vertices and triangles of a mesh file's contents.
pub(crate) fn read(name: &str, contents: Vec<u8>) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), String> {
    let (soup, _) = source(&Mesh { file: name.into(), contents: contents.into(), ..Mesh::default() }, None)?;
    Ok((soup.vert.iter().map(|v| DVec3::from_array(v.map(f64::from))).collect(), soup.face))
}

/// Normals given with the mesh: one for each vertex, or a frame of three.
fn add_normals(m: &Mesh, soup: &mut Soup) -> Result<(), String> {
    if m.normal.is_empty() {
        return Ok(());
    }
    if !soup.normal.is_empty() {
        return Err("its normals are given twice".into());
    }
    if !m.normal.len().is_multiple_of(3) {
        return Err(format!("`normal` has {} numbers, which is no multiple of 3", m.normal.len()));
    }
    soup.normal = m.normal.as_chunks().0.to_vec();
    Ok(())
}

/// Texture coordinates given with the mesh: one pair for each vertex, or those that corners of triangles have.
fn add_texcoords(m: &Mesh, soup: &mut Soup) -> Result<(), String> {
    if m.texcoord.is_empty() {
        return Ok(());
    }
    if !soup.texcoord.is_empty() {
        return Err("its texture coordinates are given twice".into());
    }
    if !m.facetexcoord.is_empty() {
        if !m.texcoord.len().is_multiple_of(2) || m.facetexcoord.len() != 3 * soup.face.len() {
            let (n, corners) = (m.facetexcoord.len(), 3 * soup.face.len());
            let wanted = format!("one for each of {corners} corners, and pairs of texture coordinates");
            return Err(format!(
                "`facetexcoord` has {n} numbers, and `texcoord` {}; expected {wanted}",
                m.texcoord.len()
            ));
        }
        for (i, f) in m.facetexcoord.as_chunks::<3>().0.iter().enumerate() {
            soup.facetexcoord.push(corners(*f, i, m.texcoord.len() / 2).map_err(|e| format!("`facetexcoord`: {e}"))?);
        }
    } else if m.texcoord.len() != 2 * soup.vert.len() {
        let (n, nvert) = (m.texcoord.len(), soup.vert.len());
        return Err(format!("`texcoord` has {n} numbers, but two for each of {nvert} vertices are {}", 2 * nvert));
    }
    soup.texcoord = m.texcoord.as_chunks().0.to_vec();
    Ok(())
}

/// Whether two triangles run along an edge in the same direction.
fn is_inconsistent(vert: &[DVec3], face: &[[u32; 3]]) -> bool {
    let mut seen = HashSet::new();
    face.iter().any(|f| {
        let [a, b, c] = f.map(|i| vert[i as usize]);
        // Triangles without area have no direction.
        let area = 0.5 * (b - a).cross(c - a).length();
        area > mj_math::MINVAL.sqrt() && (0..3).any(|k| !seen.insert((f[k], f[(k + 1) % 3])))
    })
}

/// Builds a mesh.
pub(crate) fn build(m: &Mesh, wanted: Wanted) -> Result<MeshBuild, String> {
    let Wanted { stretch, collides, function, .. } = wanted;
    let (soup, inertia_of) = source(m, function)?;
    let Soup { vert, mut face, normal, texcoord, mut facenormal, mut facetexcoord, .. } = soup;
    let mut vert: Vec<DVec3> = vert.iter().map(|v| DVec3::from_array(v.map(f64::from))).collect();
    if inertia_of == MeshInertia::Exact && is_inconsistent(&vert, &face) {
        return Err("its triangles are not turned the same way, which `inertia=\"exact\"` needs".into());
    }
    let mut hull = None;
    if collides || face.is_empty() || inertia_of == MeshInertia::Convex {
        let h = Hull::new(&vert, m.maxhullvert).map_err(|e| e.to_string())?;
        if face.is_empty() {
            face.clone_from(&h.faces);
        }
        hull = Some(h);
    }

    let unlike_hull =
        hull.as_ref().filter(|_| wanted.as_hull).and_then(|h| enclosed::unlike_hull(&vert, &face, &h.faces));

    let mut normal: Vec<DVec3> = if normal.is_empty() {
        facenormal.clone_from(&face);
        normal::of_vertices(&vert, &face, m.smoothnormal || function.is_some())
    } else {
        normal.iter().map(|n| DVec3::from_array(n.map(f64::from))).collect()
    };
    if facenormal.is_empty() {
        let per_vertex = (normal.len() / vert.len()) as u32;
        facenormal = face.iter().map(|f| f.map(|v| per_vertex * v)).collect();
    }
    if facetexcoord.is_empty() && !texcoord.is_empty() {
        facetexcoord.clone_from(&face);
    }

    // From the source to the scaled source; a mirror turns triangles inside out.
    let turn = quat::to_mat_compiling(unit_quat(m.refquat).ok_or("`refquat` has no length")?).transpose();
    let (scale, stretch) = along_axes(m.scale, stretch);
    for v in &mut vert {
        *v = turn * (*v - m.refpos) * scale;
    }
    for n in &mut normal {
        *n = (turn * *n / scale).try_normalize().unwrap_or(DVec3::Z);
    }
    if let Some(map) = stretch {
        let of_normals = map.inverse().transpose();
        vert.iter_mut().for_each(|v| *v = map * *v);
        normal.iter_mut().for_each(|n| *n = (of_normals * *n).try_normalize().unwrap_or(DVec3::Z));
    }
    if m.scale.x * m.scale.y * m.scale.z <= 0.0 {
        [&mut face, &mut facenormal, &mut facetexcoord].into_iter().flatten().for_each(|f| f.swap(1, 2));
        hull.iter_mut().for_each(Hull::mirror);
    }

    let faces = match &hull {
        Some(h) if inertia_of == MeshInertia::Convex => &h.faces,
        _ => &face,
    };
    let solid = volume::solid(&vert, faces, &face, inertia_of)?;
    // Coordinates have single precision: what differs by less is symmetric, and keeps its axes.
    let (moments, axes) = eig3::symmetric_within(solid.inertia, SINGLE);
    let [a, b, c] = moments.to_array();
    let least = |sum: f64, one: f64| sum < one * (1.0 - 1e-6) - 1e-9;
    if a.is_nan() || a.min(b).min(c) <= 0.0 || least(a + b, c) || least(a + c, b) || least(b + c, a) {
        return Err(format!("no solid has its principal moments, {a} {b} {c}"));
    }
    let inertia = moments / solid.volume;
    let square = DVec3::splat(inertia.element_sum()) - 2.0 * inertia;
    let inertia_box = (1.5 * square.max(DVec3::ZERO)).map(f64::sqrt);

    // Into the frame of the principal axes.
    // A function is in its own frame.
    let own = Pose { pos: solid.centre, quat: axes };
    let pose = if function.is_some() { Pose { pos: DVec3::ZERO, quat: DQuat::IDENTITY } } else { own };
    let back = quat::to_mat_compiling(pose.quat).transpose();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for v in &mut vert {
        *v = back * (*v - pose.pos);
        low = low.min(*v);
        high = high.max(*v);
    }
    let octree = if wanted.octree && function.is_none() {
        let faces = face.iter().map(|f| f.map(|i| vert[i as usize])).collect();
        Some(octree::build(faces, [low, high], m.octree_maxdepth)?)
    } else {
        None
    };
    let polynormal = hull.iter().flat_map(|h| &h.polygons).map(|p| polygon_normal(&vert, p)).collect();
    let single = |v: DVec3| v.to_array().map(|x| x as f32);
    Ok(MeshBuild {
        vert: vert.into_iter().map(single).collect(),
        face,
        normal: normal.into_iter().map(|n| single(back * n)).collect(),
        facenormal,
        texcoord,
        facetexcoord,
        hull,
        polynormal,
        scale,
        pose,
        low,
        high,
        volume: solid.volume,
        inertia,
        inertia_box,
        material: m.material.clone(),
        unlike_hull,
        octree,
    })
}

/// A stretch along the axes as part of the scale.
fn along_axes(scale: DVec3, stretch: Option<DMat3>) -> (DVec3, Option<DMat3>) {
    match stretch {
        Some(map) => {
            let diagonal = DVec3::new(map.x_axis.x, map.y_axis.y, map.z_axis.z);
            if map == DMat3::from_diagonal(diagonal) { (scale * diagonal, None) } else { (scale, Some(map)) }
        }
        None => (scale, None),
    }
}

/// Unit normal of a polygon: the direction of its area.
fn polygon_normal(vert: &[DVec3], polygon: &[u32]) -> DVec3 {
    let at = |i: usize| vert[polygon[i] as usize];
    let area: DVec3 = (1..polygon.len() - 1).map(|i| (at(i) - at(0)).cross(at(i + 1) - at(0))).sum();
    if area.length() > EPS { area / area.length() } else { DVec3::Z }
}
