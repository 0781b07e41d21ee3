//! Jacobians by finite differences, of a time step and of inverse dynamics.

use mj_engine::{
    Data, InverseError, InverseJacobians, Model, Transition, TransitionError, forward, inverse_fd, load, load_str,
    state_transition_fd, step, transition_fd,
};
use mj_model::{IntegratorType, SolverType};

/// Results of the reference (MuJoCo 4.0.0, `mjd_transitionFD`, centered, eps 1e-6) at the state of
/// [`moving`]: of each of A, B, C, D the sums Σ sin(i+1) cos(j+1) X_ij and Σ |X_ij|.
type Golden = (&'static str, IntegratorType, [[f64; 2]; 4]);
const GOLDEN: [Golden; 4] = [
    (
        "tendon_finger",
        IntegratorType::Euler,
        [
            [3.234760738e+00, 3.135094918e+01],
            [1.880155514e-02, 8.327293828e-02],
            [-7.968237849e-01, 4.215364227e+00],
            [0.000000000e+00, 0.000000000e+00],
        ],
    ),
    (
        "lamp",
        IntegratorType::ImplicitFast,
        [
            [6.435833780e-01, 1.327130528e+01],
            [3.462824981e-01, 1.746237345e+00],
            [3.183681864e-01, 8.308406462e+00],
            [0.000000000e+00, 0.000000000e+00],
        ],
    ),
    (
        "four_bar",
        IntegratorType::Implicit,
        [
            [3.094557846e+01, 4.882994291e+02],
            [9.064981671e-02, 6.215011141e-01],
            [-1.925331527e-01, 5.043413581e+00],
            [0.000000000e+00, 0.000000000e+00],
        ],
    ),
    (
        "quadruped",
        IntegratorType::ImplicitFast,
        [
            [2.833354498e+01, 1.356233750e+02],
            [-3.721588428e+00, 5.824406519e+01],
            [1.035476664e+00, 9.939285116e+00],
            [0.000000000e+00, 0.000000000e+00],
        ],
    ),
];

/// A bundled model three steps on from some velocity and control, solved tightly.
fn moving(name: &str, integrator: IntegratorType) -> (Model, Data) {
    let mut m = load(mj_testkit::bundled(name)).unwrap();
    m.opt.integrator = integrator;
    (m.opt.tolerance, m.opt.ls_tolerance, m.opt.iterations) = (1e-14, 1e-6, 200);
    let mut d = Data::new(&m).unwrap();
    for (i, v) in d.state.qvel.iter_mut().enumerate() {
        *v = 0.3 * (i as f64 + 1.0).sin();
    }
    for (i, u) in d.state.ctrl.iter_mut().enumerate() {
        *u = 0.2 * (i as f64 + 1.0).cos();
    }
    for _ in 0..3 {
        step(&m, &mut d).unwrap();
    }
    (m, d)
}

/// Compares a matrix with the reference's sums.
fn check(name: &str, x: &[f64], columns: usize, golden: [f64; 2], tolerance: f64) {
    let mut found = [0.0; 2];
    for (i, row) in x.chunks_exact(columns).enumerate() {
        for (j, x) in row.iter().enumerate() {
            found[0] += (i as f64 + 1.0).sin() * (j as f64 + 1.0).cos() * x;
            found[1] += x.abs();
        }
    }
    for (got, want) in found.iter().zip(golden) {
        assert!((got - want).abs() < tolerance * (1.0 + golden[1]), "{name}: {got} against {want}");
    }
}

#[test]
fn agrees_with_the_reference() {
    let mut t = Transition::default();
    for (name, integrator, golden) in GOLDEN {
        let (m, mut d) = moving(name, integrator);
        let before = d.state.clone();
        transition_fd(&m, &mut d, 1e-6, true, &mut t).unwrap();
        assert_eq!(d.state, before, "{name}: the state has changed");
        let (nx, nu) = (2 * m.nv() + m.na, m.nu());
        for ((x, columns), golden) in [(&t.a, nx), (&t.b, nu), (&t.c, nx), (&t.d, nu)].into_iter().zip(golden) {
            check(name, x, columns, golden, 1e-6);
        }
        let centered = t.clone();
        state_transition_fd(&m, &mut d, 1e-6, true, &mut t).unwrap();
        assert!((&t.a, &t.b) == (&centered.a, &centered.b), "{name}: sensors change the state");
        assert!(t.c.is_empty() && t.d.is_empty());
        // Forward differences are less exact, and close.
        transition_fd(&m, &mut d, 1e-7, false, &mut t).unwrap();
        for (a, b) in centered.a.iter().zip(&t.a) {
            assert!((a - b).abs() < 1e-4 * (1.0 + a.abs()), "{name}: {a} and {b}");
        }
    }
}

/// A mass on a spring, pushed: the step is linear and known.
#[test]
fn a_linear_system_is_found_exactly() {
    let m = load_str(
        r#"<mujoco><option timestep="0.1" gravity="0 0 0"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"
          stiffness="3" damping="0.5"/><geom size=".1" mass="2"/></body></worldbody>
        <actuator><motor joint="x" gear="4" ctrlrange="-1 1"/></actuator>
        <sensor><jointpos joint="x"/><jointvel joint="x"/><jointactuatorfrc joint="x"/></sensor></mujoco>"#,
    )
    .unwrap();
    let mut d = Data::new(&m).unwrap();
    let mut t = Transition::default();
    let (h, mass) = (0.1, 2.0 + 0.1 * 0.5);
    let check = |got: &[f64], want: &[f64]| {
        assert_eq!(got.len(), want.len());
        for (g, w) in got.iter().zip(want) {
            assert!((g - w).abs() < 1e-8, "{got:?} against {want:?}");
        }
    };
    // v' = v + h (−3 x − v/2 + 4 u)/(m + h/2),  x' = x + h v'.
    let (by_x, by_v, by_u) = (-3.0 * h / mass, 1.0 - 0.5 * h / mass, 4.0 * h / mass);
    for centered in [false, true] {
        transition_fd(&m, &mut d, 1e-5, centered, &mut t).unwrap();
        check(&t.a, &[1.0 + h * by_x, h * by_v, by_x, by_v]);
        check(&t.b, &[h * by_u, by_u]);
        check(&t.c, &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        check(&t.d, &[0.0, 0.0, 4.0]);
    }
    // At a limit of the control, differences go the other way; beyond it there is nothing.
    for (u, scale) in [(1.0, 1.0), (-1.0, 1.0), (1.5, 0.0)] {
        d.state.ctrl[0] = u;
        for centered in [false, true] {
            transition_fd(&m, &mut d, 1e-5, centered, &mut t).unwrap();
            check(&t.b, &[scale * h * by_u, scale * by_u]);
        }
    }
}

/// Two arms on one base, so that their trees share a centre of mass, near it and touching themselves; and the energy, which
/// a sensor reads of the step before.
const ARMS: &str = r#"<mujoco><option timestep="0.002" tolerance="1e-15" ls_tolerance="1e-6"><flag energy="enable"/></option>
  <default><geom type="capsule" size=".04" mass=".5"/><joint damping=".2"/></default>
  <worldbody><body pos="0 0 1"><geom type="box" size=".7 .1 .05"/>
    <body name="a" pos=".3 .1 .1"><joint axis="0 1 0"/><geom fromto="0 0 0 .3 0 0"/>
      <body name="b" pos=".3 0 0"><joint axis="0 0 1"/><geom fromto="0 0 0 0 .2 0"/>
        <body pos="0 .2 0"><joint axis=".2 0 1"/><geom name="c" fromto="-.02 .1 0 -.3 -.17 .01"/></body></body></body>
    <body name="d" pos=".3 -.1 .1"><joint axis="0 1 .3"/><geom fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0"><joint axis="0 0 1"/><geom fromto="0 0 0 0 -.2 0"/>
        <body pos="0 -.2 0"><joint axis="0 .3 1"/><geom fromto="-.02 -.1 0 -.3 .17 -.02"/></body></body></body>
  </body></worldbody>
  <sensor><e_kinetic/><e_potential/><subtreelinvel body="a"/><framelinacc objtype="geom" objname="c"/></sensor></mujoco>"#;

/// What a nudge leaves alone isn't computed again; nor would it be different.
#[test]
fn shortcuts_leave_nothing_out() {
    let m = load_str(ARMS).unwrap();
    let mut d = Data::new(&m).unwrap();
    d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.3 * (i as f64 + 1.0).sin());
    (0..5).for_each(|_| step(&m, &mut d).unwrap());
    forward(&m, &mut d).unwrap();
    let touch = |prefix: usize| d.contacts.list.iter().filter(|c| c.bodies(&m)[0].index() == prefix).count();
    assert!(touch(2) > 0 && touch(5) > 0 && d.contacts.list.len() < 5, "{:?}", d.contacts.list);

    let (nv, eps) = (m.nv(), 1e-6);
    let nx = 2 * nv;
    let mut t = Transition::default();
    transition_fd(&m, &mut d, eps, true, &mut t).unwrap();
    for column in 0..nx {
        let results = [eps, -eps].map(|by| {
            let mut e = Data::new(&m).unwrap();
            e.state.clone_from(&d.state);
            let s = &mut e.state;
            let (qpos, qvel) = (&mut s.qpos, &mut s.qvel);
            qpos.iter_mut().chain(qvel).nth(column).into_iter().for_each(|x| *x += by);
            step(&m, &mut e).unwrap();
            [e.state.qpos.as_slice(), &e.state.qvel, &e.sensordata].concat()
        });
        let found = t.a.chunks_exact(nx).chain(t.c.chunks_exact(nx)).map(|row| row[column]);
        for (row, (got, (plus, minus))) in found.zip(results[0].iter().zip(&results[1])).enumerate() {
            let want = (plus - minus) / (2.0 * eps);
            // Kinetic energy belongs to the stage of positions: velocities leave it alone.
            let want = if row == nx && column >= nv { 0.0 } else { want };
            assert!((got - want).abs() < 1e-6 * (1.0 + want.abs()), "{row}, {column}: {got} against {want}");
        }
    }
}

/// The same bits for any number of threads.
#[test]
fn threads_change_nothing() {
    for (name, integrator) in [
        ("quadruped", IntegratorType::ImplicitFast),
        ("box_heap", IntegratorType::Euler),
        ("quadruped", IntegratorType::Discrete),
        ("box_heap", IntegratorType::Discrete),
    ] {
        same_bits_on_any_number_of_threads(name, integrator);
    }
}

fn same_bits_on_any_number_of_threads(name: &str, integrator: IntegratorType) {
    let (m, d) = moving(name, integrator);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut t = Transition::default();
        pool.install(|| transition_fd(&m, &mut d.clone(), 1e-6, false, &mut t)).unwrap();
        (t.a, t.b, t.c, t.d)
    };
    let one = run(1);
    for threads in [2, 5] {
        assert!(run(threads) == one, "{name}: {threads} threads");
    }
}

/// The same of the reference's `mjd_inverseFD`, forward, eps 1e-6, with and without the actuators'
/// force: force by position, velocity and acceleration, sensors by these.
type InverseGolden = (&'static str, IntegratorType, bool, [[f64; 2]; 6]);
const INVERSE: [InverseGolden; 3] = [
    (
        "tendon_finger",
        IntegratorType::Euler,
        false,
        [
            [4.055681594e+00, 3.395105025e+01],
            [7.150378944e-02, 6.146549958e-01],
            [4.250888362e-04, 4.070568445e-03],
            [-7.016451122e-02, 3.215364334e+00],
            [-4.089021333e-01, 1.000000000e+00],
            [0.000000000e+00, 0.000000000e+00],
        ],
    ),
    (
        "lamp",
        IntegratorType::ImplicitFast,
        true,
        [
            [2.725944660e-02, 7.497203196e+00],
            [9.259822146e-01, 3.001236365e+00],
            [1.135050256e+00, 4.401990397e+00],
            [3.183682497e-01, 8.308403821e+00],
            [0.000000000e+00, 0.000000000e+00],
            [0.000000000e+00, 0.000000000e+00],
        ],
    ),
    (
        "quadruped",
        IntegratorType::ImplicitFast,
        true,
        [
            [9.163702565e+01, 1.259384646e+03],
            [1.590230575e+00, 3.174909417e+01],
            [-9.559169408e-01, 4.849017959e+01],
            [-2.386270112e-01, 5.936634968e+00],
            [3.119052167e-01, 4.002649791e+00],
            [0.000000000e+00, 0.000000000e+00],
        ],
    ),
];

#[test]
fn inverse_dynamics_agrees_with_the_reference() {
    let mut j = InverseJacobians::default();
    for (name, integrator, actuation, golden) in INVERSE {
        let (m, mut d) = moving(name, integrator);
        forward(&m, &mut d).unwrap();
        let (state, qacc) = (d.state.clone(), d.qacc.clone());
        inverse_fd(&m, &mut d, 1e-6, actuation, &mut j).unwrap();
        assert_eq!((&d.state, &d.qacc), (&state, &qacc), "{name}: the state has changed");
        for (x, golden) in [&j.f_q, &j.f_v, &j.f_a, &j.s_q, &j.s_v, &j.s_a].into_iter().zip(golden) {
            check(name, x, m.nv(), golden, 1e-5);
        }
        assert_eq!(inverse_fd(&m, &mut d, -1.0, actuation, &mut j), Err(InverseError::Step(-1.0)));
    }
}

/// Whatever the solver's tolerance, the differences are those of a tight one, from the model's solver or Newton's.
#[test]
fn the_tolerance_does_not_matter() {
    let (mut m, mut d) = moving("quadruped", IntegratorType::ImplicitFast);
    let (mut tight, mut t) = (Transition::default(), Transition::default());
    transition_fd(&m, &mut d, 1e-6, true, &mut tight).unwrap();
    m.opt.tolerance = 1e-4;
    for solver in [SolverType::Newton, SolverType::Cg, SolverType::Pgs] {
        m.opt.solver = solver;
        transition_fd(&m, &mut d, 1e-6, true, &mut t).unwrap();
        for (a, b) in t.a.iter().zip(&tight.a) {
            assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "{solver:?}: {a} and {b}");
        }
    }
}

#[test]
fn what_is_not_supported_is_said() {
    let (mut m, mut d) = moving("lamp", IntegratorType::Euler);
    let mut t = Transition::default();
    assert_eq!(transition_fd(&m, &mut d, 0.0, true, &mut t), Err(TransitionError::Step(0.0)));
    m.opt.integrator = IntegratorType::Rk4;
    assert_eq!(transition_fd(&m, &mut d, 1e-6, true, &mut t), Err(TransitionError::Rk4));
}
