//! `mj run`: simulates, with a progress bar, and ends with a summary.

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::noise::ControlNoise;
use crate::recording::Recording;
use crate::stepper::Stepper;
use crate::summary::{Summary, Totals};
use crate::{bundled, keyframe, options, output};
use indicatif::{ProgressBar, ProgressStyle};
use mj_engine::{Data, Model, complete, forward};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Simulates a model and prints a summary.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// Simulated time, in seconds.
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true, value_parser = seconds)]
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
    /// Sets an option of velocity stepping (see below); may be repeated.
    #[arg(long, value_name = "K=V")]
    impulse: Vec<String>,
    /// Records time, qpos, qvel, act and sensordata after every step (velocity stepping computes no sensors).
    #[arg(long, value_name = "OUT.npz")]
    record: Option<PathBuf>,
    /// Stops with an error at the first number that is not finite, instead of resetting.
    #[arg(long)]
    strict: bool,
    /// Prints the summary as one JSON object.
    #[arg(long)]
    json: bool,
}

const HELP: &str = "\
Example:
  mj run humanoid --seconds 10 --ctrl-noise 1 --record run.npz
  mj run humanoid --solver impulse --impulse integrator=midpoint --impulse kappa=0.03

--impulse sets options of velocity stepping, with --solver impulse: integrator=explicit, midpoint, semi-implicit, rk4 or
interleaved; equality=soft or hard; lambda=WEIGHT of soft equality constraints, or lambda=none, which leaves them to epsilon;
stabilization=pd, coupled or critical; time=SECONDS of critical stabilization; epsilon, kappa, iterations, tolerance;
penetration=WEIGHT of the penetration cost; post-hoc=WEIGHT of impulses that do not know the controls.

Ctrl-C ends the run early, with its summary and its recording; the exit code is then 130.

With --json, standard output is one object: model, nv, nbody, ngeom, timestep, steps, interrupted, simulated_seconds,
wall_seconds, realtime_factor, steps_per_second, ncon_mean, ncon_max, niter_mean, niter_max, energy_start, energy_end (J),
trees_asleep, not_converged_steps, memory_bytes (null where the system does not tell), warnings (a list of objects with
name, number and message).";

/// Greatest number of steps: a mistyped duration is an error, not a run of days.
const MAX_STEPS: f64 = 1e10;

/// Reads a duration.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(s) if (0.0..f64::INFINITY).contains(&s) => Ok(s),
        _ => Err("expected a number of seconds, 0 or more".into()),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let interrupt = Interrupt::listen();
    args.record.as_deref().map(output::check).transpose()?;
    let mut m = bundled::open(&args.model)?.model;
    options::set(&mut m, &args.set)?;
    let mut d = bundled::data(&args.model, &m)?;
    let mut stepper = Stepper::new(args.solver.as_deref(), &args.impulse, &args.model, &m, &mut d)?;
    if let Some(name) = &args.key {
        d.state.set_key(&m, keyframe::find(&m, name)?);
    }
    let asked = number_of_steps(args.seconds, m.opt.timestep)?;
    let mut recording = args.record.is_some().then(|| Recording::new(&m, stepper.sensors(&m), asked)).transpose()?;
    let noise = args.ctrl_noise.map(|seed| ControlNoise::new(&m, seed));

    forward(&m, &mut d)?;
    complete(&m, &mut d);
    let energy = d.energy;
    let bar = progress(asked);
    let mut totals = Totals::default();
    let mut steps = 0;
    let start = Instant::now();
    while steps < asked && !interrupt.heard() {
        if let Some(noise) = &noise {
            noise.set(steps, &mut d.state.ctrl);
        }
        stepper.step(&args.model, &m, &mut d, args.strict)?;
        totals.add(&m, &d, &stepper);
        if let Some(r) = &mut recording {
            r.add(&d);
        }
        if steps.is_multiple_of(256) {
            bar.set_position(steps);
        }
        steps += 1;
    }
    let wall = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    finish(&m, &mut d)?;
    if let (Some(r), Some(path)) = (recording, &args.record) {
        r.write(path)?;
    }
    let summary = Summary { name: &args.model, model: &m, data: &d, steps, asked, wall, totals: &totals, energy };
    let text = if args.json { format!("{}\n", summary.json()) } else { summary.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    if summary.interrupted() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Computes the energy of the last state.
fn finish(m: &Model, d: &mut Data) -> Result<(), Failure> {
    forward(m, d)?;
    complete(m, d);
    Ok(())
}

/// Returns the number of steps in a duration, s.
fn number_of_steps(seconds: f64, timestep: f64) -> Result<u64, Failure> {
    let steps = (seconds / timestep).round();
    if (0.0..=MAX_STEPS).contains(&steps) {
        return Ok(steps as u64);
    }
    Err(Failure::Usage(format!(
        "--seconds {seconds}: {steps} steps of {timestep} s; expected at most {MAX_STEPS:e} steps"
    )))
}

/// Shows a progress bar where someone watches.
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
