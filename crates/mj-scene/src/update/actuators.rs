//! Actuators, coloured by control or activation.

use super::elements::shape_of;
use super::painter::{Painter, connector, decoration, place, solid};
use super::tendons::stretches;
use crate::codes::{LabelKind, SceneShape, VisFlag};
use crate::options::shown;
use crate::scene::SceneGeom;
use mj_dynamics::actuator_disabled;
use mj_math::MINVAL;
use mj_model::id_range;
use mj_model::{
    ActuatorId, BodyId, ControlId, DynType, GeomType, JointId, JointType, ObjType, SiteId, TendonId, TrnType,
};

/// Factor by which actuated sites and geoms are drawn larger.
const INFLATION: f64 = 1.05;

/// Appends actuators.
pub(super) fn actuators(p: &mut Painter) {
    if !p.flag(VisFlag::Actuator) {
        return;
    }
    let m = p.m;
    for a in m.actuator.ids().filter(|&a| shown(&p.opt.actuatorgroup, m.actuator.group[a])) {
        if actuator_disabled(m, a) {
            continue;
        }
        let rgba = colour(p, a);
        let target = m.actuator.trnid[a][0].max(0) as usize;
        match m.actuator.trntype[a] {
            TrnType::Site => {
                let (s, poses) = (SiteId::new(target), &p.d.smooth.poses);
                let size = m.site.size[s] * INFLATION;
                let mut geom = decoration((ObjType::Actuator, a.index()));
                place(&mut geom, shape_of(m.site.r#type[s]), size, poses.site_xpos[s], poses.site_xmat[s]);
                finish(p, geom, a, rgba, true);
            }
            TrnType::Joint | TrnType::JointInParent => {
                let geom = on_joint(p, a, JointId::new(target));
                finish(p, geom, a, rgba, true);
            }
            TrnType::Body => on_geoms(p, a, BodyId::new(target), rgba),
            TrnType::Tendon => on_tendon(p, a, TendonId::new(target), rgba),
            _ => {}
        }
    }
}

/// Gives an actuator's geom its colour and label, and appends it.
fn finish(p: &mut Painter, mut geom: SceneGeom, a: ActuatorId, rgba: [f32; 4], labelled: bool) {
    geom.rgba = rgba;
    if labelled && p.opt.label == LabelKind::Actuator {
        geom.label = p.label(ObjType::Actuator, a.index());
    }
    p.push(geom);
}

fn on_joint(p: &Painter, a: ActuatorId, j: JointId) -> SceneGeom {
    let poses = &p.d.smooth.poses;
    let (length, width) = (p.scaled(p.vis.scale.actuatorlength), p.scaled(p.vis.scale.actuatorwidth));
    let (anchor, mat) = (poses.xanchor[j], poses.xmat[p.m.jnt.bodyid[j]]);
    let ends = [anchor, anchor + poses.xaxis[j] * length];
    let size = [0.33 * p.scaled(p.vis.scale.jointlength); 3];
    let mut geom = decoration((ObjType::Actuator, a.index()));
    match p.m.jnt.r#type[j] {
        JointType::Slide => connector(&mut geom, SceneShape::Arrow, width, ends),
        JointType::Hinge => connector(&mut geom, SceneShape::Arrow1, width, ends),
        JointType::Ball => solid(&mut geom, SceneShape::Sphere, size, anchor, mat),
        JointType::Free => solid(&mut geom, SceneShape::Box, size, anchor, mat),
    }
    geom
}

fn on_geoms(p: &mut Painter, a: ActuatorId, body: BodyId, rgba: [f32; 4]) {
    let m = p.m;
    for g in id_range(m.body.geomadr[body], m.body.geomnum[body]) {
        if matches!(m.geom.r#type[g], GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf) {
            continue;
        }
        let poses = &p.d.smooth.poses;
        let mut geom = decoration((ObjType::Actuator, a.index()));
        let size = m.geom.size[g] * INFLATION;
        place(&mut geom, shape_of(m.geom.r#type[g]), size, poses.geom_xpos[g], poses.geom_xmat[g]);
        finish(p, geom, a, rgba, false);
    }
}

fn on_tendon(p: &mut Painter, a: ActuatorId, t: TendonId, rgba: [f32; 4]) {
    let width = p.m.tendon.width[t] * f64::from(p.vis.map.actuatortendon);
    let mut labelled = true;
    for (first, ends) in stretches(p, t) {
        let mut geom = decoration((ObjType::Actuator, a.index()));
        connector(&mut geom, SceneShape::Capsule, width, ends);
        p.set_material(&mut geom, p.m.tendon.matid[t], p.m.tendon.rgba[t]);
        finish(p, geom, a, rgba, std::mem::take(&mut labelled) && first);
    }
}

/// Returns the colour of an actuator: between those of its least, middle and greatest control or activation.
fn colour(p: &Painter, a: ActuatorId) -> [f32; 4] {
    let m = p.m;
    let control = m.actuator.ctrladr[a] as usize;
    let by_activation = p.flag(VisFlag::Activation);
    let limits = match m.control.ids().len() > control && m.control.ctrllimited[ControlId::new(control)] {
        true => m.control.ctrlrange[ControlId::new(control)],
        false if by_activation && m.actuator.actlimited[a] => m.actuator.actrange[a],
        false => [-1.0, 1.0],
    };
    let [mut least, middle, mut greatest] = match limits {
        [low, high] if low >= 0.0 => [-1.0, low, high],
        [low, high] if high <= 0.0 => [low, high, 1.0],
        [low, high] => [low, 0.0, high],
    };
    if middle - least < MINVAL {
        least = middle - MINVAL;
    }
    if greatest - middle < MINVAL {
        greatest = middle + MINVAL;
    }
    let value = if by_activation && m.actuator.dyntype[a] != DynType::None {
        let last = i64::from(m.actuator.actadr[a]) + i64::from(m.actuator.actnum[a]) - 1;
        usize::try_from(last).ok().and_then(|i| p.d.state.act.get(i))
    } else {
        p.d.state.ctrl.get(control)
    };
    let value = value.copied().unwrap_or(0.0).max(least).min(greatest);
    let rgba = &p.vis.rgba;
    let (end, share) = if value <= middle {
        (rgba.actuatornegative, (middle - value) / MINVAL.max(middle - least))
    } else {
        (rgba.actuatorpositive, (value - middle) / MINVAL.max(greatest - middle))
    };
    std::array::from_fn(|i| (1.0 - share as f32) * rgba.actuator[i] + share as f32 * end[i])
}
