//! Models whose parameters were changed, and their specs.

use mj_compile::edit::{EditError, copy_back};
use mj_engine::Spec;
use mj_math::DVec3;
use mj_mjcf::Memory;
use mj_model::spec::{Body, Geom, Joint, Site};
use mj_model::{IntegratorType, Model};

const ARM: &str = "<mujoco><worldbody><light pos='0 0 3'/><geom name='floor' type='plane' size='1 1 .1'/>
  <body name='arm' pos='0 0 1' euler='10 0 0'><joint name='j' axis='0 1 0' range='-40 50' stiffness='2'/>
    <geom name='rod' type='capsule' size='.05' fromto='0 0 0 .4 .1 .2'/>
    <frame pos='.1 0 0' euler='0 30 0'><geom name='box' type='box' size='.1 .2 .3'/><site name='s' euler='0 0 20'/>
      <body name='hand' pos='.2 0 0'><joint name='k' axis='1 0 0'/><geom size='.1'/></body></frame></body></worldbody>
  <tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>
  <actuator><position name='p' joint='j' kp='3' ctrlrange='-1 1'/></actuator>
  <equality><joint joint1='j' joint2='k'/></equality></mujoco>";

fn spec() -> Spec {
    let (spec, report) = mj_mjcf::read_str(ARM, &Memory::new());
    spec.unwrap_or_else(|| panic!("{report}"))
}

fn model(spec: &Spec) -> Model {
    let (model, problems) = mj_compile::compile(spec);
    model.unwrap_or_else(|| panic!("{:?}", problems.list))
}

/// Changes a model, copies that back, and returns the spec with the model that it then compiles to.
fn copied(change: impl Fn(&mut Model)) -> (Spec, Model, Model) {
    let mut s = spec();
    let mut m = model(&s);
    change(&mut m);
    copy_back(&mut s, &m).unwrap_or_else(|e| panic!("{e}"));
    let again = model(&s);
    (s, m, again)
}

#[test]
fn what_was_changed_is_in_the_spec() {
    let (s, m, again) = copied(|m| {
        m.opt.integrator = IntegratorType::Implicit;
        m.opt.timestep = 0.004;
        let (j, rod, boxed) = (m.joint_id("j").unwrap(), m.geom_id("rod").unwrap(), m.geom_id("box").unwrap());
        let (arm, hand) = (m.body_id("arm").unwrap(), m.body_id("hand").unwrap());
        m.jnt.range[j] = [-0.5, 0.25];
        m.jnt.stiffness[j] = 7.0;
        m.dof.damping.as_mut_slice()[0] = 0.5;
        m.geom.friction[boxed] = [0.1, 0.2, 0.3];
        m.geom.pos[boxed] = DVec3::new(0.5, 0.6, 0.7);
        m.geom.size[rod].x = 0.07;
        m.body.pos[hand] = DVec3::new(1.0, 2.0, 3.0);
        m.body.mass[arm] = 4.0;
        m.tendon.stiffness.as_mut_slice()[0] = 1.5;
        m.actuator.gainprm.as_mut_slice()[0][0] = 9.0;
        m.control.ctrlrange.as_mut_slice()[0] = [-2.0, 3.0];
        m.eq.solref.as_mut_slice()[0] = [0.05, 0.9];
    });
    assert_eq!(again.opt, m.opt);
    assert_eq!(s.find::<Joint>("j").unwrap().damping[0], 0.5);
    let degrees = s.find::<Joint>("j").unwrap().range.unwrap();
    assert!((degrees[1] - 0.25_f64.to_degrees()).abs() < 1e-12);
    assert_eq!(s.find::<Geom>("rod").unwrap().fromto, None);
    assert_eq!(s.find::<Body>("arm").unwrap().inertial.as_ref().unwrap().mass, 4.0);
    // What was not changed stays as it was written.
    assert_eq!(s.find::<Site>("s").unwrap().orientation, spec().find::<Site>("s").unwrap().orientation);
    assert_eq!(s.find::<Body>("arm").unwrap().orientation, spec().find::<Body>("arm").unwrap().orientation);
    assert_eq!(again.jnt.range, m.jnt.range);
    assert_eq!(again.geom.friction, m.geom.friction);
    for (a, b) in again.geom.pos.iter().zip(m.geom.pos.iter()).chain(again.body.pos.iter().zip(m.body.pos.iter())) {
        assert!((*a - *b).length() < 1e-12, "{a} {b}");
    }
    assert_eq!(again.body.mass.as_slice()[1], 4.0);
    assert_eq!(again.actuator.gainprm, m.actuator.gainprm);
    assert_eq!(again.control.ctrlrange, m.control.ctrlrange);
    assert_eq!(again.eq.solref, m.eq.solref);
}

#[test]
fn a_model_without_changes_leaves_its_spec_to_compile_to_itself() {
    let (_, m, again) = copied(|_| ());
    assert!(m == again);
}

#[test]
fn what_a_spec_cannot_express_is_told_and_leaves_it_alone() {
    let mut s = spec();
    let mut m = model(&s);
    m.geom.rbound.as_mut_slice()[1] = 5.0;
    let problem = copy_back(&mut s, &m).unwrap_err();
    assert_eq!(problem.to_string(), "`geom_rbound` was changed in the model in a way that the spec can't express");
    assert_eq!(mj_mjcf::write(&s), mj_mjcf::write(&spec()));
    s.compiler.inertiafromgeom = mj_model::InertiaFromGeom::True;
    let mut m = model(&s);
    m.body.mass.as_mut_slice()[1] = 5.0;
    assert_eq!(copy_back(&mut s, &m), Err(EditError::Inexpressible("body_mass".into())));
    s.worldbody.bodies.clear();
    assert!(matches!(copy_back(&mut s, &m), Err(EditError::Structure | EditError::Model(_))));
}
