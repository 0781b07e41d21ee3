//! The engine under test, as its command.

use crate::Result;
use crate::npz::{self, Arrays};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Longest that one dump may take.
const LIMIT: Duration = Duration::from_secs(60);
/// Longest that one measurement may take.
const LONG_LIMIT: Duration = Duration::from_secs(600);

/// Options under which a solver converges wherever it starts, so that its results can be compared; the oracle
/// recorded with the same.
const CONVERGED: &[&str] =
    &["opt.iterations=500", "opt.tolerance=1e-15", "opt.ls_iterations=100", "opt.ls_tolerance=1e-6"];

/// Task of a measurement, for both engines.
#[derive(Clone, Copy)]
pub struct Run {
    /// Steps that are timed, in 20 chunks of whole blocks of ten.
    pub steps: u64,
    /// Steps before them; by default a tenth, and at least 100.
    pub warmup: Option<u64>,
    /// Seed of the control noise.
    pub seed: u64,
}

/// A folder for one model's files, deleted at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder among the temporary files.
    pub fn new(name: &str) -> Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("mj-conformance-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&dir).map_err(|e| format!("{name}: {}: {e}", dir.display()))?;
        Ok(Self(dir))
    }

    /// A file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays behind among temporary files harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A built `mj`.
pub struct Engine(PathBuf);

impl Engine {
    /// The command at a path.
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Builds the command in the release profile.
    pub fn build(root: &Path) -> Result<Self> {
        Self::build_with(root, &[])
    }

    /// Builds the command in the release profile, with features beside the default ones.
    pub fn build_with(root: &Path, features: &[&str]) -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .current_dir(root)
            .args(["build", "--release", "--package", "mj-cli", "--message-format", "json-render-diagnostics"])
            .args(["--features", &features.join(",")])
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err("the engine does not build".into());
        }
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["target"]["name"] == "mj")
            .find_map(|message| message["executable"].as_str().map(|p| Self(p.into())))
            .ok_or_else(|| "cargo named no executable `mj`".into())
    }

    /// Returns the path of the command.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Compiles a model and saves it, in the form that the file's ending says.
    pub fn compile(&self, scratch: &Scratch, model: &Path, out: &Path) -> Result<()> {
        let mut command = Command::new(&self.0);
        command.arg("compile").arg(model).arg("-o").arg(out);
        self.finish(scratch, command.stdout(Stdio::null()), LIMIT)
    }

    /// Saves a model as MJCF in the notation in which it is written.
    pub fn save_as_written(&self, scratch: &Scratch, model: &Path, out: &Path) -> Result<()> {
        let mut command = Command::new(&self.0);
        command.arg("compile").arg("--as-written").arg(model).arg("-o").arg(out);
        self.finish(scratch, command.stdout(Stdio::null()), LIMIT)
    }

    /// Number of instructions that `mj bench` executes for so many steps.
    pub fn instructions(&self, scratch: &Scratch, model: &Path, steps: u64) -> Result<u64> {
        let mut command = Command::new("valgrind");
        command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", scratch.file("calls").display()));
        command.arg(&self.0).arg("bench").arg(model).args(["--warmup", "0", "--steps"]).arg(steps.to_string());
        let output = command.output().map_err(|e| format!("valgrind (is it installed?): {e}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let found = if output.status.success() { instructions(&said) } else { None };
        found.ok_or_else(|| format!("valgrind over mj bench {}: {}\n{said}", model.display(), output.status).into())
    }

    /// Returns the object that `mj bench --json` prints for a model.
    pub fn bench(&self, scratch: &Scratch, model: &Path, run: Run) -> Result<serde_json::Value> {
        let mut command = Command::new(&self.0);
        command.arg("bench").arg(model).args(["--json", "--steps", &run.steps.to_string()]);
        command.args(["--seed", &run.seed.to_string()]);
        run.warmup.iter().for_each(|warmup| {
            command.args(["--warmup", &warmup.to_string()]);
        });
        self.report(scratch, &mut command, LONG_LIMIT)
    }

    /// Records the problem of a model after some steps.
    pub fn record(&self, scratch: &Scratch, model: &Path, set: &[String], steps: u32, out: &Path) -> Result<()> {
        let mut command = Command::new(&self.0);
        command.arg("problem").arg(model).arg("--steps").arg(steps.to_string()).arg("--out").arg(out);
        set.iter().for_each(|s| {
            command.arg("--set").arg(s);
        });
        self.finish(scratch, command.stdout(Stdio::null()), LIMIT)
    }

    /// Returns the object that `mj solve --json` prints for a recorded problem; none if it has no rows, or more than `most`.
    pub fn solve(&self, scratch: &Scratch, problem: &Path, most: u64) -> Result<Option<serde_json::Value>> {
        let rows = npz::read(problem)?.get("efc_D").map_or(0, |a| a.shape.iter().product::<usize>()) as u64;
        if rows == 0 || rows > most {
            return Ok(None);
        }
        let mut command = Command::new(&self.0);
        command.arg("solve").arg(problem).arg("--json");
        self.report(scratch, &mut command, LIMIT).map(Some)
    }

    /// Runs a command to its end, within a time, and reads the JSON that it prints.
    fn report(&self, scratch: &Scratch, command: &mut Command, limit: Duration) -> Result<serde_json::Value> {
        let out = scratch.file("report.json");
        command.stdout(std::fs::File::create(&out)?);
        self.finish(scratch, command, limit)?;
        Ok(serde_json::from_str(&std::fs::read_to_string(&out)?)?)
    }

    /// Runs a command to its end; one that fails is told by the first line that it said.
    fn finish(&self, scratch: &Scratch, command: &mut Command, limit: Duration) -> Result<()> {
        let errors = scratch.file("stderr");
        command.stdin(Stdio::null()).stderr(std::fs::File::create(&errors)?);
        let status = wait(command, limit).map_err(|e| format!("{}: {e}", self.0.display()))?;
        if status.success() {
            return Ok(());
        }
        let said = std::fs::read_to_string(&errors).unwrap_or_default();
        let first = said.lines().find(|l| l.contains("error")).or(said.lines().next()).unwrap_or("(nothing on stderr)");
        Err(format!("{status}: {}", first.trim()).into())
    }

    /// The arrays of one stage, without the prefix that tells model from results.
    pub fn dump(
        &self,
        scratch: &Scratch,
        model: &Path,
        stage: &str,
        state: Option<&Arrays>,
        converged: bool,
    ) -> Result<Arrays> {
        let [input, output] = ["in.npz", "out.npz"].map(|f| scratch.file(f));
        let mut command = Command::new(&self.0);
        command.arg("dump").arg(model).arg("--out").arg(&output).args(["--stage", stage]);
        if let Some(state) = state {
            npz::write(&input, state.iter().map(|(n, a)| (n.as_str(), a)))?;
            command.arg("--state").arg(&input);
        }
        for set in CONVERGED.iter().filter(|_| converged) {
            command.args(["--set", set]);
        }
        self.finish(scratch, command.stdout(Stdio::null()), LIMIT)
            .map_err(|e| format!("mj dump --stage {stage}: {e}"))?;
        let arrays = npz::read(&output)?;
        std::fs::remove_file(&output)?; // so that a dump that writes nothing is not judged by the last one
        Ok(arrays
            .into_iter()
            .map(|(n, a)| match n.split_once('.') {
                Some(("model" | "data", rest)) => (rest.to_string(), a),
                _ => (n, a),
            })
            .collect())
    }
}

/// Waits for a command; one that runs too long is stopped.
fn wait(command: &mut Command, limit: Duration) -> Result<std::process::ExitStatus> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Err(format!("stopped after {} s", limit.as_secs()).into());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The number of executed instructions in what valgrind says.
fn instructions(said: &str) -> Option<u64> {
    let (_, number) = said.lines().find(|l| l.contains("refs:"))?.rsplit_once(':')?;
    number.trim().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_valgrind_says() {
        let said = "==7== Events    : Ir\n==7== Collected : 387396759\n==7== \n==7== I   refs:      387,396,759\n";
        assert_eq!(instructions(said), Some(387_396_759));
        assert_eq!(instructions("==7== command not found"), None);
    }
}
