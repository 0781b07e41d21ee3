//! Rangefinders: one ray from a site, or one through each pixel of a camera.

use super::camera;
use super::object::object;
use crate::data::Data;
use mj_collide::{RayFilter, RayHit, cast_ray};
use mj_math::{DMat3, DVec3};
use mj_model::*;

/// Fields that a rangefinder may report: bits of its first parameter.
mod field {
    pub const DIST: i32 = 1 << 0;
    pub const DIR: i32 = 1 << 1;
    pub const ORIGIN: i32 = 1 << 2;
    pub const POINT: i32 = 1 << 3;
    pub const NORMAL: i32 = 1 << 4;
    pub const DEPTH: i32 = 1 << 5;
}

/// A ray in the world's frame, of unit direction, and what part of its length counts as depth.
struct Ray {
    origin: DVec3,
    direction: DVec3,
    depth: f64,
}

/// Casts a rangefinder's rays and reports the fields that it asks for, ray by ray.
pub fn read(m: &Model, d: &Data, s: SensorId, out: &mut [f64]) {
    let fields = m.sensor.intprm[s][0];
    let id = object(m, s);
    if m.sensor.objtype[s] == ObjType::Site {
        let site = SiteId::new(id);
        let filter = RayFilter::excluding(m.site.bodyid[site]);
        let axis = d.smooth.poses.site_xmat[site].z_axis;
        let ray = Ray { origin: d.smooth.poses.site_xpos[site], direction: axis, depth: 1.0 };
        report(fields, &ray, cast(m, d, &ray, &filter), out);
        return;
    }

    let cam = CameraId::new(id);
    let filter = RayFilter::excluding(m.cam.bodyid[cam]);
    let image = camera::Image::new(m, cam);
    let (pos, mat): (DVec3, DMat3) = (d.smooth.poses.cam_xpos[cam], d.smooth.poses.cam_xmat[cam]);
    let [width, height] = m.cam.resolution[cam];
    let mut rest = out;
    for row in 0..height {
        for column in 0..width {
            let (origin, direction) = image.ray(column, row);
            let ray = Ray { origin: pos + mat * origin, direction: mat * direction, depth: -direction.z };
            rest = report(fields, &ray, cast(m, d, &ray, &filter), rest);
        }
    }
}

fn cast(m: &Model, d: &Data, ray: &Ray, filter: &RayFilter) -> Option<RayHit> {
    cast_ray(m, &d.smooth.poses.geom_xpos, &d.smooth.poses.geom_xmat, ray.origin, ray.direction, filter, &d.ws.collide)
}

/// Writes the fields of one ray, in their order; returns what is left of `out`.
fn report<'a>(fields: i32, ray: &Ray, hit: Option<RayHit>, mut out: &'a mut [f64]) -> &'a mut [f64] {
    let mut put = |bit: i32, values: &[f64]| {
        if fields & bit != 0 {
            let (here, rest) = std::mem::take(&mut out).split_at_mut(values.len());
            here.copy_from_slice(values);
            out = rest;
        }
    };
    // Where nothing is hit, the numbers are −1 and the vectors 0, but for the origin.
    let dist = hit.map_or(-1.0, |h| h.dist);
    let vector = |v: DVec3| if hit.is_some() { v.to_array() } else { [0.0; 3] };
    put(field::DIST, &[dist]);
    put(field::DIR, &vector(ray.direction));
    put(field::ORIGIN, &ray.origin.to_array());
    put(field::POINT, &vector(ray.origin + ray.direction * dist));
    put(field::NORMAL, &hit.map_or([0.0; 3], |h| h.normal.to_array()));
    put(field::DEPTH, &[if hit.is_some() { dist * ray.depth } else { -1.0 }]);
    out
}

/// Fields that a rangefinder reports of one ray.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RayFields {
    /// Number of values of one ray.
    pub size: usize,
    /// Distance, m; −1: nothing is hit.
    pub dist: Option<f64>,
    /// Point that is hit, world frame, m; zero: nothing is hit.
    pub point: Option<DVec3>,
    /// Surface normal where the ray hits, world frame.
    pub normal: Option<DVec3>,
}

/// Finds the fields of a rangefinder's ray in its readings; those that it doesn't report, or that `read` lacks, are none.
///
/// ```
/// use mj_engine::model::{CameraId, SensorId};
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/><camera pos="1 0 2"/>
///     <body pos="0 0 2"><site name="eye" zaxis="0 0 -1"/></body></worldbody><sensor><rangefinder site="eye"/></sensor></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// forward(&m, &mut d)?;
/// let fields = ray_fields(&m, SensorId::new(0), &d.sensordata);
/// assert_eq!((fields.size, fields.dist, fields.normal), (1, Some(2.0), None));
///
/// // A camera looks along its negative z axis: the ray of its only pixel meets the plane below it.
/// let (origin, direction) = camera_ray(&m, &d, CameraId::new(0), [0, 0]);
/// assert!(origin.abs_diff_eq(DVec3::new(1.0, 0.0, 2.0), 1e-12));
/// let hit = ray(&m, &d, origin, direction, &RayFilter::default())?.unwrap();
/// assert!((hit.dist - 2.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_fields(m: &Model, s: SensorId, read: &[f64]) -> RayFields {
    let mut fields = RayFields::default();
    for (bit, size) in [
        (field::DIST, 1),
        (field::DIR, 3),
        (field::ORIGIN, 3),
        (field::POINT, 3),
        (field::NORMAL, 3),
        (field::DEPTH, 1),
    ] {
        if m.sensor.intprm[s][0] & bit == 0 {
            continue;
        }
        let value = read.get(fields.size..fields.size + size);
        match bit {
            field::DIST => fields.dist = value.map(|v| v[0]),
            field::POINT => fields.point = value.map(DVec3::from_slice),
            field::NORMAL => fields.normal = value.map(DVec3::from_slice),
            _ => {}
        }
        fields.size += size;
    }
    fields
}

/// Returns origin and unit direction, world frame, of the ray through a pixel (column, row) of a camera.
///
/// Example: [`ray_fields`].
pub fn camera_ray(m: &Model, d: &Data, cam: CameraId, [column, row]: [i32; 2]) -> (DVec3, DVec3) {
    let (pos, mat) = (d.smooth.poses.cam_xpos[cam], d.smooth.poses.cam_xmat[cam]);
    let (origin, direction) = camera::Image::new(m, cam).ray(column, row);
    (pos + mat * origin, mat * direction)
}
