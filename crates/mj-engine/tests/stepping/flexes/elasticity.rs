//! Elastic flexes under the integrator `discrete`.

use mj_engine::{Data, Model, StepError, forward, inverse, load_str, step};
use mj_model::IntegratorType;
use mj_problem::{ConstraintSolver, Problem, Solution};

/// Elastic flexes of every kind, pinned to a body that swings, each deformed and in motion; all forces are smooth.
fn swinging() -> Vec<(&'static str, Model, Data)> {
    let kinds = [
        ("shell", r#"dim="2" count="3 3 1""#, r#"elastic2d="both" thickness="0.01""#),
        ("solid", r#"dim="3" count="3 3 2""#, ""),
        ("cell", r#"dim="3" count="3 3 3" dof="trilinear""#, ""),
        ("rod", r#"dim="1" count="5 1 1""#, ""),
    ];
    let of = |(name, shape, elastic): (&'static str, &str, &str)| {
        let xml = format!(
            r#"<mujoco><option integrator="discrete"/><worldbody><body name="arm"><joint axis="0 1 0"/><geom size="0.1" mass="1"/>
            <flexcomp name="f" type="grid" {shape} spacing="0.1 0.1 0.1" mass="1" radius="0.001">
              <contact selfcollide="none" contype="0" conaffinity="0"/><pin id="0 1"/>
              <elasticity young="1e4" poisson="0.2" damping="0.01" {elastic}/></flexcomp></body></worldbody></mujoco>"#
        );
        let m = load_str(&xml).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut d = Data::new(&m).unwrap();
        d.state.qpos.iter_mut().enumerate().for_each(|(i, q)| *q += 0.01 * (1.7 * i as f64).sin());
        d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.1 * (2.3 * i as f64).cos());
        (name, m, d)
    };
    kinds.into_iter().map(of).collect()
}

/// With a vanishing time step the acceleration over the step is that of continuous time, and inverse dynamics gives back the
/// forces at any.
#[test]
fn a_discrete_step_is_consistent_with_elastic_forces() {
    for (name, mut m, mut d) in swinging() {
        forward(&m, &mut d).unwrap();
        inverse(&m, &mut d).unwrap();
        let scale = d.smooth.actuation.qfrc_smooth.iter().fold(1.0, |s: f64, f| s.max(f.abs()));
        let left = d.qfrc_inverse.iter().fold(0.0, |s: f64, f| s.max(f.abs()));
        assert!(left < 1e-9 * scale, "{name}: {left} of {scale}");
        m.opt.timestep = 1e-8;
        forward(&m, &mut d).unwrap();
        let discrete = d.qacc.clone();
        m.opt.integrator = IntegratorType::Euler;
        forward(&m, &mut d).unwrap();
        let size = d.qacc.iter().fold(0.0, |s: f64, a| s.max(a.abs()));
        for (a, b) in discrete.iter().zip(&d.qacc) {
            assert!((a - b).abs() < 1e-4 * size, "{name}: {a} {b}");
        }
    }
}

/// At a time step far beyond what explicit integration stands, motion does not grow.
#[test]
fn discrete_steps_of_stiff_flexes_are_stable() {
    for (name, mut m, mut d) in swinging() {
        m.opt.timestep = 0.02;
        m.opt.gravity = Default::default();
        for _ in 0..500 {
            step(&m, &mut d).unwrap();
        }
        let fastest = d.state.qvel.iter().fold(0.0, |s: f64, v| s.max(v.abs()));
        assert!(fastest < 5.0, "{name}: {fastest}");
    }
}

/// A solver that knows nothing of stiffness.
#[derive(Clone, Debug)]
struct Ignorant;

impl ConstraintSolver for Ignorant {
    fn solve(&mut self, problem: &Problem, out: &mut Solution) {
        out.reset(problem);
    }
}

#[test]
fn steps_with_elastic_flexes_refuse_what_leaves_their_stiffness_out() {
    let (_, mut m, mut d) = swinging().remove(0);
    d.solver = Some(Box::new(Ignorant));
    assert_eq!(step(&m, &mut d), Err(StepError::SolverWithoutStiffness));
    d.solver = Some(Box::new(mj_solver::Newton::default()));
    step(&m, &mut d).unwrap();
    d.solver = None;
    m.opt.integrator = IntegratorType::ImplicitFast;
    let refused = step(&m, &mut d).unwrap_err().to_string();
    assert!(refused.contains("`implicitfast`") && refused.contains("elastic"), "{refused}");
}
