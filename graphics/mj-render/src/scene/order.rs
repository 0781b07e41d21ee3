//! Order in which one camera sees the parts: opaque ones, transparent ones by distance, the mirror.

use super::parts::Parts;
use glam::{DVec3, DVec4};
use mj_model::ObjType;
use mj_scene::{Scene, SceneGeom, SceneShape};

/// Opacity from which a geom counts as opaque.
const OPAQUE: f32 = 0.995;

/// Mirror: a plane, or the upper side of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mirror {
    /// Geom.
    pub geom: usize,
    /// Middle.
    pub centre: DVec3,
    /// Axes; the last one is the normal.
    pub axes: [DVec3; 3],
    /// Half sizes; infinite ones are very large.
    pub size: [f64; 2],
    /// Reflectance.
    pub reflectance: f32,
    /// Whether the camera is before it.
    pub seen: bool,
}

/// Parts by the order in which they are drawn.
#[derive(Default)]
pub struct Order {
    /// Opaque parts, in the order of the scene, without the mirror.
    pub opaque: Vec<usize>,
    /// Parts of the mirror.
    pub mirror_parts: Vec<usize>,
    /// Transparent parts, nearest first.
    pub transparent: Vec<usize>,
    /// Mirror.
    pub mirror: Option<Mirror>,
}

fn position(geom: &SceneGeom) -> DVec3 {
    DVec3::from_array(geom.pos.map(f64::from))
}

fn axis(geom: &SceneGeom, k: usize) -> DVec3 {
    DVec3::new(geom.mat[k].into(), geom.mat[3 + k].into(), geom.mat[6 + k].into())
}

fn bounding_radius(geom: &SceneGeom) -> f64 {
    let [x, y, z] = geom.size.map(f64::from);
    if geom.objtype == ObjType::Geom {
        return geom.modelrbound.into();
    }
    match geom.r#type {
        SceneShape::Sphere => x,
        SceneShape::Capsule => x + z,
        SceneShape::Cylinder => x.hypot(z),
        SceneShape::Box => DVec3::new(x, y, z).length(),
        _ => x.max(y).max(z),
    }
}

impl Order {
    /// Sorts the parts of a scene as seen from `eye`.
    pub fn new(scene: &Scene, parts: &Parts, eye: DVec3) -> Self {
        let mut order = Self::default();
        let mut transparent: Vec<(f64, usize, usize)> = Vec::new();
        for (number, part) in parts.list.iter().enumerate() {
            let Some(geom) = scene.geoms.get(part.geom) else { continue };
            let plane = geom.r#type == SceneShape::Plane;
            let behind = plane && axis(geom, 2).dot(eye - position(geom)) < 0.0;
            if geom.rgba[3] < OPAQUE || behind {
                let distance = (position(geom) - eye).length() - bounding_radius(geom);
                transparent.push((if plane { f64::MAX } else { distance }, part.geom, number));
                continue;
            }
            let reflects = (plane || geom.r#type == SceneShape::Box) && geom.reflectance > 0.0;
            // Only the first mirror is one: others would look transparent.
            if reflects && order.mirror.is_none() {
                order.mirror = Some(mirror(geom, part.geom, eye));
                order.mirror_parts.push(number);
            } else {
                order.opaque.push(number);
            }
        }
        transparent.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.transparent = transparent.into_iter().map(|(.., part)| part).collect();
        order
    }
}

/// Returns whether a geom hides nothing that is seen from a light: an infinite plane with eye and light on its upper side.
///
/// It would fill the whole shadow map, and darken itself where the map is coarse.
pub fn casts_nothing(geom: &SceneGeom, eye: DVec3, light: DVec4) -> bool {
    let endless = geom.r#type == SceneShape::Plane && geom.size[0] <= 0.0 && geom.size[1] <= 0.0;
    let (normal, position) = (axis(geom, 2), position(geom));
    let above = |p: DVec4| normal.dot(p.truncate() - p.w * position) >= 0.0;
    endless && geom.rgba[3] >= OPAQUE && above(eye.extend(1.0)) && above(light)
}

fn mirror(geom: &SceneGeom, number: usize, eye: DVec3) -> Mirror {
    let axes = [0, 1, 2].map(|k| axis(geom, k));
    let lift = if geom.r#type == SceneShape::Box { f64::from(geom.size[2]) } else { 0.0 };
    let centre = position(geom) + lift * axes[2];
    let size = [0, 1].map(|k| if geom.size[k] > 0.0 { f64::from(geom.size[k]) } else { 1e30 });
    let seen = axes[2].dot(eye - centre) >= 0.0;
    Mirror { geom: number, centre, axes, size, reflectance: geom.reflectance, seen }
}
