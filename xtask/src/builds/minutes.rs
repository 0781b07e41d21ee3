//! How long the steps of `.ci/run` take, against the record: a step that has become slow fails by its name.

use crate::Result;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The record.
const RECORD: &str = ".ci/seconds.toml";

/// Factor by which a step may grow, beyond what all steps have grown by.
const GROWTH: f64 = 1.5;

/// Seconds by which any step may grow: a bare machine installs browsers and drivers in them.
const SLACK: f64 = 60.0;

/// Least seconds of a step that tells how fast a machine is.
const TELLING: f64 = 20.0;

const HEADER: &str = "\
# Seconds of each step of .ci/run from nothing, on two cores. A step that grows by half beyond what the others have grown by
# (machines differ) fails. After a change that is meant to change them: cargo xtask minutes target/minutes.txt --write
";

/// Arguments of `cargo xtask minutes`.
#[derive(clap::Args)]
pub struct Args {
    /// Measurements of `.ci/run`: lines `step = seconds`.
    measured: PathBuf,
    /// Records the seconds instead of comparing them.
    #[arg(long)]
    write: bool,
}

type Seconds = BTreeMap<String, f64>;

/// Prints the minutes of each step, and fails if one has grown.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let read = |path: &Path| -> Result<Seconds> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?)
    };
    let (path, measured) = (root.join(RECORD), read(&args.measured)?);
    if args.write {
        let mut text = HEADER.to_string();
        measured.iter().try_for_each(|(step, seconds)| writeln!(text, "{step} = {seconds:.0}"))?;
        std::fs::write(&path, text)?;
        println!("wrote {}", path.display());
        return Ok(());
    }
    let record = read(&path)?;
    let scale = scale(&measured, &record);
    for (step, seconds) in &measured {
        let recorded = record.get(step).map_or("-".into(), |r| format!("{:.1}", r / 60.0));
        println!("{step:16} {:6.1} min   on record {recorded:>5}", seconds / 60.0);
    }
    println!("this machine takes {scale:.2} times as long as that of the record");
    let grown = grown(&measured, &record, scale);
    if grown.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} now take more than {GROWTH} times the time on record, and {SLACK} s; if that is wanted, run `cargo xtask minutes {} --write`",
        grown.join(", "),
        args.measured.display()
    )
    .into())
}

/// Returns how much longer this machine takes: the median over the steps that take long enough to tell.
fn scale(measured: &Seconds, record: &Seconds) -> f64 {
    let ratio = |(step, seconds): (&String, &f64)| record.get(step).filter(|r| **r >= TELLING).map(|r| seconds / r);
    let mut ratios: Vec<f64> = measured.iter().filter_map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(1.0)
}

/// Returns the steps that take longer than they may.
fn grown<'a>(measured: &'a Seconds, record: &Seconds, scale: f64) -> Vec<&'a str> {
    let over = |step: &str, seconds: f64| record.get(step).is_some_and(|r| seconds > GROWTH * scale * r + SLACK);
    measured.iter().filter(|(step, seconds)| over(step, **seconds)).map(|(step, _)| step.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(list: &[(&str, f64)]) -> Seconds {
        list.iter().map(|(step, s)| ((*step).to_string(), *s)).collect()
    }

    #[test]
    fn a_step_that_grows_by_half_is_named_on_any_machine() {
        let record = seconds(&[("lint", 100.0), ("build", 300.0), ("tests", 90.0), ("format", 1.0)]);
        for speed in [0.5, 1.0, 2.0] {
            let now = |build: f64| {
                seconds(&[("lint", 100.0 * speed), ("build", build * speed), ("tests", 90.0 * speed), ("format", 9.0)])
            };
            let found = |m: &Seconds| grown(m, &record, scale(m, &record)).join(" ");
            assert_eq!(found(&now(440.0)), "");
            assert_eq!(found(&now(600.0)), "build");
        }
    }

    #[test]
    fn steps_without_a_record_are_not_judged() {
        let (now, record) = (seconds(&[("new", 1e4)]), seconds(&[("lint", 100.0)]));
        assert!(grown(&now, &record, scale(&now, &record)).is_empty());
    }
}
