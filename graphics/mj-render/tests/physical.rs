//! Physical shading: pictures whose radiances follow from the equations.

mod common;

use common::*;
use mj_engine::Simulation;
use mj_model::LightType;
use mj_render::{Image, RenderOptions, Renderer, Shading, ToneMap};
use mj_scene::{Scene, SceneGeom, SceneLight, SceneShape};

const PHYSICAL: RenderOptions = RenderOptions {
    adapter: None,
    samples: Some(1),
    shadowsize: None,
    shading: Shading::Physical,
    exposure: 0.0,
    tone_map: ToneMap::Clip,
};

/// Returns a renderer for a model with these assets.
fn renderer_of(assets: &str, options: &RenderOptions) -> Renderer {
    let xml = format!("<mujoco><asset>{assets}</asset><worldbody><geom size='.1'/></worldbody></mujoco>");
    let simulation = Simulation::from_xml(&xml).unwrap();
    Renderer::new(simulation.model(), options).expect("the tests need a Vulkan driver")
}

/// Returns a sky of one colour.
fn sky(grey: f32) -> String {
    let rgb = format!("{grey} {grey} {grey}");
    format!("<texture name='sky' type='skybox' builtin='flat' rgb1='{rgb}' rgb2='{rgb}' width='16' height='16'/>")
}

/// Returns the radiance of a byte with sRGB's curve.
fn radiance(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn seen(image: &Image, x: u32, y: u32) -> [f32; 3] {
    let k = 3 * at(x, y);
    [0, 1, 2].map(|c| radiance(image.rgb[k + c]))
}

fn middle(image: &Image) -> [f32; 3] {
    seen(image, WIDTH / 2, HEIGHT / 2)
}

/// Returns a geom of a material, with a colour whose radiance is known.
fn painted(shape: SceneShape, matid: i32, rgb: [f32; 3]) -> SceneGeom {
    let curve = |c: f32| if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    let [r, g, b] = rgb.map(curve);
    SceneGeom { rgba: [r, g, b, 1.0], matid, ..geom(shape, [1.0; 3]) }
}

/// Returns a light along the camera's direction.
fn frontal() -> SceneLight {
    SceneLight { dir: [-1.0, 0.0, 0.0], diffuse: [1.0; 3], ..SceneLight::default() }
}

fn lit(geom: SceneGeom, light: SceneLight) -> Scene {
    let mut scene = scene(vec![geom]);
    scene.lights.push(light);
    scene
}

#[track_caller]
fn near(found: f32, expected: f32, share: f32) {
    assert!((found / expected - 1.0).abs() < share, "{found}, expected {expected}");
}

#[test]
fn white_surfaces_vanish_in_a_white_room() {
    let materials: String = [(1, 0.05), (1, 0.3), (1, 0.6), (1, 1.0), (0, 0.1), (0, 0.5), (0, 1.0)]
        .map(|(metallic, roughness)| {
            format!("<material name='{metallic}{roughness}' metallic='{metallic}' roughness='{roughness}'/>")
        })
        .concat();
    // One stop darker, so that surfaces that shine too much are seen.
    let mut renderer = renderer_of(&(sky(1.0) + &materials), &RenderOptions { exposure: -1.0, ..PHYSICAL });
    for matid in 0..7 {
        let image = renderer.render(&scene(vec![painted(SceneShape::Sphere, matid, [1.0; 3])]), WIDTH, HEIGHT).unwrap();
        for pixel in image.rgb.chunks_exact(3) {
            near(radiance(pixel[1]), 0.5, 0.03);
        }
    }
}

#[test]
fn rough_plastic_reflects_its_colour_and_rough_metal_less() {
    let materials = "<material name='plastic' roughness='1'/><material name='metal' metallic='1' roughness='1'/>";
    let mut renderer = renderer_of(&(sky(0.0) + materials), &PHYSICAL);
    let mut face = |matid| {
        let wall = SceneGeom { specular: 0.5, ..painted(SceneShape::Box, matid, [0.5, 0.5, 0.2]) };
        middle(&renderer.render(&lit(wall, frontal()), WIDTH, HEIGHT).unwrap())
    };
    // Seen and lit along the normal the lobe is F0 / 4, and it reflects 1 − ln 2 of all light once.
    let once = 1.0 - std::f32::consts::LN_2;
    let lobe = |f0: f32| 0.25 * f0 * (1.0 + f0 * (1.0 / once - 1.0));
    let plastic = face(0);
    near(plastic[0], 0.96 * 0.5 + lobe(0.04), 0.02);
    near(plastic[2], 0.96 * 0.2 + lobe(0.04), 0.02);
    let metal = face(1);
    near(metal[0], lobe(0.5), 0.03);
    near(metal[2], lobe(0.2), 0.03);
}

#[test]
fn smooth_metal_mirrors_the_sky_where_it_is() {
    let sky = "<texture type='skybox' builtin='gradient' rgb1='.9 .1 .1' rgb2='.1 .1 .9' width='64' height='384'/>";
    let material = "<material name='metal' metallic='1' roughness='0'/>";
    let mut renderer = renderer_of(&format!("{sky}{material}"), &PHYSICAL);
    let image = renderer.render(&scene(vec![painted(SceneShape::Sphere, 0, [1.0; 3])]), WIDTH, HEIGHT).unwrap();
    // Where the normal is half way between the camera and the vertical, the vertical is seen.
    let step = (0.707 / (5.0 - 0.707) / SLOPE * HEIGHT as f32 / 2.0) as u32;
    let (up, down) = (seen(&image, WIDTH / 2, HEIGHT / 2 - step), seen(&image, WIDTH / 2, HEIGHT / 2 + step));
    assert!(up[0] > 5.0 * up[2] && down[2] > 5.0 * down[0], "{up:?} {down:?}");
}

#[test]
fn light_falls_off_as_it_should() {
    let material = "<material name='chalk' metallic='0' roughness='1' specular='0'/>";
    let mut renderer = renderer_of(&(sky(0.0) + material), &PHYSICAL);
    let lamp = SceneLight { pos: [3.0, 0.0, 0.0], r#type: LightType::Point, ..frontal() };
    let spot = SceneLight {
        r#type: LightType::Spot,
        cutoff: 40.0,
        softness: 0.2,
        attenuation: [1.0, 0.0, 0.0],
        ..lamp.clone()
    };
    let mut shown = |light: &SceneLight| {
        let wall = SceneGeom { specular: 0.0, ..painted(SceneShape::Box, 0, [0.5; 3]) };
        renderer.render(&lit(wall, light.clone()), WIDTH, HEIGHT).unwrap()
    };
    // The wall is 2 m away.
    let attenuated = SceneLight { attenuation: [0.0, 1.0, 0.5], ..lamp.clone() };
    let candela = SceneLight { intensity: 10.0, range: 4.0, ..lamp.clone() };
    near(middle(&shown(&lamp))[0], 0.5, 0.02);
    near(middle(&shown(&attenuated))[0], 0.5 / 4.0, 0.02);
    near(middle(&shown(&candela))[0], 0.5 * 10.0 / (std::f32::consts::PI * 4.0) * (1.0 - 1.0f32 / 16.0).powi(2), 0.02);
    near(middle(&shown(&spot))[0], 0.5, 0.02);
    // At its edge the cone of 20 degrees is dark, and the full brightness goes on to 80% of the angle.
    let image = shown(&SceneLight { cutoff: 20.0, ..spot });
    let column = |angle: f32| WIDTH / 2 + (2.0 * angle.to_radians().tan() / 4.0 / SLOPE * HEIGHT as f32 / 2.0) as u32;
    assert!(seen(&image, column(14.0), HEIGHT / 2)[0] > 0.45);
    assert!(seen(&image, column(22.0), HEIGHT / 2)[0] < 0.01);
}

#[test]
fn textures_of_materials_are_their_numbers() {
    let flat = |name: &str, rgb: &str| {
        format!("<texture name='{name}' type='2d' builtin='flat' rgb1='{rgb}' width='8' height='8'/>")
    };
    let assets = [
        sky(0.5),
        flat("orm", "1 .4 1"),
        flat("shade", ".5 .5 .5"),
        flat("lava", "1 .5 0"),
        flat("slope", ".933 .5 .75"),
        "<material name='numbers' metallic='1' roughness='.4'/>
         <material name='orm'><layer role='orm' texture='orm'/></material>
         <material name='half' roughness='1'/>
         <material name='shade' roughness='1'><layer role='occlusion' texture='shade'/></material>
         <material name='lava'><layer role='emissive' texture='lava'/></material>
         <material name='slope' roughness='1'><layer role='normal' texture='slope'/></material>"
            .into(),
    ]
    .concat();
    let mut renderer = renderer_of(&assets, &PHYSICAL);
    let mut shown = |matid| {
        let wall = SceneGeom { specular: 0.0, ..painted(SceneShape::Box, matid, [0.5; 3]) };
        middle(&renderer.render(&scene(vec![wall]), WIDTH, HEIGHT).unwrap())
    };
    near(shown(1)[0], shown(0)[0], 0.02);
    near(shown(3)[0], 0.5 * shown(2)[0], 0.02);
    let (dark, lava) = (shown(2), shown(4));
    near(lava[0] - dark[0], 1.0 - dark[0], 0.02);
    near(lava[1] - dark[1], radiance(128), 0.04);
    near(lava[2], dark[2], 0.02);
    // A slope of 60 degrees takes half of the light along the normal.
    let mut frontally = |matid| {
        let wall = SceneGeom { specular: 0.0, ..painted(SceneShape::Box, matid, [0.5; 3]) };
        middle(&renderer.render(&lit(wall, frontal()), WIDTH, HEIGHT).unwrap())[0]
    };
    // The room's light is even, so that the slope doesn't matter for it.
    let (flat, slope) = (frontally(2) - dark[0], frontally(5) - dark[0]);
    near(slope, 0.5 * flat, 0.05);
}

#[test]
fn brightness_grows_with_light_and_greys_stay_grey() {
    for (tone_map, least_white) in [(ToneMap::Neutral, 240), (ToneMap::Aces, 250), (ToneMap::Clip, 255)] {
        let mut renderer = renderer_of(&sky(0.0), &RenderOptions { tone_map, ..PHYSICAL });
        let mut last = 0;
        for emission in [0.0, 0.02, 0.05, 0.08, 0.1, 0.2, 0.4, 0.7, 0.8, 1.0, 1.5, 3.0, 10.0, 100.0] {
            let mut glowing = painted(SceneShape::Box, -1, [1.0; 3]);
            (glowing.emission, glowing.specular) = (emission, 0.0);
            let image = renderer.render(&scene(vec![glowing]), WIDTH, HEIGHT).unwrap();
            let k = 3 * at(WIDTH / 2, HEIGHT / 2);
            let [r, g, b] = [image.rgb[k], image.rgb[k + 1], image.rgb[k + 2]];
            assert!(r == g && g == b && r >= last, "{tone_map:?} at {emission}: {r} {g} {b} after {last}");
            last = r;
        }
        assert!(last >= least_white, "{tone_map:?}: {last}");
    }
}

#[test]
fn shadows_fall_in_both_models() {
    let mut renderer = renderer_of(&sky(0.0), &PHYSICAL);
    let wall = SceneGeom { pos: [-2.0, 0.0, 0.0], size: [0.1, 5.0, 5.0], ..painted(SceneShape::Box, -1, [0.5; 3]) };
    let wall = SceneGeom { category: mj_scene::category::STATIC, ..wall };
    let ball = SceneGeom { r#type: SceneShape::Sphere, pos: [0.0, 0.0, 1.0], size: [0.5; 3], ..wall.clone() };
    let mut scene = scene(vec![wall, ball]);
    scene.lights.push(SceneLight {
        pos: [5.0, 0.0, 2.5],
        dir: [-5.0, 0.0, -1.5],
        r#type: LightType::Spot,
        attenuation: [1.0, 0.0, 0.0],
        cutoff: 45.0,
        castshadow: true,
        ..frontal()
    });
    let mut shown = |casts| {
        scene.lights[0].castshadow = casts;
        middle(&renderer.render(&scene, WIDTH, HEIGHT).unwrap())[0]
    };
    let (dark, bright) = (shown(true), shown(false));
    assert!(dark < 0.01 && bright > 0.3, "{dark} {bright}");
}

#[test]
fn phong_pictures_know_no_exposure() {
    let assets = sky(0.4) + "<material name='metal' metallic='1' roughness='.2'/>";
    let scene = lit(painted(SceneShape::Sphere, 0, [0.5, 0.4, 0.3]), frontal());
    let phong = RenderOptions { samples: Some(1), ..RenderOptions::default() };
    let exposed = RenderOptions { exposure: 2.0, tone_map: ToneMap::Aces, ..phong.clone() };
    let draw = |options: &RenderOptions| renderer_of(&assets, options).render(&scene, WIDTH, HEIGHT).unwrap().rgb;
    assert_eq!(draw(&phong), draw(&exposed));
    assert_ne!(draw(&phong), draw(&PHYSICAL));
}
