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

/// A body's row, the tables of everything before it being written.
fn body_row(b: &BodyBuild, m: &Model) -> BodyRow {
    BodyRow {
        mocapid: b.src.mocap.then(|| MocapId::new(m.nmocap)),
        geomnum: b.geoms.len() as u32,
        geomadr: (!b.geoms.is_empty()).then(|| GeomId::new(m.geom.len())),
        ..b.row.clone()
    }
}

/// A joint with what is the same for all of its dofs.
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
    let same = |pos, quat| build::same_frame((pos, quat), (b.row.ipos, b.row.iquat));
    for g in &b.geoms {
        m.geom.push(GeomRow { bodyid: body, sameframe: same(g.row.pos, g.row.quat), ..g.row.clone() });
    }
    for s in &b.sites {
        m.site.push(SiteRow { bodyid: body, sameframe: same(s.row.pos, s.row.quat), ..s.row.clone() });
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

/// Sleep policies that the text gives.
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

/// The pattern of the inertia matrix. Tendons with inertia couple what they pass.
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
            m.body.simple[body] = 0;
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

#[cfg(test)]
mod tests {
    use mj_math::{DQuat, DVec3, quat};
    use mj_model::build::{BuildError, JointDef, ModelBuilder};
    use mj_model::model::{BodyRow, DofRow, JointRow, SiteRow};
    use mj_model::spec::{Body, Inertial, Joint, Orientation, Site};
    use mj_model::{BodyId, JointType, Model, Names, Spec};
    use proptest::prelude::*;

    /// A body of a random tree: how far above the last one its parent is, its joints, numbers.
    type Made = (usize, Vec<JointType>, Vec<f64>);

    fn made() -> impl Strategy<Value = Made> {
        let kinds = prop_oneof![
            Just(vec![]),
            Just(vec![JointType::Free]),
            Just(vec![JointType::Ball]),
            Just(vec![JointType::Hinge]),
            Just(vec![JointType::Slide; 2]),
            Just(vec![JointType::Slide, JointType::Hinge, JointType::Hinge]),
            Just(vec![JointType::Hinge, JointType::Ball]),
        ];
        // Zeros and ones make simple inertias and shared frames.
        let number = prop_oneof![Just(0.0), Just(1.0), -1.0..1.0f64];
        (0..5usize, kinds, prop::collection::vec(number, 24))
    }

    /// The same tree through the builder, and as a spec: bodies with their parents.
    fn both(list: &[Made]) -> (Model, Spec) {
        let mut builder = ModelBuilder::new();
        let mut bodies: Vec<(usize, Body)> = vec![(0, Body::default())];
        for (up, kinds, x) in list {
            let free = kinds.contains(&JointType::Free);
            let mut parent = bodies.len() - 1;
            for _ in 0..*up {
                parent = bodies[parent].0;
            }
            if free {
                parent = 0;
            }
            let v = |i: usize| DVec3::new(x[i], x[i + 1], x[i + 2]);
            let (pos, rot) = (v(0), quat::exp(v(3)));
            let (ipos, irot) = (v(6), quat::exp(v(9)));
            let moments = DVec3::new(1.0, 1.2, 1.4) + 0.1 * v(12);
            let mut joints = Vec::new();
            let mut defs = Vec::new();
            for (i, &kind) in kinds.iter().enumerate() {
                let axis = if v(15 + i).length() < 0.1 { DVec3::Y } else { v(15 + i) };
                let anchor = v(18 + i);
                joints.push(Joint {
                    r#type: kind,
                    pos: anchor,
                    axis,
                    armature: 0.2,
                    damping: [0.3, 0.0, 0.0],
                    stiffness: [2.0, 0.0, 0.0],
                    r#ref: x[5],
                    springref: x[7],
                    springyield: if free { 0.0 } else { x[9].abs() },
                    ..Default::default()
                });
                let like = JointRow::default();
                defs.push(JointDef {
                    joint: JointRow {
                        r#type: kind,
                        pos: anchor,
                        axis,
                        stiffness: 2.0,
                        springyield: if free { 0.0 } else { x[9].abs() },
                        solref: mj_model::spec::SOLREF,
                        solimp: mj_model::spec::SOLIMP,
                        ..like
                    },
                    dof: DofRow {
                        armature: 0.2,
                        damping: 0.3,
                        solref: mj_model::spec::SOLREF,
                        solimp: mj_model::spec::SOLIMP,
                        ..Default::default()
                    },
                    reference: x[5],
                    spring: x[7],
                });
            }
            let inertial = Inertial {
                pos: ipos,
                orientation: Orientation::Quat(irot),
                mass: 1.0 + x[8].abs(),
                diaginertia: Some(moments.to_array()),
                ..Default::default()
            };
            let row = BodyRow {
                pos,
                quat: rot,
                ipos,
                iquat: irot,
                mass: inertial.mass,
                inertia: moments,
                ..Default::default()
            };
            let id = builder.add_body(BodyId::new(parent), row, &defs).unwrap();
            assert_eq!(id.index(), bodies.len());
            let site = SiteRow { pos: v(1), quat: quat::exp(v(2)), size: DVec3::splat(0.005), ..Default::default() };
            builder
                .add_site(
                    id,
                    SiteRow { r#type: mj_model::GeomType::Sphere, rgba: mj_model::spec::RGBA, ..site.clone() },
                )
                .unwrap();
            let sites = vec![Site { pos: site.pos, orientation: Orientation::Quat(site.quat), ..Default::default() }];
            let orientation = Orientation::Quat(rot);
            let inertial = Some(inertial);
            bodies.push((parent, Body { pos, orientation, inertial, joints, sites, ..Default::default() }));
        }
        // Children into their parents, the last first; they keep their order.
        let mut spec = Spec::default();
        spec.compiler.degree = false;
        while bodies.len() > 1 {
            let (parent, body) = bodies.pop().unwrap();
            bodies[parent].1.bodies.insert(0, body);
        }
        spec.worldbody = bodies.pop().unwrap().1;
        (builder.finish().unwrap(), spec)
    }

    proptest! {
        /// What the builder derives is what the compiler does, field by field: with the constants at the reference
        /// configuration, which are the compiler's, the models are one.
        #[test]
        fn built_models_are_compiled_models(list in prop::collection::vec(made(), 0..7)) {
            let (mut built, spec) = both(&list);
            prop_assert_eq!(built.validate(), Ok(()));
            let (compiled, problems) = crate::compile(&spec);
            prop_assert!(problems.list.is_empty(), "{:?}", problems.list);
            let mut compiled = compiled.unwrap();
            compiled.names = Names::default();
            let dampers = vec![[0.0; 2]; built.jnt.len()];
            crate::reference::set(&mut built, dampers.into_iter());
            // Bits apart, for quaternions are normalized once more where they are compiled.
            let mut differing = Vec::new();
            let (ours, theirs) = (format!("{built:#?}"), format!("{compiled:#?}"));
            for (a, b) in ours.lines().zip(theirs.lines()) {
                let near = || {
                    let [x, y] = [a, b].map(|l| l.trim().trim_end_matches(',').parse::<f64>());
                    x.is_ok_and(|x| y.is_ok_and(|y| (x - y).abs() <= 1e-9 * (1.0 + x.abs())))
                };
                if a != b && !near() {
                    differing.push((a.to_string(), b.to_string()));
                }
            }
            prop_assert!(differing.is_empty() && ours.lines().count() == theirs.lines().count(), "{:#?}", differing);
        }
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        let mut b = ModelBuilder::new();
        let light = || BodyRow { mass: 1.0, ..Default::default() };
        let first = b.add_body(BodyId::WORLD, light(), &[JointDef::hinge(DVec3::Y)]).unwrap();
        let second = b.add_body(first, light(), &[]).unwrap();
        b.add_body(first, light(), &[]).unwrap();
        let told = b.add_body(second, light(), &[]).unwrap_err().to_string();
        assert_eq!(told, "body 2 cannot be a parent here: it is neither the last body, 3, nor above that");
        assert_eq!(b.add_body(first, light(), &[JointDef::free()]), Err(BuildError::Free));
        assert_eq!(b.add_body(BodyId::WORLD, light(), &[JointDef::slide(DVec3::ZERO)]), Err(BuildError::Axis(1)));
        assert_eq!(b.add_site(BodyId::new(9), SiteRow::default()), Err(BuildError::Body(9)));
        b.add_body(BodyId::WORLD, BodyRow { mass: -1.0, quat: DQuat::IDENTITY, ..Default::default() }, &[]).unwrap();
        assert_eq!(b.finish().unwrap_err().to_string(), "body_mass[4] is -1: a mass is finite and not negative");
    }
}
