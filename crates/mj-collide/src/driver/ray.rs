//! Rays against the geoms of a model.

use mj_math::{DMat3, DVec3};
use mj_model::{BodyId, GeomId, IdVec, MeshId, Model};

use super::{filter, place};
use crate::ray::{ray, surface_normal};
use crate::surface::{meet_heights, meet_mesh};
use crate::{Placed, ShapeKind};

/// Which geoms a ray can meet. Invisible ones, whose material or else colour has no opacity, it never meets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RayFilter {
    /// Geoms of this body are passed.
    pub exclude: Option<BodyId>,
    /// Geoms that are fixed to the world are passed.
    pub skip_static: bool,
    /// The geom groups that are met; all of them where not given.
    pub groups: Option<[bool; 6]>,
}

impl RayFilter {
    /// Everything visible but the geoms of a body.
    pub fn excluding(body: BodyId) -> Self {
        Self { exclude: Some(body), ..Self::default() }
    }

    /// Whether a ray can meet a geom.
    pub fn admits(&self, m: &Model, g: GeomId) -> bool {
        let body = m.geom.bodyid[g];
        let alpha = m.geom.matid[g].map_or(m.geom.rgba[g][3], |material| m.mat.rgba[material][3]);
        let group = |groups: [bool; 6]| groups[m.geom.group[g].clamp(0, 5) as usize];
        alpha != 0.0
            && self.exclude != Some(body)
            && !(self.skip_static && m.body.weldid[body] == BodyId::WORLD)
            && self.groups.is_none_or(group)
    }
}

/// Where a ray meets a geom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The geom.
    pub geom: GeomId,
    /// Distance along the ray, in units of the length of its direction.
    pub dist: f64,
    /// Outward unit normal of the geom's surface there, world frame.
    pub normal: DVec3,
}

/// The first geom that a ray meets at the given poses (world frame); of two at the same distance, the first in the
/// model.
pub fn cast_ray(
    m: &Model,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    origin: DVec3,
    direction: DVec3,
    filter: &RayFilter,
) -> Option<RayHit> {
    let length2 = direction.length_squared();
    let mut nearest: Option<RayHit> = None;
    for g in m.geom.ids() {
        // The point of the ray's line that is closest to the centre must be in the bounding sphere.
        let to = geom_xpos[g] - origin;
        let radius = m.geom.rbound[g];
        let along = to.dot(direction);
        let misses = radius > 0.0 && (to.length_squared() - radius * radius) * length2 > along * along * (1.0 + 1e-12)
            || filter::shape_kind(m.geom.r#type[g]).is_none();
        if misses || !filter.admits(m, g) {
            continue;
        }
        let target = place(m, geom_xpos, geom_xmat, g);
        if let Some((dist, normal)) = meet(m, g, &target, origin, direction)
            && nearest.is_none_or(|best| dist < best.dist)
        {
            nearest = Some(RayHit { geom: g, dist, normal });
        }
    }
    nearest
}

/// Whether no third geom that could touch either of two geoms is between a point of the first and one of the second.
pub(super) fn in_sight(
    m: &Model,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    geoms: [GeomId; 2],
    points: [DVec3; 2],
) -> bool {
    let t = &m.geom;
    let touches =
        |g: GeomId, h: GeomId| filter::compatible(t.contype[g], t.conaffinity[g], t.contype[h], t.conaffinity[h]);
    let direction = points[1] - points[0];
    m.geom.ids().filter(|g| !geoms.contains(g) && geoms.iter().all(|&h| touches(*g, h))).all(|g| {
        let target = place(m, geom_xpos, geom_xmat, g);
        meet(m, g, &target, points[0], direction).is_none_or(|(dist, _)| dist > 1.0)
    })
}

/// Where a ray meets a geom, and the surface's normal there: the triangles of a mesh, not its hull.
fn meet(m: &Model, g: GeomId, target: &Placed, origin: DVec3, direction: DVec3) -> Option<(f64, DVec3)> {
    let (p, v) = (target.pose.local_point(origin), target.pose.local_vector(direction));
    let (dist, normal) = match target.shape.kind {
        ShapeKind::Mesh => meet_mesh(m, MeshId::new(usize::try_from(m.geom.dataid[g]).ok()?), p, v)?,
        ShapeKind::Hfield => meet_heights(target.shape.heights.as_ref()?, p, v)?,
        _ => {
            let dist = ray(target, origin, direction)?;
            return Some((dist, surface_normal(target, origin + direction * dist)));
        }
    };
    Some((dist, target.pose.mat * normal))
}
