//! Lights, and the cameras of their shadow maps.

use super::camera::{Eye, Window, look, project};
use crate::gpu::{LIGHT_BYTES, MAX_LIGHTS};
use glam::{DMat4, DVec3, DVec4};
use mj_model::LightType;
use mj_scene::{EyeCamera, RndFlag, Scene, SceneLight};

/// Greatest number of lights with shadows; others light without.
const MAX_SHADOWS: usize = 8;

/// Light as the shaders need it.
pub type LightData = [f32; LIGHT_BYTES / 4];

/// Settings of shadow maps.
#[derive(Clone, Copy)]
pub struct ShadowSettings {
    /// Half size of what directional lights see, m.
    pub clip: f64,
    /// Share of a spot's cutoff that its shadow map sees.
    pub scale: f64,
    /// Whether there are shadow maps at all.
    pub on: bool,
}

/// Light with a shadow map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadowLight {
    /// Camera of its map.
    pub camera: DMat4,
    /// Homogeneous position: w is 0 for directional lights.
    pub position: DVec4,
}

/// Lights of one view.
pub struct Lights {
    /// Lights.
    pub data: Vec<LightData>,
    /// Lights with shadow maps, by layer.
    pub shadows: Vec<ShadowLight>,
    /// Ambient light of a scene without lights.
    pub ambient: f32,
}

fn vec(v: [f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(f64::from))
}

/// Returns a direction that is up for a camera that looks along `v`.
fn some_up(v: DVec3) -> DVec3 {
    let first = v.cross(DVec3::NEG_X);
    if first.length_squared() > 0.01 { first.normalize() } else { v.cross(DVec3::Y).normalize_or_zero() }
}

/// Returns the camera of a light's shadow map; `None` where it has none.
fn shadow_camera(light: &SceneLight, eye: &Eye, settings: ShadowSettings) -> Option<DMat4> {
    let z = [eye.near, eye.far];
    let (half, orthographic) = match light.r#type {
        LightType::Directional => (settings.clip, true),
        LightType::Spot => {
            let angle = (2.0 * f64::from(light.cutoff) * settings.scale).min(160.0);
            ((0.5 * angle.to_radians()).tan() * eye.near, false)
        }
        _ => return None,
    };
    if !(half > 0.0 && half.is_finite()) {
        return None;
    }
    let window = Window { x: [-half, half], y: [-half, half], z };
    let (position, direction) = (vec(light.pos), vec(light.dir));
    let camera = project(window, orthographic) * look(position, direction, some_up(direction))?;
    camera.is_finite().then_some(camera)
}

impl Lights {
    /// Makes the lights of a view; the headlight is at its camera where `camera` is not the scene's own.
    pub fn new(scene: &Scene, camera: Option<&EyeCamera>, eye: &Eye, settings: ShadowSettings) -> Self {
        let mut lights = Self { data: Vec::new(), shadows: Vec::new(), ambient: 0.0 };
        let with_shadows = settings.on && scene.flag(RndFlag::Shadow);
        for light in scene.lights.iter().filter(|l| l.r#type != LightType::Image).take(MAX_LIGHTS) {
            let mut light = light.clone();
            if let Some(camera) = camera.filter(|_| light.headlight) {
                (light.pos, light.dir) = (camera.pos, camera.forward);
            }
            let Some(direction) =
                vec(light.dir).try_normalize().or((light.r#type == LightType::Point).then_some(DVec3::Z))
            else {
                continue;
            };
            let mut camera = None;
            if with_shadows && light.castshadow && lights.shadows.len() < MAX_SHADOWS {
                camera = shadow_camera(&light, eye, settings);
            }
            let layer = camera.map_or(-1.0, |camera| {
                let directional = light.r#type == LightType::Directional;
                let position = if directional { (-direction).extend(0.0) } else { vec(light.pos).extend(1.0) };
                lights.shadows.push(ShadowLight { camera, position });
                (lights.shadows.len() - 1) as f32
            });
            let data = encode(&light, direction, layer, camera.unwrap_or(DMat4::IDENTITY));
            if data.iter().all(|x| x.is_finite()) {
                lights.data.push(data);
            }
        }
        lights.ambient = if lights.data.is_empty() { 0.3 } else { 0.0 };
        lights
    }
}

fn encode(light: &SceneLight, direction: DVec3, layer: f32, shadow: DMat4) -> LightData {
    let placed = if light.r#type == LightType::Directional { 0.0 } else { 1.0 };
    // A cone wider than a half space is none.
    let spot = light.r#type == LightType::Spot && (0.0..=90.0).contains(&light.cutoff);
    let cutoff = if spot { light.cutoff.to_radians().cos() } else { -1.0 };
    let number = |x: f32| if x.is_finite() { x.max(0.0) } else { 0.0 };
    let inner = if spot { (light.cutoff * (1.0 - number(light.softness).min(1.0))).to_radians().cos() } else { -1.0 };
    let exponent = if spot { light.exponent } else { 0.0 };
    // Lights other than spots come without attenuation.
    let attenuation = if light.attenuation == [0.0; 3] { [1.0, 0.0, 0.0] } else { light.attenuation };
    let direction = direction.to_array().map(|x| x as f32);
    let mut data = [0.0; LIGHT_BYTES / 4];
    let rows = [
        (light.pos, placed),
        (direction, cutoff),
        (light.ambient, exponent),
        (light.diffuse, layer),
        (light.specular, 0.0),
        (attenuation, 0.0),
        ([number(light.intensity), number(light.range), inner], 0.0),
    ];
    for (row, (v, w)) in data.chunks_exact_mut(4).zip(rows) {
        row[..3].copy_from_slice(&v);
        row[3] = w;
    }
    data[28..].copy_from_slice(&shadow.to_cols_array().map(|x| x as f32));
    data
}
