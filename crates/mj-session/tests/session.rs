//! Events reach the simulation, and snapshots its viewers.

use mj_engine::Simulation;
use mj_engine::prelude::*;
use mj_scene::{Camera, MouseAction, Perturb, pert};
use mj_session::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

const MODEL: &str = r#"<mujoco><option timestep=".002"/><worldbody>
    <body name="slide" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body>
    <body name="hand" mocap="true" pos="1 0 0"><geom size=".05" contype="0"/></body>
    <body name="box" pos="0 3 0" gravcomp="1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
    <equality><joint joint1="x" active="false"/></equality>
    <actuator><motor joint="x"/></actuator><keyframe><key qpos=".5 0 3 0 1 0 0 0"/></keyframe></mujoco>"#;

const LONG: Duration = Duration::from_secs(60);

fn host() -> Host {
    Host::new(Simulation::from_xml(MODEL).expect("compiles"))
}

fn pace(host: &mut Host) -> Pace {
    host.snapshot().pace.expect("has a pace")
}

#[test]
fn steps_keep_pace_with_the_clock() {
    let mut host = host();
    assert_eq!(host.advance(Duration::from_millis(100), LONG), 50);
    host.handle(Event::Speed(0.5));
    assert_eq!(host.advance(Duration::from_millis(100), LONG), 25);
    host.handle(Event::Speed(f64::NAN));
    host.handle(Event::Pause(true));
    assert_eq!(host.advance(LONG, LONG), 0);
    assert!((host.simulation().time() - 0.15).abs() < 1e-9);
    host.handle(Event::Pause(false));
    host.handle(Event::Speed(1e9));
    // Time that is left is forgotten.
    let steps = host.advance(LONG, Duration::ZERO);
    assert_eq!(steps, 1);
}

#[test]
fn history_goes_back_and_forth_bit_by_bit() {
    let mut host = host();
    host.handle(Event::Control(0, 3.0));
    let mut states = vec![host.snapshot().state];
    for _ in 0..10 {
        host.handle(Event::Step(1));
        states.push(host.snapshot().state);
    }
    host.handle(Event::Step(-4));
    assert_eq!(host.snapshot().state, states[6]);
    host.handle(Event::Step(2));
    assert_eq!(host.snapshot().state, states[8]);
    host.handle(Event::Step(5));
    assert!((host.simulation().time() - 13.0 * 0.002).abs() < 1e-12);
    host.handle(Event::Seek(usize::MAX));
    assert_eq!(host.snapshot().state, states[0]);
    // A change in the past ends the future.
    host.handle(Event::Seek(8));
    host.handle(Event::Control(0, -3.0));
    let pace = pace(&mut host);
    assert_eq!((pace.back, pace.history), (0, 6));
}

#[test]
fn going_on_from_the_past_repeats_the_future() {
    let mut host = host();
    host.handle(Event::Control(0, 3.0));
    host.handle(Event::Step(20));
    let end = host.snapshot().state;
    host.handle(Event::Step(-10));
    host.handle(Event::Pause(false));
    host.advance(Duration::from_millis(20), LONG);
    assert_eq!(host.snapshot().state, end);
    assert_eq!(pace(&mut host).back, 0);
}

#[test]
fn controls_positions_keyframes_and_equalities_are_set() {
    let mut host = host();
    host.handle(Event::Control(0, 2.0));
    host.handle(Event::Position(0, 0.25));
    host.handle(Event::Equality(0, true));
    let state = &host.simulation().data().state;
    assert_eq!((state.ctrl[0], state.qpos[0]), (2.0, 0.25));
    assert!(state.eq_active[EqualityId::new(0)]);
    host.handle(Event::Keyframe(0));
    assert_eq!(host.simulation().qpos()[0], 0.5);
    host.handle(Event::Reset);
    assert_eq!(host.simulation().qpos()[0], 0.0);
    let before = host.snapshot().state;
    for event in [
        Event::Control(1, 1.0),
        Event::Control(0, f64::INFINITY),
        Event::Position(99, 1.0),
        Event::Equality(7, true),
        Event::Keyframe(1),
        Event::Perturb(Box::new(Perturb { select: 99, active: pert::TRANSLATE, ..Perturb::default() })),
    ] {
        host.handle(event);
    }
    assert_eq!(host.snapshot().state, before);
}

/// Returns a viewer that has selected a body and started to pull it.
fn puller(host: &mut Host, body: i32) -> Replica {
    let snapshot = host.snapshot();
    let mut viewer = Replica::new(&snapshot).expect("fits");
    (viewer.camera.azimuth, viewer.camera.elevation) = (90.0, 0.0);
    viewer.take(&snapshot).expect("fits");
    viewer.update_scene().expect("sees");
    viewer.perturb.select = body;
    viewer.start_pulling(pert::TRANSLATE);
    viewer
}

#[test]
fn a_pulled_body_moves_until_it_is_let_go() {
    let mut host = host();
    let mut viewer = puller(&mut host, 1);
    host.handle(viewer.pull(MouseAction::MoveV, [0.5, 0.0]));
    host.advance(Duration::from_millis(100), LONG);
    assert!(host.simulation().qpos()[0] > 0.01);
    assert!(host.simulation().data().state.xfrc_applied[BodyId::new(1)][0] != 0.0);
    host.handle(viewer.stop_pulling());
    assert_eq!(host.simulation().data().state.xfrc_applied[BodyId::new(1)], [0.0; 6]);
}

#[test]
fn paused_bodies_and_mocap_bodies_are_moved() {
    let mut host = host();
    let mut viewer = puller(&mut host, 2);
    host.handle(viewer.pull(MouseAction::MoveV, [0.5, 0.0]));
    host.handle(Event::Step(1));
    assert!(host.simulation().data().state.mocap_pos[MocapId::new(0)].x > 1.1);
    let mut viewer = puller(&mut host, 3);
    host.handle(viewer.pull(MouseAction::MoveV, [0.5, 0.0]));
    assert!(host.simulation().qpos()[1] > 0.1, "{:?}", host.simulation().qpos());
}

#[test]
fn a_file_that_fails_to_load_is_told_and_loads_when_it_is_mended() {
    let folder = std::env::temp_dir().join(format!("mj-session-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writes");
    let path = folder.join("model.xml");
    std::fs::write(&path, "<mujoco><worldbody><geom size='x'/></worldbody></mujoco>").expect("writes");
    let mut host = Host::load(&path).expect("begins");
    let message = host.snapshot().message.expect("tells");
    assert!(message.contains("model.xml") && message.contains("size"), "{message}");
    std::fs::write(&path, "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>").expect("writes");
    let before = host.snapshot().generation;
    host.handle(Event::Reload);
    let snapshot = host.snapshot();
    assert_eq!((snapshot.message, snapshot.model.geom.len()), (None, 1));
    assert!(snapshot.generation > before);
    std::fs::remove_dir_all(&folder).expect("removes");
}

fn wait(client: &Client, wanted: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
    let start = Instant::now();
    loop {
        match client.latest().filter(|snapshot| wanted(snapshot)) {
            Some(snapshot) => return snapshot,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
        assert!(start.elapsed() < LONG, "no snapshot came");
    }
}

#[test]
fn a_session_runs_and_answers_on_its_own_thread() {
    let session = Session::start(host()).expect("starts");
    let client = session.client();
    wait(&client, |snapshot| snapshot.time > 0.02);
    client.send(Event::Step(1));
    let paused = wait(&client, |snapshot| snapshot.pace.is_some_and(|pace| pace.paused));
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(client.latest().expect("is there").time, paused.time);
    let mut viewer = Replica::new(&paused).expect("fits");
    viewer.take(&paused).expect("fits");
    assert_eq!(viewer.data().state.time, paused.time);
    assert!(client.is_open());
    assert!(session.finish().is_some());
    assert!(!client.is_open());
}

#[test]
fn a_program_that_steps_itself_shows_and_is_moved() {
    let mut sim = Simulation::from_xml(MODEL).expect("compiles");
    let (mut passive, client) = Passive::new();
    let model = sim.shared_model().clone();
    client.send(Event::Control(0, 1.5));
    client.send(Event::Reset);
    assert_eq!(passive.sync(&model, sim.data_mut()), [Event::Reset]);
    assert_eq!(sim.ctrl()[0], 1.5);
    let snapshot = client.latest().expect("was published");
    assert_eq!((snapshot.pace, snapshot.generation), (None, 1));
    assert!(Replica::new(&snapshot).expect("fits").take(&snapshot).is_ok());
    // Edited parameters and a view reach a viewer that is there.
    let mut viewer = Replica::new(&snapshot).expect("fits");
    let mut edited = (*model).clone();
    edited.geom.rgba[GeomId::new(0)] = [1.0, 0.0, 0.0, 1.0];
    let edited = Arc::new(edited);
    passive.look(Some(Camera { distance: 7.0, ..Camera::default() }), None);
    passive.sync(&edited, sim.data_mut());
    let snapshot = client.latest().expect("was published");
    assert!(!viewer.is_outdated(&snapshot));
    viewer.take(&snapshot).expect("fits");
    assert!(Arc::ptr_eq(viewer.model(), &edited));
    assert_eq!(viewer.camera.distance, 7.0);
    viewer.camera.distance = 3.0;
    viewer.take(&snapshot).expect("fits");
    assert_eq!(viewer.camera.distance, 3.0);
    passive.renew();
    passive.sync(&edited, sim.data_mut());
    assert!(viewer.is_outdated(&client.latest().expect("was published")));
    assert!(passive.is_watched());
    drop(client);
    passive.sync(&model, sim.data_mut());
    assert!(!passive.is_watched());
}
