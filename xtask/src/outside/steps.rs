//! Commands that a chore runs one after the other.

use crate::Result;
use std::process::Command;
use std::time::Instant;

/// Steps of a chore, by its name.
pub struct Steps(pub &'static str);

impl Steps {
    /// Runs one command, and says how long it took.
    pub fn run(&self, name: &str, command: &mut Command) -> Result<()> {
        let start = Instant::now();
        let status = command.status().map_err(|e| format!("{name}: {command:?}: {e}"))?;
        if !status.success() {
            return Err(format!("{name} failed: {command:?}").into());
        }
        println!("{}: {name}: {:.0} s", self.0, start.elapsed().as_secs_f64());
        Ok(())
    }
}
