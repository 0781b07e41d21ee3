//! Lights that shine in a scene.

use crate::scene::{Scene, SceneLight};
use crate::settings::VisualSettings;
use crate::vectors::single;
use mj_engine::{Data, Model};
use mj_math::DVec3;
use mj_model::LightType;

/// Most lights in a scene.
const MAX_LIGHTS: usize = 100;

/// Replaces the lights of a scene: the headlight, then those of the model.
pub(super) fn make_lights(m: &Model, d: &Data, vis: &VisualSettings, scene: &mut Scene) {
    scene.lights.clear();
    // `auto` leaves it to the renderer, and means on here.
    if vis.headlight.active != 0 {
        let [left, right] = scene.camera.map(|c| DVec3::from(c.pos.map(f64::from)));
        scene.lights.push(SceneLight {
            headlight: true,
            pos: single(0.5 * (left + right)),
            dir: scene.camera[0].forward,
            ambient: vis.headlight.ambient,
            diffuse: vis.headlight.diffuse,
            specular: vis.headlight.specular,
            bulbradius: 0.02,
            range: 10.0,
            ..SceneLight::default()
        });
    }
    for l in m.light.ids().filter(|&l| m.light.active[l]) {
        if scene.lights.len() == MAX_LIGHTS {
            break;
        }
        let light = &m.light;
        let mut shining = SceneLight {
            id: l.index() as i32,
            pos: single(d.smooth.poses.light_xpos[l]),
            dir: single(d.smooth.poses.light_xdir[l]),
            r#type: light.r#type[l],
            texid: light.texid[l].map_or(-1, |t| t.index() as i32),
            ambient: light.ambient[l],
            diffuse: light.diffuse[l],
            specular: light.specular[l],
            castshadow: light.castshadow[l],
            bulbradius: light.bulbradius[l],
            intensity: light.intensity[l],
            range: light.range[l],
            ..SceneLight::default()
        };
        if light.r#type[l] == LightType::Spot {
            shining.attenuation = light.attenuation[l];
            shining.exponent = light.exponent[l];
            shining.cutoff = light.cutoff[l];
            shining.softness = light.softness[l];
        }
        scene.lights.push(shining);
    }
}
