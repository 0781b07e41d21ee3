//! Spatial tendons and slider-cranks.

use super::catenary::{catenary, hanging_length};
use super::islands;
use super::painter::{Painter, connector, geom_of};
use crate::codes::{LabelKind, SceneShape, VisFlag, category};
use crate::options::shown;
use mj_dynamics::{PathObject, PathPoint, tendon_path};
use mj_math::{DVec3, real};
use mj_model::{ConstraintType, GeomId, GeomType, ObjType, SiteId, TendonId, TrnType};
use std::f64::consts::{PI, TAU};

/// Returns the straight stretches of a tendon's path, each with whether it is the first; curves around geoms are
/// divided by `quality.numslices`.
pub(super) fn stretches(p: &Painter, t: TendonId) -> Vec<(bool, [DVec3; 2])> {
    let mut points: Vec<PathPoint> = Vec::new();
    tendon_path(p.m, &p.d.smooth.poses, t, &mut points);
    let mut out: Vec<(bool, [DVec3; 2])> = Vec::new();
    for i in 1..points.len() {
        let [from, to] = [points[i - 1], points[i]];
        if from.on == PathObject::Pulley || to.on == PathObject::Pulley {
            continue;
        }
        let curved = match (from.on, to.on) {
            (PathObject::Geom(a), PathObject::Geom(b)) if a == b && i > 1 => Some(a),
            _ => None,
        };
        let inner = curved.map_or(Vec::new(), |g| arc(p, g, points[i - 2].pos, [from.pos, to.pos]));
        let mut at = from.pos;
        for next in inner.into_iter().chain([to.pos]) {
            out.push((i == 1, [at, next]));
            at = next;
        }
    }
    out
}

/// Most slices of half a turn.
const MAX_SLICES: i32 = 63;

/// Returns the inner points of a curve around a sphere or cylinder, which goes on in the direction in which it arrives.
fn arc(p: &Painter, g: GeomId, before: DVec3, [from, to]: [DVec3; 2]) -> Vec<DVec3> {
    let (centre, mat) = (p.d.smooth.poses.geom_xpos[g], p.d.smooth.poses.geom_xmat[g]);
    let [start, end, way] = [from - centre, to - centre, from - before];
    let axis = match p.m.geom.r#type[g] {
        GeomType::Sphere => start.cross(way).normalize_or_zero(),
        _ => mat.z_axis * start.cross(way).dot(mat.z_axis).signum(),
    };
    // Heights along the axis change evenly, the rest turns about it.
    let heights = [start, end].map(|v| v.dot(axis));
    let [start, end] = [start - axis * heights[0], end - axis * heights[1]];
    let turn = real::atan2(axis.dot(start.cross(end)), start.dot(end)).rem_euclid(TAU);
    let slices = f64::from(p.vis.quality.numslices.clamp(1, MAX_SLICES));
    let count = ((turn / PI).min(1.0) * slices).round().max(1.0);
    let inner = (1..count as usize).map(|k| k as f64 / count);
    let across = axis.cross(start);
    let point = |share: f64| {
        let (sin, cos) = real::sin_cos(share * turn);
        centre + start * cos + across * sin + axis * (heights[0] + share * (heights[1] - heights[0]))
    };
    inner.map(point).collect()
}

/// Returns the impedance of a limit that is active, 0 if it isn't.
pub(super) fn limit_impedance(p: &Painter, kind: ConstraintType, id: usize) -> f64 {
    let rows = &p.d.rows;
    let first = rows.ne + rows.nf;
    let mut limits = (first..(first + rows.nl).min(rows.r#type.len())).rev();
    limits.find(|&k| rows.r#type[k] == kind && rows.id[k] as usize == id).map_or(0.0, |k| rows.kbip[k][2])
}

/// Mixes two colours; the opacity is that of the first.
pub(super) fn mix(a: [f32; 4], b: [f32; 4], share: f64) -> [f32; 4] {
    let channel = |i: usize| ((1.0 - share) * f64::from(a[i]) + share * f64::from(b[i])) as f32;
    [channel(0), channel(1), channel(2), a[3]]
}

/// Appends spatial tendons: straight stretches, or a hanging cord.
pub(super) fn spatial(p: &mut Painter) {
    if p.mask & category::DYNAMIC == 0 || !p.flag(VisFlag::Tendon) {
        return;
    }
    let m = p.m;
    for t in m.tendon.ids().filter(|&t| shown(&p.opt.tendongroup, m.tendon.group[t])) {
        match hanging_length(m, p.d, t) {
            None => straight(p, t),
            Some(length) => hanging(p, t, length),
        }
    }
}

fn straight(p: &mut Painter, t: TendonId) {
    let m = p.m;
    let mut rgba = m.tendon.rgba[t];
    if m.tendon.matid[t].is_none() && rgba == [0.5, 0.5, 0.5, 1.0] {
        let impedance = limit_impedance(p, ConstraintType::LimitTendon, t.index());
        rgba = mix(rgba, p.vis.rgba.constraint, impedance);
    }
    let of_tendon = |k: &usize| {
        let tendon = matches!(p.d.rows.r#type[*k], ConstraintType::FrictionTendon | ConstraintType::LimitTendon);
        tendon && p.d.rows.id[*k] as usize == t.index()
    };
    let row = if p.islands.coloured() { (0..p.d.rows.nefc()).find(of_tendon) } else { None };
    let mut labelled = p.opt.label == LabelKind::Tendon;
    for (first, ends) in stretches(p, t) {
        let mut geom = geom_of(ObjType::Tendon, t.index(), category::DYNAMIC);
        connector(&mut geom, SceneShape::Capsule, m.tendon.width[t], ends);
        p.set_material(&mut geom, m.tendon.matid[t], rgba);
        if p.islands.coloured() {
            geom.matid = -1;
            geom.rgba = islands::colour(row.and_then(|row| p.islands.first_dof_of_row(row)), true);
        }
        if std::mem::take(&mut labelled) && first {
            geom.label = p.label(ObjType::Tendon, t.index());
        }
        p.push(geom);
    }
}

/// Returns the ends of a cord. MuJoCo lets fixed tendons hang too: it reads their points where those of the next
/// spatial tendon are, and zeros after the last.
fn ends_of_cord(p: &Painter, t: TendonId) -> [DVec3; 2] {
    let mut points: Vec<PathPoint> = Vec::new();
    for next in p.m.tendon.ids().skip(t.index()) {
        tendon_path(p.m, &p.d.smooth.poses, next, &mut points);
        if let [first, second, ..] = points[..] {
            return [first.pos, second.pos];
        }
    }
    [DVec3::ZERO; 2]
}

fn hanging(p: &mut Painter, t: TendonId, length: f64) {
    let m = p.m;
    let ends = ends_of_cord(p, t);
    let parts = (i64::from(p.vis.quality.numslices) + 1).clamp(0, 100) as usize;
    let cord = catenary(ends, m.opt.gravity, length, parts);
    for (i, ends) in cord.windows(2).enumerate() {
        let mut geom = geom_of(ObjType::Tendon, t.index(), category::DYNAMIC);
        connector(&mut geom, SceneShape::Capsule, m.tendon.width[t], [ends[0], ends[1]]);
        p.set_material(&mut geom, m.tendon.matid[t], m.tendon.rgba[t]);
        if i == 0 && p.opt.label == LabelKind::Tendon {
            geom.label = p.label(ObjType::Tendon, t.index());
        }
        p.push(geom);
    }
}

/// Appends the rod and the slider of slider-crank transmissions.
pub(super) fn slider_cranks(p: &mut Painter) {
    if p.mask & category::DYNAMIC == 0 {
        return;
    }
    let m = p.m;
    let width = p.scaled(p.vis.scale.slidercrank);
    for a in m.actuator.ids().filter(|&a| m.actuator.trntype[a] == TrnType::SliderCrank) {
        let [crank, slider] = m.actuator.trnid[a].map(|id| SiteId::new(id.max(0) as usize));
        let poses = &p.d.smooth.poses;
        let (pin, base, axis) = (poses.site_xpos[crank], poses.site_xpos[slider], poses.site_xmat[slider].z_axis);
        let rod = m.actuator.cranklength[a];
        let way = pin - base;
        let along = way.dot(axis);
        let square = along * along + rod * rod - way.length_squared();
        let end = base + axis * (along - square.max(0.0).sqrt());
        let colours =
            [p.vis.rgba.slidercrank, if square < 0.0 { p.vis.rgba.crankbroken } else { p.vis.rgba.slidercrank }];
        let mut guide = geom_of(ObjType::Actuator, a.index(), category::DYNAMIC);
        connector(&mut guide, SceneShape::Cylinder, width, [base, end]);
        guide.rgba = colours[0];
        if p.opt.label == LabelKind::Actuator {
            guide.label = p.label(ObjType::Actuator, a.index());
        }
        p.push(guide);
        let mut link = geom_of(ObjType::Actuator, a.index(), category::DYNAMIC);
        connector(&mut link, SceneShape::Capsule, 0.5 * width, [end, pin]);
        link.rgba = colours[1];
        p.push(link);
    }
}
