//! Compiles the meshes of a spec, and writes them into the model.

use crate::context::Context;
use crate::decoded::decoded;
use crate::mesh::{MeshBuild, Wanted, build};
use crate::messages::describe;
use mj_math::DMat3;
use mj_model::model::MeshRow;
use mj_model::spec::{Body, Mesh};
use mj_model::{GeomType, Model, ObjType, Spec, disable};
use rayon::prelude::*;
use std::collections::HashSet;

/// Compiles all meshes, side by side. What is wrong with one is an error, and leaves a gap.
pub(crate) fn compile_all(cx: &mut Context) {
    let spec = cx.spec;
    cx.register(ObjType::Mesh, spec.meshes.iter().map(|m| (m.name.as_str(), m.loc)));
    let convex = convex(spec);
    let maps: &[Option<DMat3>] = cx.resized.map_or(&[], |r| &r.maps);
    let (fields, plugins, registry) = (fields(spec), &cx.plugins, cx.registry);
    let build = |(i, m): (usize, &Mesh)| {
        let function = m.plugin.as_ref().map(|p| plugins.get(p).and_then(|(_, i)| i.sdf.as_deref()));
        // A plugin that is wrong has its own error.
        if function.is_some_and(|f| f.is_none()) {
            return Ok(None);
        }
        let wanted = Wanted {
            stretch: maps.get(i).copied().flatten(),
            collides: convex.contains(m.name.as_str()),
            as_hull: convex.contains(m.name.as_str()) && !fields.contains(m.name.as_str()),
            octree: m.needsdf || fields.contains(m.name.as_str()),
            function: function.flatten(),
        };
        build(&*decoded(m, registry)?, wanted).map(Some)
    };
    // Each mesh is computed by itself, so their order does not matter.
    let contacts = !spec.option.disabled(disable::CONTACT | disable::CONSTRAINT);
    let built: Vec<Result<Option<MeshBuild>, String>> = if spec.compiler.usethread && spec.meshes.len() > 1 {
        spec.meshes.par_iter().enumerate().map(build).collect()
    } else {
        spec.meshes.iter().enumerate().map(build).collect()
    };
    let mut warned = HashSet::new();
    for (m, result) in spec.meshes.iter().zip(built) {
        if m.name.is_empty() {
            cx.error(m.loc, "a mesh needs a name").help("a file would give it its own");
        }
        let mesh = result.map_err(|e| cx.error(m.loc, format!("{}: {e}", describe("mesh", &m.name)))).ok().flatten();
        if let Some(ratio) =
            mesh.as_ref().and_then(|mesh| mesh.unlike_hull).filter(|_| contacts && warned.insert((m.loc, written(m))))
        {
            let what = describe("mesh", &m.name);
            let message = format!("{what} collides as its convex hull, which has {ratio:.1} times its volume");
            cx.warning(m.loc, message).help(
                "`mj decompose` splits it into convex parts; contype=\"0\" conaffinity=\"0\" on its geoms, if they are only to be seen",
            );
        }
        cx.meshes.push(mesh);
    }
}

/// The name that a mesh was given, of which this may be one of several sizes.
fn written(m: &Mesh) -> &str {
    m.name.split('@').next().unwrap_or_default()
}

/// Names of the meshes that need a hull: they take part in collisions, or are the zone of a site.
fn convex(spec: &Spec) -> HashSet<&str> {
    let paired: HashSet<&str> = spec.pairs.iter().flat_map(|p| [p.geom1.as_str(), p.geom2.as_str()]).collect();
    let mut names = HashSet::new();
    let mut todo: Vec<&Body> = vec![&spec.worldbody];
    while let Some(b) = todo.pop() {
        let collides = |g: &&mj_model::spec::Geom| {
            matches!(g.r#type, GeomType::Mesh | GeomType::Sdf)
                && (g.contype != 0 || g.conaffinity != 0 || !g.name.is_empty() && paired.contains(g.name.as_str()))
        };
        names.extend(b.geoms.iter().filter(collides).map(|g| g.mesh.as_str()));
        names.extend(b.sites.iter().filter(|s| s.r#type == GeomType::Mesh).map(|s| s.mesh.as_str()));
        todo.extend(&b.bodies);
    }
    names
}

/// Names of the meshes of signed-distance geoms.
fn fields(spec: &Spec) -> HashSet<&str> {
    let (mut names, mut todo) = (HashSet::new(), vec![&spec.worldbody]);
    while let Some(b) = todo.pop() {
        names.extend(b.geoms.iter().filter(|g| g.r#type == GeomType::Sdf).map(|g| g.mesh.as_str()));
        todo.extend(&b.bodies);
    }
    names
}

/// Writes the meshes into the model.
pub(crate) fn write(cx: &Context, m: &mut Model) {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    for mesh in cx.meshes.iter().flatten() {
        let d = &mut *m.mesh_data.edit();
        let row = MeshRow {
            vertadr: count(d.vert.len()),
            vertnum: count(mesh.vert.len()),
            faceadr: count(d.face.len()),
            facenum: count(mesh.face.len()),
            normaladr: count(d.normal.len()),
            normalnum: count(mesh.normal.len()),
            texcoordadr: match i32::try_from(d.texcoord.len()) {
                Ok(adr) if !mesh.texcoord.is_empty() => adr,
                _ => -1,
            },
            texcoordnum: count(mesh.texcoord.len()),
            graphadr: if mesh.hull.is_some() { i32::try_from(d.graph.len()).unwrap_or(-1) } else { -1 },
            polyadr: count(d.polynormal.len()),
            polynum: count(mesh.hull.as_ref().map_or(0, |h| h.polygons.len())),
            extrema: mesh.hull.as_ref().map_or([0; 27], |h| h.extrema(&mesh.vert)),
            octadr: mesh.octree.as_ref().map_or(-1, |_| d.oct_depth.len() as i32),
            octnum: mesh.octree.as_ref().map_or(0, |o| count(o.depth.len())),
            scale: mesh.scale,
            pos: mesh.pose.pos,
            quat: mesh.pose.quat,
        };
        if let Some(octree) = &mesh.octree {
            d.oct_depth.extend_from_slice(&octree.depth);
            d.oct_child.extend_from_slice(&octree.child);
            d.oct_aabb.extend_from_slice(&octree.aabb);
            d.oct_coeff.extend_from_slice(&octree.coeff);
        }
        d.vert.extend_from_slice(&mesh.vert);
        d.normal.extend_from_slice(&mesh.normal);
        d.texcoord.extend_from_slice(&mesh.texcoord);
        let signed = |f: &[u32; 3]| f.map(|v| v as i32);
        d.face.extend(mesh.face.iter().map(signed));
        d.facenormal.extend(mesh.facenormal.iter().map(signed));
        d.facetexcoord.extend(mesh.facetexcoord.iter().map(signed));
        // Where there is nothing to name, corners name the first entry.
        d.facetexcoord.resize(d.face.len(), [0; 3]);
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); mesh.vert.len()];
        if let Some(hull) = &mesh.hull {
            d.graph.extend(hull.graph());
            d.polynormal.extend_from_slice(&mesh.polynormal);
            for (i, polygon) in hull.polygons.iter().enumerate() {
                d.polyvertadr.push(count(d.polyvert.len()));
                d.polyvertnum.push(count(polygon.len()));
                d.polyvert.extend_from_slice(polygon);
                polygon.iter().for_each(|&v| around[v as usize].push(i as u32));
            }
        }
        for polygons in around {
            d.polymapadr.push(count(d.polymap.len()));
            d.polymapnum.push(count(polygons.len()));
            d.polymap.extend(polygons);
        }
        m.mesh.push(row);
    }
}
