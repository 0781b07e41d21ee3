//! A quadruped walks by predictive sampling (Howell et al., "Predictive Sampling: Real-time Behaviour Synthesis with
//! MuJoCo", 2022): at every decision, many randomly changed plans are simulated in parallel, and the best is followed
//! for a moment.
//!
//!     cargo run --release -p mj-engine --example walk [-- SECONDS]
//!
//! A plan is a gait: how fast the legs swing, how far forward, how high, and a lean to either side. Prints a table of
//! the walk.

use mj_engine::{Data, Model, RolloutArrays, RolloutPlan, State, load, rollout_into, step};
use mj_model::{ControlId, KeyId};
use std::f64::consts::TAU;
use std::time::Instant;

const SAMPLES: usize = 48;
/// Steps simulated of a plan, and made before the next decision.
const HORIZON: usize = 250;
const FOLLOWED: usize = 50;
/// m/s.
const SPEED: f64 = 0.35;

/// Frequency (Hz), swing of the hips (rad), lift of the knees (rad), difference of the sides' swing (rad).
#[derive(Clone, Copy)]
struct Gait([f64; 4]);

impl Gait {
    const FIRST: Self = Self([2.5, 0.15, 0.4, 0.0]);
    const LOW: [f64; 4] = [1.0, -0.4, 0.0, -0.25];
    const HIGH: [f64; 4] = [3.5, 0.4, 0.7, 0.25];
    const SPREAD: [f64; 4] = [0.25, 0.08, 0.1, 0.06];

    fn changed(self, random: &mut Random) -> Self {
        Self(std::array::from_fn(|i| {
            (self.0[i] + Self::SPREAD[i] * random.normal()).clamp(Self::LOW[i], Self::HIGH[i])
        }))
    }

    /// Any gait.
    fn any(random: &mut Random) -> Self {
        Self(std::array::from_fn(|i| Self::LOW[i] + (Self::HIGH[i] - Self::LOW[i]) * random.uniform()))
    }

    /// Controls at a phase: diagonal legs swing together. Each leg has three, abduction, hip and knee, around those of
    /// standing.
    fn controls(self, m: &Model, standing: &[f64], phase: f64, ctrl: &mut [f64]) {
        let [_, swing, lift, turn] = self.0;
        for leg in 0..4 {
            let (left, front) = (leg % 2 == 0, leg < 2);
            let own = phase + if left == front { 0.0 } else { 0.5 };
            let (s, c) = (TAU * own).sin_cos();
            let reach = swing + if left { -turn } else { turn };
            ctrl[3 * leg] = standing[3 * leg];
            ctrl[3 * leg + 1] = standing[3 * leg + 1] + reach * c + 0.5 * lift * s.max(0.0);
            ctrl[3 * leg + 2] = standing[3 * leg + 2] - lift * s.max(0.0);
        }
        for (i, u) in ctrl.iter_mut().enumerate() {
            let [low, high] = m.control.ctrlrange[ControlId::new(i)];
            *u = u.clamp(low, high);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: f64 = std::env::args().nth(1).map_or(Ok(4.0), |s| s.parse())?;
    let m = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/quadruped.xml"))?;
    let mut d = Data::new(&m)?;
    d.state.set_key(&m, KeyId::new(0));
    // Well before the steps of the model's course.
    d.state.qpos[0] = -3.0;
    let (standing, height) = (d.state.ctrl.clone(), d.state.qpos[2]);
    let h = m.opt.timestep;

    let (mut gait, mut phase, mut random) = (Gait::FIRST, 0.0, Random(7));
    let (mut qpos, mut qvel) = (vec![0.0; SAMPLES * HORIZON * m.nq()], vec![0.0; SAMPLES * HORIZON * m.nv()]);
    let decisions = (seconds / (FOLLOWED as f64 * h)).round() as usize;
    let start = Instant::now();
    println!(
        "{:>6} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7}",
        "time", "x", "y", "height", "cost", "Hz", "swing", "lift", "turn"
    );
    for decision in 0..decisions {
        // The plan that is followed competes with changes of it, and with some others.
        let plan = |i: usize| match i {
            0 => gait,
            _ if i.is_multiple_of(4) => Gait::any(&mut random),
            _ => gait.changed(&mut random),
        };
        let plans: Vec<Gait> = (0..SAMPLES).map(plan).collect();
        let drive = |i: usize, n: usize, s: &mut State| {
            plans[i].controls(&m, &standing, phase + plans[i].0[0] * h * n as f64, &mut s.ctrl);
        };
        let mut out = RolloutArrays { qpos: &mut qpos, qvel: &mut qvel, ..Default::default() };
        rollout_into(&m, &vec![d.state.clone(); SAMPLES], RolloutPlan::new(HORIZON, &drive), &mut out)?;
        let costs: Vec<f64> = (0..SAMPLES)
            .map(|i| {
                let (nq, nv) = (m.nq(), m.nv());
                let rows = |x: &[f64], n: usize| x[i * HORIZON * n..(i + 1) * HORIZON * n].to_vec();
                cost(&rows(&qpos, nq), &rows(&qvel, nv), nq, nv, height)
            })
            .collect();
        let best = (0..SAMPLES).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap_or(0);
        gait = plans[best];
        for _ in 0..FOLLOWED {
            gait.controls(&m, &standing, phase, &mut d.state.ctrl);
            step(&m, &mut d)?;
            phase += gait.0[0] * h;
        }
        if (decision + 1) % 4 == 0 {
            let (q, [f, swing, lift, turn]) = (&d.state.qpos, gait.0);
            println!(
                "{:6.2} {:8.3} {:8.3} {:8.3} {:8.3} {f:7.2} {swing:7.2} {lift:7.2} {turn:7.2}",
                d.state.time, q[0], q[1], q[2], costs[best]
            );
        }
    }
    let simulated = (decisions * SAMPLES * HORIZON) as f64;
    println!("{:.0} thousand steps a second", simulated / start.elapsed().as_secs_f64() / 1e3);
    Ok(())
}

/// Mean over a plan: forward speed, drift to the side, height and tilt of the trunk.
fn cost(qpos: &[f64], qvel: &[f64], nq: usize, nv: usize, height: f64) -> f64 {
    let each = qpos.chunks_exact(nq).zip(qvel.chunks_exact(nv)).map(|(q, v)| {
        // The vertical part of the trunk's z axis.
        let upright = 1.0 - 2.0 * (q[4] * q[4] + q[5] * q[5]);
        10.0 * (v[0] - SPEED).powi(2)
            + 2.0 * q[1] * q[1]
            + v[1] * v[1]
            + 20.0 * (q[2] - height).powi(2)
            + 5.0 * (1.0 - upright)
            + 4.0 * q[6] * q[6]
            + 0.02 * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5])
    });
    each.sum::<f64>() / HORIZON as f64
}

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 0.5f64.powi(53)
    }

    /// Nearly normal, of mean 0 and variance 1: the sum of twelve.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}
