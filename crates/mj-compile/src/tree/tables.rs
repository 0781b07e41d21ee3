//! Writes the kinematic tree into the model's tables.

use crate::context::Context;
use crate::messages::describe;
use crate::tree::body::BodyBuild;
use crate::tree::joint::JointBuild;
use mj_model::build::{self, JointDef};
use mj_model::model::*;
use mj_model::*;

/// Writes bodies, joints, dofs, trees, geoms, sites, cameras and lights, makes their names known,
/// and finds the targets of cameras and lights.
pub(crate) fn write(cx: &mut Context, bodies: &[BodyBuild], m: &mut Model) {
    register_names(cx, bodies);
    for b in bodies {
        let joints: Vec<JointDef> = b.joints.iter().map(joint_def).collect();
        let id = build::push_body(m, BodyId::new(b.parent), body_row(cx, b, m), &joints);
        write_elements(cx, b, id, m);
        m.nmocap += usize::from(b.src.mocap);
    }
    build::set_simple(m, |b| bodies[b.index()].src.simple != Tri::False);
    build::set_trees(m);
    set_sleep_policies(cx, bodies, m);
}

fn register_names(cx: &mut Context, bodies: &[BodyBuild]) {
    // The world's name is taken, though no one gives it.
    let name = |(i, b): (usize, &BodyBuild)| if i == 0 { "world".to_string() } else { b.src.name.clone() };
    let names: Vec<(String, Loc)> = bodies.iter().enumerate().map(|x| (name(x), x.1.src.loc)).collect();
    cx.register(ObjType::Body, names.iter().map(|(n, l)| (n.as_str(), *l)));
    cx.register(ObjType::Joint, bodies.iter().flat_map(|b| &b.joints).map(|x| (x.src.name.as_str(), x.src.loc)));
    cx.register(ObjType::Geom, bodies.iter().flat_map(|b| &b.geoms).map(|x| (x.src.name.as_str(), x.src.loc)));
    cx.register(ObjType::Site, bodies.iter().flat_map(|b| &b.sites).map(|x| (x.src.name.as_str(), x.src.loc)));
    cx.register(ObjType::Camera, bodies.iter().flat_map(|b| &b.cameras).map(|x| (x.src.name.as_str(), x.src.loc)));
    cx.register(ObjType::Light, bodies.iter().flat_map(|b| &b.lights).map(|x| (x.src.name.as_str(), x.src.loc)));
}

/// Returns a body's row with the addresses that the builder leaves to the compiler: all bodies before it are written.
fn body_row(cx: &Context, b: &BodyBuild, m: &Model) -> BodyRow {
    BodyRow {
        plugin: b.src.plugin.as_ref().and_then(|p| cx.plugins.get(p)).map(|(id, _)| id),
        mocapid: b.src.mocap.then(|| MocapId::new(m.nmocap)),
        geomnum: b.geoms.len() as u32,
        geomadr: (!b.geoms.is_empty()).then(|| GeomId::new(m.geom.len())),
        ..b.row.clone()
    }
}

/// Returns a joint for the builder: its row, the row of each of its dofs, its coordinates.
fn joint_def(j: &JointBuild) -> JointDef {
    let dof = DofRow {
        solref: j.src.solref_friction,
        solimp: j.src.solimp_friction,
        frictionloss: j.src.frictionloss,
        armature: j.src.armature,
        damping: j.src.damping[0],
        dampingpoly: [j.src.damping[1], j.src.damping[2]],
        ..Default::default()
    };
    JointDef { joint: j.row.clone(), dof, reference: j.reference, spring: j.spring }
}

/// Geoms, sites, cameras and lights of a body.
fn write_elements(cx: &mut Context, b: &BodyBuild, body: BodyId, m: &mut Model) {
    for g in &b.geoms {
        m.geom.push(GeomRow { bodyid: body, ..g.row.clone() });
    }
    for s in &b.sites {
        m.site.push(SiteRow { bodyid: body, ..s.row.clone() });
    }
    let mut target = |name: &str, loc, what: String| {
        let id = (!name.is_empty()).then(|| cx.find(ObjType::Body, name, loc, &format!("target of {what}")));
        id.flatten().map(BodyId::new)
    };
    for c in &b.cameras {
        let targetbodyid = target(&c.src.target, c.src.loc, describe("camera", &c.src.name));
        m.cam.push(CameraRow { bodyid: body, targetbodyid, ..c.row.clone() });
    }
    for l in &b.lights {
        let targetbodyid = target(&l.src.target, l.src.loc, describe("light", &l.src.name));
        m.light.push(LightRow { bodyid: body, targetbodyid, ..l.row.clone() });
    }
}

/// Fills in the sleep policies that bodies of the spec give.
fn set_sleep_policies(cx: &mut Context, bodies: &[BodyBuild], m: &mut Model) {
    for b in m.body.ids().skip(1) {
        let src = bodies[b.index()].src;
        if src.sleep == SleepPolicy::Auto {
            continue;
        }
        match m.body.treeid[b] {
            Some(t) if m.tree.bodyadr[t] == b => m.tree.sleep_policy[t] = src.sleep,
            _ => {
                let what = describe("body", &src.name);
                cx.error(src.loc, format!("{what}: `sleep` is only for the moving body at the root of a tree"));
            }
        }
    }
}

/// Fills in the pattern of the joint-space inertia. A tendon with inertia couples the bodies that it passes: they are not
/// simple.
pub(crate) fn set_pattern(m: &mut Model) {
    for t in m.tendon.ids() {
        let through_actuator = m.actuator.ids().any(|a| {
            m.actuator.armature[a] != 0.0
                && m.actuator.trntype[a] == TrnType::Tendon
                && usize::try_from(m.actuator.trnid[a][0]) == Ok(t.index())
        });
        if m.tendon.armature[t] == 0.0 && !through_actuator {
            continue;
        }
        for w in id_range(Some(m.tendon.adr[t]), m.tendon.num[t]) {
            let Ok(i) = usize::try_from(m.wrap.objid[w]) else { continue };
            let body = match m.wrap.r#type[w] {
                WrapType::Joint => m.jnt.bodyid[JointId::new(i)],
                WrapType::Site => m.site.bodyid[SiteId::new(i)],
                WrapType::Sphere | WrapType::Cylinder => m.geom.bodyid[GeomId::new(i)],
                WrapType::None | WrapType::Pulley => continue,
            };
            m.body.simple.edit()[body] = 0;
        }
    }
    build::set_pattern(m);
}

/// Writes the user data of elements: as many numbers an element as the model says, or as many as the longest has.
pub(crate) fn write_user_data(cx: &mut Context, bodies: &[BodyBuild], m: &mut Model) {
    let s = &cx.spec.size;
    let spec = cx.spec;
    let mut column = |given: Option<usize>, kind: &str, users: Vec<(&[f64], Loc)>| {
        let longest = users.iter().map(|u| u.0.len()).max().unwrap_or(0);
        let n = given.unwrap_or(longest);
        for (user, loc) in &users {
            cx.check_user(user, n, *loc, kind);
        }
        if n.saturating_mul(users.len()) > crate::MAX_NUMBERS {
            cx.error(Loc::NONE, format!("`nuser_{kind}` is {n}: too many numbers for {} elements", users.len()));
            return (n, Vec::new());
        }
        let mut numbers = vec![0.0; n * users.len()];
        for ((user, _), row) in users.iter().zip(numbers.chunks_exact_mut(n.max(1))) {
            row.iter_mut().zip(*user).for_each(|(to, from)| *to = *from);
        }
        (n, numbers)
    };
    macro_rules! of {
        ($elements:expr) => {
            $elements.map(|x| (x.user.as_slice(), x.loc)).collect()
        };
    }
    (m.nuser.body, m.user.body) = column(s.nuser_body, "body", of!(bodies.iter().map(|b| b.src)));
    (m.nuser.jnt, m.user.jnt) = column(s.nuser_jnt, "jnt", of!(bodies.iter().flat_map(|b| &b.joints).map(|x| x.src)));
    (m.nuser.geom, m.user.geom) =
        column(s.nuser_geom, "geom", of!(bodies.iter().flat_map(|b| &b.geoms).map(|x| x.src)));
    (m.nuser.site, m.user.site) =
        column(s.nuser_site, "site", of!(bodies.iter().flat_map(|b| &b.sites).map(|x| x.src)));
    (m.nuser.cam, m.user.cam) = column(s.nuser_cam, "cam", of!(bodies.iter().flat_map(|b| &b.cameras).map(|x| x.src)));
    (m.nuser.tendon, m.user.tendon) = column(s.nuser_tendon, "tendon", of!(spec.tendons.iter()));
    (m.nuser.actuator, m.user.actuator) = column(s.nuser_actuator, "actuator", of!(spec.actuators.iter()));
    (m.nuser.sensor, m.user.sensor) = column(s.nuser_sensor, "sensor", of!(spec.sensors.iter()));
}
