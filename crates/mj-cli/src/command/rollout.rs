//! `mj rollout`: many trajectories in parallel.

use crate::bundled;
use crate::failure::Failure;
use crate::npz::{self, Array, Writer};
use crate::state;
use crate::{options, output};
use mj_engine::{Model, State, Trajectory, rollout};
use mj_model::{Column, Field};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Simulates many trajectories in parallel and writes them as NumPy arrays.
///
/// The archive holds time, qpos, qvel, act and sensordata, each of shape (batch, steps, n), taken after each step.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  mj rollout humanoid --steps 500 --ctrl ctrl.npz --out trajectories.npz --threads 4"
)]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// Number of steps of each trajectory.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    steps: u64,
    /// Archive to write.
    #[arg(long)]
    out: PathBuf,
    /// Archive with the state to start from; an array may have a first dimension for the batch.
    #[arg(long)]
    state: Option<PathBuf>,
    /// Archive with `ctrl`, of shape (steps, nu) or (batch, steps, nu); else controls stay as they are at the start.
    #[arg(long)]
    ctrl: Option<PathBuf>,
    /// Number of trajectories; by default as many as the controls or the state have, or 1.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    batch: Option<u64>,
    /// Number of threads; by default one a processor. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Sets an option, e.g. opt.timestep=0.001; may be repeated.
    #[arg(long, value_name = "K=V")]
    set: Vec<String>,
}

/// Greatest size of the result, numbers.
const MAX_NUMBERS: usize = 1 << 28;

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    output::check(&args.out)?;
    let mut m = bundled::open(&args.model)?.model;
    options::set(&mut m, &args.set)?;
    let steps = usize::try_from(args.steps).unwrap_or(usize::MAX);
    let state = args.state.as_deref().map(npz::read).transpose()?.unwrap_or_default();
    let ctrl = args.ctrl.as_deref().map(|path| controls(path, steps, m.control.len())).transpose()?;
    let batch = batch(args, ctrl.as_ref(), &state)?;
    let width = 1 + m.nq() + m.nv() + m.na + m.nsensordata;
    if batch.checked_mul(steps).and_then(|n| n.checked_mul(width)).is_none_or(|n| n > MAX_NUMBERS) {
        return Err(Failure::Usage(format!(
            "{batch} trajectories of {steps} steps with {width} numbers each are more than the {MAX_NUMBERS} numbers \
             that one archive may hold"
        )));
    }

    let starts = starts(args, &m, &state, batch)?;
    let nu = m.control.len();
    let drive = |i: usize, n: usize, s: &mut State| {
        if let Some(c) = &ctrl {
            let trajectory = if c.shape.len() == 3 { i } else { 0 };
            s.ctrl.copy_from_slice(&c.data[(trajectory * steps + n) * nu..][..nu]);
        }
    };
    let threads = args.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Failure::Usage(format!("--threads {threads}: {e}")))?;
    let start = Instant::now();
    let trajectories = pool
        .install(|| rollout(&m, &starts, steps, drive))
        .map_err(|reason| Failure::Rollout { model: args.model.clone(), reason })?;
    let seconds = start.elapsed().as_secs_f64();
    let arrays = write(&args.out, &m, &trajectories, steps)?;
    writeln!(
        std::io::stdout(),
        "{}: {batch} trajectories of {steps} steps: {arrays}\n{seconds:.3} s, {:.0} steps/s",
        args.out.display(),
        (batch * steps) as f64 / seconds.max(1e-9)
    )?;
    Ok(())
}

/// Controls of all trajectories, or of each.
fn controls(path: &Path, steps: usize, nu: usize) -> Result<Array, Failure> {
    let fail = |message: String| Failure::Input { path: path.into(), message };
    let mut arrays = npz::read(path)?;
    let names: Vec<String> = arrays.keys().cloned().collect();
    let ctrl = arrays.remove("ctrl").ok_or_else(|| {
        fail(format!(
            "there is no array `ctrl`; the archive holds {}",
            if names.is_empty() { "nothing".into() } else { names.join(", ") }
        ))
    })?;
    match ctrl.shape[..] {
        [s, n] | [_, s, n] if s == steps && n == nu => {}
        _ => {
            return Err(fail(format!(
                "array `ctrl` has shape {:?}; expected ({steps}, {nu}) or (batch, {steps}, {nu})",
                ctrl.shape
            )));
        }
    }
    match ctrl.data.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(fail(format!("array `ctrl` holds {} at entry {i}; expected finite numbers", ctrl.data[i]))),
        None => Ok(ctrl),
    }
}

/// The size of the batch, on which everything that has one must agree.
fn batch(args: &Args, ctrl: Option<&Array>, state: &BTreeMap<String, Array>) -> Result<usize, Failure> {
    let mut batch = args.batch.map(|b| (usize::try_from(b).unwrap_or(usize::MAX), "--batch".to_string()));
    let of_state =
        state.iter().filter(|(name, a)| is_batched(name, a)).map(|(name, a)| (a.shape[0], &args.state, name.as_str()));
    let of_ctrl = ctrl.filter(|c| c.shape.len() == 3).map(|c| (c.shape[0], &args.ctrl, "ctrl"));
    for (n, path, name) in of_ctrl.into_iter().chain(of_state) {
        match &batch {
            Some((b, whose)) if *b != n => {
                return Err(Failure::Input {
                    path: path.clone().unwrap_or_default(),
                    message: format!("array `{name}` is for a batch of {n}; {whose} says {b}"),
                });
            }
            Some(_) => {}
            None => batch = Some((n, format!("array `{name}`"))),
        }
    }
    Ok(batch.map_or(1, |(b, _)| b))
}

/// Whether an array of the state has a first dimension for the batch.
fn is_batched(name: &str, array: &Array) -> bool {
    array.shape.len() == state::rank(name) + 1
}

/// The state that each trajectory starts from.
fn starts(args: &Args, m: &Model, state: &BTreeMap<String, Array>, batch: usize) -> Result<Vec<State>, Failure> {
    let mut d = bundled::data(&args.model, m)?;
    let fail = |message: String| Failure::Input { path: args.state.clone().unwrap_or_default(), message };
    let (batched, common): (Vec<_>, Vec<_>) = state.iter().partition(|(name, a)| is_batched(name, a));
    for (name, array) in common {
        state::set(m, &mut d, name, array).map_err(fail)?;
    }
    (0..batch)
        .map(|i| {
            for (name, array) in &batched {
                let n = array.data.len() / batch.max(1);
                let row = Array { shape: array.shape[1..].to_vec(), data: array.data[i * n..(i + 1) * n].to_vec() };
                state::set(m, &mut d, name, &row).map_err(|e| fail(format!("trajectory {i}: {e}")))?;
            }
            Ok(d.state.clone())
        })
        .collect()
}

/// Writes all trajectories and returns the names and shapes of the arrays.
fn write(path: &Path, m: &Model, trajectories: &[Trajectory], steps: usize) -> Result<String, Failure> {
    let mut w = Writer::create(path)?;
    let mut arrays = Vec::new();
    let mut put = |name: &str, width: usize, part: fn(&Trajectory) -> &[f64]| {
        let data: Vec<f64> = trajectories.iter().flat_map(part).copied().collect();
        let shape = vec![trajectories.len(), steps, width];
        arrays.push(format!("{name} {shape:?}"));
        w.put(name, &Field { name: name.into(), shape, data: Column::F64(data) })
    };
    put("time", 1, |t| &t.time)?;
    put("qpos", m.nq(), |t| &t.qpos)?;
    put("qvel", m.nv(), |t| &t.qvel)?;
    put("act", m.na, |t| &t.act)?;
    put("sensordata", m.nsensordata, |t| &t.sensordata)?;
    w.finish()?;
    Ok(arrays.join(", "))
}
