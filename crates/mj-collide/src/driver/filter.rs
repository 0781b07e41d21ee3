//! Which bodies and geoms may collide, whatever their poses.

use mj_model::{BodyId, GeomId, GeomType, Model, disable};

use crate::ShapeKind;
use std::fmt;
use std::sync::Arc;

type MayTouch = dyn Fn(&Model, GeomId, GeomId) -> bool + Send + Sync;

/// A function that tells whether two geoms of a model may touch. It may capture state; copies share it.
#[derive(Clone)]
pub struct ContactFilter(Arc<MayTouch>);

impl ContactFilter {
    /// Makes a filter of a function: pairs for which it returns false make no contacts.
    pub fn new(may_touch: impl Fn(&Model, GeomId, GeomId) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(may_touch))
    }

    /// Tells whether two geoms may touch.
    #[inline]
    pub fn may_touch(&self, m: &Model, geom1: GeomId, geom2: GeomId) -> bool {
        (self.0)(m, geom1, geom2)
    }
}

impl fmt::Debug for ContactFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContactFilter")
    }
}

/// The shape of a geom type; `None` for what has no shape of its own.
///
/// Example: [`collide`](crate::collide).
pub fn shape_kind(geom: GeomType) -> Option<ShapeKind> {
    Some(match geom {
        GeomType::Plane => ShapeKind::Plane,
        GeomType::Sphere => ShapeKind::Sphere,
        GeomType::Capsule => ShapeKind::Capsule,
        GeomType::Ellipsoid => ShapeKind::Ellipsoid,
        GeomType::Cylinder => ShapeKind::Cylinder,
        GeomType::Box => ShapeKind::Box,
        GeomType::Hfield => ShapeKind::Hfield,
        GeomType::Mesh => ShapeKind::Mesh,
        GeomType::Sdf => ShapeKind::Sdf,
    })
}

/// Whether the types of one match the affinities of the other, in either direction.
pub(super) fn compatible(contype1: i32, conaffinity1: i32, contype2: i32, conaffinity2: i32) -> bool {
    contype1 & conaffinity2 != 0 || contype2 & conaffinity1 != 0
}

/// Whether a geom takes part in collisions other than by explicit pairs.
pub(super) fn collidable(m: &Model, g: GeomId) -> bool {
    shape_kind(m.geom.r#type[g]).is_some() && (m.geom.contype[g] != 0 || m.geom.conaffinity[g] != 0)
}

/// Whether two collidable bodies may collide: they move against each other, aren't parent and child (bodies
/// without joints between them count as one), have matching geoms and aren't excluded.
pub(super) fn bodies_collide(m: &Model, b1: BodyId, b2: BodyId, excluded: &[u32]) -> bool {
    let body = &m.body;
    let (w1, w2) = (body.weldid[b1], body.weldid[b2]);
    if w1 == w2 || (body.dofnum[w1] == 0 && body.dofnum[w2] == 0) {
        return false;
    }
    let world = BodyId::WORLD;
    let (p1, p2) = (body.weldid[body.parentid[w1]], body.weldid[body.parentid[w2]]);
    if !m.opt.disabled(disable::FILTERPARENT) && w1 != world && w2 != world && (w1 == p2 || w2 == p1) {
        return false;
    }
    compatible(body.contype[b1], body.conaffinity[b1], body.contype[b2], body.conaffinity[b2])
        && excluded.binary_search(&signature(b1, b2)).is_err()
}

/// The number of a body pair, by which pairs are in order.
pub(super) fn signature(b1: BodyId, b2: BodyId) -> u32 {
    let (low, high) = if b1 < b2 { (b1, b2) } else { (b2, b1) };
    ((low.index() as u32) << 16).wrapping_add(high.index() as u32)
}
