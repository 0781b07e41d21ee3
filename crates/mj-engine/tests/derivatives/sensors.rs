//! Jacobians of sensors along the closed-form derivative of the acceleration, against differences of the step.

use crate::derivative::{error, moving};
use mj_engine::model::model::ModelParameter;
use mj_engine::{Data, StepDerivative, Transition, forward, load_str, sensor_derivative, set_const, transition_fd};
use mj_model::IntegratorType;

#[test]
fn columns_of_sensors_are_their_slopes() {
    let (euler, fast) = (IntegratorType::Euler, IntegratorType::ImplicitFast);
    for (name, integrator, steps) in [
        ("humanoid", euler, 30),
        ("quadruped", fast, 50),
        ("arm_gripper", euler, 20),
        ("muscle_arm", euler, 20),
        ("tendon_finger", fast, 20),
        ("quadruped", IntegratorType::Discrete, 50),
    ] {
        let (m, mut d) = moving(name, Some(integrator), steps);
        assert!(m.nsensordata > 0, "{name} has no sensors");
        let mut want = Transition::default();
        transition_fd(&m, &mut d, 1e-6, true, &mut want).unwrap();
        let mut got = StepDerivative::default();
        let state = d.state.clone();
        sensor_derivative(&m, &mut d, &[], &mut got).unwrap();
        assert_eq!(d.state, state, "{name}: the state has changed");
        let (nx, nu) = (2 * m.nv() + m.na, m.nu());
        for s in 0..m.nsensordata {
            for (what, got, want, w) in [("state", &got.c, &want.c, nx), ("control", &got.d, &want.d, nu)] {
                let [got, want] = [got, want].map(|x| &x[s * w..(s + 1) * w]);
                let e = error(got, want);
                assert!(e < 1e-4, "{name}, {integrator:?}: number {s} by {what}: {e:e}\n{got:?}\n{want:?}");
            }
        }
    }
}

#[test]
fn columns_by_parameters_are_slopes() {
    let (m, mut d) = moving("quadruped", None, 50);
    let names = ["body_mass[2]", "dof_damping[7]", "opt.gravity[2]", "geom_friction[0,0]", "body_pos[3,1]"];
    let list: Vec<_> = names.iter().map(|n| ModelParameter::parse(&m, n).unwrap()).collect();
    let mut got = StepDerivative::default();
    sensor_derivative(&m, &mut d, &list, &mut got).unwrap();
    let state = d.state.clone();
    for (i, p) in list.iter().enumerate() {
        let value = p.value(&m).unwrap();
        let h = 1e-6 * value.abs().max(3.0);
        let [plus, minus] = [h, -h].map(|by| {
            let mut nudged = m.clone();
            p.set(&mut nudged, value + by).unwrap();
            let _ = set_const(&mut nudged);
            forward(&nudged, &mut d).unwrap();
            d.state.clone_from(&state);
            d.sensordata.clone()
        });
        for s in 0..m.nsensordata {
            let want = (plus[s] - minus[s]) / (2.0 * h);
            let e = error(&[got.s[s * list.len() + i]], &[want]);
            assert!(e < 1e-4, "{p}: number {s}: {e:e}, want {want}");
        }
    }
}

/// Kinetic energy is read with the positions, and moves with the velocities all the same.
#[test]
fn kinetic_energy_moves_with_the_velocity() {
    let m = load_str(
        r#"<mujoco><worldbody><body><joint type="slide"/><geom size=".1" mass="2"/></body></worldbody>
        <sensor><e_kinetic/></sensor></mujoco>"#,
    )
    .unwrap();
    let mut d = Data::new(&m).unwrap();
    d.state.qvel[0] = 3.0;
    let mut got = StepDerivative::default();
    sensor_derivative(&m, &mut d, &[], &mut got).unwrap();
    assert!(got.c[0].abs() < 1e-8 && (got.c[1] - 6.0).abs() < 1e-8, "{:?}", got.c);
}
