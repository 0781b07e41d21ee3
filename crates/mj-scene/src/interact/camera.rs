//! Cameras that a mouse moves.

use super::movement;
use crate::camera::Camera;
use crate::codes::{CameraKind, MouseAction};
use crate::settings::VisualSettings;
use mj_engine::Model;
use mj_math::real;

/// Factor of the movements of orthographic cameras, as the reference has it.
pub(super) const ORTHOGRAPHIC_FACTOR: f64 = 0.15;

impl Camera {
    /// Moves a free or tracking camera (`mjv_moveCamera`): `[dx, dy]` is the way of the mouse, to the right and down, in
    /// heights of the picture.
    pub fn move_by(&mut self, m: &Model, action: MouseAction, [dx, dy]: [f64; 2]) {
        if !matches!(self.r#type, CameraKind::Free | CameraKind::Tracking) || !(dx.is_finite() && dy.is_finite()) {
            return;
        }
        let tracking = self.r#type == CameraKind::Tracking;
        let frame = self.orbit();
        match action {
            MouseAction::None => return,
            MouseAction::RotateV | MouseAction::RotateH => {
                self.azimuth -= 180.0 * dx;
                self.elevation -= 180.0 * dy;
            }
            MouseAction::Zoom => {
                let extent = m.stat.extent;
                self.distance -= (self.distance / extent / 3.0).ln_1p() * dy * 9.0 * extent;
            }
            // The body leads a tracking camera.
            _ if tracking => return,
            MouseAction::MoveV | MouseAction::MoveH => {
                if let Some(way) = movement(action, [dx, dy], frame.forward) {
                    let global = VisualSettings::new(&m.vis).global;
                    let fovy = f64::from(global.fovy);
                    let near = f64::from(VisualSettings::new(&m.vis).map.znear) * m.stat.extent;
                    let height = match (global.orthographic, self.orthographic) {
                        (true, true) => fovy,
                        (true, false) => fovy / near,
                        (false, true) => 2.0 * near * real::tan(0.5 * fovy.to_radians()),
                        (false, false) => 2.0 * real::tan(0.5 * fovy.to_radians()),
                    };
                    let factor = if self.orthographic { ORTHOGRAPHIC_FACTOR } else { 1.0 };
                    self.lookat -= way * (factor * height * (self.lookat - frame.pos).dot(frame.forward));
                }
            }
            MouseAction::TurnV | MouseAction::TurnH => {
                match action {
                    MouseAction::TurnH => self.azimuth -= 180.0 * dx,
                    _ => self.elevation -= 180.0 * dy,
                }
                self.lookat = frame.pos + self.orbit().forward * self.distance;
            }
            MouseAction::MoveVRel | MouseAction::MoveHRel => {
                let along = if action == MouseAction::MoveVRel { frame.up } else { frame.forward };
                self.lookat += along * dy + frame.forward.cross(frame.up) * dx;
            }
        }
        self.clamp(m.stat.extent);
    }

    /// Keeps angles and distance in their ranges.
    fn clamp(&mut self, extent: f64) {
        if self.azimuth.abs() > 180.0 {
            self.azimuth -= 360.0 * self.azimuth.signum();
        }
        self.elevation = self.elevation.clamp(-89.0, 89.0);
        self.distance = self.distance.max(0.01 * extent).min(100.0 * extent);
    }
}
