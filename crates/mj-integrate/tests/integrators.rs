//! Integrators on systems with known answers.

use mj_dynamics::constants::dof_M0;
use mj_dynamics::{Dynamics, Poses, Transmissions, com_pos, kinematics};
use mj_integrate::{
    EffectiveInertia, EulerInputs, EulerWorkspace, ImplicitWorkspace, Reuse, Rk4Workspace, System, discrete, euler,
    implicit, mul_euler, mul_implicit, rk4,
};
use mj_math::{DQuat, DVec3, quat};
use mj_model::{DofId, IntegratorType, JointId, JointType, Model, State};
use mj_testkit::{Builder, any_model, pendulum};
use proptest::prelude::*;

/// Smooth dynamics of a model as a system.
struct Smooth<'a> {
    m: &'a Model,
    s: State,
    d: Dynamics,
}

impl<'a> Smooth<'a> {
    fn new(m: &'a Model, s: State) -> Self {
        let mut new = Self { m, s, d: Dynamics::new(m) };
        new.forward();
        new
    }

    /// Takes one step with the integrator of the model.
    fn step(&mut self) {
        let zero = vec![0.0; self.m.nv()];
        let (m, chains) = (self.m, &self.d.plan.chains);
        match m.opt.integrator {
            IntegratorType::Rk4 => rk4(m, self, &mut Rk4Workspace::default()),
            IntegratorType::Implicit | IntegratorType::ImplicitFast => {
                let ws = &mut ImplicitWorkspace::new(m);
                assert_eq!(implicit(m, chains, &mut self.s, &self.d.smooth, &zero, Reuse::Nothing, ws), None);
            }
            IntegratorType::Discrete => {
                let mut inertia = EffectiveInertia::new(m);
                inertia.compute(m, chains, &self.s, &self.d.smooth, true, |_, _| {});
                let mut qacc: Vec<f64> = self.d.smooth.actuation.qfrc_smooth.clone();
                qacc.iter_mut().zip(&inertia.shift).for_each(|(f, shift)| *f += shift);
                m.m_pattern.solve(&inertia.qLD, &inertia.qLDiagInv, &mut qacc);
                discrete(m, &mut self.s, &self.d.smooth, &qacc);
            }
            IntegratorType::Euler => {
                let smooth = &self.d.smooth;
                let inputs = EulerInputs {
                    inertia: &smooth.inertia,
                    transmissions: &smooth.transmissions,
                    qfrc_smooth: &smooth.actuation.qfrc_smooth,
                    qfrc_constraint: &zero,
                    qacc: &smooth.actuation.qacc_smooth,
                    act_dot: &smooth.actuation.act_dot,
                    factored: false,
                };
                assert_eq!(euler(m, &mut self.s, inputs, &mut EulerWorkspace::default()), None);
            }
        }
        self.forward();
    }
}

impl System for Smooth<'_> {
    fn state(&mut self) -> &mut State {
        &mut self.s
    }
    fn rates(&self) -> (&[f64], &[f64]) {
        (&self.d.smooth.actuation.qacc_smooth, &self.d.smooth.actuation.act_dot)
    }
    fn parts(&mut self) -> (&mut State, &Transmissions) {
        (&mut self.s, &self.d.smooth.transmissions)
    }
    fn forward(&mut self) {
        assert_eq!(self.d.forward(self.m, &self.s), None);
    }
}

/// State after a time in so many steps.
fn simulate(m: &Model, start: &State, integrator: IntegratorType, time: f64, steps: usize) -> State {
    let mut m = m.clone();
    (m.opt.integrator, m.opt.timestep) = (integrator, time / steps as f64);
    let mut system = Smooth::new(&m, start.clone());
    (0..steps).for_each(|_| system.step());
    system.s
}

/// Ends a model of bodies whose inertia is constant: the diagonal of M is one of its parameters.
fn finish(b: Builder) -> Model {
    let mut m = b.finish();
    let mut poses = Poses::new(&m);
    let s = State::new(&m);
    kinematics(&m, &s, &mut poses);
    com_pos(&m, &s.awake, &mut poses);
    m.dof.M0 = dof_M0(&m, &poses);
    m
}

/// A mass on a slide with a spring and a damper, off its rest position and moving.
fn slider(mass: f64, stiffness: f64, damping: f64, [x, v]: [f64; 2]) -> (Model, State) {
    let mut b = Builder::new();
    let body = (DVec3::ZERO, DQuat::IDENTITY, mass, DVec3::splat(0.1));
    b.body(0, DVec3::ZERO, DQuat::IDENTITY, &[(JointType::Slide, DVec3::ZERO, DVec3::X)], body);
    let mut m = finish(b);
    m.opt.gravity = DVec3::ZERO;
    (m.jnt.stiffness[JointId::new(0)], m.dof.damping[DofId::new(0)]) = (stiffness, damping);
    let mut s = State::new(&m);
    (s.qpos[0], s.qvel[0]) = (x, v);
    (m, s)
}

/// A free body with its frame in the centre of mass, without gravity.
fn tumbling(moments: DVec3, spin: DVec3, velocity: DVec3) -> (Model, State) {
    let mut b = Builder::new();
    let body = (DVec3::ZERO, DQuat::IDENTITY, 2.0, moments);
    b.body(0, DVec3::ZERO, DQuat::IDENTITY, &[(JointType::Free, DVec3::ZERO, DVec3::Z)], body);
    let mut m = finish(b);
    m.opt.gravity = DVec3::ZERO;
    let mut s = State::new(&m);
    velocity.write_to_slice(&mut s.qvel);
    spin.write_to_slice(&mut s.qvel[3..]);
    (m, s)
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from_array)
}

/// Velocity and position of the slider after one step, by an acceleration.
fn stepped(s: &State, h: f64, a: f64) -> [f64; 2] {
    let v = s.qvel[0] + h * a;
    [v, s.qpos[0] + h * v]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Halving the step divides the error by 2 to the power of the order, 1 for Euler's and the implicit rules and 4 for
    /// Runge-Kutta's.
    #[test]
    fn errors_fall_with_the_order_of_the_method(angle in 0.5..2.5f64, speed in 0.5..2.0f64, damping in 0.1..0.5f64) {
        let mut m = pendulum(1.0, 1.0);
        m.dof.damping[DofId::new(0)] = damping;
        let mut start = State::new(&m);
        (start.qpos[0], start.qvel[0]) = (angle, speed);
        let exact = simulate(&m, &start, IntegratorType::Rk4, 0.5, 2000).qpos[0];
        use IntegratorType::*;
        for (integrator, order, steps) in [(Euler, 1.0, 400), (Implicit, 1.0, 400), (ImplicitFast, 1.0, 400), (Rk4, 4.0, 20)] {
            let error = |n: usize| (simulate(&m, &start, integrator, 0.5, n).qpos[0] - exact).abs();
            let (coarse, fine) = (error(steps), error(2 * steps));
            // An error that happens to vanish tells no order.
            prop_assume!(coarse > 1e-3 / (steps as f64).powf(order));
            let found = (coarse / fine).log2();
            prop_assert!((found - order).abs() < 0.25, "{integrator:?}: {found}");
        }
    }

    /// A damper is taken at the end of the step: v' = v − h (k x + b v') / m, but for the spring, which only `discrete` takes
    /// there.
    #[test]
    fn springs_and_dampers_have_closed_forms(
        mass in 0.1..3.0f64, k in 0.0..50.0f64, b in 0.1..50.0f64, x in -1.0..1.0f64, v in -3.0..3.0f64,
    ) {
        let (m, s) = slider(mass, k, b, [x, v]);
        let h = 0.01;
        let force = -k * x - b * v;
        use IntegratorType::*;
        let explicit = force / (mass + h * b);
        let whole = (force - h * k * v) / (mass + h * b + h * h * k);
        for (integrator, a) in [(Euler, explicit), (Implicit, explicit), (ImplicitFast, explicit), (Discrete, whole)] {
            let after = simulate(&m, &s, integrator, h, 1);
            for (got, want) in [after.qvel[0], after.qpos[0]].into_iter().zip(stepped(&s, h, a)) {
                prop_assert!((got - want).abs() < 1e-12 * (1.0 + want.abs()), "{integrator:?}: {got} against {want}");
            }
        }
    }

    /// Without torque a body keeps its energy and its angular momentum in the world; its centre moves on a line.
    #[test]
    fn a_tumbling_body_keeps_energy_and_momentum(moments in vector(1.0), spin in vector(4.0), velocity in vector(2.0)) {
        let moments = moments.abs() + 1.0;
        let (m, s) = tumbling(moments, spin, velocity);
        let of = |s: &State| {
            let w = DVec3::from_slice(&s.qvel[3..]);
            (quat::rotate(quat::read(&s.qpos[3..]), moments * w), 0.5 * w.dot(moments * w))
        };
        let after = simulate(&m, &s, IntegratorType::Rk4, 1.0, 1000);
        let ((momentum, energy), (momentum_after, energy_after)) = (of(&s), of(&after));
        prop_assert!((momentum - momentum_after).length() < 1e-9 * (1.0 + momentum.length()));
        prop_assert!((energy - energy_after).abs() < 1e-9 * (1.0 + energy));
        prop_assert!((DVec3::from_slice(&after.qpos) - velocity).length() < 1e-12);
        prop_assert!((quat::read(&after.qpos[3..]).length() - 1.0).abs() < 1e-12);
    }

    /// A body that spins about a principal axis turns by the angle of its speed, with every integrator.
    #[test]
    fn a_spin_about_a_principal_axis_is_exact(moments in vector(1.0), speed in -3.0..3.0f64, axis in 0usize..3) {
        let spin = DVec3::AXES[axis] * speed;
        let (m, s) = tumbling(moments.abs() + 1.0, spin, DVec3::ZERO);
        use IntegratorType::*;
        for integrator in [Euler, Implicit, ImplicitFast, Rk4] {
            let after = simulate(&m, &s, integrator, 0.5, 20);
            let error = quat::sub(quat::read(&after.qpos[3..]), quat::exp(spin * 0.5)).length();
            prop_assert!(error < 1e-12, "{integrator:?}: {error}");
        }
    }

    /// Under gravity alone, semi-implicit Euler falls by g h² (1 + 2 + … + n).
    #[test]
    fn free_fall_has_a_closed_form(n in 1usize..50, spin in vector(2.0), velocity in vector(2.0)) {
        let (mut m, s) = tumbling(DVec3::ONE, spin, velocity);
        m.opt.gravity = DVec3::new(0.1, 0.2, -9.81);
        let h = 0.01;
        let after = simulate(&m, &s, IntegratorType::Euler, n as f64 * h, n);
        let want = velocity * (n as f64 * h) + m.opt.gravity * (h * h * (n * (n + 1)) as f64 / 2.0);
        prop_assert!((DVec3::from_slice(&after.qpos) - want).length() < 1e-12);
    }

    /// The force that gives an acceleration over a step, found by the matrix of the integrator, is the one that was given.
    #[test]
    fn matrices_of_steps_are_those_that_are_solved((mut m, s) in any_model(), damping in 0.1..2.0f64) {
        prop_assume!(m.nv() > 0);
        m.dof.ids().for_each(|d| m.dof.damping[d] = damping);
        for integrator in [IntegratorType::Euler, IntegratorType::Implicit, IntegratorType::ImplicitFast] {
            m.opt.integrator = integrator;
            let mut system = Smooth::new(&m, s.clone());
            let before = system.d.clone();
            system.step();
            let h = m.opt.timestep;
            let a: Vec<f64> = system.s.qvel.iter().zip(&s.qvel).map(|(new, old)| (new - old) / h).collect();
            let mut force = vec![0.0; m.nv()];
            if integrator == IntegratorType::Euler {
                mul_euler(&m, &s, &before.smooth.inertia, &a, &mut force);
            } else {
                let ws = &mut ImplicitWorkspace::new(&m);
                mul_implicit(&m, &before.plan.chains, &s, &before.smooth, &a, &mut force, ws);
            }
            for (got, want) in force.iter().zip(&before.smooth.actuation.qfrc_smooth) {
                prop_assert!((got - want).abs() < 1e-8 * (1.0 + want.abs()), "{integrator:?}: {got} against {want}");
            }
        }
    }
}
