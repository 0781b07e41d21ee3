//! Cameras and lights.

use crate::context::Context;
use crate::frames::{self, Pose};
use crate::messages::describe;
use crate::tree::place::{in_frame, orientation};
use mj_math::{DVec3, quat};
use mj_model::model::{CameraRow, LightRow};
use mj_model::spec::{Camera, Light};
use mj_model::{ObjType, TextureId};

/// A camera on its way into the model.
pub(crate) struct CameraBuild<'a> {
    pub src: &'a Camera,
    pub row: CameraRow,
}

/// A light on its way into the model.
pub(crate) struct LightBuild<'a> {
    pub src: &'a Light,
    pub row: LightRow,
}

/// Compiles a camera in its body; its target is found later, once all bodies are known.
pub(crate) fn camera<'a>(cx: &mut Context<'a>, c: &'a Camera, frames: &[Pose]) -> CameraBuild<'a> {
    let what = describe("camera", &c.name);
    let quat = orientation(cx, &c.orientation, c.loc, &what);
    let mut pose = in_frame(cx, c.loc, frames, c.frame, Pose { pos: c.pos, quat });
    pose.quat = frames::unit_quat(pose.quat).unwrap_or(pose.quat);
    if c.fovy.is_nan() || c.fovy >= 180.0 {
        cx.error(c.loc, format!("{what}: the field of view must be less than 180 degrees"));
    }

    let [fl, fp, pl, pp] = [c.focal, c.focalpixel, c.principal, c.principalpixel].map(Option::unwrap_or_default);
    let has_sensor = c.sensorsize.iter().all(|&s| s > 0.0);
    let has_lens = [fl, fp, pl, pp].iter().flatten().any(|&x| x != 0.0);
    if has_lens && !has_sensor {
        cx.error(c.loc, format!("{what}: focal length and principal point need `sensorsize`"));
    }
    if has_sensor && c.resolution.iter().any(|&r| r <= 0) {
        cx.error(c.loc, format!("{what}: `sensorsize` needs a positive `resolution`"));
    }

    let mut fovy = c.fovy;
    let mut intrinsic = [0.0f32; 4];
    if has_sensor {
        // Pixels, where given, win over lengths.
        let density = [0, 1].map(|i| c.resolution[i] as f32 / c.sensorsize[i]);
        let length = |pixels: f32, length: f32, i: usize| if pixels != 0.0 { pixels / density[i] } else { length };
        intrinsic =
            [length(fp[0], fl[0], 0), length(fp[1], fl[1], 1), length(pp[0], pl[0], 0), length(pp[1], pl[1], 1)];
        fovy = f64::from((c.sensorsize[1] / 2.0).atan2(intrinsic[1])) * 360.0 / std::f64::consts::PI;
    } else {
        let near = cx.spec.visual.attributes.iter().rev().find(|a| a.element == "map" && a.name == "znear");
        let near = near.and_then(|a| a.value.first()).map_or(0.01, |&x| x as f32);
        intrinsic[..2].fill(near);
    }

    let row = CameraRow {
        mode: c.mode,
        pos: pose.pos,
        quat: pose.quat,
        projection: c.projection,
        fovy,
        ipd: c.ipd,
        resolution: c.resolution,
        output: c.output,
        sensorsize: c.sensorsize,
        intrinsic,
        ..Default::default()
    };
    CameraBuild { src: c, row }
}

/// Compiles a light in its body; its target is found later, once all bodies are known.
pub(crate) fn light<'a>(cx: &mut Context<'a>, l: &'a Light, frames: &[Pose]) -> LightBuild<'a> {
    let what = describe("light", &l.name);
    let pose = in_frame(cx, l.loc, frames, l.frame, Pose { pos: l.pos, ..Pose::IDENTITY });
    let dir = frames::unit(quat::rotate(pose.quat, l.dir)).unwrap_or_else(|| {
        cx.error(l.loc, format!("{what}: the direction has no length"));
        DVec3::NEG_Z
    });
    if !(0.0..=1.0).contains(&l.softness) {
        cx.error(l.loc, format!("{what}: the softness must lie between 0 and 1"));
    }
    let texid = if l.texture.is_empty() || cx.compiler.discardvisual {
        None
    } else {
        cx.find(ObjType::Texture, &l.texture, l.loc, &format!("texture of {what}")).map(TextureId::new)
    };
    let row = LightRow {
        mode: l.mode,
        r#type: l.r#type,
        texid,
        castshadow: l.castshadow,
        bulbradius: l.bulbradius,
        intensity: l.intensity,
        range: l.range,
        active: l.active,
        pos: pose.pos,
        dir,
        attenuation: l.attenuation,
        cutoff: l.cutoff,
        softness: l.softness,
        exponent: l.exponent,
        ambient: l.ambient,
        diffuse: l.diffuse,
        specular: l.specular,
        ..Default::default()
    };
    LightBuild { src: l, row }
}
