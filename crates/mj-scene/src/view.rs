//! From abstract cameras to the poses and frusta of both eyes.

use crate::camera::Camera;
use crate::codes::CameraKind;
use crate::error::SceneError;
use crate::scene::EyeCamera;
use crate::settings::VisualSettings;
use crate::vectors::single;
use mj_engine::{Data, Model};
use mj_math::{DVec3, real};
use mj_model::{BodyId, CameraId, Projection};

/// Pose of a camera: position, and the directions forward, up, right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraFrame {
    /// Position, m.
    pub pos: DVec3,
    /// Direction in which it looks.
    pub forward: DVec3,
    /// Direction that is up in the picture.
    pub up: DVec3,
    /// Direction that is right in the picture.
    pub right: DVec3,
}

impl Camera {
    /// Returns the camera with which a viewer begins: the one that the model names (`cameraid`), or a free one.
    pub fn initial(m: &Model) -> Self {
        let id = VisualSettings::new(&m.vis).global.cameraid;
        if (0..m.cam.len() as i64).contains(&i64::from(id)) { Self::fixed(id) } else { Self::free(m) }
    }

    /// Returns a camera that looks at the middle of a model, as far away as shows all of it (`mjv_defaultFreeCamera`).
    pub fn free(m: &Model) -> Self {
        let global = VisualSettings::new(&m.vis).global;
        Self {
            lookat: m.stat.center,
            distance: 1.5 * m.stat.extent,
            azimuth: f64::from(global.azimuth),
            elevation: f64::from(global.elevation),
            orthographic: global.orthographic,
            ..Self::default()
        }
    }

    /// Returns a camera of the model.
    pub fn fixed(id: i32) -> Self {
        Self { r#type: CameraKind::Fixed, fixedcamid: id, ..Self::default() }
    }

    /// Returns the model's camera that a fixed camera names.
    fn camera_id(&self, m: &Model) -> Result<CameraId, SceneError> {
        match usize::try_from(self.fixedcamid) {
            Ok(id) if id < m.cam.len() => Ok(CameraId::new(id)),
            _ => Err(SceneError::Camera { id: self.fixedcamid, count: m.cam.len() }),
        }
    }

    /// Returns the pose (`mjv_cameraFrame`); a tracking camera's point is moved to the centre of mass of its body's subtree.
    ///
    /// # Errors
    /// If the camera names an element that isn't there. None for a user's camera.
    pub fn frame(&mut self, m: &Model, d: &Data) -> Result<Option<CameraFrame>, SceneError> {
        match self.r#type {
            CameraKind::User => return Ok(None),
            CameraKind::Fixed => {
                let c = self.camera_id(m)?;
                let mat = d.smooth.poses.cam_xmat[c];
                let pos = d.smooth.poses.cam_xpos[c];
                return Ok(Some(CameraFrame { pos, forward: -mat.z_axis, up: mat.y_axis, right: mat.x_axis }));
            }
            CameraKind::Tracking => match usize::try_from(self.trackbodyid) {
                Ok(id) if id < m.body.len() => self.lookat = d.smooth.poses.subtree_com[BodyId::new(id)],
                _ => return Err(SceneError::TrackedBody { id: self.trackbodyid, count: m.body.len() }),
            },
            CameraKind::Free => {}
        }
        Ok(Some(self.orbit()))
    }

    /// Returns the pose of a camera that turns around the point it looks at.
    pub(crate) fn orbit(&self) -> CameraFrame {
        let (sa, ca) = real::sin_cos(self.azimuth.to_radians());
        let (se, ce) = real::sin_cos(self.elevation.to_radians());
        let forward = DVec3::new(ce * ca, ce * sa, se);
        CameraFrame {
            pos: self.lookat - forward * self.distance,
            forward,
            up: DVec3::new(-se * ca, -se * sa, ce),
            right: DVec3::new(sa, -ca, 0.0),
        }
    }

    /// Returns both eyes' cameras; none for a user's camera.
    pub(crate) fn eyes(&mut self, m: &Model, d: &Data) -> Result<Option<[EyeCamera; 2]>, SceneError> {
        let Some(frame) = self.frame(m, d)? else { return Ok(None) };
        let vis = VisualSettings::new(&m.vis);
        let near = f64::from(vis.map.znear) * m.stat.extent;
        let (ipd, orthographic, plane) = if self.r#type == CameraKind::Fixed {
            let c = self.camera_id(m)?;
            let orthographic = m.cam.projection[c] == Projection::Orthographic;
            (m.cam.ipd[c], orthographic, near_plane(m, c, near, 0.0))
        } else {
            let fovy = f64::from(vis.global.fovy);
            let half = if vis.global.orthographic { 0.5 * fovy } else { near * real::tan(0.5 * fovy.to_radians()) };
            (f64::from(vis.global.ipd), vis.global.orthographic, [0.0, 0.0, half, half])
        };
        let [left, right, first, second] = plane;
        Ok(Some([-0.5, 0.5].map(|side| EyeCamera {
            pos: single(frame.pos + frame.right * (side * ipd)),
            forward: single(frame.forward),
            up: single(frame.up),
            frustum_center: (0.5 * (right - left)) as f32,
            frustum_width: (0.5 * (right + left)) as f32,
            frustum_bottom: -second as f32,
            frustum_top: first as f32,
            frustum_near: near as f32,
            frustum_far: (f64::from(vis.map.zfar) * m.stat.extent) as f32,
            orthographic,
        })))
    }
}

/// Returns what a camera of the model sees on its near plane, from the optical axis: to the left, right, down and up, m. Without a sensor's
/// size the width follows from the height and `aspect`.
pub(crate) fn near_plane(m: &Model, c: CameraId, near: f64, aspect: f64) -> [f64; 4] {
    let fovy = m.cam.fovy[c];
    let [width, height] = m.cam.sensorsize[c].map(f64::from);
    let half = if m.cam.projection[c] == Projection::Orthographic {
        0.5 * fovy
    } else if height != 0.0 {
        let [fx, fy, cx, cy] = m.cam.intrinsic[c].map(f64::from);
        let (x, y) = (near / fx, near / fy);
        return [x * (0.5 * width - cx), x * (0.5 * width + cx), y * (0.5 * height - cy), y * (0.5 * height + cy)];
    } else {
        near * real::tan(0.5 * fovy.to_radians())
    };
    [half * aspect, half * aspect, half, half]
}
