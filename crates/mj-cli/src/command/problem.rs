//! `mj problem`: writes the constraint problem of a state, for solvers to be tried on.

use crate::bundled;
use crate::failure::Failure;
use crate::npz::Writer;
use crate::state;
use crate::{options, output};
use mj_engine::{forward, step};
use mj_model::{Column, Field};
use mj_problem::Recorded;
use std::io::Write as _;
use std::path::PathBuf;

/// Writes the constraint problem of a state: M, J, D, aref, cones, warm start.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  mj problem humanoid --steps 200 -o fall.npz && mj solve fall.npz --solver all")]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// Archive with the state; what is missing keeps its reset value.
    #[arg(long)]
    state: Option<PathBuf>,
    /// Steps to simulate first.
    #[arg(long, default_value_t = 0)]
    steps: u64,
    /// Archive to write.
    #[arg(short, long)]
    out: PathBuf,
    /// Sets an option, e.g. opt.cone=1; may be repeated.
    #[arg(long, value_name = "K=V")]
    set: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    output::check(&args.out)?;
    let mut m = bundled::open(&args.model)?.model;
    options::set(&mut m, &args.set)?;
    let mut d = bundled::data(&args.model, &m)?;
    if let Some(path) = &args.state {
        state::read(path, &m, &mut d)?;
    }
    (0..args.steps).try_for_each(|_| step(&m, &mut d))?;
    // The warm start of the next step is the acceleration of this one.
    forward(&m, &mut d)?;
    let recorded = Recorded::from(&mj_engine::problem(&m, &d));
    let mut w = Writer::create(&args.out)?;
    let mut result = Ok(());
    recorded.visit(&mut |name, shape, data| {
        if result.is_ok() {
            result = w.put(name, &Field { name: name.into(), shape: shape.to_vec(), data: Column::F64(data) });
        }
    });
    result?;
    w.finish()?;
    writeln!(
        std::io::stdout(),
        "{} rows ({} of equalities, {} of dry friction), {} dofs",
        recorded.d.len(),
        recorded.ne,
        recorded.nf,
        m.nv()
    )?;
    Ok(())
}
