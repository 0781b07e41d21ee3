//! From camera pixels to rays, and from points to pixels (XML reference, body/camera).

use crate::data::Data;
use mj_math::DVec3;
use mj_model::*;

/// A camera's image: from pixel coordinates, with the origin in the top left corner, to rays.
pub struct Image {
    projection: Projection,
    /// Focal lengths, in pixels; orthographic: pixels per unit of length.
    focal: [f64; 2],
    /// Where the optical axis meets the image, in pixels.
    center: [f64; 2],
}

impl Image {
    pub fn new(m: &Model, cam: CameraId) -> Self {
        let pixels = m.cam.resolution[cam].map(f64::from);
        let middle = pixels.map(|n| 0.5 * n);
        let projection = m.cam.projection[cam];
        let (focal, center) = match projection {
            // The field of view is the height of the image; its width is as large.
            Projection::Orthographic => (pixels.map(|n| n / m.cam.fovy[cam]), middle),
            Projection::Perspective => {
                let k = m.cam.intrinsic[cam].map(f64::from);
                let focal = focal_lengths(m, cam);
                let sensor = m.cam.sensorsize[cam].map(f64::from);
                let from_sensor = sensor[0] != 0.0 && sensor[1] != 0.0;
                let center = [k[2] / sensor[0] * pixels[0], k[3] / sensor[1] * pixels[1]];
                (focal, if from_sensor { center } else { middle })
            }
        };
        Self { projection, focal, center }
    }

    /// Origin and unit direction of the ray through the centre of a pixel, in the camera's frame.
    pub fn ray(&self, column: i32, row: i32) -> (DVec3, DVec3) {
        // Columns go right; rows go down, y goes up; the camera looks along −z.
        let x = (f64::from(column) + 0.5 - self.center[0]) / self.focal[0];
        let y = -(f64::from(row) + 0.5 - self.center[1]) / self.focal[1];
        match self.projection {
            Projection::Perspective => (DVec3::ZERO, DVec3::new(x, y, -1.0).normalize()),
            Projection::Orthographic => (DVec3::new(x, y, 0.0), DVec3::NEG_Z),
        }
    }
}

/// Focal lengths of a perspective camera, in pixels: from its intrinsic parameters, or else its field of view.
fn focal_lengths(m: &Model, cam: CameraId) -> [f64; 2] {
    let [width, height] = m.cam.resolution[cam].map(f64::from);
    let sensor = m.cam.sensorsize[cam].map(f64::from);
    if sensor[0] != 0.0 && sensor[1] != 0.0 {
        let k = m.cam.intrinsic[cam].map(f64::from);
        [k[0] / sensor[0] * width, k[1] / sensor[1] * height]
    } else {
        [0.5 / mj_math::real::tan(0.5 * m.cam.fovy[cam].to_radians()) * height; 2]
    }
}

/// Pixel coordinates of a point in a camera's image (XML reference, sensor/camprojection), whose middle is on the
/// optical axis.
pub fn project(m: &Model, d: &Data, cam: CameraId, point: DVec3) -> [f64; 2] {
    let [width, height] = m.cam.resolution[cam].map(f64::from);
    let focal = focal_lengths(m, cam);
    let p: DVec3 = d.smooth.poses.cam_xmat[cam].transpose() * (point - d.smooth.poses.cam_xpos[cam]);
    // A point in the camera's plane is moved off it by a hair.
    let depth = if p.z.abs() < mj_math::MINVAL { mj_math::MINVAL.copysign(p.z) } else { p.z };
    [-focal[0] * p.x / depth + 0.5 * width, focal[1] * p.y / depth + 0.5 * height]
}
