//! Contacts and regions of whole models.

use mj_collide::{
    CollideWorkspace, Contacts, Placed, Pose, PreviousContacts, Shape, collide, collide_incremental, overlapping_geoms,
};
use mj_engine::model::{BodyId, GeomId, IdVec, ObjType};
use mj_engine::{Data, Model, forward, load, load_str, step};
use mj_math::{DMat3, DVec3};

fn at_rest(xml: &str) -> (Model, Data) {
    let m = load_str(xml).unwrap_or_else(|e| panic!("{e}"));
    let mut d = Data::new(&m).unwrap();
    forward(&m, &mut d).unwrap();
    (m, d)
}

/// The override replaces margins, not gaps; the numbers are the reference's.
#[test]
fn an_override_keeps_the_gap() {
    let model = |margin: f64| {
        at_rest(&format!(
            r#"<mujoco><option o_margin="{margin}" o_solref=".01 1.2" o_solimp=".8 .9 .01 .4 3" o_friction="2 1.5 .01 .002 .001">
            <flag override="enable"/></option><worldbody>
            <geom type="plane" size="1 1 1" margin=".3" gap=".02"/>
            <body pos="0 0 .11"><freejoint/><geom size=".1" gap=".01"/></body>
            <body pos=".5 0 .13"><freejoint/><geom size=".1" gap=".01"/></body>
            <body pos="-.5 0 .16"><freejoint/><geom size=".1" gap=".01"/></body></worldbody></mujoco>"#
        ))
    };
    for (margin, in_force) in [(0.005, [false, false]), (0.02, [true, false])] {
        let (_, d) = model(margin);
        assert_eq!(d.contacts.list.len(), 2, "the third is farther off than margin and gap");
        let contacts = d.contacts.iter().zip(&d.rows.contacts);
        for ((c, rows), (dist, in_force)) in contacts.zip([0.01, 0.03].into_iter().zip(in_force)) {
            assert!((c.dist - dist).abs() < 1e-12 && c.includemargin == margin);
            assert_eq!((!c.in_gap, rows.exclude == 0, rows.efc_address.is_some()), (in_force, in_force, in_force));
            assert_eq!((c.solref, c.solimp), ([0.01, 1.2], [0.8, 0.9, 0.01, 0.4, 3.0]));
            assert_eq!(c.friction, [2.0, 1.5, 0.01, 0.002, 0.001]);
        }
    }
}

const ROOM: &str = r#"<mujoco><asset>
    <hfield name="hill" nrow="3" ncol="3" size="1 1 .5 .1" elevation="0 0 0 0 1 0 0 0 0"/>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
  <geom name="floor" type="plane" size="9 9 1"/><geom name="hill" type="hfield" hfield="hill" pos="4 0 0"/>
  <body name="tilted" pos="0 0 1" euler="0 45 0"><freejoint/><geom name="bar" type="box" size=".5 .05 .05" mass="1"/>
    <geom name="tip" type="sphere" size=".06" pos=".5 0 0" contype="0" conaffinity="0" mass="1"/></body>
  <body name="solid" pos="-3 0 1"><geom name="wedge" type="mesh" mesh="wedge"/></body></worldbody></mujoco>"#;

/// Which geoms of the room lie in a region.
fn within(d: &Data, m: &Model, region: &Placed, admit: impl Fn(GeomId) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let (xpos, xmat) = (&d.smooth.poses.geom_xpos, &d.smooth.poses.geom_xmat);
    overlapping_geoms(m, xpos, xmat, region, admit, &mut CollideWorkspace::new(m), &mut found);
    found.into_iter().map(|g| m.names.get(ObjType::Geom, g.index()).to_owned()).collect()
}

#[test]
fn regions_of_a_model() {
    let (m, d) = at_rest(ROOM);
    let around = |x: f64, y: f64, z: f64, half: f64| {
        let centre = DVec3::new(x, y, z);
        Placed::aabb(centre - DVec3::splat(half), centre + DVec3::splat(half))
    };
    let all = |_: GeomId| true;
    let end = 0.5 * std::f64::consts::FRAC_1_SQRT_2;
    // Beside the middle of the bar, within its bounding box and ball, is nothing; its end has a ball on it that
    // collides with nothing.
    assert!(within(&d, &m, &around(0.2, 0.0, 1.2, 0.1), all).is_empty());
    assert_eq!(within(&d, &m, &around(end, 0.0, 1.0 - end, 0.01), all), ["bar", "tip"]);
    assert_eq!(within(&d, &m, &around(end, 0.0, 1.0 - end, 0.01), |g| m.geom.contype[g] != 0), ["bar"]);
    // Above a slope, and on it.
    assert!(within(&d, &m, &around(4.5, 0.0, 0.4, 0.05), all).is_empty());
    assert_eq!(within(&d, &m, &around(4.5, 0.0, 0.25, 0.05), all), ["hill"]);
    // A turned region, and one that holds everything.
    let turned = Placed::new(
        Shape::cuboid(DVec3::new(0.2, 0.01, 0.01)),
        Pose { pos: DVec3::new(0.0, 0.0, 0.9), mat: DMat3::from_rotation_y(std::f64::consts::FRAC_PI_4) },
    );
    assert!(within(&d, &m, &turned, all).is_empty());
    assert_eq!(within(&d, &m, &Placed { pose: Pose { pos: DVec3::Z, ..turned.pose }, ..turned }, all), ["bar"]);
    assert_eq!(within(&d, &m, &around(0.0, 0.0, 0.0, 9.0), all), ["floor", "hill", "bar", "tip", "wedge"]);
    // By the body's own frame: the mesh's is about its centre of mass.
    assert_eq!(within(&d, &m, &around(-3.0 + 0.1, 0.1, 1.1, 0.05), all), ["wedge"]);
    assert!(within(&d, &m, &around(-3.0 + 0.6, 0.6, 1.6, 0.05), all).is_empty());
}

/// One box of a heap after the other, or two of them, goes somewhere else, far or hardly: the contacts are those of a new search. With
/// few geoms, and with so many that a broad phase chooses the pairs.
#[test]
fn a_moved_body_alone_meets_others_again() {
    let place = |i: usize| format!("<body pos='{} {} .05'>", 0.11 * (i % 12) as f64, 0.11 * (i / 12) as f64);
    let body = |i: usize| place(i) + "<freejoint/><geom size='.06' mass='1'/></body>";
    let copies: String = (0..150).map(body).collect();
    let crowd = format!("<mujoco><worldbody><geom type='plane' size='1 1 1'/>{copies}</worldbody></mujoco>");
    for m in
        [load(format!("{}/../../models/box_heap.xml", env!("CARGO_MANIFEST_DIR"))).unwrap(), load_str(&crowd).unwrap()]
    {
        let mut d = Data::new(&m).unwrap();
        (0..40).for_each(|_| step(&m, &mut d).unwrap());
        forward(&m, &mut d).unwrap();
        let mut ws = CollideWorkspace::new(&m);
        let before = d.contacts.list.clone();
        assert!(before.len() > 8);
        for (i, b) in m.body.ids().skip(1).enumerate().step_by(1 + m.body.len() / 20) {
            let mut poses = d.smooth.poses.clone();
            let by = DVec3::new(0.5, 0.2, 0.1) * [1e-6, 1e-2, 1.0, 30.0][i % 4];
            let mut moved = IdVec::filled(m.body.len(), false);
            moved[b] = true;
            // Now and then two go the same way.
            if i % 3 == 0 && b.index() > 1 {
                moved[BodyId::new(b.index() - 1)] = true;
            }
            for g in m.geom.ids().filter(|&g| moved[m.geom.bodyid[g]]) {
                poses.geom_xpos[g] += by;
            }
            let (xpos, xmat, awake) = (&poses.geom_xpos, &poses.geom_xmat, &d.state.awake);
            let (mut all, mut again) = (Contacts::default(), Contacts::default());
            collide(&m, awake, xpos, xmat, &mut ws, &mut all);
            let known = PreviousContacts { contacts: &before, moved: &moved };
            collide_incremental(&m, awake, xpos, xmat, known, &mut ws, &mut again);
            assert_eq!(all, again, "{b:?}");
        }
        assert_eq!(m.body.parentid[BodyId::new(1)], BodyId::WORLD);
    }
}
