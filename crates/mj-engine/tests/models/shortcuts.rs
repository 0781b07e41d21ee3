//! Actuators made with a shortcut in a program are those of MJCF's elements.

use mj_engine::Spec;
use mj_mjcf::Memory;
use mj_model::spec::*;
use mj_model::{Model, Tri, TrnType};

fn spec(text: &str) -> Spec {
    let (spec, report) = mj_mjcf::read_str(text, &Memory::new());
    spec.unwrap_or_else(|| panic!("{report}"))
}

fn model(spec: &Spec) -> Model {
    let (model, problems) = mj_compile::compile(spec);
    let told: Vec<_> = problems.list.iter().map(|d| d.message.clone()).collect();
    model.unwrap_or_else(|| panic!("{told:?}"))
}

fn scene(actuators: &str) -> Spec {
    spec(&format!(
        "<mujoco>
          <default><general ctrlrange='0 1' gear='2'/>
            <default class='servo'><position kp='50' kv='2' timeconst='.5'/></default>
            <default class='free'><general ctrllimited='false'/></default></default>
          <worldbody><site name='w'/>
            <body name='b'><joint name='j' range='-40 50'/><geom size='.1'/>
              <body name='c' pos='0 0 1'><joint name='k' type='ball'/><geom size='.1'/><site name='s'/></body></body>
          </worldbody><actuator>{actuators}</actuator></mujoco>"
    ))
}

/// What a program makes of an actuator, in a scene, against the same written in MJCF, saved too.
fn same(make: impl Fn(&mut Actuator), element: &str) {
    let mut s = scene("");
    let mut a = Actuator { trntype: TrnType::Joint, target: "j".into(), ..Default::default() };
    make(&mut a);
    s.actuators.push(a);
    let theirs = model(&scene(element));
    let ours = model(&s);
    if ours.to_bytes() != theirs.to_bytes() {
        panic!("{element}\n{:#?}\n{:#?}\n{:#?}", ours.actuator, theirs.actuator, (ours.control, theirs.control));
    }
    let saved = mj_mjcf::write(&s);
    assert!(model(&spec(&saved)).to_bytes() == theirs.to_bytes(), "{saved}");
}

#[test]
fn a_shortcut_in_a_program_is_the_element_of_its_name() {
    let kv = ServoDamping::Kv;
    same(|a| a.set_to_motor(), "<motor joint='j'/>");
    same(|a| a.set_to_position(&PositionServo::default()).unwrap(), "<position joint='j'/>");
    let stiff = PositionServo { kp: 7.0, damping: kv(0.5), timeconst: Some(0.1), ..Default::default() };
    same(|a| a.set_to_position(&stiff).unwrap(), "<position joint='j' kp='7' kv='.5' timeconst='.1'/>");
    let critical = PositionServo { kp: 7.0, damping: ServoDamping::Ratio(1.0), ..Default::default() };
    same(|a| a.set_to_position(&critical).unwrap(), "<position joint='j' kp='7' dampratio='1'/>");
    same(
        |a| a.set_to_position(&PositionServo { timeconst: Some(0.0), ..critical }).unwrap(),
        "<position joint='j' kp='7' dampratio='1' timeconst='0'/>",
    );
    same(
        |a| a.set_to_intvelocity(&PositionServo { inheritrange: 0.5, ..stiff }).unwrap(),
        "<intvelocity joint='j' kp='7' kv='.5' inheritrange='.5'/>",
    );
    same(|a| a.set_to_velocity(3.0), "<velocity joint='j' kv='3'/>");
    same(|a| a.set_to_damper(3.0).unwrap(), "<damper joint='j' kv='3'/>");
    let cylinder = Cylinder { timeconst: 0.3, area: 2.0, diameter: None, bias: [1.0, 2.0, 3.0] };
    same(|a| a.set_to_cylinder(&Cylinder::default()), "<cylinder joint='j'/>");
    same(|a| a.set_to_cylinder(&cylinder), "<cylinder joint='j' timeconst='.3' area='2' bias='1 2 3'/>");
    same(
        |a| a.set_to_cylinder(&Cylinder { diameter: Some(0.4), ..cylinder }),
        "<cylinder joint='j' timeconst='.3' area='2' diameter='.4' bias='1 2 3'/>",
    );
    same(
        |a| {
            a.lengthrange = [0.1, 2.0];
            a.set_to_muscle(&Muscle::default()).unwrap()
        },
        "<muscle joint='j' lengthrange='.1 2'/>",
    );
    let strong = Muscle { force: 30.0, range: [0.5, 1.1], tausmooth: 0.2, vmax: 2.0, ..Default::default() };
    same(
        |a| {
            a.lengthrange = [0.1, 2.0];
            a.set_to_muscle(&strong).unwrap()
        },
        "<muscle joint='j' lengthrange='.1 2' force='30' range='.5 1.1' tausmooth='.2' vmax='2'/>",
    );
    same(
        |a| {
            (a.trntype, a.target) = (TrnType::Body, "c".into());
            // Adhesion has no gear in MJCF but that of its class.
            a.set_to_adhesion(4.0).unwrap()
        },
        "<adhesion body='c' gain='4'/>",
    );
    same(
        |a| {
            (a.target, a.class) = ("k".into(), Some("free".into()));
            a.set_to_orientation(&OrientationServo { kp: 3.0, damping: kv(0.5), ctrlspec: 2 }).unwrap()
        },
        "<orientation class='free' joint='k' kp='3' kv='.5' input='quat'/>",
    );
    let pid = Pid { kp: 3.0, damping: kv(0.5), ki: 2.0, imax: 4.0, slewmax: 5.0, ..Default::default() };
    same(|a| a.set_to_pid(&Pid::default()).unwrap(), "<pid joint='j'/>");
    same(|a| a.set_to_pid(&pid).unwrap(), "<pid joint='j' kp='3' kv='.5' ki='2' imax='4' slewmax='5'/>");
    same(
        |a| a.set_to_pid(&Pid { ki: 0.0, slewmax: 0.0, ctrlspec: 5, ..pid }).unwrap(),
        "<pid joint='j' kp='3' kv='.5' imax='4' input='pos ff'/>",
    );
    let motor = DcMotor { motorconst: [0.1, 0.0], resistance: 2.0, ..Default::default() };
    same(|a| a.set_to_dcmotor(&motor).unwrap(), "<dcmotor joint='j' motorconst='.1' resistance='2'/>");
    let nominal = DcMotor {
        nominal: [12.0, 1.5, 300.0],
        inductance: [0.01, 0.0],
        saturation: [0.0, 3.0, 0.0],
        cogging: [0.1, 6.0, 0.2],
        thermal: [1.0, 0.0, 2.0, 0.004, 25.0, 20.0],
        lugre: [1.0, 2.0, 3.0, 4.0, 5.0],
        ..Default::default()
    };
    same(
        |a| {
            a.damping[0] = 1e-4;
            a.set_to_dcmotor(&nominal).unwrap()
        },
        "<dcmotor joint='j' damping='1e-4' nominal='12 1.5 300' inductance='.01' saturation='0 3 0' cogging='.1 6 .2'
          thermal='1 0 2 .004 25 20' lugre='1 2 3 4 5'/>",
    );
    same(
        |a| {
            let controller = [5.0, 0.0, 0.2, 0.0, 0.0, 12.0];
            a.set_to_dcmotor(&DcMotor { controller, ctrlspec: 1, ..motor }).unwrap()
        },
        "<dcmotor joint='j' motorconst='.1' resistance='2' controller='5 0 .2 0 0 12' input='pos'/>",
    );
}

/// Of a class, a shortcut takes ranges and gear, but no gains, as a motor does of a class of servos.
#[test]
fn a_shortcut_keeps_its_law_in_a_class_with_another() {
    let class = |a: &mut Actuator| a.class = Some("servo".into());
    same(
        |a| {
            class(a);
            a.set_to_motor();
        },
        "<motor class='servo' joint='j'/>",
    );
    same(
        |a| {
            a.set_to_velocity(1.0);
            class(a);
        },
        "<velocity class='servo' joint='j' kv='1'/>",
    );
    // Without one, it has the law of the class.
    same(class, "<general class='servo' joint='j'/>");
    // A copy of the prototype is made a motor, as in the reference.
    let mut s = scene("");
    let mut a = s.default_class("servo").unwrap().actuator.clone();
    (a.trntype, a.target) = (TrnType::Joint, "j".into());
    a.set_to_motor();
    s.actuators.push(a);
    assert!(model(&s).to_bytes() == model(&scene("<motor class='servo' joint='j'/>")).to_bytes());
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    let mut a = Actuator { ctrlrange: Some([-1.0, 1.0]), ..Default::default() };
    let before = a.clone();
    let ratio = ServoDamping::Ratio(-1.0);
    for (found, expected) in [
        (a.set_to_damper(-1.0), "`kv` of `damper` cannot be negative; the control of `damper` cannot be negative"),
        (a.set_to_damper(1.0), "the control of `damper` cannot be negative"),
        (a.set_to_adhesion(1.0), "the control of `adhesion` cannot be negative"),
        (a.set_to_pid(&Pid { damping: ratio, ..Default::default() }), "`dampratio` of `pid` cannot be negative"),
        (
            a.set_to_position(&PositionServo { inheritrange: 1.0, ..Default::default() }),
            "`inheritrange` and `ctrlrange` cannot both be given",
        ),
        (
            a.set_to_dcmotor(&DcMotor { resistance: 1.0, ..Default::default() }),
            "the constant of a motor must be positive (give `motorconst`, or `nominal` with voltage, stall torque and \
             speed without load)",
        ),
        (
            a.set_to_muscle(&Muscle { tausmooth: -1.0, ..Default::default() }),
            "`tausmooth` of `muscle` cannot be negative",
        ),
    ] {
        assert_eq!(found.unwrap_err().to_string(), expected);
    }
    assert!(a == before);
    a.set_to_motor();
    assert_eq!((a.gainprm[0], a.ctrllimited), (1.0, Tri::Auto));
}
