//! Jacobians of a step in closed form, against centered differences of the step.

use mj_engine::{
    Data, Model, StepDerivative, Transition, load, load_str, step, step_derivative, step_differences, transition_fd,
};
use mj_model::{IntegratorType, KeyId, SolverType};

/// A bundled model, solved tightly, some steps on from a velocity and a control.
pub(crate) fn moving(name: &str, integrator: Option<IntegratorType>, steps: usize) -> (Model, Data) {
    let mut m = load(mj_testkit::bundled(name)).unwrap();
    m.opt.integrator = integrator.unwrap_or(m.opt.integrator);
    let mut d = tight(&mut m);
    if !m.key.is_empty() {
        d.state.set_key(&m, KeyId::new(0));
    }
    stir(&m, &mut d, steps);
    (m, d)
}

fn tight(m: &mut Model) -> Data {
    (m.opt.tolerance, m.opt.ls_tolerance, m.opt.iterations) = (1e-15, 1e-6, 500);
    Data::new(m).unwrap()
}

fn stir(m: &Model, d: &mut Data, steps: usize) {
    for (i, v) in d.state.qvel.iter_mut().enumerate() {
        *v += 0.3 * (i as f64 + 1.0).sin();
    }
    for (i, u) in d.state.ctrl.iter_mut().enumerate() {
        *u += 0.2 * (i as f64 + 1.0).cos();
    }
    for _ in 0..steps {
        step(m, d).unwrap();
    }
}

/// Greatest error relative to the greatest entry, which counts as at least 1.
pub(crate) fn error(got: &[f64], want: &[f64]) -> f64 {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    got.iter().zip(want).fold(0.0, |e: f64, (g, w)| e.max((g - w).abs())) / scale
}

/// Compares with centered differences; the derivative, for what it says of itself.
fn compare(name: &str, m: &Model, d: &mut Data, tolerance: f64) -> StepDerivative {
    let mut want = Transition::default();
    let before = d.state.clone();
    transition_fd(m, d, 1e-6, true, &mut want).unwrap();
    let mut got = StepDerivative::default();
    step_derivative(m, d, &mut got).unwrap();
    assert_eq!(d.state, before, "{name}: the state has changed");
    let nv = m.nv();
    let nx = 2 * nv + m.na;
    let mut blocks = String::new();
    for (row, rows) in [("q", 0..nv), ("v", nv..2 * nv), ("act", 2 * nv..nx)] {
        for (col, cols) in [("q", 0..nv), ("v", nv..2 * nv), ("act", 2 * nv..nx)] {
            let pick = |x: &[f64]| -> Vec<f64> {
                rows.clone().flat_map(|r| cols.clone().map(move |c| r * nx + c)).map(|i| x[i]).collect()
            };
            blocks += &format!(" {row}/{col} {:.0e}", error(&pick(&got.a), &pick(&want.a)));
        }
    }
    let (a, b) = (error(&got.a, &want.a), error(&got.b, &want.b));
    assert!(a < tolerance && b < tolerance, "{name}: A {a:e}, B {b:e};{blocks}");
    let mut differences = StepDerivative::default();
    step_differences(m, d, &mut differences).unwrap();
    let (a, b) = (error(&differences.a, &want.a), error(&differences.b, &want.b));
    assert!(a < 1e-4 && b < 1e-4, "{name}: by differences of inverse dynamics, A {a:e}, B {b:e}");
    got
}

/// Free of contacts, nothing is left to differences.
#[test]
fn without_contacts() {
    let (implicit, discrete) = (Some(IntegratorType::Implicit), Some(IntegratorType::Discrete));
    for (name, integrator) in [
        ("acrobot", None),
        ("acrobot", discrete),
        ("cart_double_pendulum", implicit),
        ("cart_double_pendulum", discrete),
        ("pendulum_chain", implicit),
        ("pendulum_chain", discrete),
        ("tendon_finger", implicit),
        ("tendon_finger", discrete),
        ("crane", implicit),
        ("crane", discrete),
        ("four_bar", discrete),
        ("muscle_arm", implicit),
        ("swimmer", implicit),
        ("swimmer", discrete),
        ("swimmer", Some(IntegratorType::Euler)),
        ("swimmer", Some(IntegratorType::ImplicitFast)),
        ("cart_double_pendulum", Some(IntegratorType::Euler)),
        ("pendulum_chain", Some(IntegratorType::Euler)),
        ("tendon_finger", None),
        ("tendon_finger", Some(IntegratorType::ImplicitFast)),
        ("crane", None),
        ("crane", Some(IntegratorType::Euler)),
        ("four_bar", None),
        ("muscle_arm", None),
        ("muscle_arm", Some(IntegratorType::Euler)),
        ("lamp", None),
        ("lamp", Some(IntegratorType::ImplicitFast)),
    ] {
        let (m, mut d) = moving(name, integrator, 20);
        let got = compare(name, &m, &mut d, 1e-5);
        assert_eq!(got.differences, Default::default(), "{name}");
    }
}

/// Contacts of all kinds, friction, limits.
#[test]
fn with_contacts() {
    let (euler, fast) = (IntegratorType::Euler, IntegratorType::ImplicitFast);
    let (implicit, discrete) = (IntegratorType::Implicit, IntegratorType::Discrete);
    for (name, integrator, steps) in [
        ("humanoid", euler, 30),
        ("humanoid", fast, 100),
        ("quadruped", euler, 30),
        ("quadruped", fast, 50),
        ("ragdoll", euler, 60),
        ("arm_gripper", euler, 20),
        ("box_heap", euler, 40),
        ("rolling", euler, 30),
        ("workcell", euler, 30),
        ("drivetrain", euler, 30),
        ("welded_pair", euler, 30),
        ("sled", euler, 30),
        ("box_heap", fast, 40),
        ("rolling", fast, 30),
        ("humanoid", implicit, 30),
        ("rolling", implicit, 30),
        ("humanoid", discrete, 30),
        ("quadruped", discrete, 50),
        ("ragdoll", discrete, 60),
        ("arm_gripper", discrete, 20),
        ("box_heap", discrete, 40),
        ("rolling", discrete, 5),
        ("rolling", discrete, 30),
        ("workcell", discrete, 50),
        ("drivetrain", discrete, 30),
        ("welded_pair", discrete, 30),
        ("sled", discrete, 30),
    ] {
        let (m, mut d) = moving(name, Some(integrator), steps);
        let got = compare(name, &m, &mut d, 1e-4);
        let blocks = got.differences;
        assert_eq!(blocks, mj_engine::Differences { contacts: blocks.contacts, ..Default::default() }, "{name}");
    }
}

/// Everything that paths and equalities can do at once: a tendon around a cylinder and over a pulley with a spring, a
/// damper, a limit and friction; couplings that are curved; a weld that is off, and a connect; transmissions of all
/// kinds; balls with springs and limits.
#[test]
fn paths_and_equalities() {
    let text = r#"<mujoco><option timestep="0.002" tolerance="1e-15" ls_tolerance="1e-6"/>
      <compiler angle="radian"/>
      <worldbody>
        <site name="anchor" pos="0 .1 .1"/>
        <geom name="post" type="cylinder" pos=".25 0 .05" size=".06 .2" euler="1.5 .1 .2" contype="0" conaffinity="0"/>
        <site name="rail" pos=".1 .3 0" zaxis="1 .2 0"/>
        <body name="a">
          <joint name="a1" axis="0 1 0" damping=".1"/><joint name="a2" axis="0 0 1"/>
          <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/>
          <site name="mid" pos=".2 0 .05"/>
          <body name="b" pos=".4 0 0">
            <joint name="b" type="ball" stiffness="2" springdamper="0 0" limited="true" range="0 .2"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass=".7"/>
            <site name="tip" pos=".3 .02 0"/>
            <body name="c" pos=".3 0 0"><joint name="c" axis="0 1 0"/>
              <geom type="box" size=".05 .04 .03" mass=".3"/><site name="end" pos=".05 0 0"/></body>
          </body>
        </body>
        <body name="free" pos=".9 .1 .3">
          <joint name="free" type="free" stiffness="3"/><geom type="box" size=".05 .06 .07" mass=".5"/>
          <site name="hook" pos="0 .06 0"/>
        </body>
        <body name="slider" pos="0 .4 0"><joint name="x" type="slide" axis="1 0 0"/>
          <joint name="y" type="slide" axis="0 1 0"/><geom size=".05" mass=".4"/><site name="s"/></body>
      </worldbody>
      <contact><exclude body1="a" body2="b"/><exclude body1="b" body2="c"/></contact>
      <tendon>
        <spatial name="wrap" limited="true" range="0 .3" stiffness="20" damping="1" frictionloss=".1">
          <site site="anchor"/><geom geom="post"/><site site="tip"/><pulley divisor="2"/><site site="mid"/>
          <site site="hook"/></spatial>
        <spatial name="straight" limited="true" range="0 2"><site site="end"/><site site="s"/></spatial>
        <fixed name="sum"><joint joint="x" coef="1"/><joint joint="c" coef=".3"/></fixed>
      </tendon>
      <equality>
        <weld body1="free" body2="c" relpose=".5 .1 .3 1 .1 .2 0" solref=".05 1" torquescale=".7"/>
        <connect body1="b" body2="slider" anchor=".3 .1 0" solref=".04 1" solimp=".5 .9 .5 .5 2"/>
        <joint joint1="x" joint2="c" polycoef="0 .5 .4 -.3 .1"/>
        <tendon tendon1="straight" tendon2="wrap" polycoef="0 .3 .6 0 0"/>
      </equality>
      <actuator>
        <position tendon="wrap" kp="10" kv="1" gear="1.5"/>
        <muscle tendon="straight" lengthrange=".2 2" force="20" tausmooth=".2"/>
        <general cranksite="tip" slidersite="rail" cranklength="1.4" gainprm="3" biasprm="0 -4 -.5" biastype="affine"/>
        <general site="tip" gear="1 2 .5 .1 .3 .2" gainprm="2" biasprm="0 0 -.3" biastype="affine"/>
        <motor site="end" refsite="s" gear="0 1 .5 0 .2 0"/>
        <motor joint="b" gear="1 .5 .2"/>
        <motor jointinparent="b" gear=".3 .5 1"/>
        <motor jointinparent="free" gear="1 .5 1 .3 .2 .4"/>
      </actuator></mujoco>"#;
    // Muscles have no closed form with `discrete`; a gain that stiffens with its input does.
    let tame = text.replace(
        "<muscle tendon=\"straight\" lengthrange=\".2 2\" force=\"20\" tausmooth=\".2\"/>",
        "<general tendon=\"straight\" gaintype=\"affine\" gainprm=\"3 -4 -2\" dyntype=\"filter\" dynprm=\".1\"/>",
    );
    for (text, integrator, steps) in [
        (text, IntegratorType::Euler, 5),
        (text, IntegratorType::Euler, 25),
        (text, IntegratorType::ImplicitFast, 25),
        (text, IntegratorType::Implicit, 25),
        (&tame, IntegratorType::Discrete, 5),
        (&tame, IntegratorType::Discrete, 25),
    ] {
        let mut m = load_str(text).unwrap();
        m.opt.integrator = integrator;
        let mut d = tight(&mut m);
        d.state.act.fill(0.4);
        stir(&m, &mut d, steps);
        assert!(d.rows.nefc() >= 12, "{}", d.rows.nefc());
        let got = compare("paths", &m, &mut d, 1e-4);
        let blocks = got.differences;
        assert_eq!(blocks, mj_engine::Differences { contacts: blocks.contacts, ..Default::default() });
    }
}

/// Forces on bodies keep their direction, and move with the bodies.
#[test]
fn forces_applied_to_bodies() {
    let (m, mut d) = moving("humanoid", None, 30);
    for b in m.body.ids().skip(1) {
        d.state.xfrc_applied[b] = std::array::from_fn(|k| (3.0 * b.index() as f64 + k as f64).sin());
    }
    let got = compare("humanoid", &m, &mut d, 1e-4);
    assert_eq!(got.differences.position, None);
}

/// What isn't covered is found by differences, and said.
#[test]
fn what_is_left_is_said() {
    let (m, mut d) = moving("muscle_arm", Some(IntegratorType::Discrete), 25);
    let got = compare("muscle_arm", &m, &mut d, 1e-5);
    assert_ne!(got.differences, Default::default());
}

/// Over a time step, springs that are too stiff for it give way, and the rows' inertia follows the pose; friction of a dof
/// and of a tendon, free bodies that turn with and without contacts, limits.
#[test]
fn a_step_that_holds_its_springs() {
    let text = r#"<mujoco><option timestep="0.004" integrator="discrete" tolerance="1e-15" ls_tolerance="1e-6" cone="CONE"/>
      <worldbody><geom type="plane" size="2 2 .1" solref="SOLREF" solimp=".7 .97 .02 .4 3" friction="1 .02 .01"/>
        <body name="arm" pos="0 0 .5"><joint name="yaw" axis="0 0 1" stiffness="5" damping=".2" frictionloss=".02"/>
          <joint name="lift" axis="0 1 0" stiffness="300" springref="10" damping="2" limited="true" range="-90 -2"
            solreflimit="SOLREF" solimplimit=".6 .9 .1"/>
          <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
          <body pos=".4 0 0"><joint name="wrist" type="ball" stiffness="2" damping=".1" springdamper="0 0"/>
            <geom type="capsule" fromto="0 0 0 .3 0 -.3" size=".04" condim="6" priority="1" friction="1 .02 .01"
              solref="SOLREF" solimp=".7 .97 .02 .4 3"/><site name="tip" pos=".3 0 -.25"/></body></body>
        <body pos="0 1 .02"><freejoint/><geom type="ellipsoid" size=".05 .1 .03" pos=".02 0 0" condim="3"/></body>
        <body pos="0 -1 1"><freejoint/><geom type="box" size=".05 .1 .03" pos=".1 .05 0"/></body>
        <site name="post" pos="0 .4 .6"/></worldbody>
      <tendon><spatial name="t" frictionloss=".1" stiffness="20" damping="1"><site site="post"/><site site="tip"/>
        </spatial></tendon>
      <actuator><position tendon="t" kp="30" kv="3"/><velocity joint="yaw" kv="2"/></actuator></mujoco>"#;
    for cone in ["elliptic", "pyramidal"] {
        for solref in ["0.02 1", "0.001 0.5", "0.001 0.01", "-2000 -30"] {
            for steps in [4, 30] {
                let mut m = load_str(&text.replace("CONE", cone).replace("SOLREF", solref)).unwrap();
                let mut d = tight(&mut m);
                d.state.qvel[12..].fill(0.7);
                stir(&m, &mut d, steps);
                let name = format!("{cone}, {solref}, {steps}");
                let got = compare(&name, &m, &mut d, 1e-4);
                let blocks = got.differences;
                assert_eq!(
                    blocks,
                    mj_engine::Differences { contacts: blocks.contacts, ..Default::default() },
                    "{name}"
                );
            }
        }
    }
}

/// Drag, lift and the fluid that moves along, on chains, free bodies with and without contacts, and dofs that M couples to
/// nothing, in wind.
#[test]
fn in_a_fluid() {
    let text = r#"<mujoco><option timestep="0.005" tolerance="1e-15" ls_tolerance="1e-6" density="30" viscosity=".2"
        wind="1 .3 -.2"/>
      <worldbody><geom type="plane" size="3 3 .1"/>
        <body pos="0 0 1"><freejoint/><geom type="ellipsoid" size=".1 .05 .02" fluidshape="ellipsoid" pos=".03 0 0"/>
          <body pos=".1 0 0"><joint axis="0 1 0" stiffness="1"/><joint axis="0 0 1" damping=".01"/>
            <geom type="capsule" fromto="0 0 0 .2 0 0" size=".02" fluidshape="ellipsoid"/></body></body>
        <body pos="1 0 .02"><freejoint/><geom type="box" size=".1 .05 .02"/></body>
        <body pos="-1 0 1"><freejoint/><geom type="ellipsoid" size=".1 .05 .02" fluidshape="ellipsoid" pos="0 .02 0"/></body>
        <body pos="-1 1 1"><freejoint/><geom type="ellipsoid" size=".1 .05 .02" fluidshape="ellipsoid"/></body>
        <body pos="1 1 1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
          <geom type="box" size=".1 .05 .02" euler="20 30 40"/></body></worldbody></mujoco>"#;
    for integrator in
        [IntegratorType::Euler, IntegratorType::ImplicitFast, IntegratorType::Implicit, IntegratorType::Discrete]
    {
        for steps in [3, 25] {
            let mut m = load_str(text).unwrap();
            m.opt.integrator = integrator;
            let mut d = tight(&mut m);
            stir(&m, &mut d, steps);
            let got = compare(&format!("{integrator:?}"), &m, &mut d, 1e-4);
            let blocks = got.differences;
            assert_eq!(blocks, mj_engine::Differences { contacts: blocks.contacts, ..Default::default() });
        }
    }
}

/// A mass on a spring, pushed: the step is linear and known.
#[test]
fn a_linear_system_is_exact() {
    let m = load_str(
        r#"<mujoco><option timestep="0.1" gravity="0 0 0"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"
          stiffness="3" damping="0.5"/><geom size=".1" mass="2"/></body></worldbody>
        <actuator><general joint="x" gear="4" dyntype="filterexact" dynprm=".2" ctrlrange="-1 1"/></actuator></mujoco>"#,
    )
    .unwrap();
    let mut d = Data::new(&m).unwrap();
    let mut t = StepDerivative::default();
    step_derivative(&m, &mut d, &mut t).unwrap();
    // v' = v + h (−3 x − v/2 + 4 w)/(m + h/2),  x' = x + h v',  w' = w + (u − w)(1 − exp(−h/τ)).
    let (h, mass, keep) = (0.1, 2.0 + 0.1 * 0.5, (-0.5f64).exp());
    let (by_x, by_v, by_w) = (-3.0 * h / mass, 1.0 - 0.5 * h / mass, 4.0 * h / mass);
    let want = [1.0 + h * by_x, h * by_v, h * by_w, by_x, by_v, by_w, 0.0, 0.0, keep];
    assert!(error(&t.a, &want) < 1e-14, "{:?}", t.a);
    assert!(error(&t.b, &[0.0, 0.0, 1.0 - keep]) < 1e-14, "{:?}", t.b);
    assert_eq!(t.differences, Default::default());
}

/// Beyond its range a control does nothing.
#[test]
fn clamped_controls() {
    let (m, mut d) = moving("acrobot", None, 3);
    let mut t = StepDerivative::default();
    for (u, works) in [(0.3, true), (1.0, true), (1.5, false)] {
        d.state.ctrl[0] = u;
        step_derivative(&m, &mut d, &mut t).unwrap();
        assert_eq!(t.b.iter().any(|&x| x != 0.0), works, "{u}");
    }
}

/// Points of two faces that cut each other slide along edges as one of the boxes turns. Dual solvers find the same optimum.
#[test]
fn faces_that_cut_each_other() {
    let text = r#"<mujoco><option timestep="0.002" tolerance="1e-15" ls_tolerance="1e-6" cone="CONE"/>
      <worldbody><geom type="box" size=".2 .2 .1"/>
        <body pos=".12 .1 .163" euler="3 2 30"><freejoint/><geom type="box" size=".15 .1 .06" mass="2"/></body>
        <body pos="-.3 .1 .142"><joint axis="0 1 0" armature=".02"/><joint axis="1 0 .2"/>
          <geom type="box" size=".2 .05 .05" pos=".1 0 .02" euler="0 4 0" mass="1"/></body>
      </worldbody></mujoco>"#;
    for (cone, solver) in
        [("pyramidal", SolverType::Newton), ("elliptic", SolverType::Newton), ("elliptic", SolverType::Pgs)]
    {
        let mut m = load_str(&text.replace("CONE", cone)).unwrap();
        m.opt.solver = solver;
        let mut d = tight(&mut m);
        stir(&m, &mut d, 3);
        let got = compare(cone, &m, &mut d, 1e-6);
        assert!(got.differences.contacts > 1, "{cone}: {:?}", d.contacts.list);
        assert_eq!(got.differences.position, None);
    }
}

/// The sum of what actuators do to a dof ends at the limit of its joint, however they get there.
#[test]
fn forces_at_the_limits_of_joints() {
    let text = r#"<mujoco><option timestep="0.002" tolerance="1e-15" ls_tolerance="1e-6" integrator="INTEGRATOR"/>
      <default><joint damping=".1" armature=".01" actuatorfrcrange="-.1 .1" actuatorgravcomp="COMP"/></default>
      <worldbody><body gravcomp="1"><joint name="a" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/>
        <body pos=".3 0 0" gravcomp="1"><joint name="b" axis="0 .8 .6"/>
          <geom type="capsule" size=".02" fromto="0 0 0 0 .3 0"/><site name="s" pos="0 .3 .02"/>
          <body pos="0 .3 0" gravcomp=".5"><joint name="c" axis="1 0 0"/>
            <geom type="capsule" size=".02" fromto="0 0 0 .1 0 .2"/><site name="t" pos=".1 0 .2"/></body></body></body>
        <site name="w" pos=".3 -.2 .3"/></worldbody>
      <tendon><spatial name="path" stiffness="3"><site site="w"/><site site="t"/></spatial>
        <fixed name="sum"><joint joint="a" coef="1"/><joint joint="c" coef="-.7"/></fixed></tendon>
      <actuator><general site="s" gear="1 2 3 .1 0 .2" biastype="affine" biasprm="0 0 -.4"/><motor tendon="path" gear="1"/>
        <velocity tendon="sum" kv=".2"/><velocity joint="c" kv=".1"/></actuator></mujoco>"#;
    for integrator in ["Euler", "implicit", "implicitfast", "discrete"] {
        for compensated in ["false", "true"] {
            let m = load_str(&text.replace("INTEGRATOR", integrator).replace("COMP", compensated)).unwrap();
            let mut held = 0;
            for steps in [5, 60, 120, 200] {
                let mut d = Data::new(&m).unwrap();
                stir(&m, &mut d, steps);
                let got = compare(&format!("{integrator}, {steps}"), &m, &mut d, 1e-6);
                let at_limit = d.smooth.actuation.qfrc_actuator.iter().filter(|x| x.abs() >= 0.1).count();
                held += at_limit;
                assert_eq!(got.differences.position.is_some(), compensated == "true" && at_limit > 0, "{steps}");
            }
            assert!((1..12).contains(&held), "{held}");
            // Without any actuator there is no compensation through them.
            let passive = text[..text.find("<actuator>").unwrap()].to_owned() + "</mujoco>";
            let m = load_str(&passive.replace("INTEGRATOR", integrator).replace("COMP", compensated)).unwrap();
            let mut d = Data::new(&m).unwrap();
            stir(&m, &mut d, 20);
            let got = compare(&format!("{integrator}, passive"), &m, &mut d, 1e-6);
            assert_eq!(got.differences.position.is_some(), compensated == "true");
        }
    }
}
