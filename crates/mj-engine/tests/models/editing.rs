//! Specs edited by program: what is found, removed, attached, saved, and a simulation that goes on.

use mj_engine::{Data, Spec, State, step};
use mj_mjcf::Memory;
use mj_model::spec::{AttachError, Body, Geom, Joint, Part};
use mj_model::{Model, ObjType};

const ROBOT: &str = "<mujoco>
  <compiler angle='radian'/>
  <worldbody>
    <body name='cart'><joint name='rail' type='slide' axis='1 0 0'/><geom name='box' type='box' size='.2 .1 .1'/>
      <site name='hook'/>
      <body name='pole' pos='0 0 .1'><joint name='hinge' axis='0 1 0' damping='.1'/>
        <geom name='rod' type='capsule' size='.02 .3' pos='0 0 .3'/><site name='tip' pos='0 0 .6'/></body></body>
    <body name='ball' pos='1 0 1'><freejoint name='fly'/><geom name='sphere' size='.1'/></body>
  </worldbody>
  <tendon><spatial name='rope'><site site='hook'/><site site='tip'/></spatial></tendon>
  <actuator><motor name='push' joint='rail'/><motor name='pull' tendon='rope'/></actuator>
  <sensor><jointpos name='angle' joint='hinge'/><actuatorfrc name='force' actuator='pull'/><clock name='time'/></sensor>
  <keyframe><key name='home' qpos='.5 .25 1 2 3 1 0 0 0' qvel='1 2 3 4 5 6 7 8' ctrl='.1 .2'/></keyframe>
</mujoco>";

const HAND: &str = "<mujoco>
  <default><default class='soft'><geom rgba='1 0 0 1'/></default></default>
  <asset><material name='skin' rgba='0 1 0 1'/></asset>
  <worldbody><body name='palm' euler='0 0 90'><joint name='wrist' range='-90 90' ref='45'/>
    <geom name='pad' class='soft' size='.05' material='skin'/></body></worldbody>
  <actuator><position name='grip' joint='wrist' kp='3'/></actuator>
  <keyframe><key name='open' qpos='0.5' ctrl='.7'/></keyframe>
</mujoco>";

fn spec(text: &str) -> Spec {
    let (spec, report) = mj_mjcf::read_str(text, &Memory::new());
    spec.unwrap_or_else(|| panic!("{report}"))
}

fn model(spec: &Spec) -> Model {
    let (model, problems) = mj_compile::compile(spec);
    let told: Vec<_> = problems.list.iter().map(|d| d.message.clone()).collect();
    model.unwrap_or_else(|| panic!("{told:?}"))
}

/// Saved and read again, a spec compiles to the same model.
fn survives_saving(spec: &Spec) {
    let text = mj_mjcf::write(spec);
    assert!(model(&self::spec(&text)).to_bytes() == model(spec).to_bytes(), "{text}");
}

#[test]
fn elements_are_found_and_changed() {
    let mut s = spec(ROBOT);
    assert_eq!(s.find::<Joint>("hinge").map(|j| j.damping[0]), Some(0.1));
    assert!(s.find::<Geom>("hinge").is_none() && s.find::<Body>("world").is_some());
    s.find_mut::<Geom>("rod").unwrap().size[0] = 0.05;
    let m = model(&s);
    let rod = mj_model::GeomId::new(m.names.find(ObjType::Geom, "rod").unwrap());
    assert_eq!(m.geom.size[rod].x, 0.05);
    survives_saving(&s);
}

/// With a body go what is in it, what refers to it, and what refers to that; keyframes keep the rest.
#[test]
fn removing_takes_everything_along_that_refers_to_it() {
    let mut s = spec(ROBOT);
    assert!(!s.remove(ObjType::Body, "nobody"));
    assert!(s.remove(ObjType::Body, "pole"));
    assert!(s.tendons.is_empty());
    let names = |list: Vec<&String>| list.into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(names(s.actuators.iter().map(|a| &a.name).collect()), ["push"]);
    assert_eq!(names(s.sensors.iter().map(|a| &a.name).collect()), ["time"]);
    assert_eq!(s.keys[0].qpos, [0.5, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(s.keys[0].qvel, [1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(s.keys[0].ctrl, [0.1]);
    survives_saving(&s);
    assert!(s.remove(ObjType::Joint, "rail") && s.actuators.is_empty());
    survives_saving(&s);
}

#[test]
fn attaching_brings_classes_assets_actuators_and_keyframes() {
    let (mut s, hand) = (spec(ROBOT), spec(HAND));
    s.attach("pole", None, &hand, Part::Body("palm"), "r_", "").unwrap();
    // Angles are radians here, degrees there.
    let wrist = s.find::<Joint>("r_wrist").unwrap();
    assert!((wrist.range.unwrap()[1] - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    assert_eq!(s.find::<Geom>("r_pad").unwrap().material, "r_skin");
    assert!(s.default_class("r_soft").is_some());
    assert_eq!(s.actuators.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), ["push", "pull", "r_grip"]);
    let (home, open) = (&s.keys[0], &s.keys[1]);
    assert_eq!(home.qpos[..2], [0.5, 0.25]);
    assert!(home.qpos[2].is_nan() && home.qpos[3..] == [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!((open.name.as_str(), open.qpos[2], open.ctrl[2]), ("r_open", 0.5, 0.7));
    assert!(open.qpos[0].is_nan());
    survives_saving(&s);

    let before = s.clone();
    let again = s.attach("pole", None, &hand, Part::Body("palm"), "r_", "").unwrap_err();
    assert!(matches!(again, AttachError::Taken { .. }), "{again}");
    assert_eq!(s.attach("nobody", None, &hand, Part::World, "l_", ""), Err(AttachError::NoHost("nobody".into())));
    let missing = s.attach("pole", None, &hand, Part::Frame("f"), "l_", "");
    assert_eq!(missing, Err(AttachError::NoPart("f".into())));
    assert_eq!(mj_mjcf::write(&s), mj_mjcf::write(&before));
    s.attach("world", None, &hand, Part::World, "", "_2").unwrap();
    assert!(s.find::<Body>("palm_2").is_some());
    survives_saving(&s);
}

/// A simulation goes on in the edited model from where it was.
#[test]
fn a_state_is_carried_over() {
    let mut s = spec(ROBOT);
    let old = model(&s);
    let mut d = Data::new(&old).unwrap();
    d.state.ctrl.copy_from_slice(&[0.3, 0.4]);
    for _ in 0..50 {
        step(&old, &mut d).unwrap();
    }
    s.attach("ball", None, &spec(HAND), Part::Body("palm"), "r_", "").unwrap();
    s.remove(ObjType::Body, "pole");
    let new = model(&s);
    let state: State = d.state.remap(&old, &new);
    assert_eq!(state.time, d.state.time);
    assert_eq!(state.qpos[0], d.state.qpos[0]);
    assert_eq!(state.qpos[1..8], d.state.qpos[2..9]);
    assert_eq!(state.qpos[8], new.qpos0[8]);
    assert_eq!(state.qvel[1..7], d.state.qvel[2..8]);
    assert_eq!(state.ctrl, [0.3, 0.0]);
    let mut d = Data::new(&new).unwrap();
    d.state = state;
    step(&new, &mut d).unwrap();
    assert!(d.state.qpos.iter().all(|x| x.is_finite()));
}

/// Attached bodies keep their own bounds and groups; a saved model says what came of them.
#[test]
fn attached_bodies_keep_their_rules_for_mass() {
    const ARM: &str =
        "<mujoco model='arm'><compiler boundmass='2' boundinertia='.5' inertiagrouprange='1 3'/><worldbody>
        <body name='a'><joint/><geom size='.1' group='1'/><geom size='.2'/><body name='b' pos='0 0 1'><joint/>
        <inertial pos='0 0 .1' mass='.1' diaginertia='1e-3 1e-3 1e-3'/></body></body></worldbody></mujoco>";
    const MAIN: &str = "<mujoco><compiler boundmass='.01'/><asset><model name='arm' file='arm.xml'/></asset><worldbody>
        <body name='own'><joint/><geom size='.01'/></body><attach model='arm' prefix='x_'/></worldbody></mujoco>";
    let mut files = Memory::new();
    files.insert("arm.xml", ARM);
    let (spec, report) = mj_mjcf::read_str(MAIN, &files);
    let spec = spec.unwrap_or_else(|| panic!("{report}"));
    let m = model(&spec);
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    let close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-12);
    assert!(close(m.body.mass.as_slice(), &[0.0, 0.01, ball, 2.0]), "{:?}", m.body.mass);
    assert_eq!(m.body.inertia.as_slice()[2..], [mj_math::DVec3::splat(0.5); 2]);

    let text = mj_mjcf::write(&mj_compile::to_save(&spec).unwrap());
    assert!(!text.contains("boundmass"), "{text}");
    let (again, report) = mj_mjcf::read_str(&text, &Memory::new());
    assert_eq!(model(&again.unwrap_or_else(|| panic!("{report}"))), m, "{text}");
}

#[test]
fn saved_inertias_are_those_that_were_computed() {
    let spec = spec(&ROBOT.replace("angle='radian'", "angle='radian' saveinertial='true'"));
    let saved = mj_compile::to_save(&spec).unwrap();
    let rod = saved.find::<Body>("pole").and_then(|b| b.inertial.clone()).unwrap();
    let m = model(&spec);
    assert_eq!(rod.mass, m.body.mass[m.body_id("pole").unwrap()]);
    let text = mj_mjcf::write(&saved);
    assert_eq!(text.matches("<inertial").count(), 3, "{text}");
    assert_eq!(model(&mj_mjcf::read_str(&text, &Memory::new()).0.unwrap()), m);
}
