//! Times what the papers time: smooth dynamics (2012, Table 1), and the forward and inverse computation of a
//! humanoid by the number of constraint rows (2014, Figure 3). One thread.
//!
//! ```text
//! cargo run --release -p mj-impulse --example speed
//! ```

use mj_dynamics as dynamics;
use mj_impulse::{Options, Pipeline};
use mj_math::block::Run;
use mj_model::{Model, State};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let humanoid = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/humanoid.xml");
    table1(&humanoid)?;
    figure3(&humanoid)
}

fn compile(path: &Path, files: &dyn mj_mjcf::FileResolver) -> Result<Model, Error> {
    let (spec, report) = mj_mjcf::read(path, files);
    let spec = spec.ok_or_else(|| report.to_string())?;
    mj_compile::compile(&spec).0.ok_or_else(|| "the model does not compile".into())
}

fn from_text(bodies: &str) -> Result<Model, Error> {
    let mut files = mj_mjcf::Memory::new();
    files.insert("m.xml", format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>").as_str());
    compile(Path::new("m.xml"), &files)
}

/// A chain of `n` links that turn about alternating axes.
fn chain(n: usize) -> String {
    let axis = ["0 1 0", "1 0 0"][n % 2];
    let inner = if n > 1 { chain(n - 1) } else { String::new() };
    format!(
        "<body pos='0 0 0.1'><joint axis='{axis}'/>\
         <geom type='capsule' size='0.02' fromto='0 0 0 0 0 0.1' contype='0' conaffinity='0'/>{inner}</body>"
    )
}

fn table1(humanoid: &Path) -> Result<(), Error> {
    let free = "<body><freejoint/><geom size='0.1' contype='0' conaffinity='0'/></body>";
    let isolated = format!("{}{}", free.repeat(5), chain(1).repeat(4));
    // A wrist and five fingers of six joints.
    let finger = chain(6);
    let hand = format!(
        "<body><joint axis='1 0 0'/><joint axis='0 1 0'/><geom size='0.05' contype='0' conaffinity='0'/>{}</body>",
        finger.repeat(5)
    );
    let models = [
        ("isolated", from_text(&isolated)?, 151_000, 133_000),
        ("chain", from_text(&chain(31))?, 103_000, 41_000),
        ("hand", from_text(&hand)?, 101_000, 76_000),
        ("humanoid", compile(humanoid, &mj_mjcf::FileSystem::default())?, 123_000, 75_000),
    ];
    println!("smooth dynamics, evaluations a second (kinematics, Jacobians of all bodies, M, b):");
    println!("{:10} {:>4} {:>12} {:>12} {:>12} {:>12}", "model", "dofs", "ours", "paper", "with M\\tau", "paper");
    for (name, m, paper, paper_solve) in &models {
        let rates = [false, true].map(|solve| 1e6 / microseconds(smooth(m, solve)));
        println!("{name:10} {:4} {:12.0} {paper:12} {:12.0} {paper_solve:12}", m.nv(), rates[0], rates[1]);
    }
    Ok(())
}

/// A closure that evaluates the smooth dynamics once.
fn smooth(m: &Model, solve: bool) -> impl FnMut() + '_ {
    let mut d = dynamics::Smooth::new(m);
    let mut s = State::new(m);
    s.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.1 * i as f64);
    let mut qfrc = vec![0.0; m.nv()];
    let mut jac: Vec<Vec<f64>> = m.body.ids().map(|b| vec![0.0; 6 * columns(d.chains.of(b))]).collect();
    move || {
        dynamics::kinematics(m, &s, &mut d.poses);
        dynamics::com_pos(m, &s.awake, &mut d.poses);
        for (b, jac) in m.body.ids().zip(&mut jac) {
            let runs = d.chains.of(b);
            let (translation, rotation) = jac.split_at_mut(3 * columns(runs));
            translation.fill(0.0);
            rotation.fill(0.0);
            let point = dynamics::BodyPoint::new(m, &d.chains, &d.poses, b, d.poses.xipos[b]);
            point.add_translation(runs, 1.0, translation);
            point.add_rotation(runs, 1.0, rotation);
        }
        black_box(&jac);
        dynamics::crb(m, &s.awake, &d.poses, &mut d.inertia);
        dynamics::com_vel(m, &s, &d.poses, &mut d.vel);
        dynamics::rne(m, &s, &d.poses, &d.vel, None, &mut d.work, &mut qfrc);
        if solve {
            dynamics::factor(m, &s.awake, &mut d.inertia);
            dynamics::solve_m(m, &d.inertia, &mut qfrc);
        }
        black_box(&qfrc);
    }
}

fn columns(runs: &[Run]) -> usize {
    runs.iter().map(|r| r.len as usize).sum()
}

/// Time of one call: the least mean over some batches.
fn microseconds(mut f: impl FnMut()) -> f64 {
    let batch = |f: &mut dyn FnMut(), n: u32| {
        let start = Instant::now();
        (0..n).for_each(|_| f());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(n)
    };
    let n = (2e4 / batch(&mut f, 10)).clamp(10.0, 1e5) as u32;
    (0..7).map(|_| batch(&mut f, n)).fold(f64::INFINITY, f64::min)
}

/// Contacts with all friction dimensions, as in the paper; states of a humanoid thrown about, by rows.
fn figure3(humanoid: &Path) -> Result<(), Error> {
    let mut m = compile(humanoid, &mj_mjcf::FileSystem::default())?;
    m.opt.timestep = 0.01;
    m.opt.cone = mj_model::Cone::Elliptic;
    m.geom.condim.iter_mut().for_each(|c| *c = 6);
    for f in m.geom.friction.iter_mut() {
        *f = [f[0], f[1].max(0.01), f[2].max(0.01)];
    }
    let options = Options { epsilon: 0.1, tolerance: 0.0, ..Options::default() };
    let mut pipeline = Pipeline::new(&m, options)?;
    let mut seed = 1u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    };
    let mut states: Vec<(usize, State)> = Vec::new();
    for _ in 0..40 {
        let mut s = State::new(&m);
        s.qvel.iter_mut().for_each(|v| *v = 3.0 * next());
        for k in 0..150 {
            pipeline.step(&m, &mut s);
            if k % 10 == 0 {
                states.push((pipeline.rows.nefc(), s.clone()));
            }
        }
    }
    println!("\nhumanoid, {} dofs, microseconds by rows (median; paper: inverse 10 at 0 rows, 30 at 100):", m.nv());
    println!("{:>8} {:>7} {:>12} {:>12} {:>9} {:>9}", "rows", "states", "5 sweeps", "50 sweeps", "inverse", "ratio 50");
    for bin in 0..7 {
        let rows = bin * 20..bin * 20 + 20;
        let chosen: Vec<&State> = states.iter().filter(|s| rows.contains(&s.0)).map(|s| &s.1).take(30).collect();
        if chosen.len() < 3 {
            continue;
        }
        let mut median = |f: &mut dyn FnMut(&mut Pipeline, &State)| {
            let mut t: Vec<f64> = chosen.iter().map(|s| microseconds(|| f(&mut pipeline, s))).collect();
            t.sort_by(f64::total_cmp);
            t[t.len() / 2]
        };
        let mut forward = |sweeps| {
            median(&mut |p: &mut Pipeline, s: &State| {
                p.options.iterations = sweeps;
                p.forward(&m, s);
            })
        };
        let (few, many) = (forward(5), forward(50));
        let inverse = median(&mut |p, s| {
            // Next velocity: as if nothing happened.
            p.inverse(&m, s, &s.qvel).unwrap_or_else(|e| unreachable!("soft equalities: {e}"));
        });
        println!(
            "{:>8} {:7} {few:12.1} {many:12.1} {inverse:9.1} {:9.1}",
            format!("{}-{}", rows.start, rows.end - 1),
            chosen.len(),
            many / inverse
        );
    }
    Ok(())
}
