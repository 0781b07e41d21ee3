//! All that draws, compiled once: a choice of packages decides the features of what they share.

use std::path::Path;
use std::process::Command;

/// Arguments that choose all packages, and the command with pictures and views.
const ALL: &[&str] = &["--locked", "--workspace", "--features", "mj-cli/view"];

/// Returns a call of Cargo for all packages.
pub fn cargo(root: &Path, command: &str, targets: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).arg(command).args(ALL).args(targets);
    cargo
}
