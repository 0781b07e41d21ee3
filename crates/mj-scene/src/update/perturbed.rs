//! The selected body as the mouse pulls and turns it, and forces that are applied.

use super::painter::{Painter, connector, decoration, place, solid};
use super::volumes::box_of_body;
use crate::codes::{LabelKind, SceneShape, VisFlag, pert};
use mj_math::{DMat3, DVec3, MINVAL, quat};
use mj_model::{BodyId, ObjType};

/// Returns the selected body, if there is one.
fn selected(p: &Painter) -> Option<BodyId> {
    let body = usize::try_from(p.pert.select).ok()?;
    (body > 0 && body < p.m.body.len()).then(|| BodyId::new(body))
}

/// Returns the selected point in the world.
fn selection_point(p: &Painter, body: BodyId) -> DVec3 {
    p.d.smooth.poses.xpos[body] + p.d.smooth.poses.xmat[body] * p.pert.localpos
}

/// Returns a colour for perturbations that are active, by the first or second of two mice.
fn mixed(rgba: [f32; 4], first: bool, second: bool) -> [f32; 4] {
    let channel = |mine: f32, other: f32| {
        let value = if first { mine } else { 0.0 };
        if second { value.max(other) } else { value }
    };
    [channel(rgba[0], rgba[1]), channel(rgba[1], rgba[0]), rgba[2], rgba[3]]
}

/// Appends the line to where the selected body is pulled, and the box that it is turned to.
pub(super) fn selection(p: &mut Painter) {
    let Some(body) = selected(p).filter(|_| p.flag(VisFlag::PertObj)) else { return };
    let of = (ObjType::Unknown, body.index());
    let (first, second) = (p.pert.active, p.pert.active2);
    let mat = quat::to_mat(p.pert.refquat);
    if (first | second) & pert::TRANSLATE != 0 {
        let width = p.scaled(p.vis.scale.constraint);
        let rgba = mixed(p.vis.rgba.constraint, first & pert::TRANSLATE != 0, second & pert::TRANSLATE != 0);
        p.connect(SceneShape::Capsule, width, [selection_point(p, body), p.pert.refselpos], rgba, of);
        let mut end = decoration(of);
        place(&mut end, SceneShape::Sphere, DVec3::splat(2.0 * width), p.pert.refselpos, mat);
        end.rgba = rgba;
        p.push(end);
    }
    if (first | second) & pert::ROTATE != 0 {
        let poses = &p.d.smooth.poses;
        let (centre, size) = match box_of_body(p.m, body) {
            Some([x, y, z, hx, hy, hz]) => (poses.ximat[body] * DVec3::new(x, y, z), [hx, hy, hz]),
            None => (DVec3::ZERO, [p.m.stat.meansize; 3]),
        };
        let mut geom = decoration(of);
        solid(&mut geom, SceneShape::LineBox, size, poses.xipos[body] + centre, mat);
        geom.rgba = mixed(p.vis.rgba.inertia, first & pert::ROTATE != 0, second & pert::ROTATE != 0);
        p.push(geom);
    }
}

/// Appends the selected point.
pub(super) fn selected_point(p: &mut Painter) {
    let Some(body) = selected(p).filter(|_| p.flag(VisFlag::Select)) else { return };
    let point = selection_point(p, body);
    let mut geom = decoration((ObjType::Unknown, body.index()));
    solid(&mut geom, SceneShape::Sphere, [p.scaled(p.vis.scale.selectpoint); 3], point, DMat3::IDENTITY);
    geom.rgba = p.vis.rgba.selectpoint;
    if p.opt.label == LabelKind::SelPnt {
        let local = p.pert.localpos;
        geom.label = format!(
            "{:.3} {:.3} {:.3} (local {:.3} {:.3} {:.3})",
            point.x, point.y, point.z, local.x, local.y, local.z
        );
    }
    p.push(geom);
}

/// Appends arrows of forces that are applied to bodies.
pub(super) fn applied_forces(p: &mut Painter) {
    if !p.flag(VisFlag::PertForce) {
        return;
    }
    let width = p.scaled(p.vis.scale.forcewidth);
    let factor = f64::from(p.vis.map.force) / p.m.stat.meanmass;
    for body in p.m.body.ids().skip(1) {
        let force = DVec3::from_slice(&p.d.state.xfrc_applied[body]);
        if force.length() > MINVAL {
            let from = p.d.smooth.poses.xipos[body];
            let mut geom = decoration((ObjType::Unknown, body.index()));
            connector(&mut geom, SceneShape::Arrow, width, [from, from + force * factor]);
            geom.rgba = p.vis.rgba.force;
            p.push(geom);
        }
    }
}
