//! Cameras with what they see, and lights.

use super::painter::{Painter, decoration, solid};
use crate::codes::{FrameKind, LabelKind, SceneShape, VisFlag};
use crate::view::near_plane;
use mj_math::{DVec3, quat};
use mj_model::{CameraId, ObjType, Projection};

/// Width of lines, pixels.
const LINE_WIDTH: f64 = 3.0;

/// Appends cameras, with their frusta where they have a resolution.
pub(super) fn cameras(p: &mut Painter) {
    if !p.flag(VisFlag::Camera) {
        return;
    }
    let m = p.m;
    let size = p.scaled(p.vis.scale.camera);
    for c in m.cam.ids() {
        let mut rgba = p.vis.rgba.camera;
        let [width, height] = m.cam.resolution[c];
        if width > 1 || height > 1 {
            rgba[3] = 0.3;
            frustum(p, c);
        }
        let (pos, mat) = (p.d.smooth.poses.cam_xpos[c], p.d.smooth.poses.cam_xmat[c]);
        let mut body = decoration((ObjType::Camera, c.index()));
        solid(&mut body, SceneShape::Box, [size, 0.8 * size, 0.4 * size], pos, mat);
        body.rgba = rgba;
        if p.opt.label == LabelKind::Camera {
            body.label = p.label(ObjType::Camera, c.index());
        }
        p.push(body);
        let mut lens = decoration((ObjType::Camera, c.index()));
        let ahead = pos - mat.z_axis * (0.6 * size);
        solid(&mut lens, SceneShape::Cylinder, [0.4 * size, 0.4 * size, 0.3 * size], ahead, mat);
        lens.rgba = [0.5 * rgba[0], 0.5 * rgba[1], 0.5 * rgba[2], rgba[3]];
        p.push(lens);
        if p.opt.frame == FrameKind::Camera {
            let (length, width) = (p.scaled(p.vis.scale.framelength), p.scaled(p.vis.scale.framewidth));
            p.frame(c.index(), pos, mat, length, width);
        }
    }
}

/// Appends the sides and edges of the space that a camera sees.
fn frustum(p: &mut Painter, c: CameraId) {
    let m = p.m;
    let orthographic = m.cam.projection[c] == Projection::Orthographic;
    let near = f64::from(p.vis.map.znear) * m.stat.extent;
    let [width, height] = m.cam.resolution[c].map(f64::from);
    let [left, right, bottom, top] = near_plane(m, c, near, width / height);
    let (far, growth) = if orthographic {
        (0.5 * (left + bottom), 1.0)
    } else {
        let far = p.scaled(p.vis.scale.frustum);
        (far, far / near)
    };
    let (pos, mat) = (p.d.smooth.poses.cam_xpos[c], p.d.smooth.poses.cam_xmat[c]);
    let corners = |depth: f64, scale: f64| {
        let centre = pos - mat.z_axis * depth;
        let corner = |x: f64, y: f64| centre + (mat.x_axis * x + mat.y_axis * y) * scale;
        [corner(-left, -bottom), corner(right, -bottom), corner(right, top), corner(-left, top)]
    };
    let (front, back) = (corners(near, 1.0), corners(far, growth));
    let (rgba, of) = (p.vis.rgba.frustum, (ObjType::Camera, c.index()));
    for i in 0..4 {
        let next = (i + 1) % 4;
        p.triangle([front[i], back[i], front[next]], rgba, of);
        p.triangle([back[i], back[next], front[next]], rgba, of);
        for ends in [[front[i], front[next]], [back[i], back[next]], [front[i], back[i]]] {
            p.connect(SceneShape::Line, LINE_WIDTH, ends, rgba, of);
        }
    }
}

/// Appends lights, a little behind their place so that they throw no shadow.
pub(super) fn lights(p: &mut Painter) {
    if !p.flag(VisFlag::Light) {
        return;
    }
    let size = p.scaled(p.vis.scale.light);
    for l in p.m.light.ids() {
        let (pos, dir): (DVec3, DVec3) = (p.d.smooth.poses.light_xpos[l], p.d.smooth.poses.light_xdir[l]);
        let mat = quat::to_mat(quat::z_to(dir));
        let mut geom = decoration((ObjType::Light, l.index()));
        solid(&mut geom, SceneShape::Cylinder, [0.8 * size, 0.8 * size, size], pos - dir * (size + 1e-4), mat);
        geom.rgba = p.vis.rgba.light;
        if p.opt.label == LabelKind::Light {
            geom.label = p.label(ObjType::Light, l.index());
        }
        p.push(geom);
        if p.opt.frame == FrameKind::Light {
            let (length, width) = (p.scaled(p.vis.scale.framelength), p.scaled(p.vis.scale.framewidth));
            p.frame(l.index(), pos, mat, length, width);
        }
    }
}
