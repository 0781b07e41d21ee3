//! Sizes, scenes and cameras that can't be drawn; many renderers; threads.

mod common;

use common::*;
use mj_model::Model;
use mj_render::{Outputs, RenderError, RenderOptions, Renderer, probe};
use mj_scene::{EyeCamera, RndFlag, SceneGeom, SceneLight, SceneShape};

#[test]
fn sizes_beyond_the_limits_are_refused() {
    let mut renderer = renderer();
    let scene = scene(vec![geom(SceneShape::Sphere, [1.0; 3])]);
    let limit = renderer.adapter().max_size;
    for (width, height) in [(0, 10), (10, 0), (limit + 1, 1), (u32::MAX, u32::MAX)] {
        let error = renderer.render(&scene, width, height).unwrap_err();
        assert!(matches!(error, RenderError::Size { .. }), "{error}");
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
    }
    assert_eq!(renderer.render(&scene, 1, 1).unwrap().rgb.len(), 3);
    assert_eq!(renderer.render(&scene, 301, 3).unwrap().rgb.len(), 301 * 3 * 3);
}

#[test]
fn cameras_that_see_nothing_are_refused() {
    let mut renderer = renderer();
    let good = camera();
    let bad = [
        EyeCamera { frustum_near: 0.0, ..good },
        EyeCamera { frustum_far: 0.01, ..good },
        EyeCamera { frustum_far: f32::INFINITY, ..good },
        EyeCamera { frustum_top: good.frustum_bottom, ..good },
        EyeCamera { frustum_width: -1.0, ..good },
        EyeCamera { forward: [0.0; 3], ..good },
        EyeCamera { up: good.forward, ..good },
        EyeCamera { pos: [f32::NAN; 3], ..good },
    ];
    for camera in bad {
        let error = renderer.render_many(&scene(vec![]), &[good, camera], 8, 8, Outputs::RGB).unwrap_err();
        assert!(error.to_string().starts_with("camera 1 is not valid"), "{error}");
    }
}

#[test]
fn strange_geoms_are_left_out() {
    let mut renderer = renderer();
    let numbers = [0.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-30, 1e30];
    for shape in SceneShape::ALL {
        let mut geoms = Vec::new();
        for x in numbers {
            let base = SceneGeom { dataid: 1, matid: 5, texid: i32::MAX, ..geom(*shape, [x; 3]) };
            geoms.push(SceneGeom { pos: [x; 3], dataid: i32::MAX, ..base.clone() });
            geoms.push(SceneGeom { mat: [x; 9], dataid: -1, ..base.clone() });
            geoms.push(SceneGeom { rgba: [x; 4], objid: i32::MIN, ..base.clone() });
            geoms.push(SceneGeom { shininess: x, specular: x, reflectance: x, emission: x, texrepeat: [x; 2], ..base });
        }
        let mut scene = scene(geoms);
        for x in numbers {
            scene.lights.push(SceneLight { pos: [x; 3], dir: [x; 3], castshadow: true, ..SceneLight::default() });
        }
        renderer.render_frame(&scene, 16, 16, Outputs::ALL).unwrap();
        scene.flags = [true; RndFlag::ALL.len()];
        renderer.render_frame(&scene, 16, 16, Outputs::ALL).unwrap();
    }
}

#[test]
fn renderers_come_and_go() {
    let scene = scene(vec![geom(SceneShape::Box, [1.0; 3])]);
    let first = renderer().render(&scene, 32, 32).unwrap();
    for _ in 0..50 {
        assert_eq!(renderer().render(&scene, 32, 32).unwrap(), first);
    }
}

#[test]
fn threads_draw_side_by_side() {
    let mut scene = scene(vec![geom(SceneShape::Capsule, [0.5; 3])]);
    scene.lights.push(SceneLight::default());
    let pictures: Vec<_> = std::thread::scope(|scope| {
        let drawing: Vec<_> = (0..4)
            .map(|_| {
                let mut renderer = renderer();
                let scene = &scene;
                scope.spawn(move || (0..5).map(|_| renderer.render(scene, 64, 64).unwrap()).last())
            })
            .collect();
        drawing.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(pictures.iter().all(|p| *p == pictures[0]));
}

#[test]
fn adapters_are_listed_and_chosen_by_name() {
    let adapters = probe();
    assert!(!adapters.is_empty());
    let options = RenderOptions { adapter: Some("no such card".into()), ..RenderOptions::default() };
    let error = Renderer::new(&Model::default(), &options).err().unwrap().to_string();
    assert!(error.contains("no such card") && error.contains(&adapters[0].name), "{error}");
    let options = RenderOptions { adapter: Some(adapters[0].name.to_uppercase()), ..RenderOptions::default() };
    let renderer = Renderer::new(&Model::default(), &options).unwrap();
    assert_eq!(renderer.adapter(), &adapters[0]);
    assert_eq!(renderer.warnings().is_empty(), !adapters[0].is_software());
}

#[test]
fn a_missing_driver_is_named() {
    let error = RenderError::NoAdapter { reason: "none".into() }.to_string();
    if cfg!(target_os = "linux") {
        assert!(error.contains("mesa-vulkan-drivers") && error.contains("VK_ICD_FILENAMES"), "{error}");
    }
}
