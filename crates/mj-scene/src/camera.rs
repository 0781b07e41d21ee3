//! Abstract camera, and how a mouse moves it.

use crate::codes::CameraKind;
use mj_math::DVec3;

/// Abstract camera (`mjvCamera`).
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Kind.
    pub r#type: CameraKind,
    /// Camera of the model that a fixed camera is.
    pub fixedcamid: i32,
    /// Body that a tracking camera follows.
    pub trackbodyid: i32,
    /// Point that the camera looks at, m.
    pub lookat: DVec3,
    /// Distance to that point, m.
    pub distance: f64,
    /// Azimuth, degrees.
    pub azimuth: f64,
    /// Elevation, degrees.
    pub elevation: f64,
    /// Whether the camera is orthographic.
    pub orthographic: bool,
}

impl Default for Camera {
    /// Returns a free camera 2 m from the origin, 45 degrees above it (`mjv_defaultCamera`).
    fn default() -> Self {
        Self {
            r#type: CameraKind::Free,
            fixedcamid: -1,
            trackbodyid: -1,
            lookat: DVec3::ZERO,
            distance: 2.0,
            azimuth: 90.0,
            elevation: -45.0,
            orthographic: false,
        }
    }
}
