//! Pictures whose pixels are known by geometry.

mod common;

use common::*;
use mj_model::{LightType, ObjType};
use mj_render::Outputs;
use mj_scene::{RndFlag, Scene, SceneGeom, SceneLight, SceneShape};

/// Returns a geom that shines by itself, so that its colour is known.
fn shining(shape: SceneShape, size: [f32; 3], rgba: [f32; 4]) -> SceneGeom {
    SceneGeom { emission: 0.7, specular: 0.0, rgba, ..geom(shape, size) }
}

fn pixel(rgb: &[u8], x: u32, y: u32) -> [u8; 3] {
    let k = 3 * at(x, y);
    [rgb[k], rgb[k + 1], rgb[k + 2]]
}

#[test]
fn depth_and_ids_of_a_sphere() {
    let picture = renderer().render_depth_ids(&scene(vec![geom(SceneShape::Sphere, [1.0; 3])]), WIDTH, HEIGHT).unwrap();
    let middle = at(WIDTH / 2, HEIGHT / 2);
    assert!((picture.depth[middle] - 4.0).abs() < 0.01, "{}", picture.depth[middle]);
    assert_eq!(picture.ids[middle], [7, ObjType::Geom.code()]);
    assert_eq!((picture.depth[0], picture.ids[0]), (FAR, [-1, -1]));
    // The outline is a circle of half angle asin(r / d); pixels are SLOPE / 60 wide at distance 1.
    let radius = (1f32 / 5.0).asin().tan() / SLOPE * HEIGHT as f32 / 2.0;
    let area = std::f32::consts::PI * radius * radius;
    let count = picture.ids.iter().filter(|id| id[0] == 7).count() as f32;
    assert!((count / area - 1.0).abs() < 0.03, "{count} pixels, expected {area}");
    for (depth, id) in picture.depth.iter().zip(&picture.ids) {
        assert_eq!(*depth == FAR, id[0] == -1, "edges of depth and ids agree");
    }
}

#[test]
fn depth_of_orthographic_cameras_is_along_the_axis() {
    let mut scene = scene(vec![geom(SceneShape::Box, [1.0, 1.0, 1.0])]);
    for eye in &mut scene.camera {
        (eye.orthographic, eye.frustum_bottom, eye.frustum_top) = (true, -2.0, 2.0);
    }
    let picture = renderer().render_depth_ids(&scene, WIDTH, HEIGHT).unwrap();
    let seen: Vec<f32> = picture.depth.iter().copied().filter(|&d| d < FAR).collect();
    assert_eq!(seen.len(), 60 * 60);
    assert!(seen.iter().all(|d| (d - 4.0).abs() < 1e-5));
}

#[test]
fn colour_of_a_box_that_shines() {
    let frame = renderer()
        .render(&scene(vec![shining(SceneShape::Box, [1.0; 3], [1.0, 0.5, 0.25, 1.0])]), WIDTH, HEIGHT)
        .unwrap();
    // Without lights there is ambient light of 0.3: together with the emission, the colour itself.
    let [r, g, b] = pixel(&frame.rgb, WIDTH / 2, HEIGHT / 2);
    assert!(r == 255 && g.abs_diff(128) <= 1 && b.abs_diff(64) <= 1, "{r} {g} {b}");
    assert_eq!(pixel(&frame.rgb, 0, 0), [0; 3]);
}

#[test]
fn top_row_is_first_and_left_is_left() {
    let place = |pos, rgba| SceneGeom { pos, ..shining(SceneShape::Sphere, [0.5; 3], rgba) };
    // From x = 5, y points to the right.
    let geoms = vec![place([0.0, 0.0, 1.5], [1.0, 0.0, 0.0, 1.0]), place([0.0, 1.5, 0.0], [0.0, 1.0, 0.0, 1.0])];
    let frame = renderer().render(&scene(geoms), WIDTH, HEIGHT).unwrap();
    let offset = (1.5 / 5.0 / SLOPE * HEIGHT as f32 / 2.0) as u32;
    assert_eq!(pixel(&frame.rgb, WIDTH / 2, HEIGHT / 2 - offset), [255, 0, 0]);
    assert_eq!(pixel(&frame.rgb, WIDTH / 2 + offset, HEIGHT / 2), [0, 255, 0]);
}

#[test]
fn geoms_without_an_id_are_seen_in_colours_alone() {
    let hidden = SceneGeom { segid: -1, ..shining(SceneShape::Sphere, [1.0; 3], [1.0; 4]) };
    let frame = renderer().render_frame(&scene(vec![hidden]), WIDTH, HEIGHT, Outputs::ALL).unwrap();
    assert_eq!(frame.ids[at(WIDTH / 2, HEIGHT / 2)], [-1, -1]);
    assert_eq!(pixel(&frame.rgb, WIDTH / 2, HEIGHT / 2), [255; 3]);
}

#[test]
fn transparent_geoms_cover_by_their_opacity() {
    let wall = SceneGeom { pos: [-2.0, 0.0, 0.0], ..shining(SceneShape::Box, [0.1, 5.0, 5.0], [0.0, 0.0, 1.0, 1.0]) };
    let pane = shining(SceneShape::Box, [0.1, 1.0, 1.0], [1.0, 0.0, 0.0, 0.5]);
    let mut scene = scene(vec![pane, wall]);
    let mut renderer = renderer();
    // Drawn front to back and back to front: twice a half.
    let frame = renderer.render(&scene, WIDTH, HEIGHT).unwrap();
    let [r, g, b] = pixel(&frame.rgb, WIDTH / 2, HEIGHT / 2);
    assert!(r.abs_diff(191) <= 2 && g == 0 && b.abs_diff(64) <= 2, "{r} {g} {b}");
    scene.set_flag(RndFlag::Additive, true);
    let frame = renderer.render(&scene, WIDTH, HEIGHT).unwrap();
    let [r, g, b] = pixel(&frame.rgb, WIDTH / 2, HEIGHT / 2);
    assert!(r.abs_diff(128) <= 2 && g == 0 && b == 255, "{r} {g} {b}");
}

/// Returns a wall in the light of a lamp at the camera, with a ball between them, off the axis.
fn shadow_scene() -> Scene {
    let wall = SceneGeom {
        pos: [-2.0, 0.0, 0.0],
        specular: 0.0,
        rgba: [1.0; 4],
        category: mj_scene::category::STATIC,
        ..geom(SceneShape::Box, [0.1, 5.0, 5.0])
    };
    let ball = SceneGeom { pos: [0.0, 0.0, 1.0], ..SceneGeom { size: [0.5; 3], ..wall.clone() } };
    let ball = SceneGeom { r#type: SceneShape::Sphere, ..ball };
    let light = SceneLight {
        pos: [5.0, 0.0, 2.5],
        // The ball's shadow falls on the middle of the wall.
        dir: [-5.0, 0.0, -1.5],
        r#type: LightType::Spot,
        attenuation: [1.0, 0.0, 0.0],
        cutoff: 45.0,
        diffuse: [0.8; 3],
        castshadow: true,
        ..SceneLight::default()
    };
    let mut scene = scene(vec![wall, ball]);
    scene.lights.push(light);
    scene
}

#[test]
fn shadows_of_spot_lights() {
    let mut scene = shadow_scene();
    let mut renderer = renderer();
    // The line from the lamp through the ball meets the wall at z = 1 − 1.5 · 1.9 / 5 = 0.43.
    let row = HEIGHT / 2 - (0.43 / 6.9 / SLOPE * HEIGHT as f32 / 2.0) as u32;
    let dark = renderer.render(&scene, WIDTH, HEIGHT).unwrap();
    assert_eq!(pixel(&dark.rgb, WIDTH / 2, row), [0; 3]);
    scene.set_flag(RndFlag::Shadow, false);
    let lit = renderer.render(&scene, WIDTH, HEIGHT).unwrap();
    assert!(pixel(&lit.rgb, WIDTH / 2, row)[0] > 150);
    scene.set_flag(RndFlag::Shadow, true);
    scene.geoms[1].castshadow = false;
    let lit = renderer.render(&scene, WIDTH, HEIGHT).unwrap();
    assert!(pixel(&lit.rgb, WIDTH / 2, row)[0] > 150);
}

#[test]
fn mirrors_show_what_is_above_them() {
    let floor = SceneGeom {
        rgba: [0.0, 0.0, 0.0, 1.0],
        pos: [0.0, 0.0, -1.0],
        reflectance: 0.5,
        specular: 0.0,
        ..geom(SceneShape::Plane, [3.0, 3.0, 0.1])
    };
    let ball = SceneGeom { pos: [0.0, 0.0, 0.0], ..shining(SceneShape::Sphere, [0.5; 3], [1.0, 0.0, 0.0, 1.0]) };
    let frame = renderer().render(&scene(vec![floor, ball]), WIDTH, HEIGHT).unwrap();
    // The image of the ball is at z = −2.
    let row = HEIGHT / 2 + (2.0 / 5.0 / SLOPE * HEIGHT as f32 / 2.0) as u32;
    let [r, g, b] = pixel(&frame.rgb, WIDTH / 2, row);
    assert!(r.abs_diff(128) <= 2 && g == 0 && b == 0, "{r} {g} {b}");
    // Beside the floor nothing is mirrored.
    assert_eq!(pixel(&frame.rgb, 2, HEIGHT - 2), [0; 3]);
}

#[test]
fn infinite_planes_reach_the_horizon() {
    let floor = SceneGeom { pos: [0.0, 0.0, -1.0], ..geom(SceneShape::Plane, [0.0; 3]) };
    let picture = renderer().render_depth_ids(&scene(vec![floor]), WIDTH, HEIGHT).unwrap();
    let bottom = picture.depth[at(WIDTH / 2, HEIGHT - 1)];
    assert!((bottom - 1.0 / SLOPE).abs() < 0.03, "{bottom}");
    assert_eq!(picture.ids[at(0, HEIGHT / 2 - 1)], [-1, -1]);
}

#[test]
fn several_cameras_see_what_each_sees_alone() {
    let scene = shadow_scene();
    let cameras: Vec<_> = [4.0, 5.0, 6.0].map(|x| mj_scene::EyeCamera { pos: [x, 0.0, 0.0], ..camera() }).to_vec();
    let mut renderer = renderer();
    let together = renderer.render_many(&scene, &cameras, WIDTH, HEIGHT, Outputs::ALL).unwrap();
    assert_eq!(together.len(), 3);
    for (camera, frame) in cameras.iter().zip(&together) {
        let mut scene = scene.clone();
        scene.camera = [*camera; 2];
        assert_eq!(&renderer.render_frame(&scene, WIDTH, HEIGHT, Outputs::ALL).unwrap(), frame);
    }
    assert!(renderer.render_many(&scene, &[], WIDTH, HEIGHT, Outputs::RGB).unwrap().is_empty());
}

#[test]
fn every_shape_is_drawn() {
    use SceneShape::*;
    let mut renderer = renderer();
    for shape in [Sphere, Capsule, Ellipsoid, Cylinder, Box, Arrow, Arrow1, Arrow2, Line, LineBox] {
        // Upright, half a metre high and more.
        let size = if shape == Line { [3.0, 0.1, 1.0] } else { [0.4, 0.5, 0.9] };
        let picture = renderer.render_depth_ids(&scene(vec![geom(shape, size)]), WIDTH, HEIGHT).unwrap();
        let count = picture.ids.iter().filter(|id| id[0] == 7).count();
        assert!(count > 20, "{}: {count} pixels", shape.name());
    }
    // A triangle in the plane of x and y, seen from above.
    let mut above = scene(vec![geom(Triangle, [1.0, 1.0, 0.0])]);
    for eye in &mut above.camera {
        (eye.pos, eye.forward, eye.up) = ([0.0, 0.0, 5.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]);
    }
    let picture = renderer.render_depth_ids(&above, WIDTH, HEIGHT).unwrap();
    let count = picture.ids.iter().filter(|id| id[0] == 7).count() as f32;
    let side = HEIGHT as f32 / 2.0 / SLOPE / 5.0;
    assert!((count / (0.5 * side * side) - 1.0).abs() < 0.1, "{count}");
}

#[test]
fn labels_are_written_where_their_geoms_are() {
    let dark =
        SceneGeom { pos: [0.0, 1.0, 0.5], label: "Iö界".into(), ..shining(SceneShape::Sphere, [0.2; 3], [0.0; 4]) };
    let behind = SceneGeom { pos: [7.0, 0.0, 0.0], label: "behind".into(), ..dark.clone() };
    let scene = scene(vec![dark, behind]);
    let mut frame = renderer().render_frame(&scene, WIDTH, HEIGHT, Outputs::ALL).unwrap();
    let before = frame.clone();
    frame.write_labels(&scene).unwrap();
    assert!(frame.depth == before.depth && frame.ids == before.ids);
    // From x = 5, y points to the right; three letters of 8 or 9 pixels begin at the geom and stand on it.
    let pixels = |metres: f32| (metres / 5.0 / SLOPE * HEIGHT as f32 / 2.0) as u32;
    let (x, y) = (WIDTH / 2 + pixels(1.0), HEIGHT / 2 - pixels(0.5));
    let white: Vec<(u32, u32)> = (0..WIDTH * HEIGHT)
        .map(|k| (k % WIDTH, k / WIDTH))
        .filter(|&(x, y)| pixel(&frame.rgb, x, y)[0] > 200)
        .collect();
    assert!(white.len() > 20, "{white:?}");
    assert!(white.iter().all(|&(u, v)| (x..x + 28).contains(&u) && (y - 16..y + 5).contains(&v)), "{white:?} {x} {y}");
    assert!((0..3).all(|k| white.iter().any(|&(u, _)| (u - x) / 9 == k)), "each letter is there");
}
