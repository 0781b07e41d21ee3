//! A mouse selects, pulls and looks around: analytic answers.

use mj_engine::prelude::*;
use mj_scene::*;

const BALL: &str = r#"<mujoco><statistic extent="1" center="0 0 0"/><visual><map znear="0.01"/></visual><worldbody>
  <body name="ball"><freejoint/><geom type="sphere" size=".1" mass="2"/></body></worldbody></mujoco>"#;

fn scene_of(sim: &Simulation, camera: &mut Camera) -> Scene {
    let mut scene = Scene::default();
    let options = SceneOptions::default();
    update_scene(sim.model(), sim.data(), &options, None, camera, category::ALL, &mut scene).expect("fits");
    scene
}

fn ball() -> (Simulation, Scene, Camera) {
    let mut sim = Simulation::from_xml(BALL).expect("compiles");
    sim.forward().expect("runs");
    // From −x, level.
    let mut camera = Camera { distance: 2.0, azimuth: 0.0, elevation: 0.0, ..Camera::default() };
    let scene = scene_of(&sim, &mut camera);
    (sim, scene, camera)
}

#[test]
fn the_middle_of_the_picture_shows_the_ball() {
    let (sim, scene, _) = ball();
    let options = SceneOptions::default();
    let found = select(sim.model(), sim.data(), &options, 1.5, [0.5, 0.5], &scene).expect("fits").expect("is hit");
    assert_eq!(found.body, BodyId::new(1));
    assert!((found.point - DVec3::new(-0.1, 0.0, 0.0)).length() < 1e-6, "{}", found.point);
    // The half height of the picture at distance 2 is 2 tan 22.5° = 0.83.
    assert!(select(sim.model(), sim.data(), &options, 1.5, [0.5, 0.9], &scene).expect("fits").is_none());
    let mut hidden = options.clone();
    hidden.geomgroup[0] = false;
    assert!(select(sim.model(), sim.data(), &hidden, 1.5, [0.5, 0.5], &scene).expect("fits").is_none());
}

#[test]
fn a_pulled_ball_feels_a_critically_damped_spring() {
    let (mut sim, scene, _) = ball();
    let mut perturb = Perturb { select: 1, ..Perturb::default() };
    let (m, d) = sim.parts();
    perturb.start(m, d, &scene);
    // The trace of J M⁻¹ Jᵀ of a free ball's centre is 3/m.
    assert!((perturb.localmass - 2.0).abs() < 1e-9);
    perturb.active = pert::TRANSLATE;
    perturb.refselpos = DVec3::new(0.0, 0.5, 0.0);
    apply_perturb_force(m, d, &perturb);
    let force = d.state.xfrc_applied[BodyId::new(1)];
    let stiffness = f64::from(VisualSettings::new(&m.vis).map.stiffness);
    assert!((force[1] - 0.5 * stiffness * 2.0).abs() < 1e-9, "{force:?}");
}

#[test]
fn a_moved_mouse_moves_the_reference_as_far_as_the_picture_shows() {
    let (mut sim, scene, _) = ball();
    let mut perturb = Perturb { select: 1, active: pert::TRANSLATE, ..Perturb::default() };
    let (m, d) = sim.parts();
    perturb.start(m, d, &scene);
    perturb.move_by(m, d, MouseAction::MoveV, [0.0, -0.5], &scene);
    let half = 2.0 * (22.5_f64).to_radians().tan();
    assert!((perturb.refselpos - DVec3::new(0.0, 0.0, half)).length() < 1e-6, "{}", perturb.refselpos);
    apply_perturb_pose(m, d, &perturb, true);
    assert!((d.state.qpos[2] - half).abs() < 1e-6);
}

#[test]
fn turning_stays_within_a_right_angle() {
    let (mut sim, scene, _) = ball();
    let mut perturb = Perturb { select: 1, active: pert::ROTATE, ..Perturb::default() };
    let (m, d) = sim.parts();
    perturb.start(m, d, &scene);
    for _ in 0..10 {
        perturb.move_by(m, d, MouseAction::RotateV, [0.1, 0.0], &scene);
    }
    assert!((perturb.refquat.to_axis_angle().1 - std::f64::consts::FRAC_PI_2).abs() < 1e-9);
}

#[test]
fn the_camera_orbits_zooms_and_stays_in_range() {
    let (sim, _, mut camera) = ball();
    let m = sim.model();
    camera.move_by(m, MouseAction::RotateH, [0.5, 0.25]);
    assert_eq!((camera.azimuth, camera.elevation), (-90.0, -45.0));
    camera.move_by(m, MouseAction::RotateV, [0.0, 100.0]);
    assert_eq!(camera.elevation, -89.0);
    camera.move_by(m, MouseAction::Zoom, [0.0, 1e9]);
    assert_eq!(camera.distance, 0.01);
    camera.move_by(m, MouseAction::MoveH, [f64::NAN, 0.0]);
    assert!(camera.lookat.is_finite());
}

#[test]
fn the_camera_that_a_model_names_is_where_viewers_begin_and_no_free_one() {
    let named = |id: &str| {
        let text = BALL.replace("<visual>", &format!(r#"<visual><global cameraid="{id}"/>"#));
        let camera = r#"<worldbody><camera pos="0 -1 0" xyaxes="1 0 0 0 0 1"/>"#;
        Simulation::from_xml(&text.replace("<worldbody>", camera)).expect("compiles")
    };
    let sim = named("0");
    assert_eq!(Camera::initial(sim.model()), Camera::fixed(0));
    assert_eq!(Camera::free(sim.model()).r#type, CameraKind::Free);
    for absent in ["-1", "1"] {
        let sim = named(absent);
        assert_eq!(Camera::initial(sim.model()), Camera::free(sim.model()));
    }
}

#[test]
fn cameras_and_bodies_that_are_not_there_are_named() {
    let (sim, mut scene, _) = ball();
    let (m, d) = (sim.model(), sim.data());
    let error = update_camera(m, d, &mut Camera::fixed(3), &mut scene).expect_err("no camera");
    assert_eq!(error.to_string(), "the model has no camera 3: it has 0, counted from 0");
    let mut tracking = Camera { r#type: CameraKind::Tracking, trackbodyid: 9, ..Camera::default() };
    let error = update_camera(m, d, &mut tracking, &mut scene).expect_err("no body");
    assert_eq!(error.to_string(), "the model has no body 9 to track: it has 2, counted from 0");
    // A selection that isn't there does nothing.
    let perturb = Perturb { select: 77, active: 3, ..Perturb::default() };
    let options = SceneOptions::default();
    let mut camera = Camera::free(m);
    update_scene(m, d, &options, Some(&perturb), &mut camera, category::ALL, &mut scene).expect("fits");
}

#[test]
fn a_model_moved_before_the_camera_is_selected_where_it_is_seen() {
    let (sim, mut scene, _) = ball();
    scene.enabletransform = true;
    scene.translate = [0.0, 0.0, 0.3];
    let options = SceneOptions::default();
    let found = select(sim.model(), sim.data(), &options, 1.0, [0.5, 0.5], &scene).expect("fits");
    assert!(found.is_none());
    // 0.3 m up of a half height of 0.83.
    let y = 0.5 + 0.15 / (2.0 * (22.5_f64).to_radians().tan());
    let found = select(sim.model(), sim.data(), &options, 1.0, [0.5, y], &scene).expect("fits");
    assert!(found.is_some());
}
