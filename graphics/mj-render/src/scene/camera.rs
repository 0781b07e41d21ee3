//! Cameras: from abstract ones to matrices with reversed depth.

use crate::error::RenderError;
use glam::{DMat4, DQuat, DVec3, DVec4};
use mj_scene::{EyeCamera, Scene};

/// Camera as the shaders need it, in the model's space.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// From the model's space to clip space.
    pub clip: DMat4,
    /// Position.
    pub position: DVec3,
    /// Direction in which it looks; distances along it are in metres of the room.
    pub forward: DVec3,
    /// Distance of the near plane.
    pub near: f64,
    /// Distance of the far plane.
    pub far: f64,
}

fn vec(v: [f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(f64::from))
}

/// Returns the rotation and translation to a camera at `eye` that looks along `forward`; `None` without a direction.
pub fn look(eye: DVec3, forward: DVec3, up: DVec3) -> Option<DMat4> {
    let f = forward.try_normalize()?;
    let s = f.cross(up).try_normalize()?;
    let u = s.cross(f);
    let rows = [s, u, -f].map(|row| row.extend(-row.dot(eye)));
    Some(DMat4::from_cols(rows[0], rows[1], rows[2], DVec4::W).transpose())
}

/// Sides of what a camera sees on the near plane.
#[derive(Clone, Copy)]
pub struct Window {
    /// Left and right.
    pub x: [f64; 2],
    /// Bottom and top.
    pub y: [f64; 2],
    /// Near and far.
    pub z: [f64; 2],
}

/// Returns the projection with depth 1 at the near plane and 0 at the far plane.
pub fn project(window: Window, orthographic: bool) -> DMat4 {
    let Window { x: [l, r], y: [b, t], z: [n, f] } = window;
    let rows = if orthographic {
        [
            DVec4::new(2.0 / (r - l), 0.0, 0.0, -(r + l) / (r - l)),
            DVec4::new(0.0, 2.0 / (t - b), 0.0, -(t + b) / (t - b)),
            DVec4::new(0.0, 0.0, 1.0 / (f - n), f / (f - n)),
            DVec4::W,
        ]
    } else {
        [
            DVec4::new(2.0 * n / (r - l), 0.0, (r + l) / (r - l), 0.0),
            DVec4::new(0.0, 2.0 * n / (t - b), (t + b) / (t - b), 0.0),
            DVec4::new(0.0, 0.0, n / (f - n), n * f / (f - n)),
            DVec4::new(0.0, 0.0, -1.0, 0.0),
        ]
    };
    DMat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose()
}

impl Eye {
    /// Makes the camera for pictures of a size; `index` is its place in the call.
    pub fn new(
        camera: &EyeCamera,
        scene: &Scene,
        (width, height): (u32, u32),
        index: usize,
    ) -> Result<Self, RenderError> {
        let invalid = |reason| RenderError::Camera { index, reason };
        let [near, far] = [camera.frustum_near, camera.frustum_far].map(f64::from);
        if !(near > 0.0 && far > near && far.is_finite()) {
            return Err(invalid("its near plane must be before its eye and the far plane behind that"));
        }
        let [bottom, top] = [camera.frustum_bottom, camera.frustum_top].map(f64::from);
        if !(top > bottom && (top - bottom).is_finite()) {
            return Err(invalid("its frustum must be higher than 0"));
        }
        let half = match f64::from(camera.frustum_width) {
            0.0 => 0.5 * f64::from(width) / f64::from(height) * (top - bottom),
            given => given,
        };
        let centre = f64::from(camera.frustum_center);
        if !(half > 0.0 && half.is_finite() && centre.is_finite()) {
            return Err(invalid("its frustum must be wider than 0"));
        }
        let window = Window { x: [centre - half, centre + half], y: [bottom, top], z: [near, far] };
        let (position, forward, up) = (vec(camera.pos), vec(camera.forward), vec(camera.up));
        let look = look(position, forward, up)
            .filter(|m| m.is_finite())
            .ok_or_else(|| invalid("it must have a position, and directions `forward` and `up` that differ"))?;
        let mut eye = Self {
            clip: project(window, camera.orthographic) * look,
            position,
            forward: forward.normalize(),
            near,
            far,
        };
        if scene.enabletransform {
            let [w, x, y, z] = scene.rotate.map(f64::from);
            let rotation = DQuat::from_xyzw(x, y, z, w);
            let scale = f64::from(scene.scale);
            if !(scale > 0.0 && rotation.length() > 0.0) {
                return Err(invalid("the scene's transform must have a rotation, and a scale above 0"));
            }
            let rotation = rotation.normalize();
            let model = DMat4::from_scale_rotation_translation(DVec3::splat(scale), rotation, vec(scene.translate));
            eye.clip *= model;
            eye.position = model.inverse().transform_point3(position);
            eye.forward = rotation.inverse() * eye.forward * scale;
        }
        if !eye.clip.is_finite() || !eye.position.is_finite() {
            return Err(invalid("its numbers must be finite"));
        }
        Ok(eye)
    }

    /// Returns the camera that sees the mirrored scene.
    pub fn mirrored(&self, point: DVec3, normal: DVec3) -> Self {
        let reflect = |v: DVec3| v - 2.0 * normal.dot(v) * normal;
        let shift = 2.0 * normal.dot(point) * normal;
        let m = DMat4::from_cols(
            reflect(DVec3::X).extend(0.0),
            reflect(DVec3::Y).extend(0.0),
            reflect(DVec3::Z).extend(0.0),
            shift.extend(1.0),
        );
        Self {
            clip: self.clip * m,
            position: m.transform_point3(self.position),
            forward: reflect(self.forward),
            ..*self
        }
    }
}
