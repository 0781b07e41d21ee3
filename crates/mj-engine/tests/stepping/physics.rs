//! Physics with known answers, through the whole pipeline.

use mj_engine::{Data, Model, complete, forward, inverse, load_str, step};
use std::f64::consts::PI;

fn model(xml: &str) -> (Model, Data) {
    let m = load_str(xml).unwrap_or_else(|e| panic!("{e}"));
    let d = Data::new(&m).unwrap();
    (m, d)
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
fn pendulum_period(length: f64, g: f64, amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (amplitude / 2.0).cos());
    for _ in 0..20 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    2.0 * PI * f64::sqrt(length / g) / a
}

#[test]
fn point_pendulum_has_the_exact_period() {
    let (m, mut d) = model(
        r#"<mujoco><option timestep="0.001" integrator="RK4"/><worldbody><body>
          <joint type="hinge" axis="0 1 0"/>
          <inertial pos="0 0 -0.7" mass="2" diaginertia="1e-9 1e-9 1e-9"/>
        </body></worldbody></mujoco>"#,
    );
    let amplitude = 1.2;
    d.state.qpos[0] = amplitude;
    // Passages of the bottom in the same direction, by linear interpolation.
    let mut passages = Vec::new();
    let mut before = d.state.qpos[0];
    while passages.len() < 3 {
        step(&m, &mut d).unwrap();
        let now = d.state.qpos[0];
        if before < 0.0 && now >= 0.0 {
            passages.push(d.state.time - m.opt.timestep * now / (now - before));
        }
        before = now;
    }
    let period = (passages[2] - passages[0]) / 2.0;
    let exact = pendulum_period(0.7, 9.81, amplitude);
    assert!((period / exact - 1.0).abs() < 1e-6, "{period} against {exact}");
}

#[test]
fn free_fall_is_the_parabola() {
    let (m, mut d) = model(
        r#"<mujoco><worldbody><body pos="0 0 10"><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"#,
    );
    for _ in 0..500 {
        step(&m, &mut d).unwrap();
    }
    // Semi-implicit Euler falls h·g·t/2 further than the continuous parabola: exactly known.
    let (t, h) = (d.state.time, m.opt.timestep);
    let exact = 10.0 - 0.5 * 9.81 * t * (t + h);
    assert!((d.state.qpos[2] - exact).abs() < 1e-9, "{} against {exact}", d.state.qpos[2]);
}

#[test]
fn torque_free_spin_keeps_energy_and_momentum() {
    let (m, mut d) = model(
        r#"<mujoco><option timestep="0.002" integrator="RK4" gravity="0 0 0"/><worldbody><body>
          <freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"#,
    );
    d.state.qvel.copy_from_slice(&[0.1, 0.0, 0.0, 0.02, 5.0, 0.01]);
    let measure = |d: &mut Data| {
        forward(&m, d).unwrap();
        complete(&m, d);
        (d.energy[1], d.smooth.velocities.subtree_angmom.as_slice()[1])
    };
    let (energy, momentum) = measure(&mut d);
    for _ in 0..2000 {
        step(&m, &mut d).unwrap();
    }
    let (e, l) = measure(&mut d);
    assert!((e / energy - 1.0).abs() < 1e-7, "{e} against {energy}");
    assert!((l - momentum).length() / momentum.length() < 1e-7);
    assert!((d.state.qvel[4] - 5.0).abs() > 0.1, "rotation about the middle axis should have tumbled");
}

/// A box on a tilted floor sticks below the friction angle and slides above it.
#[test]
fn coulomb_threshold() {
    for (slope, slides) in [(0.45, false), (0.55, true)] {
        let angle = f64::atan(slope);
        let g = 9.81;
        let (m, mut d) = model(&format!(
            r#"<mujoco><option gravity="{} 0 {}" cone="elliptic" impratio="100"/><worldbody>
              <geom type="plane" size="9 9 1" friction=".5"/>
              <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" friction=".5"/></body>
            </worldbody></mujoco>"#,
            g * angle.sin(),
            -g * angle.cos()
        ));
        for _ in 0..1000 {
            step(&m, &mut d).unwrap();
        }
        let v = d.state.qvel[0];
        if slides {
            let exact = g * (angle.sin() - 0.5 * angle.cos()) * d.state.time;
            assert!((v / exact - 1.0).abs() < 0.03, "{v} against {exact}");
        } else {
            assert!(v.abs() < 0.01, "creeps at {v}");
        }
    }
}

/// The force that forward dynamics was given is what inverse dynamics finds.
#[test]
fn inverse_undoes_forward() {
    for name in ["humanoid", "rolling", "four_bar", "tendon_finger", "box_heap", "workcell"] {
        let mut m = mj_engine::load(mj_testkit::bundled(name)).unwrap();
        (m.opt.tolerance, m.opt.iterations, m.opt.ls_tolerance, m.opt.ls_iterations) = (1e-15, 500, 1e-6, 100);
        let mut d = Data::new(&m).unwrap();
        for i in 0..200 {
            for (k, c) in d.state.ctrl.iter_mut().enumerate() {
                *c = 0.5 * ((i / 10 + 3 * k) as f64).sin();
            }
            for (k, f) in d.state.qfrc_applied.iter_mut().enumerate() {
                *f = 0.1 * ((i + k) as f64).cos();
            }
            step(&m, &mut d).unwrap();
            if i % 40 != 39 {
                continue;
            }
            forward(&m, &mut d).unwrap();
            let mut external = d.state.qfrc_applied.clone();
            external.iter_mut().zip(&d.smooth.actuation.qfrc_actuator).for_each(|(e, a)| *e += a);
            let scale = d.smooth.velocities.qfrc_bias.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
            inverse(&m, &mut d).unwrap();
            for (i, (got, want)) in d.qfrc_inverse.iter().zip(&external).enumerate() {
                assert!((got - want).abs() < 1e-7 * scale, "{name} dof {i}: {got} against {want}");
            }
        }
    }
}

/// Bad numbers raise a warning and reset the state.
#[test]
fn divergence_is_caught() {
    use mj_model::Warning;
    let (m, mut d) =
        model(r#"<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#);
    d.state.qpos[0] = f64::NAN;
    step(&m, &mut d).unwrap();
    assert_eq!(d.warning(Warning::BadQpos).number, 1);
    d.state.qvel[3] = 1e12;
    step(&m, &mut d).unwrap();
    assert_eq!((d.warning(Warning::BadQvel).number, d.warning(Warning::BadQvel).lastinfo), (1, 3));
    d.state.qfrc_applied[2] = f64::INFINITY;
    step(&m, &mut d).unwrap();
    assert_eq!(d.warning(Warning::BadQacc).number, 1);
    assert!(d.state.qpos.iter().chain(&d.state.qvel).all(|x| x.is_finite()));
}
