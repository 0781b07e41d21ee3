//! Writes the kinematic tree into the model's tables.

use crate::body::BodyBuild;
use crate::context::{Context, describe};
use crate::frames::same_pos;
use crate::{joint, sameframe};
use mj_math::{DVec3, TreePattern, quat};
use mj_model::model::*;
use mj_model::*;

/// Writes bodies, joints, dofs, trees, geoms, sites, cameras and lights, makes their names known,
/// and finds the targets of cameras and lights.
pub(crate) fn write(cx: &mut Context, bodies: &[BodyBuild], m: &mut Model) {
    register_names(cx, bodies);
    let mut last_dof: Vec<Option<DofId>> = Vec::new();
    for (i, b) in bodies.iter().enumerate() {
        let id = m.body.push(body_row(b, i, m));
        let mut last = if i == 0 { None } else { last_dof[b.parent] };
        write_joints(b, id, &mut last, m);
        last_dof.push(last);
        write_elements(cx, b, id, m);
        m.nmocap += usize::from(b.src.mocap);
    }
    set_simple(bodies, m);
    set_trees(cx, bodies, m);
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

/// A body's row, the tables of everything before it being written.
fn body_row(b: &BodyBuild, i: usize, m: &Model) -> BodyRow {
    let parent = BodyId::new(b.parent);
    let id = BodyId::new(i);
    let dofnum: usize = b.joints.iter().map(|j| joint::nv(j.row.r#type)).sum();
    BodyRow {
        parentid: parent,
        rootid: if i == 0 || b.parent == 0 { id } else { m.body.rootid[parent] },
        weldid: if i == 0 || b.is_weld_root() { id } else { m.body.weldid[parent] },
        mocapid: b.src.mocap.then(|| MocapId::new(m.nmocap)),
        jntnum: b.joints.len() as u32,
        jntadr: (!b.joints.is_empty()).then(|| JointId::new(m.jnt.len())),
        dofnum: dofnum as u32,
        dofadr: (dofnum > 0).then(|| DofId::new(m.dof.len())),
        geomnum: b.geoms.len() as u32,
        geomadr: (!b.geoms.is_empty()).then(|| GeomId::new(m.geom.len())),
        ..b.row.clone()
    }
}

/// Joints of a body with their coordinates and dofs.
fn write_joints(b: &BodyBuild, body: BodyId, last: &mut Option<DofId>, m: &mut Model) {
    for j in &b.joints {
        let kind = j.row.r#type;
        let jnt = m.jnt.push(JointRow {
            bodyid: body,
            qposadr: m.qpos0.len() as u32,
            dofadr: DofId::new(m.dof.len()),
            plasticadr: if j.row.springyield > 0.0 { m.nplastic as i32 } else { -1 },
            ..j.row.clone()
        });
        if j.row.springyield > 0.0 {
            m.nplastic += if kind == JointType::Ball { 4 } else { 1 };
        }
        let unit = [1.0, 0.0, 0.0, 0.0];
        match kind {
            JointType::Free => {
                m.qpos0.extend(b.row.pos.to_array());
                m.qpos0.extend(quat::to_wxyz(b.row.quat));
            }
            JointType::Ball => m.qpos0.extend(unit),
            JointType::Slide | JointType::Hinge => m.qpos0.push(j.reference),
        }
        match kind {
            JointType::Slide | JointType::Hinge => m.qpos_spring.push(j.spring),
            _ => m.qpos_spring.extend_from_slice(&m.qpos0[m.qpos_spring.len()..]),
        }
        for _ in 0..joint::nv(kind) {
            let dof = m.dof.push(DofRow {
                bodyid: body,
                jntid: jnt,
                parentid: *last,
                solref: j.src.solref_friction,
                solimp: j.src.solimp_friction,
                frictionloss: j.src.frictionloss,
                armature: j.src.armature,
                damping: j.src.damping[0],
                dampingpoly: [j.src.damping[1], j.src.damping[2]],
                ..Default::default()
            });
            *last = Some(dof);
        }
    }
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

/// Marks bodies whose block of the inertia matrix is diagonal whatever the configuration.
fn set_simple(bodies: &[BodyBuild], m: &mut Model) {
    for b in m.body.ids() {
        let parent = m.body.parentid[b];
        // Moved by its own joints only: its parent is the world, or fixed in the world.
        let near_world =
            m.body.rootid[b] == b || (m.body.parentid[parent] == BodyId::WORLD && m.body.dofnum[parent] == 0);
        let centred = sameframe::of_inertia(m, b) == SameFrame::Body;
        let mut simple = centred && near_world && bodies[b.index()].src.simple != Tri::False;
        let mut turned = false;
        for j in id_range(m.body.jntadr[b], m.body.jntnum[b]) {
            let axis = m.jnt.axis[j];
            let along_one = axis.to_array().iter().filter(|x| x.abs() > crate::frames::EPS).count() == 1;
            let scalar = matches!(m.jnt.r#type[j], JointType::Slide | JointType::Hinge);
            simple &= !turned && same_pos(m.jnt.pos[j], DVec3::ZERO) && (along_one || !scalar);
            turned |= matches!(m.jnt.r#type[j], JointType::Ball | JointType::Hinge);
        }
        // A body that carries another is not simple.
        if parent != BodyId::WORLD {
            m.body.simple.edit()[parent] = 0;
        }
        let mut joints = id_range(m.body.jntadr[b], m.body.jntnum[b]);
        let slides = m.body.dofnum[b] > 0 && joints.all(|j| m.jnt.r#type[j] == JointType::Slide);
        m.body.simple.edit()[b] = u8::from(simple) * if slides { 2 } else { 1 };
    }
}

/// Kinematic trees, and the tree of each dof and body.
fn set_trees(cx: &mut Context, bodies: &[BodyBuild], m: &mut Model) {
    for d in m.dof.ids() {
        if m.dof.parentid[d].is_none() {
            m.tree.push(TreeRow { dofadr: d, ..Default::default() });
        }
        let tree = TreeId::new(m.tree.len() - 1);
        m.dof.treeid.edit()[d] = tree;
        m.tree.dofnum.edit()[tree] += 1;
    }
    for b in m.body.ids() {
        m.body.treeid.edit()[b] = m.body.dofadr[m.body.weldid[b]].map(|d| m.dof.treeid[d]);
        let before = b.index().checked_sub(1).and_then(|i| m.body.treeid[BodyId::new(i)]);
        let tree = m.body.treeid[b];
        let first = tree.is_some_and(|t| m.tree.bodynum[t] == 0);
        if let Some(t) = tree {
            if first {
                m.tree.bodyadr.edit()[t] = b;
            }
            m.tree.bodynum.edit()[t] += 1;
        }
        let src = bodies[b.index()].src;
        if b != BodyId::WORLD && src.sleep != SleepPolicy::Auto {
            match tree {
                Some(t) if tree != before => m.tree.sleep_policy[t] = src.sleep,
                _ => {
                    let what = describe("body", &src.name);
                    cx.error(src.loc, format!("{what}: `sleep` is only for the moving body at the root of a tree"));
                }
            }
        }
    }
}

/// Numbers of consecutive simple dofs, and with them the pattern of the inertia matrix. Tendons
/// with inertia couple what they pass.
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
    let mut count = 0;
    for d in m.dof.ids().rev() {
        count = if m.body.simple[m.dof.bodyid[d]] > 0 { count + 1 } else { 0 };
        m.dof.simplenum.edit()[d] = count;
    }
    let parent: Vec<Option<usize>> = m.dof.parentid.iter().map(|p| p.map(DofId::index)).collect();
    let simple: Vec<bool> = m.dof.simplenum.iter().map(|&n| n > 0).collect();
    m.m_pattern = TreePattern::new(&parent, &simple).into();
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
