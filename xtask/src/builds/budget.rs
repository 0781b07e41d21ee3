//! An instruction budget: how many instructions a step of some models executes, counted by valgrind and compared with
//! the counts on record. Unlike times, counts are the same whatever else the machine does.

use crate::Result;
use crate::engine::{Engine, Scratch};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The models, which differ in what their steps are made of.
const MODELS: [&str; 10] = [
    "arm_gripper",
    "box_heap",
    "cart_double_pendulum",
    "drivetrain",
    "humanoid",
    "pendulum_chain",
    "quadruped",
    "ragdoll",
    "tendon_finger",
    "workcell",
];

/// Lengths of the two runs whose difference is counted, so that loading and warming up are not.
const STEPS: [u64; 2] = [50, 250];

/// Part of the recorded count by which a count may exceed it.
const TOLERANCE: f64 = 0.03;

const HEADER: &str = "\
# Instructions a step of the models in `models/`, counted by `cargo xtask budget` (valgrind over `mj bench`) on x86-64
# with AVX2 and FMA, for which the kernels have code of their own: other processors are not compared.
# After a change that is meant to change them: cargo xtask budget --write
";

/// Arguments of `cargo xtask budget`.
#[derive(clap::Args)]
pub struct Args {
    /// Writes the counts to tests/budget.toml instead of comparing them with it.
    #[arg(long)]
    write: bool,
    /// A built `mj` to count; by default it is built in the release profile.
    #[arg(long)]
    mj: Option<PathBuf>,
}

/// Counts, prints what was counted beside what is on record, and fails if a model has become slower.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    if !comparable() {
        println!("this processor chooses other kernels than those that were counted: nothing to compare");
        return Ok(());
    }
    let engine = match &args.mj {
        Some(path) => Engine::at(path.clone()),
        None => Engine::build(root)?,
    };
    let counts: Vec<u64> = MODELS.par_iter().map(|name| count(&engine, root, name)).collect::<Result<_>>()?;
    let path = root.join("tests/budget.toml");
    if args.write {
        let mut text = HEADER.to_string();
        MODELS.iter().zip(&counts).try_for_each(|(name, n)| writeln!(text, "{name} = {n}"))?;
        std::fs::write(&path, text)?;
        println!("wrote {}", path.display());
        return Ok(());
    }
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let record: BTreeMap<String, u64> = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut over = Vec::new();
    for (name, &n) in MODELS.iter().zip(&counts) {
        let budget = *record.get(*name).ok_or_else(|| format!("{}: `{name}` is not on record", path.display()))?;
        let change = n as f64 / budget as f64 - 1.0;
        let verdict = if exceeds(n, budget) {
            over.push(*name);
            "  over"
        } else if change < -TOLERANCE {
            "  under: to keep the gain, run `cargo xtask budget --write`"
        } else {
            ""
        };
        println!("{name:24} {n:9}  on record {budget:9}  {:+6.1} %{verdict}", 100.0 * change);
    }
    if over.is_empty() {
        return Ok(());
    }
    let percent = 100.0 * TOLERANCE;
    Err(format!(
        "more than {percent} % over the budget: {}; if that is wanted, run `cargo xtask budget --write`",
        over.join(", ")
    )
    .into())
}

/// Whether the kernels that this processor chooses are those of the record.
fn comparable() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn exceeds(count: u64, budget: u64) -> bool {
    count as f64 > budget as f64 * (1.0 + TOLERANCE)
}

/// Instructions a step of a model.
fn count(engine: &Engine, root: &Path, name: &str) -> Result<u64> {
    let model = root.join("models").join(name).with_extension("xml");
    let scratch = Scratch::new(name)?;
    let [short, long] = STEPS.map(|steps| engine.instructions(&scratch, &model, steps));
    let (short, long) = (short?, long?);
    // The benchmark times the stages in a pass of its own, a fifth as long.
    let steps = STEPS.map(|n| n + n / 5);
    Ok(long.saturating_sub(short) / (steps[1] - steps[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_more_is_within_the_budget() {
        assert!(!exceeds(1029, 1000) && exceeds(1031, 1000));
    }
}
