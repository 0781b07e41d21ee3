//! Scenes made by hand, and cameras that look at them along −x. Not every program uses all of it.
#![allow(dead_code)]

use mj_model::{Model, ObjType};
use mj_render::{RenderOptions, Renderer};
use mj_scene::{EyeCamera, Scene, SceneGeom, SceneShape};

/// Width of the tests' pictures, pixels.
pub const WIDTH: u32 = 160;
/// Height of the tests' pictures, pixels.
pub const HEIGHT: u32 = 120;
/// Distance of the far plane, m.
pub const FAR: f32 = 50.0;
/// Half height of the view at distance 1.
pub const SLOPE: f32 = 0.5;

/// Returns a renderer for scenes without assets; one sample a pixel.
pub fn renderer() -> Renderer {
    let options = RenderOptions { samples: Some(1), ..RenderOptions::default() };
    let mut model = Model::default();
    model.stat.extent = 1.0;
    Renderer::new(&model, &options).expect("the tests need a Vulkan driver")
}

/// Returns a camera at x = 5 that looks at the origin.
pub fn camera() -> EyeCamera {
    let near = 0.1;
    EyeCamera {
        pos: [5.0, 0.0, 0.0],
        forward: [-1.0, 0.0, 0.0],
        up: [0.0, 0.0, 1.0],
        frustum_bottom: -SLOPE * near,
        frustum_top: SLOPE * near,
        frustum_near: near,
        frustum_far: FAR,
        ..EyeCamera::default()
    }
}

/// Returns a scene of geoms before the camera.
pub fn scene(geoms: Vec<SceneGeom>) -> Scene {
    let mut scene = Scene::default();
    (scene.geoms, scene.camera) = (geoms, [camera(); 2]);
    scene
}

/// Returns geom 7 of a shape at the origin.
pub fn geom(shape: SceneShape, size: [f32; 3]) -> SceneGeom {
    SceneGeom { r#type: shape, size, objtype: ObjType::Geom, objid: 7, segid: 0, ..SceneGeom::default() }
}

/// Returns the place of a pixel in a picture.
pub fn at(x: u32, y: u32) -> usize {
    (y * WIDTH + x) as usize
}
