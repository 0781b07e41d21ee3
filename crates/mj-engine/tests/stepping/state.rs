//! State that is taken out and put back, steps in two parts, strict stepping.

use mj_engine::{
    Data, Divergence, Model, State, StrictError, describe_warning, load, load_str, step, step_strict, step1, step2,
};
use mj_model::{Signature, Warning, state_size};

fn bundled(name: &str) -> Model {
    load(mj_testkit::bundled(name)).unwrap()
}

fn model(xml: &str) -> Model {
    load_str(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// Delays, activations, plastic springs, mocap bodies: all that a state can hold.
fn everything() -> Model {
    model(
        r#"<mujoco><size nuserdata="2"/><worldbody><geom type="plane" size="5 5 .1"/>
          <body name="hand" mocap="true" pos="0 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>
          <body name="box" pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
          <body pos="1 0 .5"><joint name="j" axis="0 1 0" stiffness="5" springyield=".05"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></worldbody>
        <equality><weld body1="hand" body2="box" solref=".1 1"/></equality>
        <actuator><position joint="j" kp="3" timeconst=".1" nsample="5" delay=".01"/></actuator>
        <sensor><jointpos joint="j" nsample="4" delay=".006"/></sensor>
        <keyframe><key/></keyframe></mujoco>"#,
    )
}

fn disturb(i: usize, s: &mut State) {
    if let Some(c) = s.ctrl.first_mut() {
        *c = (0.3 * i as f64).sin();
    }
    if let Some(p) = s.mocap_pos.as_mut_slice().first_mut() {
        p.x = 0.2 * (0.1 * i as f64).sin();
    }
}

/// The integration state put into fresh data goes on as the original does, bit for bit.
#[test]
fn a_saved_state_goes_on_as_it_would_have() {
    for m in [everything(), bundled("humanoid"), bundled("box_heap"), bundled("quadruped")] {
        let mut d = Data::new(&m).unwrap();
        for i in 0..60 {
            disturb(i, &mut d.state);
            step(&m, &mut d).unwrap();
        }
        let mut saved = vec![0.0; state_size(&m, Signature::INTEGRATION).unwrap()];
        d.state.get(&m, Signature::INTEGRATION, &mut saved).unwrap();
        let mut fresh = Data::new(&m).unwrap();
        fresh.state.set(&m, Signature::INTEGRATION, &saved).unwrap();
        assert_eq!(fresh.state, d.state);
        for i in 60..120 {
            for d in [&mut d, &mut fresh] {
                disturb(i, &mut d.state);
                step(&m, d).unwrap();
            }
        }
        assert_eq!(fresh.state, d.state);
        assert_eq!(fresh.sensordata, d.sensordata);
    }
}

#[test]
fn a_keyframe_saved_is_a_keyframe_loaded() {
    let mut m = everything();
    let key = mj_model::KeyId::new(0);
    let mut d = Data::new(&m).unwrap();
    for i in 0..50 {
        disturb(i, &mut d.state);
        step(&m, &mut d).unwrap();
    }
    m.set_keyframe(&d.state, key);
    let mut s = State::new(&m);
    s.set_key(&m, key);
    let parts = Signature(Signature::TIME.0 | Signature::PHYSICS.0 & !Signature::HISTORY.0)
        | Signature::CTRL
        | Signature::MOCAP_POS
        | Signature::MOCAP_QUAT;
    let mut want = State::new(&m);
    want.copy(&d.state, parts).unwrap();
    assert_eq!(s, want);
}

#[test]
fn a_step_in_two_parts_is_a_step() {
    for m in [everything(), bundled("humanoid")] {
        let (mut whole, mut parts) = (Data::new(&m).unwrap(), Data::new(&m).unwrap());
        for i in 0..80 {
            disturb(i, &mut whole.state);
            step(&m, &mut whole).unwrap();
            step1(&m, &mut parts).unwrap();
            disturb(i, &mut parts.state);
            step2(&m, &mut parts).unwrap();
        }
        // Mocap poses that come after the first part count from the next step on.
        if m.nmocap == 0 {
            assert_eq!(whole.state, parts.state);
            assert_eq!(whole.sensordata, parts.sensordata);
        } else {
            assert_eq!(whole.state.time, parts.state.time);
            assert_ne!(whole.state.qpos, parts.state.qpos);
        }
    }
}

/// A servo much too stiff for the time step.
fn unstable() -> Model {
    model(
        r#"<mujoco><option timestep=".01"/><worldbody><body name="arm"><joint name="elbow" axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body></worldbody>
        <actuator><position name="servo" joint="elbow" kp="1e5"/></actuator></mujoco>"#,
    )
}

fn diverged(e: StrictError) -> Box<Divergence> {
    match e {
        StrictError::Diverged(d) => d,
        other => panic!("{other}"),
    }
}

#[test]
fn strict_steps_say_what_went_wrong_and_why() {
    let m = unstable();
    let mut d = Data::new(&m).unwrap();
    d.state.qpos[0] = 0.1;
    let error = (0..10_000).find_map(|_| step_strict(&m, &mut d).err()).map(diverged).unwrap();
    assert!(matches!(error.kind, Warning::BadQacc | Warning::BadQvel), "{error}");
    assert_eq!(error.time, d.state.time);
    assert!(error.value.abs() > 1e10);
    let text = error.to_string();
    for part in ["joint `elbow` of body `arm`", "actuator `servo`", "1.000e5"] {
        assert!(text.contains(part), "{part} is missing: {text}");
    }

    let mut d = Data::new(&m).unwrap();
    d.state.ctrl[0] = f64::NAN;
    let error = diverged(step_strict(&m, &mut d).unwrap_err());
    assert_eq!((error.kind, error.index), (Warning::BadCtrl, 0));
    assert!(error.to_string().contains("control of actuator `servo` is NaN"), "{error}");

    let mut d = Data::new(&m).unwrap();
    d.state.qfrc_applied[0] = f64::INFINITY;
    let error = diverged(step_strict(&m, &mut d).unwrap_err());
    assert_eq!(error.kind, Warning::BadQacc);
    assert!(error.to_string().contains("the applied force on joint `elbow`"), "{error}");
}

#[test]
fn a_bad_time_step_is_warned_of_at_every_step() {
    for (name, m) in [("humanoid", bundled("humanoid")), ("finger", bundled("tendon_finger")), ("all", everything())] {
        for h in [0.0, -1e-3, f64::NAN, f64::INFINITY, -0.0] {
            let mut edited = m.clone();
            let mut d = Data::new(&edited).unwrap();
            edited.opt.timestep = h;
            for _ in 0..3 {
                step(&edited, &mut d).unwrap();
            }
            assert_eq!(d.warning(Warning::BadTimestep).number, 3, "{name} {h}");
            let told = describe_warning(&edited, &d, Warning::BadTimestep);
            assert!(told.starts_with(&format!("the time step is {h}: a time step is positive")), "{told}");
            let error = diverged(step_strict(&edited, &mut d).unwrap_err());
            assert_eq!(error.kind, Warning::BadTimestep);
        }
    }
}

#[test]
fn strict_steps_are_steps_as_long_as_all_is_well() {
    let m = bundled("humanoid");
    let (mut a, mut b) = (Data::new(&m).unwrap(), Data::new(&m).unwrap());
    for _ in 0..100 {
        step(&m, &mut a).unwrap();
        step_strict(&m, &mut b).unwrap();
    }
    assert_eq!(a.state, b.state);
}

/// Automatic reset starts over, and can be switched off.
#[test]
fn bad_numbers_reset_unless_that_is_disabled() {
    let mut m = bundled("humanoid");
    let mut d = Data::new(&m).unwrap();
    for _ in 0..20 {
        step(&m, &mut d).unwrap();
    }
    d.state.qvel[7] = 1e30;
    step(&m, &mut d).unwrap();
    assert_eq!((d.warning(Warning::BadQvel).number, d.warning(Warning::BadQvel).lastinfo), (1, 7));
    assert_eq!(d.state.time, m.opt.timestep);
    m.opt.disableflags |= mj_model::disable::AUTORESET;
    let time = d.state.time;
    d.state.qpos[3] = f64::NAN;
    step(&m, &mut d).unwrap();
    assert_eq!(d.warning(Warning::BadQpos).lastinfo, 3);
    assert!(d.state.time > time);
    assert!(d.state.qpos[3].is_nan());
}

/// The reference loads such models, and its simulations stand still, go backwards or are lost.
#[test]
fn models_that_mean_nothing_are_refused_before_they_are_simulated() {
    let text = |option: &str| {
        format!("<mujoco><option {option}/><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
    };
    for (step, shown) in [("0", "0"), ("-.01", "-0.01"), ("inf", "inf")] {
        let mut files = mj_mjcf::Memory::new();
        files.insert("m.xml", text(&format!("timestep='{step}'")));
        let loaded = mj_engine::load_with("m.xml".as_ref(), &files).unwrap();
        let told = loaded.report.to_string();
        assert!(told.starts_with(&format!("m.xml:1:27: warning: the time step is {shown}")), "{told}");
        let refused = Data::new(&loaded.model).unwrap_err().to_string();
        assert_eq!(refused, format!("opt_timestep is {shown}: a time step is positive and finite"));
    }
    let m = model(&text(""));
    let d = Data::new(&m).unwrap();
    let mut heavy = m.clone();
    heavy.body.mass[mj_model::BodyId::new(1)] = -2.0;
    let refused = "body_mass[1] is -2: a mass is finite and not negative";
    assert_eq!(Data::new(&heavy).unwrap_err().to_string(), refused);
    assert_eq!(d.for_variation(&heavy).unwrap_err().to_string(), refused);
    assert_eq!(mj_engine::rollout(&heavy, &[], 1, |_, _, _| {}).unwrap_err().to_string(), refused);

    let infinite = "<mujoco><worldbody><body name='b'><freejoint/>
        <inertial pos='0 0 0' mass='inf' diaginertia='1 1 1'/></body></worldbody></mujoco>";
    let told = load_str(infinite).unwrap_err().to_string();
    assert!(told.contains("model.xml:2:10: error: body `b`: mass and inertia must be finite"), "{told}");
}
