//! Jacobians of a step by parameters, against centered differences of the step.

use crate::derivative::{error, moving};
use mj_engine::model::model::ModelParameter;
use mj_engine::{Data, Model, StepDerivative, differentiate_pos, load_str, parameter_derivative, set_const, step};
use mj_model::{Cone, IntegratorType};

/// Fields that have closed forms.
const CLOSED: [&str; 10] = [
    "body_mass",
    "body_ipos",
    "body_inertia",
    "dof_armature",
    "dof_damping",
    "dof_frictionloss",
    "jnt_stiffness",
    "actuator_gainprm",
    "actuator_biasprm",
    "opt.gravity",
];

/// Fields of constraints' softness and friction, which have closed forms.
const OF_ROWS: [&str; 9] = [
    "geom_friction",
    "geom_solref",
    "geom_solimp",
    "jnt_solref",
    "jnt_solimp",
    "dof_solref",
    "dof_solimp",
    "eq_solref",
    "eq_solimp",
];

/// Fields that are left to differences of inverse dynamics.
const OF_FRAMES: [&str; 3] = ["body_pos", "jnt_axis", "jnt_pos"];

/// Some parameters of each field.
fn parameters(m: &Model, fields: &[&str], most: usize) -> Vec<ModelParameter> {
    let mut all = Vec::new();
    for field in fields {
        let shape = m.field(field).unwrap().shape;
        let (rows, width) = (shape.first().copied().unwrap_or(1), shape.iter().skip(1).product::<usize>());
        let places = (0..rows).flat_map(|r| (0..width.min(5)).map(move |k| (r, k)));
        let stride = (rows * width.min(5)).div_ceil(most).max(1);
        all.extend(places.step_by(stride).map(|(r, k)| {
            let text = if width > 1 { format!("{field}[{r},{k}]") } else { format!("{field}[{r}]") };
            ModelParameter::parse(m, &text).unwrap()
        }));
    }
    all
}

/// ∂y/∂p of one parameter by differences of the step.
fn by_steps(m: &Model, d: &mut Data, p: &ModelParameter) -> Vec<f64> {
    let start = d.state.clone();
    let value = p.value(m).unwrap();
    // Frames that are closer than 1e-6 count as one.
    let of_frame = p.field.ends_with("pos") || p.field == "body_logcholesky";
    let h = 1e-6 * p.typical_change(m).max(if of_frame { 3.0 } else { 1e-2 });
    let mut end = |x: f64| {
        let mut nudged = m.clone();
        p.set(&mut nudged, x).unwrap();
        // An error leaves the rest as it is.
        let _ = set_const(&mut nudged);
        step(&nudged, d).unwrap();
        let end = d.state.clone();
        d.state.clone_from(&start);
        end
    };
    let (plus, minus) = (end(value + h), end(value - h));
    let mut column = vec![0.0; m.nv()];
    differentiate_pos(m, &mut column, 2.0 * h, &minus.qpos, &plus.qpos);
    let rest = plus.qvel.iter().zip(&minus.qvel).chain(plus.act.iter().zip(&minus.act));
    column.extend(rest.map(|(a, b)| (a - b) / (2.0 * h)));
    column
}

fn compare(name: &str, integrator: Option<IntegratorType>, steps: usize, fields: &[&str], closed: Option<bool>) {
    let (m, mut d) = moving(name, integrator, steps);
    compare_each(&format!("{name}, {integrator:?}"), &m, &mut d, &parameters(&m, fields, 12), closed);
}

fn compare_each(name: &str, m: &Model, d: &mut Data, list: &[ModelParameter], closed: Option<bool>) {
    let mut got = StepDerivative::default();
    parameter_derivative(m, d, list, &mut got).unwrap();
    let nx = 2 * m.nv() + m.na;
    assert_eq!(got.p.len(), nx * list.len());
    for (i, p) in list.iter().enumerate() {
        if ["dof_frictionloss", "dof_damping"].contains(&p.field.as_str()) && p.value(m) == Some(0.0) {
            // The least friction makes a row that there was not, the least damping a matrix: no slope.
            continue;
        }
        let column: Vec<f64> = (0..nx).map(|row| got.p[row * list.len() + i]).collect();
        let want = by_steps(m, d, p);
        let e = error(&column, &want);
        assert!(e < 1e-4, "{name}: {}: {e:e}\n{column:?}\n{want:?}", p.describe(m));
        if let Some(closed) = closed {
            assert_eq!(got.by_differences[i], !closed, "{name}: {p}");
        }
    }
}

#[test]
fn closed_forms_are_the_slopes_of_the_step() {
    let (euler, fast) = (Some(IntegratorType::Euler), Some(IntegratorType::ImplicitFast));
    for (name, integrator, steps) in [
        ("acrobot", None, 20),
        ("acrobot", euler, 20),
        ("cart_double_pendulum", euler, 20),
        ("cart_double_pendulum", fast, 20),
        ("pendulum_chain", euler, 20),
    ] {
        compare(name, integrator, steps, &CLOSED, Some(true));
    }
    // With rows, whose softness depends on the inertia.
    for (name, integrator, steps) in [
        ("crane", None, 20),
        ("four_bar", None, 20),
        ("humanoid", euler, 30),
        ("humanoid", fast, 100),
        ("quadruped", euler, 30),
    ] {
        compare(name, integrator, steps, &CLOSED, Some(true));
    }
}

/// Log-Cholesky coordinates are parameters as any others.
#[test]
fn coordinates_of_an_inertia_have_closed_forms() {
    for (name, integrator, steps) in [
        ("cart_double_pendulum", IntegratorType::Euler, 20),
        ("crane", IntegratorType::Euler, 20),
        ("humanoid", IntegratorType::ImplicitFast, 60),
        ("quadruped", IntegratorType::Euler, 30),
    ] {
        let (m, mut d) = moving(name, Some(integrator), steps);
        let rows =
            (1..m.body.len()).filter_map(|b| ModelParameter::parse_row(&m, &format!("body_logcholesky[{b}]")).ok());
        let list: Vec<_> = rows.take(3).flatten().collect();
        assert!(!list.is_empty(), "{name}");
        compare_each(name, &m, &mut d, &list, Some(true));
    }
}

#[test]
fn softness_follows_the_model() {
    // Slopes of the softness that were found for another model are not used again.
    let (mut m, mut d) = moving("quadruped", None, 30);
    let list = parameters(&m, &["body_mass", "dof_armature"], 12);
    let (mut kept, mut fresh) = (StepDerivative::default(), StepDerivative::default());
    parameter_derivative(&m, &mut d, &list, &mut kept).unwrap();
    let before = kept.p.clone();
    m.body.mass.as_mut_slice().iter_mut().for_each(|x| *x *= 3.0);
    set_const(&mut m).unwrap();
    parameter_derivative(&m, &mut d, &list, &mut kept).unwrap();
    parameter_derivative(&m, &mut d, &list, &mut fresh).unwrap();
    assert_ne!(kept.p, before);
    assert_eq!(kept.p, fresh.p);
}

#[test]
fn softness_and_friction_have_closed_forms() {
    let (euler, fast) = (Some(IntegratorType::Euler), Some(IntegratorType::ImplicitFast));
    for (name, integrator, steps) in [
        ("crane", None, 20),
        ("four_bar", None, 20),
        ("humanoid", euler, 60),
        ("humanoid", fast, 100),
        ("quadruped", euler, 30),
        ("quadruped", euler, 60),
    ] {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            let (mut m, mut d) = moving(name, integrator, steps);
            m.opt.cone = cone;
            // Geoms of equal friction would be where the greater one changes.
            for (g, friction) in m.geom.friction.as_mut_slice().iter_mut().enumerate() {
                *friction = friction.map(|x| x * (1.0 - 0.01 * g as f64));
            }
            for field in OF_ROWS {
                compare_each(
                    &format!("{name}, {integrator:?}, {cone:?}"),
                    &m,
                    &mut d,
                    &parameters(&m, &[field], 30),
                    Some(true),
                );
            }
        }
    }
}

/// Bodies that slide, spin and roll, tendons at a limit and with friction, a ball joint at its limit, and a weld.
const SOFT: &str = r#"<mujoco><option timestep="0.002"/>
  <worldbody><geom name="floor" type="plane" size="5 5 1" condim="6" friction="0.7 0.02 0.003" solimp="0.8 0.9 0.02 0.4 3"/>
    <body name="roller" pos="0 0 0.099"><freejoint/><geom size="0.1" condim="6" friction="0.5 0.03 0.002" solref="0.03 0.8"/></body>
    <body name="puck" pos="1 0 0.048"><freejoint/><geom name="puck" type="cylinder" size="0.1 0.05"/></body>
    <body pos="0 1 1"><joint name="a" axis="0 1 0" range="4 9" limited="true" solreflimit="-400 -15"/>
      <geom size="0.05" pos="0.3 0 0"/><site name="a" pos="0.3 0 0"/></body>
    <body pos="0 2 1"><joint type="ball" range="0 1" limited="true"/><geom type="capsule" size="0.03" fromto="0 0 0 0.3 0.1 0"/></body>
    <body name="held" pos="2 0 1"><freejoint/><geom size="0.1"/></body><site name="fixed" pos="0 1 0.5"/>
  </worldbody>
  <contact><pair geom1="floor" geom2="puck" condim="4" friction="0.4 0.3 0.02 0.001 0.001" solreffriction="0.04 1.1"/></contact>
  <tendon><spatial limited="true" range="0 0.45" frictionloss="0.3"><site site="a"/><site site="fixed"/></spatial></tendon>
  <equality><weld body1="held" solref="0.04 0.7" solimp="0.7 0.95 0.05 0.6 2.5"/></equality>
</mujoco>"#;

#[test]
fn constraints_of_all_kinds_have_closed_forms() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let mut m = load_str(SOFT).unwrap();
        (m.opt.tolerance, m.opt.ls_tolerance, m.opt.iterations, m.opt.cone) = (1e-15, 1e-6, 500, cone);
        let mut d = Data::new(&m).unwrap();
        for (i, v) in d.state.qvel.iter_mut().enumerate() {
            *v = 0.5 * (1.3 * i as f64).sin() - 0.3;
        }
        for _ in 0..30 {
            step(&m, &mut d).unwrap();
        }
        let of_tendons = ["tendon_solref_lim", "tendon_solimp_lim", "tendon_solref_fri", "tendon_solimp_fri"];
        let of_pairs = ["pair_friction", "pair_solref", "pair_solreffriction", "pair_solimp"];
        for field in OF_ROWS.into_iter().chain(of_tendons).chain(of_pairs) {
            compare_each(&format!("{cone:?}"), &m, &mut d, &parameters(&m, &[field], 60), Some(true));
        }
        let kinds: std::collections::HashSet<_> = d.rows.r#type.iter().map(|t| *t as i32).collect();
        assert!(kinds.len() >= 5, "{kinds:?}");
    }
}

#[test]
fn other_parameters_and_integrators_go_by_differences() {
    for integrator in [IntegratorType::Euler, IntegratorType::ImplicitFast] {
        compare("cart_double_pendulum", Some(integrator), 20, &OF_FRAMES, Some(false));
    }
    for integrator in [IntegratorType::Implicit, IntegratorType::Discrete] {
        compare("crane", Some(integrator), 20, &CLOSED, None);
        compare("humanoid", Some(integrator), 60, &CLOSED, None);
    }
    compare("acrobot", None, 20, &["opt.timestep"], Some(false));
    // A fluid pushes by mass and inertia, a muscle's force is no line.
    compare("swimmer", Some(IntegratorType::Euler), 20, &["body_mass", "body_inertia"], Some(false));
    compare("muscle_arm", None, 20, &CLOSED, None);
}
