//! Sky and haze: instances around the eye.

use super::instance::{InstanceData, Placement, TextureMap, encode};
use glam::{DMat3, DVec3};
use mj_scene::{RndFlag, Scene, SceneGeom, SceneShape};

/// Radius of the sky as a share of the distance of the far plane: its edges are just before that.
const SHARE: f32 = 0.7;

/// Returns the instance of the sky around the eye.
pub fn sky(eye: DVec3, zfar: f32, scene: &Scene) -> Option<InstanceData> {
    let radius = radius(zfar, scene);
    let pos = eye.to_array().map(|x| x as f32);
    let placement = Placement { pos, scale: [radius; 3], ..Placement::world() };
    encode(&SceneGeom::default(), &placement, TextureMap::Direction([1.0; 3]), 0.0, false, [0.0; 3])
}

fn radius(zfar: f32, scene: &Scene) -> f32 {
    let radius = SHARE * zfar;
    if scene.enabletransform && scene.scale > 0.0 { radius / scene.scale } else { radius }
}

/// Returns the instance of the haze above the first infinite plane; `None` without one, or with the eye below it.
pub fn haze(eye: DVec3, zfar: f32, scene: &Scene, rgba: [f32; 4]) -> Option<InstanceData> {
    if !scene.flag(RndFlag::Haze) {
        return None;
    }
    let infinite = |g: &&SceneGeom| g.r#type == SceneShape::Plane && g.size[0] == 0.0 && g.size[1] == 0.0;
    let plane = scene.geoms.iter().find(infinite)?;
    let mat = DMat3::from_cols_array(&plane.mat.map(f64::from)).transpose();
    let height = mat.z_axis.dot(eye - DVec3::from_array(plane.pos.map(f64::from)));
    if height.is_nan() || height < 0.0 {
        return None;
    }
    let radius = radius(zfar, scene);
    let placement = Placement {
        pos: (eye - height * mat.z_axis).to_array().map(|x| x as f32),
        mat: plane.mat,
        scale: [radius, radius, height as f32],
        end: 0.0,
    };
    let geom = SceneGeom { rgba, ..SceneGeom::default() };
    encode(&geom, &placement, TextureMap::Vertices([1.0, 1.0, 0.0, 0.0]), 0.0, false, [0.0; 3])
}
