//! Joints: arrows along axes, boxes and balls.

use super::painter::{Painter, connector, decoration, solid};
use super::tendons::{limit_impedance, mix};
use crate::codes::{LabelKind, SceneShape, VisFlag};
use crate::options::shown;
use mj_model::{ConstraintType, JointType, ObjType};

/// Appends joints, coloured by the impedance of their limits.
pub(super) fn joints(p: &mut Painter) {
    if !p.flag(VisFlag::Joint) {
        return;
    }
    let m = p.m;
    let (length, width) = (p.scaled(p.vis.scale.jointlength), p.scaled(p.vis.scale.jointwidth));
    for j in m.jnt.ids().filter(|&j| shown(&p.opt.jointgroup, m.jnt.group[j])) {
        let poses = &p.d.smooth.poses;
        let (anchor, axis, mat) = (poses.xanchor[j], poses.xaxis[j], poses.xmat[m.jnt.bodyid[j]]);
        let mut geom = decoration((ObjType::Joint, j.index()));
        let ends = [anchor, anchor + axis * length];
        match m.jnt.r#type[j] {
            JointType::Free => solid(&mut geom, SceneShape::Box, [0.3 * length; 3], anchor, mat),
            JointType::Ball => solid(&mut geom, SceneShape::Sphere, [0.3 * length; 3], anchor, mat),
            JointType::Slide => connector(&mut geom, SceneShape::Arrow, width, ends),
            JointType::Hinge => connector(&mut geom, SceneShape::Arrow1, width, ends),
        }
        let impedance = limit_impedance(p, ConstraintType::LimitJoint, j.index());
        geom.rgba = mix(p.vis.rgba.joint, p.vis.rgba.constraint, impedance);
        geom.rgba[3] = 1.0;
        if p.opt.label == LabelKind::Joint {
            geom.label = p.label(ObjType::Joint, j.index());
        }
        p.push(geom);
    }
}
