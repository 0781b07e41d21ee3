//! Jacobians of inverse dynamics in closed form, against centered differences of it.

use crate::derivative::{error, moving};
use mj_engine::model::model::ModelParameter;
use mj_engine::{
    Data, InverseDerivative, Model, forward, integrate_pos, inverse, inverse_derivative, load_str, set_const,
};
use mj_model::IntegratorType;

/// The force, less that of the actuators if asked.
fn force(m: &Model, d: &mut Data, with_actuation: bool) -> Vec<f64> {
    // Forward dynamics finds the actuators' forces, and another acceleration.
    let (state, qacc) = (d.state.clone(), d.qacc.clone());
    forward(m, d).unwrap();
    let actuators = d.smooth.actuation.qfrc_actuator.clone();
    d.state.clone_from(&state);
    d.qacc.copy_from_slice(&qacc);
    inverse(m, d).unwrap();
    let less = |(f, a): (&f64, f64)| if with_actuation { f - a } else { *f };
    d.qfrc_inverse.iter().zip(actuators).map(less).collect()
}

/// ∂f by one input, which `nudge` moves.
fn column(m: &Model, d: &mut Data, actuation: bool, h: f64, nudge: impl Fn(&mut Data, f64)) -> Vec<f64> {
    let (state, qacc) = (d.state.clone(), d.qacc.clone());
    let [plus, minus] = [h, -h].map(|by| {
        nudge(d, by);
        let f = force(m, d, actuation);
        d.state.clone_from(&state);
        d.qacc.copy_from_slice(&qacc);
        f
    });
    plus.iter().zip(&minus).map(|(a, b)| (a - b) / (2.0 * h)).collect()
}

fn compare(name: &str, m: &Model, d: &mut Data, actuation: bool) -> InverseDerivative {
    // An acceleration that is not the optimum of forward dynamics, and a force that is no part of inverse dynamics.
    forward(m, d).unwrap();
    d.qacc.iter_mut().enumerate().for_each(|(i, a)| *a += (i as f64).sin());
    d.state.xfrc_applied[mj_model::BodyId::new(1)] = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3];
    let mut got = InverseDerivative::default();
    let (state, qacc) = (d.state.clone(), d.qacc.clone());
    inverse_derivative(m, d, actuation, &[], &mut got).unwrap();
    assert!(d.state == state && d.qacc == qacc, "{name}: the state has changed");
    let nv = m.nv();
    type Nudge<'a> = &'a dyn Fn(&mut Data, usize, f64);
    let by_position = |d: &mut Data, i: usize, by: f64| {
        let mut direction = vec![0.0; nv];
        direction[i] = 1.0;
        integrate_pos(m, &mut d.state.qpos, &direction, by);
    };
    let inputs: [(&str, &[f64], f64, Nudge<'_>); 3] = [
        ("position", &got.f_q, 1e-6, &by_position),
        ("velocity", &got.f_v, 1e-5, &|d, i, by| d.state.qvel[i] += by),
        ("acceleration", &got.f_a, 1e-3, &|d, i, by| d.qacc[i] += by),
    ];
    for (input, got, h, nudge) in inputs {
        for i in 0..nv {
            let want = column(m, d, actuation, h, |d, by| nudge(d, i, by));
            let got: Vec<f64> = got.iter().skip(i).step_by(nv).copied().collect();
            let e = error(&got, &want);
            assert!(e < 1e-4, "{name}, actuation {actuation}, by {input} {i}: {e:e}\n{got:?}\n{want:?}");
        }
    }
    got
}

#[test]
fn closed_forms_are_the_slopes_of_inverse_dynamics() {
    let (euler, fast, implicit) = (IntegratorType::Euler, IntegratorType::ImplicitFast, IntegratorType::Implicit);
    for (name, integrator, steps) in [
        ("acrobot", euler, 20),
        ("pendulum_chain", implicit, 20),
        ("tendon_finger", fast, 20),
        ("crane", euler, 20),
        ("four_bar", euler, 20),
        ("muscle_arm", implicit, 20),
        ("swimmer", fast, 20),
        ("swimmer", IntegratorType::Rk4, 20),
        ("humanoid", euler, 30),
        ("quadruped", fast, 30),
        ("arm_gripper", euler, 20),
        ("box_heap", euler, 40),
        ("welded_pair", euler, 30),
    ] {
        for actuation in [false, true] {
            let (m, mut d) = moving(name, Some(integrator), steps);
            let got = compare(name, &m, &mut d, actuation);
            let mut differences = got.differences;
            differences.contacts = 0;
            assert_eq!(differences, Default::default(), "{name}");
        }
    }
}

#[test]
fn the_rest_is_by_differences() {
    let (m, mut d) = moving("humanoid", Some(IntegratorType::Discrete), 30);
    assert!(compare("humanoid", &m, &mut d, false).differences.step.is_some());
    // Gravity compensation by the actuators is no passive force.
    let m = load_str(
        r#"<mujoco><worldbody><body gravcomp="1"><joint axis="0 1 0" actuatorgravcomp="true"/>
        <geom size=".1" mass="2" pos="1 0 0"/></body></worldbody><actuator><motor joint="arm"/></actuator></mujoco>"#
            .replace("<joint ", "<joint name=\"arm\" ")
            .as_str(),
    )
    .unwrap();
    for actuation in [false, true] {
        let mut d = Data::new(&m).unwrap();
        d.state.qpos[0] = 0.3;
        let got = compare("lift", &m, &mut d, actuation);
        assert_eq!(got.differences.position.is_some(), !actuation);
    }
}

#[test]
fn parameters_have_columns() {
    let (m, mut d) = moving("humanoid", Some(IntegratorType::Euler), 30);
    let names =
        ["body_mass[3]", "body_ipos[2,0]", "dof_damping[7]", "opt.gravity[2]", "geom_friction[0,0]", "opt.timestep"];
    let list: Vec<_> = names.iter().map(|n| ModelParameter::parse(&m, n).unwrap()).collect();
    forward(&m, &mut d).unwrap();
    let mut got = InverseDerivative::default();
    inverse_derivative(&m, &mut d, false, &list, &mut got).unwrap();
    assert_eq!(got.by_differences, [false, false, false, false, false, true]);
    for (i, p) in list.iter().enumerate() {
        let value = p.value(&m).unwrap();
        let h = 1e-6 * value.abs().max(1.0).min(if names[i] == "opt.timestep" { value } else { 3.0 });
        let [plus, minus] = [h, -h].map(|by| {
            let mut nudged = m.clone();
            p.set(&mut nudged, value + by).unwrap();
            let _ = set_const(&mut nudged);
            force(&nudged, &mut d, false)
        });
        let want: Vec<f64> = plus.iter().zip(&minus).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        let column: Vec<f64> = got.p.iter().skip(i).step_by(list.len()).copied().collect();
        let e = error(&column, &want);
        assert!(e < 1e-4, "{p}: {e:e}\n{column:?}\n{want:?}");
    }
}
