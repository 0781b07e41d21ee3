//! Range finders, distances of geoms, tactile sensors.

use super::painter::{Painter, decoration, solid};
use crate::codes::{SceneShape, VisFlag};
use mj_engine::{camera_ray, ray_fields};
use mj_math::{DMat3, DVec3, MINVAL};
use mj_model::{CameraId, GeomId, MeshId, ObjType, SensorId, SensorType, SiteId};

/// Width of lines, pixels.
const LINE_WIDTH: f64 = 3.0;

/// Appends rays of range finders and shortest lines between geoms.
pub(super) fn range(p: &mut Painter) {
    if !p.flag(VisFlag::Rangefinder) {
        return;
    }
    let m = p.m;
    for s in m.sensor.ids() {
        let first = m.sensor.adr[s] as usize;
        let Some(read) = p.d.sensordata.get(first..first + m.sensor.dim[s] as usize) else { continue };
        match m.sensor.r#type[s] {
            SensorType::Rangefinder if m.sensor.objtype[s] == ObjType::Site => {
                let site = SiteId::new(m.sensor.objid[s].max(0) as usize);
                let (pos, mat) = (p.d.smooth.poses.site_xpos[site], p.d.smooth.poses.site_xmat[site]);
                ray(p, s, read, pos, mat.z_axis, 1.5);
            }
            SensorType::Rangefinder if m.sensor.objtype[s] == ObjType::Camera => {
                let cam = CameraId::new(m.sensor.objid[s].max(0) as usize);
                let [width, height] = m.cam.resolution[cam];
                let size = (ray_fields(m, s, &[]).size).max(1);
                let pixels = (0..height).flat_map(|row| (0..width).map(move |column| [column, row]));
                for (pixel, read) in pixels.zip(read.chunks(size)) {
                    let (origin, direction) = camera_ray(m, p.d, cam, pixel);
                    ray(p, s, read, origin, direction, 1.3);
                }
            }
            SensorType::GeomFromTo if read.iter().any(|&x| x != 0.0) => {
                let end = |i: usize| DVec3::from_slice(&read[i..]);
                if read.len() == 6 {
                    let of = (ObjType::Sensor, s.index());
                    p.connect(SceneShape::Line, LINE_WIDTH, [end(0), end(3)], p.vis.rgba.rangefinder, of);
                }
            }
            _ => {}
        }
    }
}

/// Appends a ray with its point and normal, as far as the sensor reports them.
fn ray(p: &mut Painter, s: SensorId, read: &[f64], origin: DVec3, direction: DVec3, radius: f64) {
    let fields = ray_fields(p.m, s, read);
    let (rgba, of) = (p.vis.rgba.rangefinder, (ObjType::Sensor, s.index()));
    let width = p.scaled(p.vis.scale.framewidth);
    let mut hit = None;
    if let Some(dist) = fields.dist.filter(|&dist| dist >= 0.0) {
        let point = origin + direction * dist;
        p.connect(SceneShape::Line, LINE_WIDTH, [origin, point], rgba, of);
        hit = Some(point);
    }
    if let Some(point) = fields.point.filter(|&v| v != DVec3::ZERO) {
        let mut geom = decoration(of);
        solid(&mut geom, SceneShape::Sphere, [radius * width; 3], point, DMat3::IDENTITY);
        geom.rgba = rgba;
        p.push(geom);
        hit = Some(point);
    }
    if let (Some(point), Some(normal)) = (hit, fields.normal) {
        let tip = point + normal * (2.0 * p.scaled(p.vis.scale.framelength));
        p.connect(SceneShape::Arrow1, width, [point, tip], rgba, of);
    }
}

/// Appends the triangles of tactile sensors, coloured by their readings.
pub(super) fn tactile(p: &mut Painter) {
    if !p.flag(VisFlag::ContactPoint) {
        return;
    }
    let m = p.m;
    for s in m.sensor.ids().filter(|&s| m.sensor.r#type[s] == SensorType::Tactile) {
        let mesh = MeshId::new(m.sensor.objid[s].max(0) as usize);
        let geom = GeomId::new(m.sensor.refid[s].max(0) as usize);
        let count = m.mesh.vertnum[mesh] as usize;
        let first = m.sensor.adr[s] as usize;
        let Some(read) = p.d.sensordata.get(first..first + m.sensor.dim[s] as usize) else { continue };
        let channels: Vec<&[f64]> = read.chunks_exact(count.max(1)).take(3).collect();
        let greatest = channels.first().into_iter().flat_map(|c| c.iter()).fold(0.0_f64, |a, &x| a.max(x.abs()));
        if greatest == 0.0 || m.geom.rbound[geom] < MINVAL {
            continue;
        }
        let (pos, mat) = (p.d.smooth.poses.geom_xpos[geom], p.d.smooth.poses.geom_xmat[geom]);
        let vertices = &m.mesh_data.vert[m.mesh.vertadr[mesh] as usize..][..count];
        let faces = &m.mesh_data.face[m.mesh.faceadr[mesh] as usize..][..m.mesh.facenum[mesh] as usize];
        for face in faces.iter().map(|f| f.map(|i| i as usize)) {
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            for (to, channel) in rgba.iter_mut().zip(&channels) {
                let values = face.map(|i| channel[i].abs());
                let touched = values.iter().filter(|&&v| v != 0.0).count();
                *to = (values.iter().sum::<f64>() / greatest / touched.max(1) as f64) as f32;
            }
            if rgba[..3] == [0.0; 3] {
                rgba[3] = 0.1;
            }
            let corners = face.map(|i| pos + mat * DVec3::from(vertices[i].map(f64::from)));
            p.triangle(corners, rgba, (ObjType::Sensor, s.index()));
        }
    }
}
