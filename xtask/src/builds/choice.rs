//! The one choice of packages and features, with which all is compiled once: a choice decides the features of what packages share.

use std::path::Path;
use std::process::Command;

/// Features that `.ci/run` builds with, so that nothing is built twice there, in this variable.
const FEATURES: &str = "MJ_FEATURES";

/// Returns a call of Cargo for all packages, with all parts of the command.
pub fn cargo(root: &Path, command: &str, targets: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    let features = std::env::var(FEATURES).unwrap_or_else(|_| "mj-cli/full".into());
    cargo.current_dir(root).arg(command).args(["--locked", "--workspace", "--features", &features]).args(targets);
    cargo
}
