//! Geoms as placed shapes.

use super::filter;
use super::solids::Solids;
use crate::{Heights, Hull, Placed, Pose, Shape, ShapeKind, SignedField};
use mj_math::{DMat3, DVec3};
use mj_model::{GeomId, HfieldId, IdVec, MeshId, Model};

/// The hulls of a model's meshes, and what geoms have that are not convex.
#[derive(Clone, Debug)]
pub(super) struct Hulls(pub IdVec<MeshId, Option<Hull>>, Solids);

impl Hulls {
    pub fn new(m: &Model) -> Self {
        Self(m.mesh.ids().map(|mesh| Hull::of_mesh(m, mesh)).collect(), Solids::new(m))
    }

    /// Returns the signed distance field of a geom, if it has one: of its plugin, or of its mesh's octree.
    pub fn field(&self, g: GeomId) -> Option<&SignedField> {
        self.1.get(g)?.field.as_ref()
    }

    #[inline(never)]
    fn hull(&self, m: &Model, g: GeomId) -> Option<&Hull> {
        let mesh = usize::try_from(m.geom.dataid[g]).ok()?;
        self.0.get(MeshId::new(mesh)).and_then(Option::as_ref)
    }

    /// Returns a geom as a placed shape.
    pub fn place<'a>(
        &'a self,
        m: &'a Model,
        xpos: &IdVec<GeomId, DVec3>,
        xmat: &IdVec<GeomId, DMat3>,
        g: GeomId,
    ) -> Placed<'a> {
        let mut placed = NOWHERE;
        self.put(m, xpos, xmat, g, &mut placed);
        placed
    }

    /// Writes a geom as a placed shape.
    #[inline(always)]
    pub fn put<'a>(
        &'a self,
        m: &'a Model,
        xpos: &IdVec<GeomId, DVec3>,
        xmat: &IdVec<GeomId, DMat3>,
        g: GeomId,
        placed: &mut Placed<'a>,
    ) {
        put(m, xpos, xmat, g, placed);
        if matches!(placed.shape.kind, ShapeKind::Mesh | ShapeKind::Sdf) {
            placed.shape.hull = self.hull(m, g);
            placed.shape.solid = self.1.get(g);
        }
    }
}

/// No shape yet.
pub(super) const NOWHERE: Placed = Placed {
    shape: Shape { kind: ShapeKind::Sphere, size: DVec3::ZERO, hull: None, heights: None, simplex: None, solid: None },
    pose: Pose::IDENTITY,
};

/// Writes a geom as a placed shape, a mesh without its hull. Types without a shape of their own are no candidates.
///
/// Number by number: a shape that is made elsewhere and copied is read in larger words than it was just written,
/// for which processors wait.
#[inline(always)]
pub(super) fn put<'a>(
    m: &'a Model,
    xpos: &IdVec<GeomId, DVec3>,
    xmat: &IdVec<GeomId, DMat3>,
    g: GeomId,
    placed: &mut Placed<'a>,
) {
    let kind = filter::shape_kind(m.geom.r#type[g]).unwrap_or(ShapeKind::Sphere);
    placed.shape.kind = kind;
    placed.shape.size = m.geom.size[g];
    placed.shape.hull = None;
    placed.shape.simplex = None;
    placed.shape.solid = None;
    placed.shape.heights = if kind == ShapeKind::Hfield { heights(m, g) } else { None };
    placed.pose.pos = xpos[g];
    placed.pose.mat = xmat[g];
}

#[inline(never)]
fn heights(m: &Model, g: GeomId) -> Option<Heights<'_>> {
    let field = usize::try_from(m.geom.dataid[g]).ok()?;
    Heights::of_model(m, HfieldId::new(field))
}
