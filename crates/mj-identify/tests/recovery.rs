//! Parameters are found again from simulated logs with noise.

use mj_engine::{Data, Model, load_str, step};
use mj_identify::{Fit, Identification, IdentifyError, Log, LogBuilder, Options, Unknown, report};

const ARM: &str = r#"<mujoco>
  <option timestep="0.005" integrator="implicitfast"><flag contact="disable"/></option>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.4"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03" mass="1.2"/>
      <body name="fore" pos="0 0 -.5">
        <joint name="elbow" axis="0 1 0" damping="0.2" frictionloss="0.05"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".03" mass="0.7"/>
        <site name="tip" pos="0 0 -.4"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="shoulder" gear="3"/><position name="bend" joint="elbow" kp="8"/></actuator>
  <sensor><framepos objtype="site" objname="tip"/><jointvel joint="elbow"/></sensor>
</mujoco>"#;

/// Angle of the shoulder at the first sample.
const FIRST: f64 = 1.0;

/// Standard normal numbers from a seed.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn next(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Log of a model under sines, with noise of 1 % of each channel's size.
fn log(m: &Model, seed: u64, samples: usize, with_state: bool, with_sensors: bool) -> Log {
    let mut d = Data::new(m).unwrap();
    d.state.qpos[0] = FIRST;
    let mut b = LogBuilder::default();
    let (mut qpos, mut qvel, mut ctrl, mut sensors) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for k in 0..samples {
        for (i, u) in d.state.ctrl.iter_mut().enumerate() {
            *u = (0.031 * (i as f64 + 1.3) * k as f64).sin();
        }
        qpos.extend_from_slice(&d.state.qpos);
        qvel.extend_from_slice(&d.state.qvel);
        ctrl.extend_from_slice(&d.state.ctrl);
        step(m, &mut d).unwrap();
        sensors.extend_from_slice(&d.sensordata);
    }
    let mut noise = Noise(seed);
    let mut noisy = |x: Vec<f64>, width: usize| {
        let rms = |i: usize| {
            let of = || x.iter().skip(i).step_by(width);
            let mean = of().sum::<f64>() / samples as f64;
            (of().map(|x| (x - mean).powi(2)).sum::<f64>() / samples as f64).sqrt()
        };
        let size: Vec<f64> = (0..width).map(rms).collect();
        x.iter().enumerate().map(|(i, x)| x + 0.01 * size[i % width] * noise.next()).collect::<Vec<_>>()
    };
    b.ctrl = (m.nu() > 0).then_some(ctrl);
    if with_state {
        b.qpos = Some(noisy(qpos, m.nq()));
        b.qvel = Some(noisy(qvel, m.nv()));
    }
    if with_sensors {
        b.sensordata = Some(noisy(sensors, m.nsensordata));
    }
    b.build(m).unwrap()
}

/// Fits from values that are a fifth off.
fn fit(m: &Model, log: &Log, names: &[&str], options: Options) -> Fit {
    let unknowns: Vec<Unknown> = names.iter().map(|n| Unknown::parse(m, n).unwrap()).collect();
    let mut model = m.clone();
    for (i, u) in unknowns.iter().enumerate() {
        let x = u.parameter.value(m).unwrap();
        u.parameter.set(&mut model, x * if i % 2 == 0 { 1.2 } else { 0.8 }).unwrap();
    }
    let mut start = Data::new(m).unwrap().state;
    start.qpos[0] = FIRST;
    Identification { model, start: Some(start), unknowns, options }.fit(log, |_| true).unwrap()
}

const NAMES: [&str; 6] = [
    "body_mass[fore]",
    "body_ipos[fore,2]",
    "dof_damping[shoulder]",
    "dof_damping[elbow]",
    "dof_frictionloss[elbow]",
    "actuator_gainprm[bend,0]",
];

#[test]
fn errors_of_the_estimates_are_as_the_standard_deviations_say() {
    let m = load_str(ARM).unwrap();
    let mut squares = 0.0;
    for seed in 0..5 {
        let log = log(&m, seed, 300, true, false);
        let fit = fit(&m, &log, &NAMES, Options { window: 60, ..Options::default() });
        for (e, name) in fit.estimates.iter().zip(NAMES) {
            let truth = Unknown::parse(&m, name).unwrap().parameter.value(&m).unwrap();
            let z = (e.value - truth) / e.std;
            assert!(z.abs() < 4.5, "seed {seed}, {name}: {} ± {} for {truth}", e.value, e.std);
            squares += z * z;
        }
    }
    // χ² of 30 numbers, within five of its standard deviations.
    let mean = squares / 30.0;
    assert!((0.3..2.0).contains(&mean), "{mean}");
}

/// Windows begin from the activations that the controls before them leave.
#[test]
fn activations_carry_over_windows() {
    let xml = ARM.replace(r#"<motor name="lift" joint="shoulder" gear="3"/>"#, "");
    let xml = xml.replace(
        "<position name",
        r#"<general name="slow" joint="shoulder" dyntype="integrator" gainprm="20"/><position name"#,
    );
    let m = load_str(&xml).unwrap();
    let log = log(&m, 2, 200, true, false);
    let fit = fit(&m, &log, &["actuator_gainprm[slow,0]"], Options { window: 20, ..Options::default() });
    let e = &fit.estimates[0];
    assert!((e.value - 20.0).abs() < 4.0 * e.std && e.std < 0.5, "{e:?}");
}

#[test]
fn sensors_alone_suffice() {
    let m = load_str(ARM).unwrap();
    let log = log(&m, 5, 300, false, true);
    let names = ["body_mass[fore]", "dof_damping[elbow]"];
    let fit = fit(&m, &log, &names, Options::default());
    for (e, truth) in fit.estimates.iter().zip([0.7, 0.2]) {
        assert!((e.value - truth).abs() < 4.0 * e.std && e.std < 0.1 * truth, "{e:?}");
    }
}

/// Without controls, all forces of a pendulum can grow together.
#[test]
fn combinations_that_the_data_cannot_tell_are_told() {
    let xml = ARM.replace(r#"<position name="bend" joint="elbow" kp="8"/>"#, "").replace("frictionloss=\"0.05\"", "");
    let xml = xml.replace(r#"gear="3""#, r#"gear="0""#);
    let m = load_str(&xml).unwrap();
    let log = log(&m, 3, 200, true, false);
    let names = [
        "body_mass[upper]",
        "body_inertia[upper,1]",
        "body_mass[fore]",
        "body_inertia[fore,1]",
        "dof_damping[shoulder]",
        "dof_damping[elbow]",
    ];
    let fit = fit(&m, &log, &names, Options { window: 100, ..Options::default() });
    let lost = &fit.combinations[0];
    assert!(lost.std > 1e3, "{:?}", fit.combinations);
    let parts: Vec<usize> = lost.parts.iter().map(|p| p.0).collect();
    assert!(parts.contains(&0) && parts.contains(&2), "{parts:?}");
    let page = report(&fit, &log);
    assert!(page.contains("can't tell") && page.contains("<svg") && page.contains("qvel[1]"));
}

#[test]
fn errors_say_what_is_wrong() {
    let m = load_str(ARM).unwrap();
    let fit = |names: &[&str], log: &Log| {
        let unknowns = names.iter().map(|n| Unknown::parse(&m, n).unwrap()).collect();
        Identification { model: m.clone(), start: None, unknowns, options: Options::default() }
            .fit(log, |_| true)
            .unwrap_err()
    };
    let empty = LogBuilder { ctrl: Some(vec![0.0; 20]), ..LogBuilder::default() }.build(&m).unwrap();
    assert!(matches!(fit(&["body_mass[fore]"], &empty), IdentifyError::Empty));
    assert!(matches!(fit(&[], &empty), IdentifyError::NoParameters));
    let short = LogBuilder { qpos: Some(vec![0.0; 3]), ..LogBuilder::default() }.build(&m).unwrap_err();
    assert_eq!(short.to_string(), "log, qpos: 3 numbers are no rows of the model's 2");
}

#[test]
fn csv_names_its_columns() {
    let m = load_str(ARM).unwrap();
    let text = "time,ctrl[lift],qpos[shoulder],\"note\",sensor[0,2]\n0,1,0.1,a,\n0.01,2,0.2,b,-0.9\n0.02,3,,c,-0.8\n";
    let log = Log::from_csv(&m, text).unwrap();
    assert_eq!((log.samples, log.substeps), (3, 2));
    assert_eq!(log.ctrl, [1.0, 0.0, 2.0, 0.0, 3.0, 0.0]);
    assert_eq!((log.qpos[0], log.qpos[2], log.qpos[4].is_nan()), (0.1, 0.2, true));
    assert!(log.sensordata[2].is_nan() && log.sensordata[6] == -0.9);
    let told = |text: &str| Log::from_csv(&m, text).unwrap_err().to_string();
    assert_eq!(told("qpos[knee]\n1\n"), "log, column `qpos[knee]`: the model has no joint `knee` (it has 2)");
    assert_eq!(told("qpos[elbow]\n1\nx\n"), "log, line 3: `x` is no number");
    assert!(told("time,qpos[elbow]\n0,1\n0.0031,1\n").contains("regular number of the model's time steps"));
}

/// A load that can be turned about all axes, on a wrist that is not straight.
const WRIST: &str = r#"<mujoco>
  <option timestep="0.005" integrator="implicitfast"><flag contact="disable"/></option>
  <worldbody>
    <body name="arm"><joint name="yaw" axis="0 0 1" damping="0.2"/><geom size=".05" mass="1"/>
      <body name="wrist" pos="0.1 0 0"><joint name="roll" axis="1 0 0" damping="0.1"/><geom size=".04" mass=".3"/>
        <body name="load"><joint name="pitch" axis="0 1 0" damping="0.1"/>
          <inertial pos="0.08 0.02 -0.03" mass="0.8" fullinertia="0.0040 0.0051 0.0035 0.0005 -0.0003 0.0004"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="yaw" joint="yaw" gear="1.5"/><motor name="roll" joint="roll"/><motor name="pitch" joint="pitch"/>
  </actuator>
</mujoco>"#;

/// The whole inertia of a body is found, and is one that a body can have however little the log says of it.
#[test]
fn inertias_are_found_and_stay_those_of_a_body() {
    let m = load_str(WRIST).unwrap();
    let name = "body_logcholesky[load]";
    let unknowns = Unknown::parse_row(&m, name).unwrap();
    assert_eq!(unknowns.len(), 10);
    let mut model = m.clone();
    for (k, u) in unknowns.iter().enumerate() {
        let (x, by) = (u.parameter.value(&m).unwrap(), u.parameter.typical_change(&m));
        u.parameter.set(&mut model, x + 0.2 * by * [1.0, -1.0][k % 2]).unwrap();
    }
    let mut squares = 0.0;
    for (seed, samples) in [(0, 400), (1, 400), (2, 20)] {
        let log = log(&m, seed, samples, true, false);
        let options = Options { window: samples / 5, ..Options::default() };
        let problem = Identification { model: model.clone(), start: None, unknowns: unknowns.clone(), options };
        let fit = problem.fit(&log, |_| true).unwrap();
        let load = m.names.find(mj_engine::model::ObjType::Body, "load").map(mj_engine::model::BodyId::new).unwrap();
        let moments = fit.model.body.inertia[load];
        assert!(fit.model.body.mass[load] > 0.0 && moments.element_sum() > 2.0 * moments.max_element());
        let truth = [0.8, 0.08, 0.02, -0.03, 0.0040, 0.0051, 0.0035, 0.0005, -0.0003, 0.0004];
        for (e, truth) in fit.inertias.iter().zip(truth).filter(|_| samples > 100) {
            let z = (e.value - truth) / e.std;
            assert!(z.abs() < 4.5 && e.std < 0.3 * e.start.abs().max(1e-3), "seed {seed}, {e:?} for {truth}");
            squares += z * z;
        }
        assert_eq!(fit.inertias[4].name, "fullinertia[load,xx]");
    }
    assert!((0.2..2.5).contains(&(squares / 20.0)), "{squares}");
}

#[test]
fn an_inertia_has_one_set_of_parameters() {
    let m = load_str(WRIST).unwrap();
    let mut unknowns = Unknown::parse_row(&m, "body_logcholesky[load]").unwrap();
    unknowns.push(Unknown::parse(&m, "body_mass[load]").unwrap());
    let log = LogBuilder { qpos: Some(vec![0.0; 30]), ..LogBuilder::default() }.build(&m).unwrap();
    let problem = Identification { model: m, start: None, unknowns, options: Options::default() };
    let told = problem.fit(&log, |_| true).unwrap_err().to_string();
    assert!(told.starts_with("`body_logcholesky[load,alpha]` and `body_mass[load]` both set the inertia"), "{told}");
}
