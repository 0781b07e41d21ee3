//! Geoms that need not be convex: signed distance fields, and meshes that may meet them.

use crate::{FaceTree, Octree, SignedField, Solid};
use mj_math::DVec3;
use mj_model::{GeomId, GeomType, IdVec, MeshId, Model};
use std::sync::Arc;

/// Distance functions and faces of each geom that is not convex; empty for a model without signed distance fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Solids(IdVec<GeomId, Option<Arc<Solid>>>);

impl Solids {
    pub fn new(m: &Model) -> Self {
        let mesh_of = |g: GeomId| usize::try_from(m.geom.dataid[g]).ok().map(MeshId::new);
        let octrees: IdVec<MeshId, Option<Arc<Octree>>> =
            m.mesh.ids().map(|mesh| Octree::of_mesh(m, mesh).map(Arc::new)).collect();
        let any = m.geom.r#type.iter().any(|&t| t == GeomType::Sdf);
        if !any && octrees.iter().all(Option::is_none) {
            return Self::default();
        }
        // Geoms of one mesh share its triangles.
        let mut meshes: IdVec<MeshId, Option<Arc<Solid>>> = m.mesh.ids().map(|_| None).collect();
        let solid = |g: GeomId| {
            let mesh = mesh_of(g)?;
            match m.geom.r#type[g] {
                GeomType::Sdf => {
                    let of_plugin = m.geom_sdf(g).cloned().map(SignedField::Function);
                    let field = of_plugin.or_else(|| octrees[mesh].clone().map(SignedField::Octree));
                    Some(Arc::new(Solid { field, bounds: bounds(m, g), faces: None }))
                }
                GeomType::Mesh => Some(
                    meshes[mesh]
                        .get_or_insert_with(|| {
                            let field = octrees[mesh].clone().map(SignedField::Octree);
                            let faces = any.then(|| FaceTree::new(faces(m, mesh)));
                            Arc::new(Solid { field, bounds: bounds(m, g), faces })
                        })
                        .clone(),
                ),
                _ => None,
            }
        };
        Self(m.geom.ids().map(solid).collect())
    }

    /// Returns what a geom has.
    #[inline]
    pub fn get(&self, g: GeomId) -> Option<&Solid> {
        self.0.as_slice().get(g.index())?.as_deref()
    }
}

/// Vertices of a mesh.
fn vertices(m: &Model, mesh: MeshId) -> &[[f32; 3]] {
    let first = m.mesh.vertadr[mesh] as usize;
    m.mesh_data.vert.get(first..first + m.mesh.vertnum[mesh] as usize).unwrap_or_default()
}

fn point(v: [f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(f64::from))
}

/// Least and greatest corner of the box of a geom with a mesh, which is the mesh's.
fn bounds(m: &Model, g: GeomId) -> [DVec3; 2] {
    let aabb = &m.geom.aabb[g];
    let (centre, half) = (DVec3::from_slice(aabb), DVec3::from_slice(&aabb[3..]));
    [centre - half, centre + half]
}

/// Triangles of a mesh.
fn faces(m: &Model, mesh: MeshId) -> Vec<[DVec3; 3]> {
    let (first, vert) = (m.mesh.faceadr[mesh] as usize, vertices(m, mesh));
    let faces = m.mesh_data.face.get(first..first + m.mesh.facenum[mesh] as usize).unwrap_or_default();
    faces.iter().map(|f| f.map(|v| point(vert[v as usize]))).collect()
}
