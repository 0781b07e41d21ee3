//! Integrators: order of convergence, energy, stability, and inverse dynamics of a whole step.

use mj_engine::{
    Data, InverseError, Model, complete, forward, integrator_factor, inverse, load_str, step, velocity_derivative,
    velocity_factor,
};

fn model(xml: &str) -> Model {
    load_str(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// A smooth system with much of what integrators treat: a chain of joints of all kinds with
/// gravity, springs, dampers, a damped tendon, a servo, a fluid and a free body.
fn smooth(integrator: &str) -> Model {
    model(&format!(
        r#"<mujoco><option integrator="{integrator}" density="1.2" viscosity="0.05">
          <flag contact="disable"/></option>
        <worldbody><site name="w" pos=".3 .1 .2"/>
          <body><joint name="a" axis="0 1 0" damping=".05"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
            <body pos=".3 0 0"><joint type="ball" damping=".02" stiffness=".3"/><geom type="box" size=".1 .05 .02" pos=".1 0 0"/>
              <body pos=".2 0 0"><joint type="slide" axis="1 0 0" stiffness="20"/>
                <geom type="ellipsoid" size=".1 .05 .04" fluidshape="ellipsoid"/><site name="s"/></body></body></body>
          <body pos="0 1 0"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
        </worldbody>
        <tendon><spatial name="t" damping=".3" stiffness="2"><site site="w"/><site site="s"/></spatial></tendon>
        <actuator><position joint="a" kp="3" kv=".4"/></actuator></mujoco>"#
    ))
}

/// Velocities and sites' positions after a fifth of a second in so many steps.
fn simulate(m: &Model, steps: usize) -> Vec<f64> {
    let mut m = m.clone();
    m.opt.timestep = 0.2 / steps as f64;
    let mut d = Data::new(&m).unwrap();
    for (i, v) in d.state.qvel.iter_mut().enumerate() {
        *v = 2.0 * (1.7 * i as f64).sin();
    }
    d.state.ctrl[0] = 0.5;
    for _ in 0..steps {
        step(&m, &mut d).unwrap();
    }
    forward(&m, &mut d).unwrap();
    let poses = d.smooth.poses.xipos.iter().flat_map(|p| p.to_array());
    d.state.qvel.iter().copied().chain(poses).collect()
}

/// The error falls with the time step's first power for the one-step methods, its fourth for
/// Runge-Kutta's, and all converge to the same motion.
#[test]
fn orders_of_convergence() {
    let exact = simulate(&smooth("RK4"), 800);
    let error = |m: &Model, n: usize| {
        let squares = simulate(m, n).iter().zip(&exact).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        squares.sqrt()
    };
    for (integrator, n, order) in [
        ("Euler", 200, 1.0),
        ("implicit", 200, 1.0),
        ("implicitfast", 200, 1.0),
        ("discrete", 200, 1.0),
        ("RK4", 20, 4.0),
    ] {
        let m = smooth(integrator);
        let (coarse, fine) = (error(&m, n), error(&m, 2 * n));
        let found = (coarse / fine).log2();
        assert!((found - order).abs() < 0.15 * order, "{integrator}: order {found} from {coarse} and {fine}");
    }
}

/// A tumbling body without torque: implicit methods damp it a little, Euler's rule winds it up,
/// Runge-Kutta's keeps its energy. For a body by itself both implicit methods are one.
#[test]
fn energy_of_a_tumbling_body() {
    let run = |integrator: &str| {
        let m = model(&format!(
            r#"<mujoco><option timestep="0.01" integrator="{integrator}" gravity="0 0 0"/><worldbody><body>
              <freejoint/><geom type="box" size=".05 .2 .3"/></body></worldbody></mujoco>"#
        ));
        let mut d = Data::new(&m).unwrap();
        d.state.qvel.copy_from_slice(&[0.0, 0.0, 0.0, 3.0, 8.0, 5.0]);
        let mut energy = Vec::new();
        for _ in 0..300 {
            forward(&m, &mut d).unwrap();
            complete(&m, &mut d);
            energy.push(d.energy[1]);
            step(&m, &mut d).unwrap();
        }
        (energy, d.state.qvel.clone())
    };
    let ratio = |e: &[f64]| e[e.len() - 1] / e[0];
    assert!((ratio(&run("RK4").0) - 1.0).abs() < 1e-3);
    assert!(ratio(&run("Euler").0) > 1.1);
    let ((full, v), (fast, w)) = (run("implicit"), run("implicitfast"));
    assert!(full.windows(2).all(|e| e[1] <= e[0] * (1.0 + 1e-12)), "energy grows");
    assert!((0.2..0.999).contains(&ratio(&full)), "{}", ratio(&full));
    assert!((ratio(&full) - ratio(&fast)).abs() < 1e-9);
    assert!(v.iter().zip(&w).all(|(a, b)| (a - b).abs() < 1e-8));
    let (discrete, w) = run("discrete");
    assert!((ratio(&full) - ratio(&discrete)).abs() < 1e-9);
    assert!(v.iter().zip(&w).all(|(a, b)| (a - b).abs() < 1e-8));
}

/// A chain of three pendulums without friction: Runge-Kutta's method keeps its energy to a millionth of the
/// greatest kinetic energy, the methods of first order to a sixteenth.
#[test]
fn energy_of_a_pendulum_chain() {
    let drift = |integrator: &str| {
        let m = model(&format!(
            r#"<mujoco><option timestep="0.002" integrator="{integrator}"/><worldbody>
              <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
                <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
                  <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" contype="0"/>
                </body></body></body></worldbody></mujoco>"#
        ));
        let mut d = Data::new(&m).unwrap();
        let (mut least, mut most, mut kinetic) = (f64::INFINITY, f64::NEG_INFINITY, 0.0f64);
        for _ in 0..1000 {
            forward(&m, &mut d).unwrap();
            complete(&m, &mut d);
            let energy = d.energy[0] + d.energy[1];
            (least, most, kinetic) = (least.min(energy), most.max(energy), kinetic.max(d.energy[1]));
            step(&m, &mut d).unwrap();
        }
        (most - least) / kinetic
    };
    // As the reference (MuJoCo 4.0.0) drifts.
    for (integrator, want) in [
        ("RK4", 9.672856689457188e-07),
        ("Euler", 0.06061192573027001),
        ("implicit", 0.059233208621509284),
        ("implicitfast", 0.06061192573027001),
        ("discrete", 0.06061192573027001),
    ] {
        let found = drift(integrator);
        assert!((found - want).abs() < 1e-9, "{integrator}: {found}");
    }
}

/// Springs and servos far stiffer than the time step resolves are stable where the integrator takes
/// positions at the end of the step, and come to rest where they balance the weight.
#[test]
fn stiff_springs_are_stable_with_discrete() {
    for (integrator, stable) in [("implicitfast", false), ("discrete", true)] {
        let m = model(&format!(
            r#"<mujoco><option timestep="0.01" integrator="{integrator}"><flag contact="disable"/></option><worldbody>
              <body><joint name="a" type="slide" axis="0 0 1" stiffness="1e5" damping="1"/><geom size=".1" mass="1"/>
                <body><joint name="b" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body></body>
              <body pos="1 0 0"><joint name="c" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body></worldbody>
            <tendon><fixed name="t" stiffness="1e5" damping="1" springlength="0">
              <joint joint="b" coef="1"/><joint joint="c" coef="1"/></fixed></tendon>
            <actuator><position joint="b" kp="1e5" kv="10"/></actuator></mujoco>"#
        ));
        let mut d = Data::new(&m).unwrap();
        d.state.qpos.copy_from_slice(&[0.01, -0.02, 0.03]);
        for _ in 0..1000 {
            step(&m, &mut d).unwrap();
        }
        // The weights of both bodies on the first joint stretch its spring.
        let rests = d.state.qvel.iter().all(|v| v.abs() < 1e-3) && d.state.time > 5.0;
        assert_eq!(rests, stable, "{integrator}: {:?}", d.state.qvel);
        if stable {
            let (q, g) = (&d.state.qpos, 9.81);
            let tendon = 1e5 * (q[1] + q[2]);
            // Force on each coordinate: spring, tendon, servo, weight.
            let forces = [-1e5 * q[0] - 2.0 * g, -tendon - 1e5 * q[1] - g, -tendon - g];
            assert!(forces.iter().all(|f| f.abs() < 0.1), "{forces:?}");
        }
    }
}

/// Damping that would blow up explicitly, in joints, in a tendon and in servos, is stable.
#[test]
fn stiff_damping_is_stable() {
    for (integrator, stable) in
        [("Euler", false), ("RK4", false), ("implicit", true), ("implicitfast", true), ("discrete", true)]
    {
        let m = model(&format!(
            r#"<mujoco><option timestep="0.01" integrator="{integrator}"/><worldbody>
              <body><joint name="a" axis="0 1 0" damping="50"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
                <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
                  <body pos=".3 0 0"><joint name="c" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
                </body></body></body></worldbody>
            <tendon><fixed name="t" damping="20"><joint joint="b" coef="1"/><joint joint="c" coef="-.5"/></fixed></tendon>
            <actuator><velocity joint="c" kv="30"/></actuator></mujoco>"#
        ));
        let mut d = Data::new(&m).unwrap();
        d.state.qvel.copy_from_slice(&[1.0, -2.0, 3.0]);
        let mut fastest: f64 = 0.0;
        for _ in 0..200 {
            step(&m, &mut d).unwrap();
            fastest = d.state.qvel.iter().fold(fastest, |a, v| a.max(v.abs()));
        }
        assert_eq!(fastest < 4.0, stable, "{integrator}: {fastest}");
    }
}

/// The force that inverse dynamics finds for the difference of two velocities, with the flag
/// `invdiscrete`, is the one that was applied.
#[test]
fn inverse_dynamics_of_a_whole_step() {
    for integrator in ["Euler", "implicit", "implicitfast", "discrete"] {
        let mut m = smooth(integrator);
        // For couplings the solver finds the acceleration.
        m.opt.tolerance = 1e-14;
        m.opt.enableflags |= mj_model::enable::INVDISCRETE;
        let mut d = Data::new(&m).unwrap();
        for (i, f) in d.state.qfrc_applied.iter_mut().enumerate() {
            *f = 0.3 * (i as f64).cos();
        }
        d.state.ctrl[0] = 0.4;
        for _ in 0..20 {
            let before = d.state.clone();
            step(&m, &mut d).unwrap();
            let after = std::mem::replace(&mut d.state, before);
            let mut want = d.state.qfrc_applied.clone();
            want.iter_mut().zip(&d.smooth.actuation.qfrc_actuator).for_each(|(w, a)| *w += a);
            for i in 0..m.nv() {
                d.qacc[i] = (after.qvel[i] - d.state.qvel[i]) / m.opt.timestep;
            }
            inverse(&m, &mut d).unwrap();
            for (got, want) in d.qfrc_inverse.iter().zip(&want) {
                assert!((got - want).abs() < 1e-9 * (1.0 + want.abs()), "{integrator}: {got} against {want}");
            }
            d.state = after;
        }
    }
    let mut m = smooth("RK4");
    m.opt.enableflags |= mj_model::enable::INVDISCRETE;
    let mut d = Data::new(&m).unwrap();
    step(&m, &mut d).unwrap();
    assert_eq!(inverse(&m, &mut d), Err(InverseError::DiscreteRk4));
}

/// The flag `fwdinv` measures how well constraints are solved, and changes nothing.
#[test]
fn forward_and_inverse_dynamics_are_compared() {
    let mut m = mj_engine::load(mj_testkit::bundled("humanoid")).unwrap();
    let run = |m: &Model| {
        let mut d = Data::new(m).unwrap();
        d.state.xfrc_applied.as_mut_slice()[3] = [5.0, 3.0, -2.0, 0.1, 0.2, 0.3];
        let mut worst: f64 = 0.0;
        for _ in 0..150 {
            step(m, &mut d).unwrap();
            worst = worst.max(d.solver_fwdinv[1]);
        }
        (worst, d)
    };
    let (nothing, plain) = run(&m);
    assert_eq!(nothing, 0.0);
    m.opt.enableflags |= mj_model::enable::FWDINV;
    let (coarse, compared) = run(&m);
    assert_eq!((plain.state, plain.solution), (compared.state, compared.solution));
    assert!(compared.rows.nefc() > 0);
    (m.opt.tolerance, m.opt.ls_tolerance) = (1e-14, 1e-6);
    let (fine, _) = run(&m);
    assert!(coarse > 0.0 && fine < 1e-5, "{coarse}, {fine}");
}

/// The factor that a step leaves is that of M − h ∂f/∂v, with the derivative that it leaves.
#[test]
fn a_step_leaves_its_matrix() {
    let m = smooth("implicit");
    let (n, h) = (m.nv(), m.opt.timestep);
    let mut d = Data::new(&m).unwrap();
    assert!(integrator_factor(&m, &d).is_none());
    d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = (1.7 * i as f64).sin());
    step(&m, &mut d).unwrap();
    let (derivative, factor) = (velocity_derivative(&m, &d).unwrap(), velocity_factor(&m, &d).unwrap());
    let (mut x, mut y) = ((0..n).map(|i| (0.3 * i as f64).cos()).collect::<Vec<_>>(), vec![0.0; n]);
    let mut image = vec![0.0; n];
    m.m_pattern.mul(&d.smooth.inertia.M, &x, &mut image);
    derivative.pattern.mul_unsymmetric(derivative.lower, derivative.upper, &x, &mut y);
    image.iter_mut().zip(&y).for_each(|(b, f)| *b -= h * f);
    factor.pattern.solve_lu(factor.lower, factor.upper, &mut image);
    x.iter_mut().zip(&image).for_each(|(x, found)| *x -= found);
    assert!(x.iter().all(|e| e.abs() < 1e-10), "{x:?}");
}

#[test]
fn euler_and_implicitfast_leave_the_factor_of_inertia_and_damping() {
    for integrator in ["Euler", "implicitfast"] {
        let m = model(&format!(
            r#"<mujoco><option integrator="{integrator}"/><worldbody><body><joint damping=".5" axis="0 1 0"/>
              <geom size=".1" pos=".2 0 0"/><body pos=".4 0 0"><joint damping=".3" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
              </body></body><body pos="0 2 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#
        ));
        let (n, h) = (m.nv(), m.opt.timestep);
        let mut d = Data::new(&m).unwrap();
        assert!(integrator_factor(&m, &d).is_none(), "{integrator}");
        step(&m, &mut d).unwrap();
        let factor = integrator_factor(&m, &d).unwrap();
        let x: Vec<f64> = (0..n).map(|i| (0.3 * i as f64).cos()).collect();
        let mut y = vec![0.0; n];
        m.m_pattern.mul(&d.smooth.inertia.M, &x, &mut y);
        for (i, damping) in [(0, 0.5), (1, 0.3)] {
            y[i] += h * damping * x[i];
        }
        m.m_pattern.solve(&factor.ld, &factor.dinv, &mut y);
        assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-10), "{integrator} {y:?}");
    }
}
