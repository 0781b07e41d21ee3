//! Runs the script that records golden results with the reference engine's Python package.

use crate::Result;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Scripts in the order in which they run: results of stages, scenes.
const SCRIPTS: [&str; 2] = [include_str!("oracle.py"), include_str!("scenes.py")];

/// Arguments of `cargo xtask oracle`.
#[derive(clap::Args)]
pub struct Args {
    /// A Python interpreter that can import `mujoco` 4.0.0 and `numpy`.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Folder of the models [default: models].
    #[arg(long)]
    models: Option<PathBuf>,
    /// Folder to write to; its tree mirrors that of the models [default: tests/golden].
    #[arg(long)]
    golden: Option<PathBuf>,
    /// Only these, as paths relative to the folder of the models.
    names: Vec<String>,
}

/// Feeds the scripts to Python and waits for each.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let models = args.models.clone().unwrap_or_else(|| root.join("models"));
    let golden = args.golden.clone().unwrap_or_else(|| root.join("tests/golden"));
    SCRIPTS.iter().try_for_each(|script| record(script, &models, &golden, args))
}

fn record(script: &str, models: &Path, golden: &Path, args: &Args) -> Result<()> {
    let mut child = Command::new(&args.python)
        .arg("-")
        .arg(models)
        .arg(golden)
        .args(&args.names)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{}: {e}", args.python.display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(script.as_bytes())?;
    }
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(format!("a recording script ended with {status}").into()) }
}
