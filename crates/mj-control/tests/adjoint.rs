//! Gradients through simulations agree with differences of the whole simulation.

use mj_control::rollout_gradient;
use mj_engine::model::model::ModelParameter;
use mj_engine::prelude::*;
use mj_engine::{differentiate_pos, integrate_pos, set_const};

/// A weighted sum of all states' changes from a nominal trajectory, whose gradient by the states is `weights`.
struct Linear {
    steps: usize,
    ctrl: Vec<f64>,
    weights: Vec<f64>,
    nominal: Vec<State>,
}

impl Linear {
    fn new(m: &Model, start: &State, steps: usize) -> Self {
        let nx = 2 * m.nv() + m.na;
        let ctrl: Vec<f64> = (0..steps * m.nu()).map(|i| 0.6 + 0.1 * (0.7 * i as f64).sin()).collect();
        let weights = (0..(steps + 1) * nx).map(|i| (1.3 * i as f64).cos()).collect();
        let nominal = simulate(m, start, &ctrl, steps);
        Self { steps, ctrl, weights, nominal }
    }

    fn value(&self, m: &Model, start: &State, ctrl: &[f64]) -> f64 {
        let (nv, nx) = (m.nv(), 2 * m.nv() + m.na);
        let states = simulate(m, start, ctrl, self.steps);
        let mut sum = 0.0;
        for (n, (x, x0)) in states.iter().zip(&self.nominal).enumerate() {
            let mut dx = vec![0.0; nx];
            differentiate_pos(m, &mut dx[..nv], 1.0, &x0.qpos, &x.qpos);
            (0..nv).for_each(|i| dx[nv + i] = x.qvel[i] - x0.qvel[i]);
            (0..m.na).for_each(|i| dx[2 * nv + i] = x.act[i] - x0.act[i]);
            sum += dx.iter().zip(&self.weights[n * nx..]).map(|(a, b)| a * b).sum::<f64>();
        }
        sum
    }
}

fn simulate(m: &Model, start: &State, ctrl: &[f64], steps: usize) -> Vec<State> {
    let mut d = Data::new(m).unwrap();
    d.state = start.clone();
    let mut states = vec![start.clone()];
    for n in 0..steps {
        d.state.ctrl.copy_from_slice(&ctrl[n * m.nu()..(n + 1) * m.nu()]);
        step(m, &mut d).unwrap();
        states.push(d.state.clone());
    }
    states
}

/// A free body on a spring with a muscle-driven arm: all parts of the state are there.
fn model() -> Model {
    load_str(
        "<mujoco><option timestep='.005' integrator='implicitfast'/><worldbody>
         <body name='arm'><joint name='a' axis='0 1 0' damping='.1'/><geom size='.05' pos='.2 0 0'/>
         <body name='end' pos='.4 0 0'><joint name='b' type='ball' damping='.05'/><geom type='capsule' size='.03 .1' pos='.1 0 0'/>
         </body></body></worldbody>
         <tendon><fixed name='t'><joint joint='a' coef='.1'/></fixed></tendon>
         <actuator><muscle tendon='t' force='5' lengthrange='-.2 .2'/><motor joint='a' gear='2'/></actuator></mujoco>",
    )
    .unwrap()
}

#[test]
fn gradients_agree_with_differences() {
    let mut m = model();
    m.opt.tolerance = 1e-12;
    let mut start = State::new(&m);
    // The muscle is driven away from where its law has a corner.
    start.act[0] = 0.4;
    start.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.5 - 0.3 * i as f64);
    for steps in [1, 2, 17, 30] {
        let l = Linear::new(&m, &start, steps);
        let parameters = ["body_mass[end]", "dof_damping[0]"].map(|p| ModelParameter::parse(&m, p).unwrap());
        let g = rollout_gradient(&m, &start, &l.ctrl, &l.weights, &parameters).unwrap();
        assert!(g.steps <= 2 * steps);
        let eps = 1e-6;
        let close = |found: f64, [plus, minus]: [f64; 2], of: &str| {
            let wanted = (plus - minus) / (2.0 * eps);
            assert!((found - wanted).abs() < 1e-5 * wanted.abs().max(1.0), "{steps} steps, {of}: {found} and {wanted}");
        };
        for i in 0..2 * m.nv() + m.na {
            let moved = |eps: f64| {
                let (mut s, nv) = (start.clone(), m.nv());
                let unit: Vec<f64> = (0..nv).map(|k| f64::from(u8::from(k == i))).collect();
                integrate_pos(&m, &mut s.qpos, &unit, eps);
                if (nv..2 * nv).contains(&i) {
                    s.qvel[i - nv] += eps;
                } else if i >= 2 * nv {
                    s.act[i - 2 * nv] += eps;
                }
                l.value(&m, &s, &l.ctrl)
            };
            close(g.start[i], [moved(eps), moved(-eps)], "start");
        }
        for i in 0..l.ctrl.len() {
            let moved = |eps: f64| {
                let mut ctrl = l.ctrl.clone();
                ctrl[i] += eps;
                l.value(&m, &start, &ctrl)
            };
            close(g.ctrl[i], [moved(eps), moved(-eps)], "control");
        }
        for (p, found) in parameters.iter().zip(&g.parameters) {
            let moved = |eps: f64| {
                let mut edited = m.clone();
                p.set(&mut edited, p.value(&m).unwrap() + eps).unwrap();
                set_const(&mut edited).unwrap();
                l.value(&edited, &start, &l.ctrl)
            };
            close(*found, [moved(eps), moved(-eps)], &p.to_string());
        }
    }
}

#[test]
fn lengths_are_checked() {
    let m = model();
    let start = State::new(&m);
    let nx = 2 * m.nv() + m.na;
    let gradient = |ctrl: usize, states: usize| rollout_gradient(&m, &start, &vec![0.0; ctrl], &vec![0.0; states], &[]);
    assert_eq!(gradient(0, nx).unwrap().start.len(), nx);
    assert_eq!(gradient(4, nx).unwrap_err().to_string(), "array `ctrl` has 4 numbers; expected 0");
    assert!(gradient(0, nx - 1).is_err() && gradient(0, 0).is_err());
}
