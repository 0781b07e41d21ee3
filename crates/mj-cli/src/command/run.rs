//! `mj run`: simulates, with a progress bar, and ends with a summary.

use crate::bundled;
use crate::failure::Failure;
use crate::memory;
use crate::noise::ControlNoise;
use crate::npz::Writer;
use crate::stepper::Stepper;
use indicatif::{ProgressBar, ProgressStyle};
use mj_engine::{Convergence, Data, Model, complete, describe_warning, forward};
use mj_model::*;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Simulates a model and ends with a summary.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  mj run humanoid --seconds 10 --ctrl-noise 1 --record run.npz")]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// Simulated time, seconds.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Keyframe to start from.
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
    /// Drives all controls with noise from this seed.
    #[arg(long, value_name = "SEED")]
    ctrl_noise: Option<u64>,
    /// Sets an option, e.g. opt.timestep=0.001; may be repeated.
    #[arg(long, value_name = "K=V")]
    set: Vec<String>,
    /// Solver by name (`mj solve -h` lists them), or `impulse` for velocity stepping; the model's unless given.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Records time, qpos, qvel, act and sensordata after every step (velocity stepping computes no sensors).
    #[arg(long, value_name = "OUT.npz")]
    record: Option<PathBuf>,
    /// Stops with an error at the first number that goes bad, instead of resetting.
    #[arg(long)]
    strict: bool,
}

/// Greatest number of steps, so that a mistyped duration is an error and not a day.
const MAX_STEPS: f64 = 1e10;
/// Greatest size of a recording, numbers.
const MAX_RECORD: usize = 1 << 28;

/// Sums over the steps.
#[derive(Default)]
struct Totals {
    ncon: u64,
    max_ncon: usize,
    niter: u64,
    max_niter: u32,
    convergence: Convergence,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut m = bundled::open(&args.model)?.model;
    bundled::set_options(&mut m, &args.set)?;
    let mut d = bundled::data(&args.model, &m)?;
    let mut stepper = Stepper::new(args.solver.as_deref(), &args.model, &m, &mut d)?;
    if let Some(name) = &args.key {
        let key = m.key_id(name).ok_or_else(|| {
            let known = m.names.all(ObjType::Key).join(", ");
            Failure::Usage(format!("--key {name}: no such keyframe; the model's are: {known}"))
        })?;
        d.state.set_key(&m, key);
    }
    let steps = (args.seconds / m.opt.timestep).round();
    if !(0.0..=MAX_STEPS).contains(&steps) {
        return Err(Failure::Usage(format!(
            "--seconds {}: {steps} steps of {} s; expected 0 to {MAX_STEPS:e} steps",
            args.seconds, m.opt.timestep
        )));
    }
    let steps = steps as u64;
    let mut record = args.record.is_some().then(|| Record::new(&m, stepper.sensors(&m), steps)).transpose()?;
    let noise = args.ctrl_noise.map(|seed| ControlNoise::new(&m, seed));

    forward(&m, &mut d)?;
    complete(&m, &mut d);
    let energy = d.energy;
    let bar = progress(steps);
    let mut totals = Totals::default();
    let start = Instant::now();
    for i in 0..steps {
        if let Some(noise) = &noise {
            noise.set(i, &mut d.state.ctrl);
        }
        stepper.step(&args.model, &m, &mut d, args.strict)?;
        totals.add(&m, &d, &stepper);
        if let Some(r) = &mut record {
            r.add(&d);
        }
        if i.is_multiple_of(256) {
            bar.set_position(i);
        }
    }
    let wall = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    forward(&m, &mut d)?;
    complete(&m, &mut d);
    let summary = summary(args, &m, &d, steps, wall, &totals, energy);
    std::io::stdout().write_all(summary.as_bytes())?;
    if let (Some(r), Some(path)) = (record, &args.record) {
        r.write(path)?;
    }
    Ok(())
}

/// A progress bar where someone watches.
fn progress(steps: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3}%  {pos}/{len} steps  {per_sec}  {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

impl Totals {
    fn add(&mut self, m: &Model, d: &Data, stepper: &Stepper) {
        stepper.observe(m, d, &mut self.convergence);
        let (contacts, iterations) = (stepper.contacts(d), stepper.iterations(d));
        self.ncon += contacts as u64;
        self.max_ncon = self.max_ncon.max(contacts);
        self.niter += u64::from(iterations);
        self.max_niter = self.max_niter.max(iterations);
    }
}

fn summary(args: &Args, m: &Model, d: &Data, steps: u64, wall: f64, t: &Totals, energy: [f64; 2]) -> String {
    use std::fmt::Write;
    let mut s = String::new();
    let n = steps.max(1) as f64;
    let simulated = steps as f64 * m.opt.timestep;
    let rate = steps as f64 / wall.max(1e-9);
    let (before, after) = (energy[0] + energy[1], d.energy[0] + d.energy[1]);
    let _ =
        writeln!(s, "model         {} (nv {}, {} bodies, {} geoms)", args.model, m.nv(), m.body.len(), m.geom.len());
    let _ = writeln!(s, "simulated     {simulated:.3} s in {steps} steps of {} s", m.opt.timestep);
    let _ = writeln!(s, "wall time     {wall:.3} s: {:.1} × real time, {rate:.0} steps/s", simulated / wall.max(1e-9));
    let _ = writeln!(s, "contacts      {:.2} a step, at most {}", t.ncon as f64 / n, t.max_ncon);
    let _ = writeln!(s, "solver        {:.2} iterations a step, at most {}", t.niter as f64 / n, t.max_niter);
    let _ = writeln!(s, "energy        {before:.4} J to {after:.4} J, drift {:+.4} J", after - before);
    if d.sleep.count() > 0 {
        let _ = writeln!(s, "asleep        {} of {} trees at the end", d.sleep.count(), m.tree.len());
    }
    if let Some(worst) = &t.convergence.worst {
        let _ =
            writeln!(s, "convergence   the solver stopped short in {} of {steps} steps: {worst}", t.convergence.short);
    }
    if let Some(bytes) = memory::peak() {
        let _ = writeln!(s, "memory        {:.1} MB at most, the model's included", bytes as f64 / 1e6);
    }
    let raised = || Warning::KEYWORDS.iter().filter(|(_, kind)| d.warning(*kind).number > 0);
    for (name, kind) in raised() {
        let _ = writeln!(s, "warning       {name}: {}", describe_warning(m, d, *kind));
    }
    if raised().next().is_none() {
        let _ = writeln!(s, "warnings      none");
    }
    s
}

/// A trajectory in memory.
struct Record {
    widths: [usize; 4],
    time: Vec<f64>,
    parts: [Vec<f64>; 4],
}

impl Record {
    fn new(m: &Model, sensors: usize, steps: u64) -> Result<Self, Failure> {
        let widths = [m.nq(), m.nv(), m.na, sensors];
        let total = usize::try_from(steps).ok().and_then(|n| n.checked_mul(widths.iter().sum::<usize>() + 1));
        if total.is_none_or(|t| t > MAX_RECORD) {
            return Err(Failure::Usage(format!(
                "--record: {steps} steps are more than the {MAX_RECORD} numbers that one recording may hold"
            )));
        }
        Ok(Self { widths, time: Vec::new(), parts: Default::default() })
    }

    fn add(&mut self, d: &Data) {
        self.time.push(d.state.time);
        let rows = [&d.state.qpos, &d.state.qvel, &d.state.act, &d.sensordata];
        for ((part, row), width) in self.parts.iter_mut().zip(rows).zip(self.widths) {
            part.extend_from_slice(&row[..width]);
        }
    }

    fn write(self, path: &std::path::Path) -> Result<(), Failure> {
        let n = self.time.len();
        let mut w = Writer::create(path)?;
        let field = |name: &str, shape, data| Field { name: name.into(), shape, data: Column::F64(data) };
        w.put("time", &field("time", vec![n], self.time))?;
        for ((name, width), data) in ["qpos", "qvel", "act", "sensordata"].into_iter().zip(self.widths).zip(self.parts)
        {
            w.put(name, &field(name, vec![n, width], data))?;
        }
        w.finish()
    }
}
