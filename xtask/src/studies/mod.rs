//! Measurements of solvers, papers, the broad phase, control and identification, over models and problems.

pub mod broadphase;
pub mod control;
pub mod figures;
pub mod identify;
pub mod kkt;
mod laboratory;
pub mod papers;
mod planner;

use crate::Result;
use std::path::Path;
use std::process::Command;

/// Runs this program's arguments again in the release profile: what is timed in it is as fast as users have it.
pub fn in_release(root: &Path) -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--release", "--package", "xtask", "--manifest-path"]).arg(root.join("Cargo.toml"));
    let status = command.arg("--").args(std::env::args_os().skip(1)).status()?;
    if status.success() { Ok(()) } else { Err(format!("in the release profile: {status}").into()) }
}
