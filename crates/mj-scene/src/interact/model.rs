//! Cameras seen from the model, and a model that is moved in front of the camera.

use crate::codes::MouseAction;
use crate::scene::{EyeCamera, Scene};
use crate::view::CameraFrame;
use mj_math::{DQuat, DVec3, MINVAL, quat};

fn double(v: [f32; 3]) -> DVec3 {
    DVec3::from(v.map(f64::from))
}

impl Scene {
    /// Returns the transformation of the model: rotation, translation, scale.
    fn transformation(&self) -> (DQuat, DVec3, f64) {
        if self.enabletransform {
            let turn = quat::normalize(quat::from_wxyz(self.rotate.map(f64::from)));
            (turn, double(self.translate), f64::from(self.scale).max(MINVAL))
        } else {
            (DQuat::IDENTITY, DVec3::ZERO, 1.0)
        }
    }

    /// Returns the camera between both eyes (`mjv_averageCamera`).
    pub fn middle_camera(&self) -> EyeCamera {
        let [a, b] = self.camera;
        let mean = |a: f32, b: f32| 0.5 * (a + b);
        let forward = (double(a.forward) + double(b.forward)).normalize_or_zero();
        let up = double(a.up) + double(b.up);
        let up = (up - forward * up.dot(forward)).normalize_or_zero();
        EyeCamera {
            pos: (0.5 * (double(a.pos) + double(b.pos))).as_vec3().to_array(),
            forward: forward.as_vec3().to_array(),
            up: up.as_vec3().to_array(),
            frustum_center: mean(a.frustum_center, b.frustum_center),
            frustum_width: mean(a.frustum_width, b.frustum_width),
            frustum_bottom: mean(a.frustum_bottom, b.frustum_bottom),
            frustum_top: mean(a.frustum_top, b.frustum_top),
            frustum_near: mean(a.frustum_near, b.frustum_near),
            frustum_far: mean(a.frustum_far, b.frustum_far),
            orthographic: a.orthographic,
        }
    }

    /// Returns the pose of the middle camera beside the model where the scene draws it (`mjv_cameraInRoom`).
    pub fn camera_in_room(&self) -> CameraFrame {
        let eye = self.middle_camera();
        let (forward, up) = (double(eye.forward), double(eye.up));
        CameraFrame { pos: double(eye.pos), forward, up, right: forward.cross(up) }
    }

    /// Returns the pose of the middle camera in the model's world (`mjv_cameraInModel`).
    pub fn camera_in_model(&self) -> CameraFrame {
        let room = self.camera_in_room();
        let (turn, shift, scale) = self.transformation();
        let back = turn.conjugate();
        let into = |v: DVec3| quat::rotate(back, v);
        CameraFrame {
            pos: into(room.pos - shift) / scale,
            forward: into(room.forward),
            up: into(room.up),
            right: into(room.right),
        }
    }

    /// Returns the height that the camera sees at distance 1, or at any distance if it is orthographic (`mjv_frustumHeight`).
    pub fn frustum_height(&self) -> f64 {
        let height = |c: &EyeCamera| {
            let at_near = f64::from(c.frustum_top - c.frustum_bottom);
            if c.orthographic { at_near } else { at_near / f64::from(c.frustum_near).max(MINVAL) }
        };
        0.5 * (height(&self.camera[0]) + height(&self.camera[1]))
    }

    /// Moves the model in front of the camera (`mjv_moveModel`), where `enabletransform` is on; `extent` is that of the model.
    pub fn move_model(&mut self, extent: f64, action: MouseAction, [dx, dy]: [f64; 2], up: DVec3) {
        if !self.enabletransform || !(dx.is_finite() && dy.is_finite()) {
            return;
        }
        let camera = self.camera_in_room().forward;
        let forward = (camera - up * camera.dot(up)).normalize_or_zero();
        let right = forward.cross(up).normalize_or_zero();
        match action {
            MouseAction::RotateV | MouseAction::RotateH => {
                let axis = if action == MouseAction::RotateV { up } else { forward };
                let vector = axis * dx + right * dy;
                let turn = quat::exp(vector * std::f64::consts::PI);
                let new = quat::normalize(turn * quat::from_wxyz(self.rotate.map(f64::from)));
                self.rotate = quat::to_wxyz(new).map(|x| x as f32);
            }
            MouseAction::MoveV | MouseAction::MoveVRel | MouseAction::MoveH | MouseAction::MoveHRel => {
                let vertical = matches!(action, MouseAction::MoveV | MouseAction::MoveVRel);
                let way = (right * dx - if vertical { up } else { forward } * dy) * extent;
                self.translate.iter_mut().zip(way.to_array()).for_each(|(t, x)| *t += x as f32);
            }
            MouseAction::Zoom => {
                let scale = f64::from(self.scale);
                self.scale = (scale + (scale / 3.0).ln_1p() * 3.0 * dy).clamp(0.01, 100.0) as f32;
            }
            _ => {}
        }
    }
}
