//! A simulation as one value: stepping, refusals, editing, contacts and filters of the user's.

use mj_engine::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

const BALL: &str = r#"<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/><body name="ball" pos="0 0 .5">
    <freejoint name="free"/><geom name="ball" size=".1" mass="1"/></body></worldbody>
  <keyframe><key name="high" qpos="0 0 3 1 0 0 0"/></keyframe></mujoco>"#;

const SLIDER: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="cart">
    <joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body></worldbody>
  <actuator><motor name="push" joint="x"/></actuator>
  <sensor><jointpos name="x" joint="x"/><jointvel name="v" joint="x"/></sensor></mujoco>"#;

#[test]
fn a_simulation_steps_as_the_functions_do() {
    let mut sim = Simulation::from_xml(BALL).unwrap();
    let m = load_str(BALL).unwrap();
    let mut d = Data::new(&m).unwrap();
    for _ in 0..200 {
        sim.step().unwrap();
        step(&m, &mut d).unwrap();
    }
    assert_eq!(sim.save(), d.state);
    sim.step1().unwrap();
    sim.step2().unwrap();
    step(&m, &mut d).unwrap();
    assert_eq!(sim.qpos(), d.state.qpos);
    sim.reset_to_key("high").unwrap();
    assert_eq!((sim.qpos()[2], sim.time()), (3.0, 0.0));
    sim.reset();
    assert_eq!(sim.qpos()[2], 0.5);
}

#[test]
fn stages_one_by_one_are_forward() {
    for integrator in ["Euler", "implicitfast", "discrete"] {
        let xml = BALL.replace("<mujoco>", &format!("<mujoco><option integrator='{integrator}'/>"));
        let mut sim = Simulation::from_xml(&xml).unwrap();
        sim.steps(145).unwrap();
        let mut whole = sim.clone();
        whole.step().unwrap();
        let (m, d) = sim.parts();
        fwd_position(m, d).unwrap();
        sensor_pos(m, d).unwrap();
        fwd_velocity(m, d).unwrap();
        sensor_vel(m, d).unwrap();
        fwd_actuation(m, d).unwrap();
        fwd_acceleration(m, d).unwrap();
        fwd_constraint(m, d).unwrap();
        sensor_acc(m, d).unwrap();
        energy_pos(m, d).unwrap();
        energy_vel(m, d).unwrap();
        assert!(d.contacts.len() == 1 && d.energy[0] > 0.0);
        integrate(m, d).unwrap();
        assert_eq!(sim.save(), whole.save(), "{integrator}");
    }
}

#[test]
fn skipped_stages_keep_their_results() {
    let mut sim = Simulation::from_xml(SLIDER).unwrap();
    sim.set_ctrl("push", 4.0).unwrap();
    let (m, d) = sim.parts();
    forward(m, d).unwrap();
    assert_eq!(d.qacc, [2.0]);
    // The position changed, but what depends on it is not computed again; the control is.
    d.state.qpos[0] = 5.0;
    d.state.ctrl[0] = 6.0;
    forward_skip(m, d, Stage::Vel, false).unwrap();
    assert_eq!((d.qacc[0], d.smooth.poses.xpos[BodyId::new(1)].x, d.sensordata[0]), (3.0, 0.0, 0.0));
    forward_skip(m, d, Stage::None, true).unwrap();
    assert_eq!((d.smooth.poses.xpos[BodyId::new(1)].x, d.sensordata[0]), (5.0, 0.0));
    forward_skip(m, d, Stage::None, false).unwrap();
    assert_eq!(d.sensordata[0], 5.0);
    d.qacc[0] = 7.0;
    inverse_skip(m, d, Stage::Vel, true).unwrap();
    assert_eq!(d.qfrc_inverse, [14.0]);
}

#[test]
fn wrong_sizes_are_sentences() {
    let mut sim = Simulation::from_xml(SLIDER).unwrap();
    sim.data_mut().state.ctrl.clear();
    let e = sim.step().unwrap_err();
    assert_eq!(e, StepError::Length { vector: "ctrl", expected: 1, got: 0 });
    assert_eq!(e.to_string(), "`ctrl` has length 0, but the model needs 1");
    for refused in [sim.step1(), sim.step2(), sim.forward()] {
        assert_eq!(refused, Err(e));
    }
    assert_eq!(sim.inverse(), Err(InverseError::Data(e)));
    assert_eq!(sim.step_derivative().unwrap_err(), TransitionError::Data(e));
    let (m, d) = sim.parts();
    for refused in [fwd_position(m, d), fwd_constraint(m, d), integrate(m, d), forward_skip(m, d, Stage::None, false)] {
        assert_eq!(refused, Err(e));
    }
    sim.data_mut().state.ctrl.push(0.0);
    sim.step().unwrap();
    // A state that knows nothing of the model's sizes but its vectors.
    let s = sim.save();
    sim.data_mut().state = State { awake: Default::default(), ..s.clone() };
    sim.step().unwrap();
    let ball = Simulation::from_xml(BALL).unwrap();
    assert_eq!(sim.restore(&ball.save()), Err(StepError::Length { vector: "qpos", expected: 1, got: 7 }));
    assert!(rollout(sim.model(), &[ball.save()], 3, |_, _, _| {}).is_err());
}

/// Calls a function of a step from inside the hook that the step calls.
#[derive(Debug, Default)]
struct Nested(Mutex<Vec<Result<(), StepError>>>);

impl Hooks for Nested {
    fn control(&self, m: &Model, d: &mut Data) {
        let mut copy = d.clone();
        let mut results = self.0.lock().unwrap();
        results.push(step(m, d));
        results.push(forward(m, d));
        let _ = step(m, d);
        results.push(step(m, &mut copy));
        copy.hooks = None;
        results.push(step(m, &mut copy));
    }
}

#[test]
fn a_step_inside_a_hook_is_refused() {
    let hooks = Arc::new(Nested::default());
    let mut sim = Simulation::from_xml(SLIDER).unwrap();
    sim.data_mut().hooks = Some(hooks.clone());
    let e = StepError::InsideHook { function: "step" };
    assert_eq!(sim.step(), Err(e));
    assert!(e.to_string().starts_with("`step` was called from inside a hook"));
    let results = hooks.0.lock().unwrap();
    assert_eq!(results[0], Err(e));
    assert!(results[1].is_err() && results[2] == Err(e));
    assert_eq!(results[3], Ok(()), "a copy without hooks may be stepped");
    // The step went on: its own time passed, and no other.
    assert_eq!(sim.time(), sim.model().opt.timestep);
    drop(results);
    sim.data_mut().hooks = None;
    sim.step().unwrap();
}

/// Resizes what a step reads.
#[derive(Debug)]
struct Resizes;

impl Hooks for Resizes {
    fn control(&self, _: &Model, d: &mut Data) {
        d.state.ctrl.clear();
        d.state.qvel.push(1.0);
        d.sensordata.clear();
    }
}

#[test]
fn a_hook_that_resizes_is_an_error() {
    let mut sim = Simulation::from_xml(SLIDER).unwrap();
    sim.set_hooks(Resizes);
    assert_eq!(sim.step(), Err(StepError::Length { vector: "qvel", expected: 1, got: 2 }));
    sim.data_mut().hooks = None;
    sim.step().unwrap();
}

#[test]
fn a_clone_shares_the_model_until_it_is_edited() {
    let mut sim = Simulation::from_xml(SLIDER).unwrap();
    let copy = sim.clone();
    assert!(Arc::ptr_eq(sim.shared_model(), copy.shared_model()));
    sim.model_mut().opt.gravity = DVec3::X * 3.0;
    assert_eq!(copy.model().opt.gravity, DVec3::ZERO);
    sim.step().unwrap();
    assert!((sim.data().qacc[0] - 3.0).abs() < 1e-12);
}

#[test]
fn parts_of_a_state_go_in_and_out() {
    let mut sim = Simulation::from_xml(BALL).unwrap();
    sim.steps(60).unwrap();
    let (saved, vector) = (sim.save(), sim.get_state(Signature::INTEGRATION).unwrap());
    sim.steps(60).unwrap();
    let later = sim.save();
    sim.restore(&saved).unwrap();
    sim.steps(60).unwrap();
    assert_eq!(sim.save(), later);
    sim.reset();
    sim.set_state(Signature::INTEGRATION, &vector).unwrap();
    sim.steps(60).unwrap();
    assert_eq!(sim.save(), later);
}

/// A contact of the user's holds a ball in the air for a step: its force has the normal's direction.
#[test]
fn an_added_contact_takes_part_once() {
    let mut sim = Simulation::from_xml(BALL).unwrap();
    let contact = sim.make_contact("floor", "ball", DVec3::new(0.0, 0.0, 0.4), DVec3::Z, -0.001).unwrap();
    sim.add_contact(&contact).unwrap();
    sim.step().unwrap();
    assert_eq!(sim.contacts().len(), 1);
    assert!(sim.data().qacc[2] > 0.0, "it holds the ball: {}", sim.data().qacc[2]);
    assert!(sim.contact_force(0).unwrap()[0] > 9.0);
    assert!(matches!(sim.rows().unwrap()[0].source, RowSource::Contact(0)));
    sim.step().unwrap();
    assert_eq!(sim.contacts().len(), 0);
    assert!((sim.data().qacc[2] + 9.81).abs() < 1e-9);

    let bad = [
        Contact { dim: 2, ..contact },
        Contact { geom: [contact.geom[0], Some(GeomId::new(9))], ..contact },
        Contact { dist: f64::NAN, ..contact },
        Contact { friction: [0.0; 5], ..contact },
        Contact { frame: [DVec3::Z * 2.0, DVec3::X, DVec3::Y], ..contact },
    ];
    assert!(bad.iter().all(|contact| sim.add_contact(contact).is_err()));
    assert!(sim.make_contact("floor", "ball", DVec3::ZERO, DVec3::ZERO, 0.0).is_err());
}

#[test]
fn filters_and_colliders_capture_state() {
    let mut sim = Simulation::from_xml(BALL).unwrap();
    sim.set_qpos("free", &[0.0, 0.0, 0.09, 1.0, 0.0, 0.0, 0.0]).unwrap();
    let (asked, open) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (asked.clone(), open.clone());
    sim.data_mut().set_contact_filter(Some(ContactFilter::new(move |_, _, _| {
        counts.0.fetch_add(1, Ordering::Relaxed);
        counts.1.load(Ordering::Relaxed) == 1
    })));
    sim.forward().unwrap();
    assert_eq!((sim.contacts().len(), asked.load(Ordering::Relaxed)), (0, 1));
    open.store(1, Ordering::Relaxed);
    sim.forward().unwrap();
    assert_eq!(sim.contacts().len(), 1);
    assert!((sim.contacts()[0].dist + 0.01).abs() < 1e-12);

    // A softer plane: everything is deeper by what the function captured.
    let deeper = 0.02;
    let plane_sphere = Colliders::new().get(ShapeKind::Plane, ShapeKind::Sphere).unwrap();
    sim.data_mut().colliders_mut().set_custom(ShapeKind::Sphere, ShapeKind::Plane, move |a, b, query, ws, out| {
        plane_sphere(a, b, query, ws, out);
        out.as_mut_slice().iter_mut().for_each(|c| c.dist -= deeper);
    });
    let mut copy = sim.clone();
    copy.forward().unwrap();
    assert!((copy.contacts()[0].dist + 0.03).abs() < 1e-12);
    let rollout = sim.rollout(&[sim.save()], RolloutPlan::of(1)).unwrap();
    copy.restore(&sim.save()).unwrap();
    copy.step().unwrap();
    assert_eq!(rollout[0].qvel, copy.qvel(), "rollouts have them too");
    sim.data_mut().colliders_mut().set(ShapeKind::Plane, ShapeKind::Sphere, None);
    sim.forward().unwrap();
    assert_eq!(sim.contacts().len(), 0);
}

#[test]
fn an_edited_model_keeps_its_state() {
    let mut spec = read_spec(SLIDER).unwrap();
    let mut sim = Simulation::from_spec(&spec).unwrap();
    sim.set_ctrl("push", 2.0).unwrap();
    sim.steps(100).unwrap();
    let (time, x) = (sim.time(), sim.qpos()[0]);
    let mut pole = spec.worldbody.bodies[0].clone();
    pole.name = "pole".into();
    pole.joints[0].name = "swing".into();
    spec.worldbody.bodies[0].bodies.push(pole);
    sim.recompile(&spec).unwrap();
    assert_eq!((sim.time(), sim.qpos(), sim.ctrl()), (time, &[x, 0.0][..], &[2.0][..]));
    assert_eq!(sim.body("pole").unwrap().xpos().x, x);
    sim.step().unwrap();
    spec.worldbody.bodies[0].geoms.clear();
    spec.worldbody.bodies[0].bodies[0].geoms.clear();
    let before = sim.save();
    assert!(sim.recompile(&spec).is_err(), "massless bodies can't move");
    assert_eq!(sim.save(), before);
}

#[test]
fn feasible_lengths_of_one_actuator() {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0" range="-30 60"/><geom size=".1" pos="0 0 .5"/>
          </body></worldbody><actuator><motor name="a" joint="j" gear="2"/></actuator></mujoco>"#,
    )
    .unwrap();
    let all = spec::LengthRange { mode: LengthRangeMode::All, ..Default::default() };
    assert_eq!(sim.set_length_range("a", &Default::default()).unwrap(), [0.0; 2], "no muscle");
    let [lower, upper] = sim.set_length_range("a", &all).unwrap();
    let degree = 2.0 * std::f64::consts::PI / 180.0;
    assert!((lower + 30.0 * degree).abs() < 0.05 && (upper - 60.0 * degree).abs() < 0.05, "{lower} {upper}");
    assert!(sim.set_length_range("b", &all).is_err());
}
