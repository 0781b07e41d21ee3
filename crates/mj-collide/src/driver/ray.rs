//! Rays against the geoms of a model.

use mj_math::{DMat3, DVec3};
use mj_model::{BodyId, GeomId, IdVec, Model};

use super::{filter, place};
use crate::ray::{ray, surface_normal};

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
    let mut nearest: Option<(f64, GeomId)> = None;
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
        if let Some(t) = ray(&place(m, geom_xpos, geom_xmat, g), origin, direction)
            && nearest.is_none_or(|(best, _)| t < best)
        {
            nearest = Some((t, g));
        }
    }
    let (dist, geom) = nearest?;
    let normal = surface_normal(&place(m, geom_xpos, geom_xmat, geom), origin + direction * dist);
    Some(RayHit { geom, dist, normal })
}
