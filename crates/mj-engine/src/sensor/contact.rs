//! Contact sensors: contacts that match a criterion, reduced to a fixed number, and some of their fields.

use super::object::{object, reference};
use super::{frame, zone};
use crate::data::Data;
use crate::data::workspace::Match;
use mj_collide::Contact;
use mj_constraint::contact_force;
use mj_math::DVec3;
use mj_model::*;

/// Fields that a contact sensor may report: bits of its first parameter.
mod field {
    pub const FOUND: i32 = 1 << 0;
    pub const FORCE: i32 = 1 << 1;
    pub const TORQUE: i32 = 1 << 2;
    pub const DIST: i32 = 1 << 3;
    pub const POS: i32 = 1 << 4;
    pub const NORMAL: i32 = 1 << 5;
    pub const TANGENT: i32 = 1 << 6;
    pub const LINVEL: i32 = 1 << 7;
    pub const ANGVEL: i32 = 1 << 8;
}

/// How many matching contacts become few: the second parameter.
mod reduce {
    pub const MIN_DIST: i32 = 1;
    pub const MAX_FORCE: i32 = 2;
    pub const NET_FORCE: i32 = 3;
}

/// What a slot reports; vectors are of the contact frame where that says so.
#[derive(Default)]
struct Slot {
    found: f64,
    force: [f64; 3],
    torque: [f64; 3],
    dist: f64,
    pos: DVec3,
    normal: DVec3,
    tangent: DVec3,
    linvel: [f64; 3],
    angvel: [f64; 3],
}

impl Slot {
    /// Writes the fields that are asked for, in their order; returns what is left of `out`.
    fn write<'a>(&self, fields: i32, mut out: &'a mut [f64]) -> &'a mut [f64] {
        let mut put = |bit: i32, values: &[f64]| {
            if fields & bit != 0 {
                let (here, rest) = std::mem::take(&mut out).split_at_mut(values.len());
                here.copy_from_slice(values);
                out = rest;
            }
        };
        put(field::FOUND, &[self.found]);
        put(field::FORCE, &self.force);
        put(field::TORQUE, &self.torque);
        put(field::DIST, &[self.dist]);
        put(field::POS, &self.pos.to_array());
        put(field::NORMAL, &self.normal.to_array());
        put(field::TANGENT, &self.tangent.to_array());
        put(field::LINVEL, &self.linvel);
        put(field::ANGVEL, &self.angvel);
        out
    }
}

/// Matches, reduces and reports contacts; slots without a contact are zero.
pub fn read(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let mut matches = std::mem::take(&mut d.ws.matches);
    let [fields, reduction, slots] = m.sensor.intprm[s];
    matches.clear();
    for (i, c) in d.contacts.iter().enumerate() {
        let Some(flipped) = matching(m, d, s, c) else { continue };
        let order = match reduction {
            reduce::MIN_DIST => c.dist,
            reduce::MAX_FORCE => -force(d, i).iter().take(3).map(|f| f * f).sum::<f64>(),
            _ => 0.0,
        };
        matches.push(Match { order, contact: i, flipped });
    }
    matches.sort_unstable_by(|a, b| a.order.total_cmp(&b.order).then(a.contact.cmp(&b.contact)));

    out.fill(0.0);
    if reduction == reduce::NET_FORCE {
        if !matches.is_empty() {
            net_force(d, &matches).write(fields, out);
        }
    } else {
        let mut rest = out;
        for k in matches.iter().take(usize::try_from(slots).unwrap_or(0)) {
            rest = single(m, d, k, matches.len(), fields).write(fields, rest);
        }
    }
    d.ws.matches = matches;
}

/// Whether a contact matches, and if so whether it is turned round: its normal points from the sensor's first object
/// to the second, or as it is where that says nothing.
fn matching(m: &Model, d: &Data, s: SensorId, c: &Contact) -> Option<bool> {
    let (kind1, id1) = (m.sensor.objtype[s], object(m, s));
    let (kind2, id2) = (m.sensor.reftype[s], reference(m, s));
    if kind1 == ObjType::Site && !zone::inside_site(m, d, SiteId::new(id1), c.pos) {
        return None;
    }
    let ([a, b], bodies) = (c.geom, c.bodies(m));
    let (a, b) = ((a, bodies[0]), (b, bodies[1]));
    let (first_a, first_b) = (involves(m, a, kind1, id1), involves(m, b, kind1, id1));
    let (second_a, second_b) = (involves(m, a, kind2, id2), involves(m, b, kind2, id2));
    if first_a && second_b { Some(false) } else { (first_b && second_a).then_some(true) }
}

/// Whether a side of a contact, a geom or a flex with its body, is or belongs to an object; a site has filtered before, and
/// what is not given is anything.
fn involves(m: &Model, (geom, body): (Option<GeomId>, BodyId), kind: ObjType, id: usize) -> bool {
    match kind {
        ObjType::Geom => geom.is_some_and(|g| g.index() == id),
        ObjType::Body => body.index() == id,
        ObjType::XBody => m.in_subtree(body, BodyId::new(id)),
        _ => true,
    }
}

/// Force and torque of a contact on its second geom, in the contact's frame.
fn force(d: &Data, contact: usize) -> [f64; 6] {
    contact_force(&d.rows, &d.contacts, contact, &d.solution.efc_force)
}

/// What a slot reports of one contact.
fn single(m: &Model, d: &Data, k: &Match, found: usize, fields: i32) -> Slot {
    let c = &d.contacts[k.contact];
    // Turned round, the frame keeps its second tangent; forces and velocities are opposite. In the new frame only the
    // components along that tangent change their sign.
    let side = if k.flipped { -1.0 } else { 1.0 };
    let turn = |v: [f64; 3]| [v[0], v[1], side * v[2]];
    let mut slot = Slot {
        found: found as f64,
        dist: c.dist,
        pos: c.pos,
        normal: c.frame[0] * side,
        tangent: c.frame[1] * side,
        ..Default::default()
    };
    if fields & (field::FORCE | field::TORQUE) != 0 {
        let [fx, fy, fz, tx, ty, tz] = force(d, k.contact);
        (slot.force, slot.torque) = (turn([fx, fy, fz]), turn([tx, ty, tz]));
    }
    if fields & (field::LINVEL | field::ANGVEL) != 0 {
        let [v1, v2] = c.bodies(m).map(|b| frame::velocity(m, d, b, c.pos));
        let local = |v: DVec3| turn(c.frame.map(|axis| axis.dot(v)));
        (slot.linvel, slot.angvel) = (local(v2.lin - v1.lin), local(v2.rot - v1.rot));
    }
    slot
}

/// The wrench, in the world's frame, that does what all contacts do together, at the centroid of their positions
/// weighted by their forces.
fn net_force(d: &Data, matches: &[Match]) -> Slot {
    let wrenches = || {
        matches.iter().map(|k| {
            let c = &d.contacts[k.contact];
            let side = if k.flipped { -1.0 } else { 1.0 };
            let f = force(d, k.contact).map(|x| side * x);
            let world = |v: &[f64]| c.frame[0] * v[0] + c.frame[1] * v[1] + c.frame[2] * v[2];
            (c.pos, world(&f[..3]), world(&f[3..]))
        })
    };
    let (mut point, mut total) = (DVec3::ZERO, 0.0);
    for (pos, force, _) in wrenches() {
        point += pos * force.length();
        total += force.length();
    }
    point /= total.max(mj_math::MINVAL);
    let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    for (pos, f, t) in wrenches() {
        force += f;
        torque += t + (pos - point).cross(f);
    }
    Slot {
        found: matches.len() as f64,
        force: force.to_array(),
        torque: torque.to_array(),
        pos: point,
        normal: DVec3::X,
        tangent: DVec3::Y,
        ..Default::default()
    }
}
