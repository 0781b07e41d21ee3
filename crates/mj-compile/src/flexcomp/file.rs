//! Flexcomps from files and meshes: lines, surfaces and solids.

use super::gmsh;
use super::points::Points;
use crate::decoded::decoded;
use crate::frames::unit_quat;
use crate::mesh;
use mj_math::{DVec3, MINVAL, quat};
use mj_model::plugin::Registry;
use mj_model::spec::{Flexcomp, Mesh};
use mj_model::{FlexcompType, Spec};

/// Reads the file of a flexcomp, or takes the mesh that it names.
pub(super) fn points(f: &Flexcomp, spec: &Spec, registry: &Registry) -> Result<Points, String> {
    if f.file.is_empty() && f.mesh.is_empty() {
        return Err("it needs a `file` or a `mesh`".into());
    }
    if !f.file.is_empty() && !f.mesh.is_empty() {
        return Err("it has both a `file` and a `mesh`".into());
    }
    if f.r#type == FlexcompType::Gmsh && !f.file.is_empty() {
        return gmsh::read(&f.contents).map_err(|e| format!("`{}`: {e}", f.file));
    }
    let mesh = if f.mesh.is_empty() {
        let ending = f.file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        if ending == "msh" {
            let help = "of surfaces, or type=\"gmsh\" for GMSH files";
            return Err(format!("`{}`: files of the legacy format are not read here; use OBJ or STL {help}", f.file));
        }
        &Mesh { file: f.file.clone(), contents: f.contents.clone(), ..Mesh::default() }
    } else {
        let found = spec.meshes.iter().find(|m| m.name == f.mesh);
        found.ok_or_else(|| format!("there is no mesh named `{}`", f.mesh))?
    };
    if gmsh::is_gmsh(&mesh.contents) {
        let mut out = gmsh::read(&mesh.contents).map_err(|e| format!("`{}`: {e}", mesh.file))?;
        in_asset(mesh, &mut out.point)?;
        return Ok(out);
    }
    let surface = mesh::surface(&*decoded(mesh, registry)?)?;
    let mut out = Points::of_dim(f.dim);
    out.point = surface.vert;
    in_asset(mesh, &mut out.point)?;
    out.texcoord = surface.texcoord.as_flattened().to_vec();
    let signed = |face: &[u32; 3]| face.map(|v| v as i32);
    if !out.texcoord.is_empty() {
        out.elemtexcoord = surface.facetexcoord.iter().flat_map(signed).collect();
    }
    let faces = surface.face.iter().map(signed);
    match f.dim {
        // Lines are triangles with a corner twice.
        1 => out.element = faces.flat_map(|[a, b, _]| [a, b]).collect(),
        2 => out.element = faces.flatten().collect(),
        _ => fill(&mut out, DVec3::from_array(f.origin), faces),
    }
    Ok(out)
}

/// Connects triangles with a point, which becomes the first; those that it lies behind are left out.
fn fill(out: &mut Points, origin: DVec3, faces: impl Iterator<Item = [i32; 3]>) {
    out.point.insert(0, origin);
    if !out.texcoord.is_empty() {
        out.texcoord.splice(0..0, [0.0, 0.0]);
    }
    out.elemtexcoord.clear();
    for face in faces {
        let corners = face.map(|v| v + 1);
        let [a, b, c] = corners.map(|v| out.point[v as usize] - origin);
        if a.cross(b).dot(c) >= MINVAL {
            out.element.push(0);
            out.element.extend(corners);
        }
    }
}

/// Moves points of a mesh's source to where the mesh has them.
fn in_asset(m: &Mesh, points: &mut [DVec3]) -> Result<(), String> {
    let turn = quat::to_mat_compiling(unit_quat(m.refquat).ok_or("`refquat` has no length")?).transpose();
    points.iter_mut().for_each(|p| *p = turn * (*p - m.refpos) * m.scale);
    Ok(())
}
