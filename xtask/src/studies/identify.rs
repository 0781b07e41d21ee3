//! `cargo xtask identify`: parameters of models of a corpus, found again from simulated logs with noise, into
//! docs/control.md.

use crate::bench::speed::{manifest, moves, rigid};
use crate::random::Random;
use crate::{Result, page};
use mj_engine::model::IntegratorType;
use mj_engine::model::model::ModelParameter;
use mj_engine::{Data, Model, load, step};
use mj_identify::{Fit, Identification, Log, LogBuilder, Options, Unknown};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments of `cargo xtask identify`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of the corpus, with its manifest.
    corpus: PathBuf,
    /// Models.
    #[arg(long, default_value_t = 10)]
    models: usize,
    /// Seed of the choice of models and parameters, and of the noise.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds after which a fit ends with the step that it is in.
    #[arg(long, default_value_t = 240.0)]
    limit: f64,
}

/// Greatest number of dofs, and of parameters of a model.
const MOST: (usize, usize) = (20, 6);
/// Samples of a log, time steps between two, and samples of a window.
const SAMPLES: usize = 400;
const SUBSTEPS: usize = 4;
const WINDOW: usize = 10;
/// Noise relative to a channel's standard deviation.
const NOISE: f64 = 0.01;

/// Fits the parameters of random models and writes the table.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let mut random = Random::default();
    (0..args.seed % 1000).for_each(|_| _ = random.uniform());
    let head = ["model", "dofs", "parameters", "within 3 σ", "greatest error, σ", "not told", "s"].map(String::from);
    let mut rows = Vec::new();
    let (mut told, mut good) = (0, 0);
    let mut entries: Vec<_> = manifest(&args.corpus)?.into_iter().filter(|e| rigid(e) && moves(e)).collect();
    while rows.len() < args.models && !entries.is_empty() {
        let entry = entries.swap_remove((random.uniform() * entries.len() as f64) as usize);
        let Some(path) = entry["path"].as_str() else { continue };
        let Ok(m) = load(args.corpus.join(path)) else { continue };
        let parameters = choose(&m, &mut random);
        if m.nv() > MOST.0
            || parameters.len() < 2
            || m.nu() == 0
            || m.nhistory > 0
            || m.opt.integrator == IntegratorType::Rk4
        {
            continue;
        }
        let begin = Instant::now();
        let Some(log) = simulate(&m, &mut random)? else { continue };
        let fit = match fit(&m, &log, &parameters, args.limit, &mut random) {
            Ok(fit) => fit,
            Err(e) => {
                eprintln!("{path}: {e}");
                rows.push(
                    [path, &m.nv().to_string(), &parameters.len().to_string(), "0", "–", "–", "–"].map(String::from),
                );
                continue;
            }
        };
        let errors: Vec<f64> = fit
            .estimates
            .iter()
            .zip(&parameters)
            .filter(|(e, _)| e.std.is_finite() && e.std < e.start.abs())
            .map(|(e, p)| (e.value - p.value(&m).unwrap_or(f64::NAN)) / e.std)
            .collect();
        let within = errors.iter().filter(|z| z.abs() <= 3.0).count();
        (told, good) = (told + errors.len(), good + within);
        let greatest = errors.iter().fold(0.0, |x: f64, z| x.max(z.abs()));
        let row = [
            format!("`{path}`"),
            m.nv().to_string(),
            parameters.len().to_string(),
            format!("{within} of {}", errors.len()),
            format!("{greatest:.2}"),
            (parameters.len() - errors.len()).to_string(),
            format!("{:.1}", begin.elapsed().as_secs_f64()),
        ];
        eprintln!("{}", row.join("  "));
        rows.push(row);
    }
    let path = root.join("docs/control.md");
    let share = 100.0 * good as f64 / told.max(1) as f64;
    let sum = format!(
        "{}\n{good} of {told} estimates are within three standard deviations ({share:.0} %).",
        page::table(&head, &rows)
    );
    let text = page::replaced(&std::fs::read_to_string(&path)?, "identification", "identify CORPUS", &sum)?;
    std::fs::write(path, text)?;
    Ok(())
}

/// Some parameters of the model that are not zero.
fn choose(m: &Model, random: &mut Random) -> Vec<ModelParameter> {
    let mut all = Vec::new();
    let mut add = |text: String| {
        all.extend(ModelParameter::parse(m, &text).ok().filter(|p| p.value(m).is_some_and(|x| x.abs() > 1e-6)));
    };
    for b in m.body.ids().filter(|&b| m.body.weldid[b].index() != 0) {
        add(format!("body_mass[{}]", b.index()));
    }
    for d in 0..m.nv() {
        ["dof_damping", "dof_armature"].iter().for_each(|field| add(format!("{field}[{d}]")));
    }
    (0..m.jnt.len()).for_each(|j| add(format!("jnt_stiffness[{j}]")));
    for a in 0..m.actuator.len() {
        add(format!("actuator_gainprm[{a},0]"));
        (1..3).for_each(|k| add(format!("actuator_biasprm[{a},{k}]")));
    }
    let mut chosen = Vec::new();
    while chosen.len() < MOST.1 && !all.is_empty() {
        chosen.push(all.swap_remove((random.uniform() * all.len() as f64) as usize));
    }
    chosen
}

/// Log under random controls, with noise; none of a model that diverges or doesn't move.
fn simulate(m: &Model, random: &mut Random) -> Result<Option<Log>> {
    let mut d = Data::new(m)?;
    let waves: Vec<[f64; 2]> = (0..m.nu()).map(|_| [0.02 + 0.1 * random.uniform(), random.uniform()]).collect();
    let (mut time, mut ctrl, mut qpos, mut qvel) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    if m.nu() == 0 {
        d.state.qvel.iter_mut().for_each(|v| *v += random.uniform() - 0.5);
    }
    for k in 0..SAMPLES {
        for (c, [rate, phase]) in m.control.ids().zip(&waves) {
            let [low, high] = if m.control.ctrllimited[c] { m.control.ctrlrange[c] } else { [-1.0, 1.0] };
            let wave = (rate * k as f64 + std::f64::consts::TAU * phase).sin();
            d.state.ctrl[c.index()] = 0.5 * (low + high) + 0.4 * (high - low) * wave;
        }
        time.push(d.state.time);
        ctrl.extend_from_slice(&d.state.ctrl);
        qpos.extend_from_slice(&d.state.qpos);
        qvel.extend_from_slice(&d.state.qvel);
        for _ in 0..SUBSTEPS {
            step(m, &mut d)?;
        }
    }
    if d.warnings.iter().any(|w| w.number > 0) || !qvel.iter().all(|x| x.is_finite()) {
        return Ok(None);
    }
    let still = |i: usize| {
        let v = || qvel.iter().skip(i).step_by(m.nv());
        v().fold(f64::MIN, |a, x| a.max(*x)) - v().fold(f64::MAX, |a, x| a.min(*x)) < 1e-3
    };
    if (0..m.nv()).all(still) {
        return Ok(None);
    }
    let mut noisy = |x: &mut [f64], width: usize| {
        for i in 0..width {
            let n = SAMPLES as f64;
            let mean = x.iter().skip(i).step_by(width).sum::<f64>() / n;
            let std = (x.iter().skip(i).step_by(width).map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
            x.iter_mut().skip(i).step_by(width).for_each(|x| *x += NOISE * std.max(1e-6) * normal(random));
        }
    };
    noisy(&mut qpos, m.nq());
    noisy(&mut qvel, m.nv());
    let ctrl = (m.nu() > 0).then_some(ctrl);
    Ok(Some(LogBuilder { time: Some(time), ctrl, qpos: Some(qpos), qvel: Some(qvel), sensordata: None }.build(m)?))
}

fn normal(random: &mut Random) -> f64 {
    (-2.0 * (1.0 - random.uniform()).ln()).sqrt() * (std::f64::consts::TAU * random.uniform()).cos()
}

/// Fits from values that are up to a fifth off, for so many seconds at most.
fn fit(m: &Model, log: &Log, parameters: &[ModelParameter], limit: f64, random: &mut Random) -> Result<Fit> {
    let begin = Instant::now();
    let mut model = m.clone();
    let mut unknowns = Vec::new();
    for p in parameters {
        let x = p.value(m).unwrap_or_default();
        p.set(&mut model, x * (0.8 + 0.4 * random.uniform()))?;
        unknowns.push(Unknown::parse(m, &p.to_string())?);
    }
    mj_engine::set_const(&mut model)?;
    let options = Options { window: WINDOW, ..Options::default() };
    Ok(Identification { model, start: None, unknowns, options }.fit(log, |_| begin.elapsed().as_secs_f64() < limit)?)
}
