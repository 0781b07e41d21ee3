//! Contacts of flexes that are springs, not constraints; rays against flexes.

use mj_engine::model::DofId;
use mj_engine::{Data, FlexParts, Model, forward, load_str, ray, ray_flex};
use mj_math::DVec3;
use proptest::prelude::*;

/// A cloth with passive contacts over a tilted plane, with `more` in the world.
fn cloth(options: &str, more: &str) -> Result<Model, mj_engine::LoadError> {
    load_str(&format!(
        r#"<mujoco><option {options}/><worldbody><geom name="slope" type="plane" size="2 2 1" euler="10 5 0"/>
        <flexcomp name="cloth" type="grid" dim="2" count="4 3 1" spacing=".1 .1 .1" pos="0 0 .02" radius=".008" mass=".24">
          <contact passive="true"/></flexcomp>{more}</worldbody></mujoco>"#
    ))
}

const DISCRETE: &str = r#"integrator="discrete""#;
/// Stiffness for a vertex of 20 g.
const STIFFNESS: f64 = 5e7 * 0.02;

fn at(m: &Model, qpos: &[f64]) -> Data {
    let mut d = Data::new(m).unwrap();
    d.state.qpos.copy_from_slice(qpos);
    forward(m, &mut d).unwrap();
    d
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Passive contacts have no rows. Their rates are derivatives of the distances, and their forces push where the
    /// surfaces overlap, by the stiffness that a vertex has.
    #[test]
    fn passive_contacts_are_springs(qpos in prop::collection::vec(-0.02..0.02f64, 36), qvel in prop::collection::vec(-1.0..1.0f64, 36)) {
        let m = cloth(DISCRETE, "").unwrap();
        let d = at(&m, &qpos);
        prop_assert_eq!(d.rows.nefc(), 0);
        prop_assert!(d.rows.contacts.iter().all(|c| c.exclude == 4 && c.efc_address.is_none()));
        let springs = &d.rows.passive;
        prop_assert_eq!(springs.contact.len(), d.contacts.len());
        let step = 1e-6;
        let moved: Vec<f64> = qpos.iter().zip(&qvel).map(|(q, v)| q + step * v).collect();
        let after = at(&m, &moved);
        let mut expected = vec![0.0; 36];
        for (i, &c) in springs.contact.iter().enumerate() {
            let contact = &d.contacts[c as usize];
            let Some(later) = after.contacts.iter().find(|l| l.vert == contact.vert) else { continue };
            let rate = (later.dist - contact.dist) / step;
            prop_assert!((springs.jac.row_dot(i, &qvel) - rate).abs() < 1e-6);
            prop_assert!((springs.stiffness[i] - STIFFNESS).abs() < 1e-6 * STIFFNESS);
            prop_assert!((springs.force[i] + STIFFNESS * contact.dist.min(0.0)).abs() < 1e-9 * STIFFNESS);
            for k in 0..3 {
                expected[3 * contact.vert[1] as usize + k] += springs.force[i] * contact.frame[0][k];
            }
        }
        for dof in m.dof.ids().map(DofId::index) {
            prop_assert!((d.smooth.velocities.qfrc_spring[dof] - expected[dof]).abs() < 1e-6);
            prop_assert!((d.smooth.velocities.qfrc_passive[dof] - expected[dof]).abs() < 1e-6);
        }
    }
}

/// With what moves a passive flex makes constraints; without springs and dampers its contacts do nothing.
#[test]
fn what_moves_meets_passive_flexes_by_constraints() {
    let ball = r#"<body pos=".02 .03 .035"><freejoint/><geom size=".02"/></body>"#;
    let m = cloth(DISCRETE, ball).unwrap();
    let mut d = Data::new(&m).unwrap();
    forward(&m, &mut d).unwrap();
    let of_ball =
        |c: &mj_collide::Contact| c.geom.iter().flatten().any(|&g| m.geom.bodyid[g] != mj_engine::model::BodyId::WORLD);
    assert!(d.contacts.iter().any(of_ball));
    for (c, rows) in d.contacts.iter().zip(&d.rows.contacts) {
        assert_eq!((rows.exclude, rows.efc_address.is_some()), if of_ball(c) { (0, true) } else { (4, false) });
    }
    let m = cloth(&format!(r#"{DISCRETE}><flag spring="disable" damper="disable"/></option><option"#), "").unwrap();
    let d = at(&m, &[-0.02; 36]);
    assert!(!d.contacts.is_empty() && d.rows.passive.is_empty());
    assert!(d.rows.contacts.iter().all(|c| c.exclude == 4));
}

/// Other integrators and solvers can't take a stiffness into account.
#[test]
fn passive_contacts_need_the_discrete_integrator() {
    for (options, says) in [
        ("", "`integrator` = `Euler`"),
        (r#"integrator="implicitfast""#, "`integrator` = `implicitfast`"),
        (r#"integrator="discrete" solver="PGS""#, "`solver` = `PGS`"),
        (r#"integrator="discrete" noslip_iterations="2""#, "`noslip_iterations`"),
    ] {
        let m = cloth(options, "");
        let text = match m.map(|m| Data::new(&m).map(|_| ())) {
            Err(e) => e.to_string(),
            Ok(Err(e)) => e.to_string(),
            Ok(Ok(())) => panic!("{options} is accepted"),
        };
        assert!(text.contains(says) && text.contains("passive contacts"), "{text}");
    }
}

const SHAPES: &str = r#"<mujoco><worldbody>
  <flexcomp name="line" type="grid" dim="1" count="3 1 1" spacing=".2 .2 .2" radius=".03" mass="1" pos="0 0 2"/>
  <flexcomp name="sheet" type="grid" dim="2" count="3 3 1" spacing=".2 .2 .2" radius=".03" mass="1" pos="0 0 1"/>
  <flexcomp name="block" type="grid" dim="3" count="3 3 3" spacing=".2 .2 .2" radius=".03" mass="1"/></worldbody></mujoco>"#;

/// Distances, vertices and normals are the reference's. Rays that look for geoms pass through flexes.
#[test]
fn rays_meet_parts_of_flexes() {
    let m = load_str(SHAPES).unwrap();
    let mut d = Data::new(&m).unwrap();
    forward(&m, &mut d).unwrap();
    let none = FlexParts::default();
    let vertices = FlexParts { vertices: true, ..none };
    let edges = FlexParts { edges: true, ..none };
    let faces = FlexParts { faces: true, ..none };
    let skin = FlexParts { skin: true, ..none };
    let inner = FlexParts { layer: 1, ..faces };
    let s = 0.5f64.sqrt();
    let rays = [
        ("line", [0.11, 0.01, 2.5], [0.0, 0.02, -1.0]),
        ("line", [0.19, 0.03, 2.5], [0.0, -0.05, -2.0]),
        ("sheet", [0.13, 0.06, 1.5], [0.01, 0.02, -1.0]),
        ("sheet", [0.19, -0.02, 0.0], [0.01, 0.05, 2.0]),
        ("block", [0.15, 0.06, 1.0], [-0.02, 0.03, -1.0]),
        ("block", [0.03, 0.02, 0.13], [0.2, 1.0, 0.1]),
    ];
    let expected = [
        (0, vertices, None),
        (0, edges, Some((0.477240376, 2, [0.0, 0.651494, 0.758654]))),
        (0, faces, None),
        (0, skin, None),
        (1, vertices, Some((0.239109689, 2, [-0.333333, 0.601484, 0.726021]))),
        (1, FlexParts::ALL, Some((0.238036964, 2, [0.0, 0.603272, 0.797536]))),
        (2, edges, None),
        (2, skin, Some((0.5, 7, [0.0, 0.0, 1.0]))),
        (3, vertices, Some((0.485377302, 7, [-0.171541, 0.142296, -0.974847]))),
        (3, faces, Some((0.5, 7, [0.0, 0.0, 1.0]))),
        (3, FlexParts::ALL, Some((0.485151827, 7, [0.0, 0.14192, -0.989878]))),
        (4, skin, Some((0.772744379, 23, [0.295457, 0.295457, 0.908521]))),
        (4, faces, Some((0.8, 23, [0.0, 0.0, -1.0]))),
        (4, inner, None),
        (5, edges, Some((0.090463323, 17, [-0.603389, -0.778078, 0.174689]))),
        (5, faces, Some((0.125, 17, [s, s, 0.0]))),
        (5, inner, Some((0.122222222, 17, [0.0, -s, s]))),
    ];
    for (k, parts, expected) in expected {
        let (flex, origin, direction) = rays[k];
        let (origin, direction) = (DVec3::from_array(origin), DVec3::from_array(direction));
        let hit = ray_flex(&m, &d, flex, origin, direction, parts).unwrap();
        match (hit, expected) {
            (None, None) => {}
            (Some(hit), Some((dist, vertex, normal))) => {
                assert!((hit.dist - dist).abs() < 1e-8, "{k} {parts:?} {hit:?}");
                assert!((hit.normal - DVec3::from_array(normal)).length() < 2e-6, "{k} {parts:?} {hit:?}");
                assert_eq!(hit.vertex, vertex, "{k} {parts:?}");
            }
            other => panic!("{k} {parts:?} {other:?}"),
        }
        assert_eq!(ray(&m, &d, origin, direction, &Default::default()), Ok(None));
    }
    assert!(ray_flex(&m, &d, 3, DVec3::ZERO, DVec3::X, none).is_err());
    assert!(ray_flex(&m, &d, "block", DVec3::ZERO, DVec3::ZERO, none).is_err());
}
