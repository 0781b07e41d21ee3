//! Contacts: points, frames, velocities of surfaces, forces.

use super::islands;
use super::painter::{Painter, clipped, connector, decoration, solid};
use crate::codes::{FrameKind, LabelKind, SceneShape, VisFlag};
use crate::label::significant;
use mj_engine::{Contact, contact_force};
use mj_math::{DMat3, DVec3, MINVAL};
use mj_model::{BodyId, GeomId, ObjType};

/// Length of the arrow of a surface's velocity for a unit of velocity, s.
const VELOCITY_SCALE: f64 = 0.5;

/// Appends all that is shown of contacts.
pub(super) fn contacts(p: &mut Painter) {
    let (points, forces) = (p.flag(VisFlag::ContactPoint), p.flag(VisFlag::ContactForce));
    if !points && !forces && p.opt.frame != FrameKind::Contact {
        return;
    }
    let d = p.d;
    for (i, contact) in d.contacts.iter().enumerate() {
        let row = d.rows.first_of_contact(i);
        if points {
            point(p, i, contact, row);
        }
        if p.opt.frame == FrameKind::Contact {
            let [x, y, z] = contact.frame;
            let (length, width) = (p.scaled(p.vis.scale.framelength), p.scaled(p.vis.scale.framewidth));
            p.frame(i, contact.pos, DMat3::from_cols(x, y, z), 0.5 * length, 0.5 * width);
        }
        if forces && row.is_some() {
            force(p, i, contact);
        }
    }
}

/// Appends a contact's point, as deep as its penetration, with the velocity of its surfaces.
fn point(p: &mut Painter, i: usize, contact: &Contact, row: Option<usize>) {
    let [normal, x, y] = contact.frame;
    let mut geom = decoration((ObjType::Unknown, i));
    let radius = p.scaled(p.vis.scale.contactwidth);
    let height = p.scaled(p.vis.scale.contactheight).max(-0.5 * contact.dist);
    solid(&mut geom, SceneShape::Cylinder, [radius, radius, height], contact.pos, DMat3::from_cols(x, y, normal));
    geom.rgba = match row {
        Some(row) if p.islands.coloured() => islands::colour(p.islands.first_dof_of_row(row), true),
        Some(_) => p.vis.rgba.contactpoint,
        None => p.vis.rgba.contactgap,
    };
    if p.opt.label == LabelKind::ContactPoint {
        geom.label = clipped(format!("{} | {}", side_name(p, contact, 0), side_name(p, contact, 1)));
    }
    let rgba = geom.rgba;
    p.push(geom);
    if row.is_some() {
        sliding(p, i, contact, rgba);
    }
}

/// Appends the velocity at which surfaces drive a contact, along its plane: towards the side that moves, and to both sides
/// between two that move.
fn sliding(p: &mut Painter, i: usize, contact: &Contact, rgba: [f32; 4]) {
    let velocity = contact.geom.map(|g| g.map_or(DVec3::ZERO, |g| surface_velocity(p, g, contact.pos)));
    let relative = (velocity[0] - velocity[1]).reject_from_normalized(contact.frame[0]);
    if relative.length() < MINVAL {
        return;
    }
    let moves = contact.geom.map(|g| g.is_none_or(|g| p.m.body.weldid[p.m.geom.bodyid[g]] != BodyId::WORLD));
    let shape = if moves == [true; 2] { SceneShape::Arrow2 } else { SceneShape::Arrow };
    let way = relative * if moves[1] { VELOCITY_SCALE } else { -VELOCITY_SCALE };
    let mut arrow = decoration((ObjType::Unknown, i));
    connector(&mut arrow, shape, p.scaled(p.vis.scale.forcewidth), [contact.pos, contact.pos + way]);
    arrow.rgba = rgba;
    p.push(arrow);
}

/// Returns the velocity of a geom's surface at a point, world frame.
fn surface_velocity(p: &Painter, g: GeomId, point: DVec3) -> DVec3 {
    let [vx, vy, vz, wx, wy, wz] = p.m.geom.surfacevel[g];
    let (pos, mat) = (p.d.smooth.poses.geom_xpos[g], p.d.smooth.poses.geom_xmat[g]);
    mat * DVec3::new(vx, vy, vz) + (mat * DVec3::new(wx, wy, wz)).cross(point - pos)
}

/// Returns the name of one side of a contact: geom, or flex with its element or vertex.
fn side_name(p: &Painter, contact: &Contact, side: usize) -> String {
    let name = |kind: ObjType, id: usize, prefix: &str| match p.m.names.get(kind, id) {
        "" => format!("{prefix}{id}"),
        name => name.to_string(),
    };
    if let Some(g) = contact.geom[side] {
        return name(ObjType::Geom, g.index(), "g");
    }
    let flex = name(ObjType::Flex, contact.flex[side].map_or(0, |f| f.index()), "f");
    match contact.elem[side] {
        e if e >= 0 => format!("{flex}.e{e}"),
        _ => format!("{flex}.v{}", contact.vert[side]),
    }
}

/// Appends a contact's force, whole or split in its normal part and its friction; towards the later of both bodies, and to
/// both sides between two that move.
fn force(p: &mut Painter, i: usize, contact: &Contact) {
    let Ok(mut local) = contact_force(p.m, p.d, i) else { return };
    local[contact.dim.min(3) as usize..].fill(0.0);
    let local = DVec3::from_slice(&local);
    if local.length() < MINVAL {
        return;
    }
    let [x, y, z] = contact.frame;
    let (normal, friction) = (x * local.x, y * local.y + z * local.z);
    let split = p.flag(VisFlag::ContactSplit) && contact.dim > 1;
    let rgba = &p.vis.rgba;
    let parts = match split {
        true => vec![(normal, rgba.contactforce), (friction, rgba.contactfriction)],
        false => vec![(normal + friction, rgba.contactforce)],
    };
    // Flexes come after all bodies.
    let side = |k: usize| match contact.geom[k] {
        Some(g) => p.m.geom.bodyid[g].index(),
        None => p.m.body.len() + contact.flex[k].map_or(0, |f| f.index()),
    };
    let sides = [side(0), side(1)];
    let factor = f64::from(p.vis.map.force) / p.m.stat.meanmass * if sides[0] > sides[1] { -1.0 } else { 1.0 };
    let shape = if sides[0] > 0 && sides[1] > 0 && !split { SceneShape::Arrow2 } else { SceneShape::Arrow };
    for (k, (vector, rgba)) in parts.into_iter().enumerate() {
        let mut geom = decoration((ObjType::Unknown, i));
        let ends = [contact.pos, contact.pos + vector * factor];
        connector(&mut geom, shape, p.scaled(p.vis.scale.forcewidth), ends);
        geom.rgba = rgba;
        if k == 0 && p.opt.label == LabelKind::ContactForce {
            geom.label = significant(local.length());
        }
        p.push(geom);
    }
}
