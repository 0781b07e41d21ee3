//! Selection by a ray through a place of the picture.

use super::flex::vertex_body;
use crate::codes::VisFlag;
use crate::options::SceneOptions;
use crate::scene::Scene;
use mj_engine::{Data, FlexParts, Model, QueryError, RayFilter, ray, ray_flex};
use mj_math::DVec3;
use mj_model::{BodyId, BoneId, FlexId, GeomId, SkinId};

/// Element that a place of a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// Body to which the place belongs.
    pub body: BodyId,
    /// Geom, if it is one.
    pub geom: Option<GeomId>,
    /// Flex, if it is one.
    pub flex: Option<FlexId>,
    /// Skin, if it is one.
    pub skin: Option<SkinId>,
    /// Place in the world, m: of flexes and skins that of a node or vertex.
    pub point: DVec3,
}

/// Finds the geom, flex or skin at a place of a picture (`mjv_select`): `x` and `y` from the lower left corner, 0 to 1; `aspect` is
/// width over height. None: nothing is there.
///
/// # Errors
/// If the data are those of another model, or the scene has no camera.
pub fn select(
    m: &Model,
    d: &Data,
    options: &SceneOptions,
    aspect: f64,
    [x, y]: [f64; 2],
    scene: &Scene,
) -> Result<Option<Selection>, QueryError> {
    let eye = scene.middle_camera();
    let camera = scene.camera_in_model();
    let (bottom, top) = (f64::from(eye.frustum_bottom), f64::from(eye.frustum_top));
    let up = bottom + y * (top - bottom);
    let right = f64::from(eye.frustum_center) + (2.0 * x - 1.0) * 0.5 * aspect * (top - bottom);
    let aside = camera.up * up + camera.right * right;
    let (origin, direction) = if eye.orthographic {
        (camera.pos + aside, camera.forward)
    } else {
        (camera.pos, (camera.forward * f64::from(eye.frustum_near) + aside).normalize_or_zero())
    };
    let filter =
        RayFilter { exclude: None, skip_static: !options.flag(VisFlag::Static), groups: Some(options.geomgroup) };
    let mut best: Option<(f64, Selection)> = None;
    let mut offer = |dist: f64, found: Selection| {
        if best.is_none_or(|(least, _)| dist < least) {
            best = Some((dist, found));
        }
    };
    if let Some(hit) = ray(m, d, origin, direction, &filter)? {
        let body = m.geom.bodyid[hit.geom];
        let point = origin + direction * hit.dist;
        offer(hit.dist, Selection { body, geom: Some(hit.geom), flex: None, skin: None, point });
    }
    let parts = FlexParts {
        vertices: options.flag(VisFlag::FlexVert),
        edges: options.flag(VisFlag::FlexEdge),
        faces: options.flag(VisFlag::FlexFace),
        skin: options.flag(VisFlag::FlexSkin),
        layer: options.flex_layer,
    };
    if parts.vertices || parts.edges || parts.faces || parts.skin {
        for f in m.flex.ids() {
            if let Some(hit) = ray_flex(m, d, f, origin, direction, parts)?
                && let Some((body, point)) = vertex_body(m, d, f, hit.vertex)
            {
                offer(hit.dist, Selection { body, geom: None, flex: Some(f), skin: None, point });
            }
        }
    }
    if options.flag(VisFlag::Skin) {
        for s in m.skin.ids() {
            if let Some((dist, vertex)) = ray_skin(m, scene, s, origin, direction)
                && let Some(body) = heaviest_bone(m, s, vertex)
            {
                let point = DVec3::from(scene.skins[s.index()].vertices[vertex].map(f64::from));
                offer(dist, Selection { body, geom: None, flex: None, skin: Some(s), point });
            }
        }
    }
    Ok(best.map(|(_, found)| found))
}

/// Returns the distance at which a ray meets a skin as the scene shows it, and the nearest vertex of the face there.
fn ray_skin(m: &Model, scene: &Scene, s: SkinId, origin: DVec3, direction: DVec3) -> Option<(f64, usize)> {
    let vertices = &scene.skins.get(s.index())?.vertices;
    let faces = &m.skin_data.face[m.skin.faceadr[s] as usize..][..m.skin.facenum[s] as usize];
    let mut best: Option<(f64, usize)> = None;
    for face in faces.iter().map(|f| f.map(|i| i as usize)) {
        if face.iter().any(|&i| i >= vertices.len()) {
            continue;
        }
        let corners = face.map(|i| DVec3::from(vertices[i].map(f64::from)));
        if let Some(dist) = ray_triangle(corners, origin, direction).filter(|&t| best.is_none_or(|(b, _)| t < b)) {
            let point = origin + direction * dist;
            let nearest = |k: &usize| corners[*k].distance_squared(point);
            let k = (0..3).min_by(|a, b| nearest(a).total_cmp(&nearest(b))).unwrap_or(0);
            best = Some((dist, face[k]));
        }
    }
    best
}

/// Returns the distance along a ray at which it meets a triangle, from either side (Möller and Trumbore).
fn ray_triangle([a, b, c]: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<f64> {
    let (u, v) = (b - a, c - a);
    let p = direction.cross(v);
    let det = u.dot(p);
    if det == 0.0 {
        return None;
    }
    let s = (origin - a) / det;
    let (x, q) = (s.dot(p), s.cross(u));
    let (y, t) = (direction.dot(q), v.dot(q));
    (x >= 0.0 && y >= 0.0 && x + y <= 1.0 && t >= 0.0).then_some(t)
}

/// Returns the body of the bone that moves a vertex of a skin most.
fn heaviest_bone(m: &Model, s: SkinId, vertex: usize) -> Option<BodyId> {
    let data = &m.skin_data;
    let first = m.skin.boneadr[s] as usize;
    let mut best: Option<(f32, BodyId)> = None;
    for bone in (first..first + m.skin.bonenum[s] as usize).map(BoneId::new) {
        let adr = m.bone.bonevertadr[bone] as usize;
        for k in adr..adr + m.bone.bonevertnum[bone] as usize {
            let weight = data.bonevertweight[k];
            if data.bonevertid[k] as usize == vertex && best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, m.bone.bonebodyid[bone]));
            }
        }
    }
    best.map(|(_, body)| body)
}
