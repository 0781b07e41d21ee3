//! Rays against the geoms of a model.

use mj_math::{DMat3, DVec3};
use mj_model::{BodyId, GeomId, IdVec, MeshId, Model, SensorType};

use super::place::{Hulls, NOWHERE, put};
use super::{CollideWorkspace, filter};
use crate::ray::{ray, surface_normal};
use crate::sdf::march;
use crate::surface::{meet_heights, meet_mesh, mesh_tree};
use crate::tree::Tree;
use crate::{Placed, Shape, ShapeKind};

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

/// Trees over the triangles of a model's meshes.
#[derive(Clone, Debug)]
pub(super) struct Trees(IdVec<MeshId, Tree>);

impl Trees {
    /// Divided where the model has sensors that cast rays; a few rays by hand don't repay the time.
    pub fn new(m: &Model) -> Self {
        let cast = m.sensor.r#type.iter().any(|&sensor| sensor == SensorType::Rangefinder);
        Self::divided(m, cast)
    }

    pub fn divided(m: &Model, divided: bool) -> Self {
        Self(m.mesh.ids().map(|mesh| mesh_tree(m, mesh, divided)).collect())
    }
}

/// The first geom that a ray meets at the given poses (world frame); of two at the same distance, the first in the
/// model. `ws` is for the model's meshes; where it is to be many rays and the model has no rangefinder, call
/// [`CollideWorkspace::prepare_rays`] first.
///
/// Example: [`collide`](crate::collide).
pub fn cast_ray(
    m: &Model,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    origin: DVec3,
    direction: DVec3,
    filter: &RayFilter,
    ws: &CollideWorkspace,
) -> Option<RayHit> {
    let scene = Scene { m, xpos: geom_xpos, xmat: geom_xmat, trees: ws.trees(), fields: &ws.plan.hulls };
    let targets = m.geom.ids().filter(|&g| scene.can_meet(g, filter));
    scene.first(origin, direction, targets)
}

/// Where a ray meets one geom.
///
/// Example: [`collide`](crate::collide).
pub fn cast_ray_at(
    m: &Model,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    origin: DVec3,
    direction: DVec3,
    geom: GeomId,
    ws: &CollideWorkspace,
) -> Option<RayHit> {
    let scene = Scene { m, xpos: geom_xpos, xmat: geom_xmat, trees: ws.trees(), fields: &ws.plan.hulls };
    scene.first(origin, direction, std::iter::once(geom))
}

/// The first geoms that rays from a common origin meet, one entry of `out` a ray. Geoms that are farther than `cutoff`
/// (metres) from the origin are passed; which geoms come into question is decided once for all rays.
///
/// Example: [`collide`](crate::collide).
#[allow(clippy::too_many_arguments)]
pub fn cast_rays(
    m: &Model,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    origin: DVec3,
    directions: &[DVec3],
    cutoff: f64,
    filter: &RayFilter,
    ws: &CollideWorkspace,
    out: &mut Vec<Option<RayHit>>,
) {
    let scene = Scene { m, xpos: geom_xpos, xmat: geom_xmat, trees: ws.trees(), fields: &ws.plan.hulls };
    let targets: Vec<GeomId> =
        m.geom.ids().filter(|&g| scene.can_meet(g, filter) && scene.distance_to_ball(g, origin) <= cutoff).collect();
    out.clear();
    out.extend(directions.iter().map(|&direction| scene.first(origin, direction, targets.iter().copied())));
}

/// The geoms that rays can hit.
struct Scene<'a> {
    m: &'a Model,
    xpos: &'a IdVec<GeomId, DVec3>,
    xmat: &'a IdVec<GeomId, DMat3>,
    trees: &'a Trees,
    fields: &'a Hulls,
}

impl Scene<'_> {
    fn can_meet(&self, g: GeomId, filter: &RayFilter) -> bool {
        filter::shape_kind(self.m.geom.r#type[g]).is_some() && filter.admits(self.m, g)
    }

    /// Distance of a point from a geom's bounding ball; zero for a plane, which has none.
    fn distance_to_ball(&self, g: GeomId, p: DVec3) -> f64 {
        let radius = self.m.geom.rbound[g];
        if radius > 0.0 { self.xpos[g].distance(p) - radius } else { 0.0 }
    }

    fn first(&self, origin: DVec3, direction: DVec3, targets: impl Iterator<Item = GeomId>) -> Option<RayHit> {
        let length2 = direction.length_squared();
        let mut nearest: Option<RayHit> = None;
        for g in targets {
            // The point of the ray's line that is closest to the centre must be in the bounding sphere.
            let to = self.xpos[g] - origin;
            let radius = self.m.geom.rbound[g];
            let along = to.dot(direction);
            if radius > 0.0 && (to.length_squared() - radius * radius) * length2 > along * along * (1.0 + 1e-12) {
                continue;
            }
            if let Some((dist, normal)) = self.meet(g, origin, direction)
                && nearest.is_none_or(|best| dist < best.dist)
            {
                nearest = Some(RayHit { geom: g, dist, normal });
            }
        }
        nearest
    }

    /// Where a ray meets a geom, and the surface's normal there: the triangles of a mesh, not its hull.
    fn meet(&self, g: GeomId, origin: DVec3, direction: DVec3) -> Option<(f64, DVec3)> {
        let mut target = NOWHERE;
        put(self.m, self.xpos, self.xmat, g, &mut target);
        let (p, v) = (target.pose.local_point(origin), target.pose.local_vector(direction));
        let (dist, normal) = match target.shape.kind {
            ShapeKind::Mesh => {
                let mesh = MeshId::new(usize::try_from(self.m.geom.dataid[g]).ok()?);
                meet_mesh(self.m, mesh, self.trees.0.get(mesh)?, p, v)?
            }
            ShapeKind::Sdf => {
                // What lies beyond the box is not met.
                let around = Placed::new(Shape::cuboid(target.shape.size), target.pose);
                ray(&around, origin, direction)?;
                march(self.fields.field(g)?, p, v)?
            }
            ShapeKind::Hfield => meet_heights(target.shape.heights.as_ref()?, p, v)?,
            _ => {
                let dist = ray(&target, origin, direction)?;
                return Some((dist, surface_normal(&target, origin + direction * dist)));
            }
        };
        Some((dist, target.pose.mat * normal))
    }
}

/// Whether no third geom that could touch either of two geoms is between a point of the first and one of the second.
pub(super) fn in_sight(
    m: &Model,
    xpos: &IdVec<GeomId, DVec3>,
    xmat: &IdVec<GeomId, DMat3>,
    (trees, fields): (&Trees, &Hulls),
    geoms: [GeomId; 2],
    points: [DVec3; 2],
) -> bool {
    let scene = Scene { m, xpos, xmat, trees, fields };
    let t = &m.geom;
    let touches =
        |g: GeomId, h: GeomId| filter::compatible(t.contype[g], t.conaffinity[g], t.contype[h], t.conaffinity[h]);
    let others = m.geom.ids().filter(|&g| !geoms.contains(&g) && geoms.iter().all(|&h| touches(g, h)));
    scene.first(points[0], points[1] - points[0], others).is_none_or(|hit| hit.dist > 1.0)
}
