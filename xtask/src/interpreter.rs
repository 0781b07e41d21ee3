//! Processes of Python that answer on pipes.

use crate::Result;
use std::ffi::OsStr;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running script; it ends with this.
pub struct Interpreter {
    child: Child,
    /// Its standard input.
    pub requests: ChildStdin,
    /// Its standard output.
    pub answers: BufReader<ChildStdout>,
}

impl Interpreter {
    /// Starts a script, given as text.
    ///
    /// # Errors
    /// If the interpreter doesn't start.
    pub fn start(python: &Path, script: &str, arguments: &[&OsStr]) -> Result<Self> {
        let mut command = Command::new(python);
        command.arg("-c").arg(script).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // The reference's own log of warnings would lie about in whatever folder this is.
        command.current_dir(std::env::temp_dir());
        let mut child = command.spawn().map_err(|e| format!("{}: {e}", python.display()))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{}: no pipes", python.display()).into());
        };
        Ok(Self { child, requests, answers: BufReader::new(answers) })
    }
}

impl Drop for Interpreter {
    fn drop(&mut self) {
        // The end of its input would end it too, but perhaps in the middle of a long run.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
