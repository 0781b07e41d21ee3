//! Writes the kinematic tree into the model's tables.

use crate::body::BodyBuild;
use crate::context::{Context, describe};
use crate::joint::JointBuild;
use mj_model::build::{self, JointDef};
use mj_model::model::*;
use mj_model::*;

/// Writes bodies, joints, dofs, trees, geoms, sites, cameras and lights, makes their names known,
/// and finds the targets of cameras and lights.
pub(crate) fn write(cx: &mut Context, bodies: &[BodyBuild], m: &mut Model) {
    register_names(cx, bodies);
    for b in bodies {
        let joints: Vec<JointDef> = b.joints.iter().map(joint_def).collect();
        let id = build::push_body(m, BodyId::new(b.parent), body_row(b, m), &joints);
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
fn body_row(b: &BodyBuild, m: &Model) -> BodyRow {
    BodyRow {
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

/// Sizes of user data: as given, or as large as the largest.
pub(crate) fn user_sizes(cx: &mut Context, bodies: &[BodyBuild]) -> UserSizes {
    let s = &cx.spec.size;
    let spec = cx.spec;
    let mut size = |given: Option<usize>, kind: &str, users: &mut dyn Iterator<Item = (&Vec<f64>, Loc)>| {
        let mut largest = 0;
        for (user, loc) in users {
            largest = largest.max(user.len());
            if let Some(n) = given {
                cx.check_user(user, n, loc, kind);
            }
        }
        given.unwrap_or(largest)
    };
    UserSizes {
        body: size(s.nuser_body, "body", &mut bodies.iter().map(|b| (&b.src.user, b.src.loc))),
        jnt: size(s.nuser_jnt, "jnt", &mut bodies.iter().flat_map(|b| &b.joints).map(|x| (&x.src.user, x.src.loc))),
        geom: size(s.nuser_geom, "geom", &mut bodies.iter().flat_map(|b| &b.geoms).map(|x| (&x.src.user, x.src.loc))),
        site: size(s.nuser_site, "site", &mut bodies.iter().flat_map(|b| &b.sites).map(|x| (&x.src.user, x.src.loc))),
        cam: size(s.nuser_cam, "cam", &mut bodies.iter().flat_map(|b| &b.cameras).map(|x| (&x.src.user, x.src.loc))),
        tendon: size(s.nuser_tendon, "tendon", &mut spec.tendons.iter().map(|x| (&x.user, x.loc))),
        actuator: size(s.nuser_actuator, "actuator", &mut spec.actuators.iter().map(|x| (&x.user, x.loc))),
        sensor: size(s.nuser_sensor, "sensor", &mut spec.sensors.iter().map(|x| (&x.user, x.loc))),
    }
}
