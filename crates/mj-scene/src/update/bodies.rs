//! Frames, inertias, labels, centres of mass and connections of bodies; frames of geoms and sites.

use super::painter::{Painter, decoration, set_pose, solid};
use crate::codes::{FrameKind, LabelKind, SceneShape, VisFlag};
use crate::options::shown;
use mj_math::{DMat3, DVec3, MINVAL};
use mj_model::{BodyId, MaterialId, ObjType, id_range};

/// Appends the frames of geoms or of sites that are shown.
pub(super) fn geom_and_site_frames(p: &mut Painter) {
    let m = p.m;
    let (length, width) = (p.scaled(p.vis.scale.framelength), p.scaled(p.vis.scale.framewidth));
    let visible = |material: Option<MaterialId>, rgba: [f32; 4]| material.map_or(rgba, |id| m.mat.rgba[id])[3] != 0.0;
    let poses = &p.d.smooth.poses;
    match p.opt.frame {
        FrameKind::Geom => {
            for g in m.geom.ids() {
                let seen = p.shows(m.geom.bodyid[g]) && shown(&p.opt.geomgroup, m.geom.group[g]);
                if seen && visible(m.geom.matid[g], m.geom.rgba[g]) {
                    p.frame(g.index(), poses.geom_xpos[g], poses.geom_xmat[g], length, width);
                }
            }
        }
        FrameKind::Site => {
            for s in m.site.ids() {
                let seen = p.shows(m.site.bodyid[s]) && shown(&p.opt.sitegroup, m.site.group[s]);
                if seen && visible(m.site.matid[s], m.site.rgba[s]) {
                    p.frame(s.index(), poses.site_xpos[s], poses.site_xmat[s], length, width);
                }
            }
        }
        _ => {}
    }
}

/// Appends the inertias of bodies, as boxes or ellipsoids of equal mass and inertia.
pub(super) fn inertias(p: &mut Painter) {
    if !p.flag(VisFlag::Inertia) {
        return;
    }
    let m = p.m;
    let ellipsoid = p.vis.global.ellipsoidinertia;
    let shape = if ellipsoid { SceneShape::Ellipsoid } else { SceneShape::Box };
    for b in m.body.ids().skip(1).filter(|&b| m.body.mass[b] > MINVAL) {
        if !p.shows(b) {
            continue;
        }
        let (mass, inertia) = (m.body.mass[b], m.body.inertia[b]);
        // Half sizes of a box: mean squares of its coordinates are a third of theirs, a fifth for an ellipsoid.
        let squares = (DVec3::splat(inertia.element_sum()) - 2.0 * inertia) / (2.0 * mass);
        let mut size = squares.to_array().map(|s| (s * if ellipsoid { 5.0 } else { 3.0 }).sqrt());
        if p.flag(VisFlag::ScaleInertia) {
            let unit = if ellipsoid { 4.0 / 3.0 * std::f64::consts::PI } else { 8.0 };
            let density = mass / MINVAL.max(unit * size.iter().product::<f64>());
            let factor = (density * 0.001).cbrt();
            size = size.map(|s| s * factor);
        }
        let mut geom = decoration((ObjType::Body, b.index()));
        solid(&mut geom, shape, size, p.d.smooth.poses.xipos[b], p.d.smooth.poses.ximat[b]);
        geom.rgba = p.vis.rgba.inertia;
        p.glow_if_selected(&mut geom, b);
        let selected = p.opt.label == LabelKind::Selection && p.pert.select == b.index() as i32;
        if p.opt.label == LabelKind::Body || selected {
            geom.label = p.label(ObjType::Body, b.index());
        }
        p.push(geom);
    }
}

/// Appends frames of the world, twice as large, or of bodies.
pub(super) fn frames(p: &mut Painter) {
    let (length, width) = (p.scaled(p.vis.scale.framelength), p.scaled(p.vis.scale.framewidth));
    let poses = &p.d.smooth.poses;
    let pose = |b: BodyId| {
        if p.flag(VisFlag::Inertia) { (poses.xipos[b], poses.ximat[b]) } else { (poses.xpos[b], poses.xmat[b]) }
    };
    match p.opt.frame {
        FrameKind::World => {
            let (pos, mat) = pose(BodyId::WORLD);
            p.frame(0, pos, mat, 2.0 * length, 2.0 * width);
        }
        FrameKind::Body => {
            let shown: Vec<_> = p.m.body.ids().skip(1).filter(|&b| p.shows(b)).map(|b| (b.index(), pose(b))).collect();
            for (id, (pos, mat)) in shown {
                p.frame(id, pos, mat, length, width);
            }
        }
        _ => {}
    }
}

/// Appends labels of bodies; inertias have their own.
pub(super) fn labels(p: &mut Painter) {
    let all = p.opt.label == LabelKind::Body;
    if p.flag(VisFlag::Inertia) || !(all || p.opt.label == LabelKind::Selection) {
        return;
    }
    for b in p.m.body.ids().skip(1) {
        if p.shows(b) && (all || p.pert.select == b.index() as i32) {
            let mut geom = decoration((ObjType::Unknown, b.index()));
            geom.r#type = SceneShape::Label;
            set_pose(&mut geom, p.d.smooth.poses.xpos[b], p.d.smooth.poses.xmat[b]);
            geom.label = p.label(ObjType::Body, b.index());
            p.push(geom);
        }
    }
}

/// Appends the centres of mass of kinematic trees.
pub(super) fn centers_of_mass(p: &mut Painter) {
    if !p.flag(VisFlag::Com) {
        return;
    }
    let size = [p.scaled(p.vis.scale.com); 3];
    for b in p.m.body.ids().skip(1).filter(|&b| p.m.body.rootid[b] == b) {
        let mut geom = decoration((ObjType::Unknown, b.index()));
        solid(&mut geom, SceneShape::Sphere, size, p.d.smooth.poses.subtree_com[b], DMat3::IDENTITY);
        geom.rgba = p.vis.rgba.com;
        p.push(geom);
    }
}

/// Appends lines from centres of mass along the joints to the parents' centres of mass.
pub(super) fn connections(p: &mut Painter) {
    if !p.flag(VisFlag::AutoConnect) {
        return;
    }
    let m = p.m;
    let (width, rgba) = (p.scaled(p.vis.scale.connect), p.vis.rgba.connect);
    let poses = &p.d.smooth.poses;
    for b in m.body.ids().skip(1).filter(|&b| m.body.parentid[b] != BodyId::WORLD) {
        let mut at = poses.xipos[b];
        let joints = id_range(m.body.jntadr[b], m.body.jntnum[b]).rev().map(|j| poses.xanchor[j]);
        for next in joints.chain([poses.xipos[m.body.parentid[b]]]) {
            p.connect(SceneShape::Capsule, width, [at, next], rgba, (ObjType::Unknown, b.index()));
            at = next;
        }
    }
}

/// Labels bodies with the numbers of their islands.
pub(super) fn island_labels(p: &mut Painter) {
    if p.opt.label != LabelKind::Island {
        return;
    }
    let m = p.m;
    for body in m.body.ids().skip(1) {
        if let Some((island, _)) = p.islands.of_body(m, body) {
            let mut geom = decoration((ObjType::Unknown, body.index()));
            geom.r#type = SceneShape::Label;
            set_pose(&mut geom, p.d.smooth.poses.xipos[body], p.d.smooth.poses.ximat[body]);
            geom.label = island.to_string();
            p.push(geom);
        }
    }
}
