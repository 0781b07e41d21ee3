//! What a simulation answers about its state: against the reference's answers, and against differences.

use mj_engine::prelude::*;
use mj_testkit::{Recorded, assert_near};
use proptest::prelude::*;

const MODEL: &str = include_str!("queries.xml");

fn simulation() -> (Simulation, Recorded) {
    let golden = Recorded::read("queries");
    let mut sim = Simulation::from_xml(MODEL).unwrap();
    sim.qpos_mut().copy_from_slice(golden.of("qpos"));
    sim.qvel_mut().copy_from_slice(golden.of("qvel"));
    sim.set_ctrl("elbow", 0.7).unwrap();
    sim.forward().unwrap();
    (sim, golden)
}

fn both(j: &Jacobian) -> Vec<f64> {
    [&j.jacp[..], &j.jacr[..]].concat()
}

#[test]
fn jacobians_are_the_references() {
    let (sim, golden) = simulation();
    let point = DVec3::new(0.1, -0.2, 0.3);
    let axis = DVec3::new(0.0, 0.6, 0.8);
    for (body, want) in golden.each("jac_body") {
        assert_near(body, &both(&sim.jac_body(body).unwrap()), want, 1e-9);
    }
    for (body, want) in golden.each("jac_body_com") {
        assert_near(body, &both(&sim.jac_body_com(body).unwrap()), want, 1e-9);
    }
    for (body, want) in golden.each("jac_point") {
        assert_near(body, &both(&sim.jac_point(point, body).unwrap()), want, 1e-9);
    }
    for (body, want) in golden.each("jac_point_axis") {
        assert_near(body, &both(&sim.jac_point_axis(point, axis, body).unwrap()), want, 1e-9);
    }
    for (body, want) in golden.each("jac_dot") {
        assert_near(body, &both(&sim.jac_dot(point, body).unwrap()), want, 1e-9);
    }
    for (geom, want) in golden.each("jac_geom") {
        assert_near(geom, &both(&sim.jac_geom(geom).unwrap()), want, 1e-9);
    }
    for (site, want) in golden.each("jac_site") {
        assert_near(site, &both(&sim.jac_site(site).unwrap()), want, 1e-9);
    }
    for (body, want) in golden.each("jac_subtree_com") {
        assert_near(body, &sim.jac_subtree_com(body).unwrap(), want, 1e-9);
    }
    for (body, want) in golden.each("angmom_mat") {
        assert_near(body, &sim.angmom_mat(body).unwrap(), want, 1e-9);
    }
}

#[test]
fn inertia_forces_and_motions_are_the_references() {
    let (mut sim, golden) = simulation();
    let nv = sim.model().nv();
    let x: Vec<f64> = (0..nv).map(|i| (i as f64).cos()).collect();
    assert_near("full_m", &sim.full_m().unwrap(), golden.of("full_m"), 1e-9);
    assert_near("mul_m", &sim.mul_m(&x).unwrap(), golden.of("mul_m"), 1e-9);
    assert_near("solve_m", &sim.solve_m(&x).unwrap(), golden.of("solve_m"), 1e-7);
    let mut qfrc = vec![0.0; nv];
    let (force, torque) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.3, 0.2, 0.1));
    sim.apply_ft(force, torque, DVec3::new(0.1, -0.2, 0.3), "hand", &mut qfrc).unwrap();
    assert_near("apply_ft", &qfrc, golden.of("apply_ft"), 1e-9);
    assert_near("qacc", &sim.data().qacc, golden.of("qacc"), 1e-6);

    assert_eq!(sim.contacts().len(), golden.each("contact_force").len());
    for (contact, want) in golden.each("contact_force") {
        assert_near(contact, &sim.contact_force(contact.parse().unwrap()).unwrap(), want, 1e-6);
    }
    for (object, want) in golden.each("object_velocity") {
        let (kind, id, local) = object_of(object);
        assert_near(object, &sim.object_velocity(kind, id, local).unwrap().to_array(), want, 1e-9);
    }
    for (object, want) in golden.each("object_acceleration") {
        let (kind, id, local) = object_of(object);
        assert_near(object, &sim.object_acceleration(kind, id, local).unwrap().to_array(), want, 1e-6);
    }
    sim.inverse().unwrap();
    assert_near("qfrc_inverse", &sim.data().qfrc_inverse, golden.of("qfrc_inverse"), 1e-5);
}

fn object_of(line: &str) -> (ObjType, usize, bool) {
    let [kind, id, local] = line.split(':').collect::<Vec<_>>()[..] else { panic!("{line}") };
    (ObjType::from_keyword(kind).unwrap(), id.parse().unwrap(), local == "1")
}

#[test]
fn rays_and_distances_are_the_references() {
    let (mut sim, golden) = simulation();
    let directions: Vec<_> = golden.of("ray_directions").chunks(3).map(DVec3::from_slice).collect();
    let origin = DVec3::new(0.2, 0.3, 1.4);
    let hand = sim.find::<BodyId>("hand").unwrap();
    let near = RayFilter { skip_static: true, ..RayFilter::excluding(hand) };
    for (name, filter, cutoff) in [("multi_ray", RayFilter::default(), 10.0), ("multi_ray_near", near, 0.9)] {
        let hits = sim.multi_ray(origin, &directions, &filter, cutoff).unwrap();
        let geoms: Vec<_> = hits.iter().map(|hit| hit.map_or(-1.0, |hit| hit.geom.index() as f64)).collect();
        let dist: Vec<_> = hits.iter().map(|hit| hit.map_or(-1.0, |hit| hit.dist)).collect();
        assert_eq!(geoms, golden.of(&format!("{name}_geoms")));
        assert_near(name, &dist, golden.of(&format!("{name}_dist")), 1e-9);
        if cutoff > 5.0 {
            for (v, hit) in directions.iter().zip(&hits) {
                assert_eq!(sim.ray(origin, *v, &filter).unwrap(), *hit);
            }
        }
    }
    for (pair, want) in golden.each("geom_distance") {
        let (a, b) = pair.split_once(':').unwrap();
        let found = sim.geom_distance(a, b, 5.0).unwrap().unwrap();
        assert_near(pair, &[found.dist], &want[..1], 1e-5);
        let points = [found.points[0].to_array(), found.points[1].to_array()].concat();
        assert_near(pair, &points, &want[1..], 1e-3);
    }
    assert_eq!(sim.geom_distance("palm", "wheel", 0.1).unwrap(), None);
}

#[test]
fn islands_and_rows_are_the_references() {
    let (sim, golden) = simulation();
    let map = sim.islands().unwrap();
    let code = |island: Option<usize>| island.map_or(-1.0, |i| i as f64);
    assert_eq!(map.nisland as f64, golden.of("nisland")[0]);
    assert_eq!(map.tree_island.iter().map(|&i| code(i)).collect::<Vec<_>>(), golden.of("tree_island"));
    assert_eq!(map.dof_island.iter().map(|&i| code(i)).collect::<Vec<_>>(), golden.of("dof_island"));
    assert_eq!(map.efc_island.iter().map(|&i| code(i)).collect::<Vec<_>>(), golden.of("efc_island"));
    assert_eq!(map.trees(2).map(|t| t.index()).collect::<Vec<_>>(), [3]);
    assert_eq!(map.dofs(1).count(), 6);
    assert_eq!(map.rows(0).collect::<Vec<_>>(), [1, 2, 3]);

    let rows = sim.rows().unwrap();
    let types: Vec<_> = rows.iter().map(|r| f64::from(r.r#type.code())).collect();
    assert_eq!(types, golden.of("efc_type"));
    let forces: Vec<_> = rows.iter().map(|r| r.force).collect();
    assert_near("efc_force", &forces, golden.of("efc_force"), 1e-6);
    assert_eq!(rows[0].source, RowSource::Equality(EqualityId::new(0)));
    assert_eq!(rows[4].source, RowSource::Contact(1));
}

/// Without rows there are no islands, whatever the trees; with one tree there is one.
#[test]
fn islands_need_rows() {
    let xml = |z: f64| {
        format!(
            r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 {z}"><freejoint/>
              <geom size=".1"/></body></worldbody></mujoco>"#
        )
    };
    for (z, n) in [(1.0, 0), (0.09, 1)] {
        let mut sim = Simulation::from_xml(&xml(z)).unwrap();
        sim.forward().unwrap();
        let map = sim.islands().unwrap();
        assert_eq!((map.nisland, map.dofs(0).count()), (n, 6 * n));
    }
}

/// Moves a simulation by `qvel` over the time `h`.
fn moved(sim: &Simulation, h: f64) -> Simulation {
    let mut next = sim.clone();
    let (m, d) = next.parts();
    let mut qpos = d.state.qpos.clone();
    mj_dynamics::integrate_pos(m, &mut qpos, &d.state.qvel, h);
    d.state.qpos = qpos;
    next.forward().unwrap();
    next
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// At any state: the rate of a Jacobian is its difference along the motion, momentum is the matrix times the
    /// velocity, and the subtree's Jacobian is the velocity of its centre of mass.
    #[test]
    fn rates_are_differences(
        turn in prop::collection::vec(-1.0..1.0f64, 21), speed in prop::collection::vec(-2.0..2.0f64, 21), b in 1usize..10,
    ) {
        let mut sim = Simulation::from_xml(MODEL).unwrap();
        sim.qvel_mut().copy_from_slice(&turn);
        let mut sim = moved(&sim, 1.0);
        sim.qvel_mut().copy_from_slice(&speed);
        sim.forward().unwrap();
        let h = 1e-6;
        let (before, after) = (moved(&sim, -h), moved(&sim, h));
        let local = DVec3::new(0.1, -0.3, 0.2);
        let at = |sim: &Simulation| {
            let body = sim.body(b).unwrap();
            both(&sim.jac_point(body.xpos() + body.xmat() * local, b).unwrap())
        };
        let body = sim.body(b).unwrap();
        let rate = both(&sim.jac_dot(body.xpos() + body.xmat() * local, b).unwrap());
        for ((x, y), rate) in at(&before).iter().zip(at(&after)).zip(rate) {
            prop_assert!(((y - x) / (2.0 * h) - rate).abs() < 1e-5);
        }

        let velocity = |rows: &[f64]| -> DVec3 {
            let row = |k: usize| rows[k * 21..(k + 1) * 21].iter().zip(&speed).map(|(a, b)| a * b).sum();
            DVec3::new(row(0), row(1), row(2))
        };
        let com = (after.body(b).unwrap().subtree_com() - before.body(b).unwrap().subtree_com()) / (2.0 * h);
        prop_assert!((velocity(&sim.jac_subtree_com(b).unwrap()) - com).length() < 1e-6);
        let momentum = velocity(&sim.angmom_mat(b).unwrap());
        let (m, d) = sim.parts();
        complete(m, d);
        prop_assert!((momentum - d.smooth.velocities.subtree_angmom[BodyId::new(b)]).length() < 1e-9);
    }
}

/// What isn't there is an error, never a panic.
#[test]
fn ids_and_lengths_are_checked() {
    let (mut sim, _) = simulation();
    let said = |e: QueryError| e.to_string();
    assert_eq!(
        said(sim.jac_site("tipp").unwrap_err()),
        "the model has no site named `tipp`; did you mean `tip`? names of this kind: imu, tip"
    );
    assert_eq!(
        said(sim.jac_body(BodyId::new(99)).unwrap_err()),
        "the model has no body 99: there are 10, counted from 0"
    );
    assert_eq!(said(sim.contact_force(7).unwrap_err()), "there is no contact 7: there are 5, counted from 0");
    assert!(sim.geom_distance("palm", 99, 1.0).is_err());
    assert!(sim.sensor("touch").is_err());
    assert!(sim.reset_to_key("home").is_err());
    assert!(sim.reset_to_key(0).is_err());
    assert!(sim.mul_m(&[1.0]).is_err());
    assert!(sim.apply_ft(DVec3::X, DVec3::X, DVec3::X, "hand", &mut [0.0]).is_err());
    assert!(sim.object_velocity(ObjType::Joint, 0, false).is_err());
    assert!(sim.object_velocity(ObjType::Camera, 1, false).is_err());
    assert!(sim.ray(DVec3::ZERO, DVec3::ZERO, &RayFilter::default()).is_err());
    assert!(sim.ray(DVec3::ZERO, DVec3::splat(f64::NAN), &RayFilter::default()).is_err());
    assert!(sim.get_state(Signature(1 << 20)).is_err());
    assert!(sim.set_state(Signature::QPOS, &[0.0]).is_err());
    assert!(sim.set_ctrl("elbow", 1.0).is_ok());
    assert!(sim.set_qpos("shoulder", &[0.0]).is_err());
    // The list of contacts is the user's to change.
    sim.data_mut().rows.contacts[4].efc_address = Some(1000);
    assert!(sim.contact_force(4).is_err());
    // Data of another model.
    let other = Simulation::from_xml("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>");
    *sim.data_mut() = other.unwrap().data().clone();
    assert!(
        said(sim.jac_body("hand").unwrap_err()).starts_with("the data was made for another model: it has 2 bodies")
    );
    assert!(sim.islands().is_err() && sim.full_m().is_err() && sim.step().is_err() && sim.inverse().is_err());
    sim.reset();
    sim.step().unwrap();
}

#[test]
fn views_read_model_and_data() {
    let (mut sim, golden) = simulation();
    let (m, d) = sim.parts();
    let elbow = JointView::new(m, d, "elbow").unwrap();
    assert_eq!(elbow.qpos(), &d.state.qpos[elbow.qpos_range()]);
    assert_eq!(elbow.qfrc_actuator(), &d.smooth.actuation.qfrc_actuator[elbow.dof_range()]);
    let shoulder = JointView::new(m, d, "shoulder").unwrap();
    assert_eq!((shoulder.qpos().len(), shoulder.qvel().len()), (4, 3));
    let actuator = ActuatorView::new(m, d, "elbow").unwrap();
    assert_eq!((actuator.ctrl(), actuator.force(), actuator.act()), (&[0.7][..], &[0.7][..], &[][..]));
    let mut row = Vec::new();
    let tendon = TendonView::new(m, d, "coupling").unwrap();
    tendon.jacobian(&mut row);
    let speed: f64 = row.iter().zip(&d.state.qvel).map(|(j, v)| j * v).sum();
    assert!((tendon.velocity() - speed).abs() < 1e-12);
    let tip = sim.site("tip").unwrap();
    let by_jacobian = sim.jac_site("tip").unwrap().mul(golden.of("qvel"));
    assert!((tip.velocity().lin - by_jacobian.lin).length() < 1e-12);
    assert_eq!(tip.body(), sim.find("hand").unwrap());
    assert_eq!(sim.body("hand").unwrap().name(), "hand");
    assert_eq!(sim.camera("eye").unwrap().xpos(), sim.data().smooth.poses.cam_xpos[CameraId::new(0)]);
}
