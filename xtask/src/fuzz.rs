//! Runs a fuzz target, with the stable compiler.

use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub struct Args {
    /// One of the targets in fuzz/targets: mjcf, urdf, stl, obj, msh, ply, glb, png, mjb, flex, gmsh, plugin.
    target: String,
    /// How long to look for problems, in seconds.
    #[arg(long, default_value_t = 300)]
    seconds: u32,
    /// Folder of files to start from.
    #[arg(long)]
    seeds: Option<PathBuf>,
}

/// Coverage for libFuzzer, from options of LLVM that the stable compiler has. Without sanitizers: there is no unsafe code
/// of ours to watch, and panics end the program by themselves.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// The machine for which the targets are built. It has to be named, so that build scripts are built without coverage.
const MACHINE: &str = "x86_64-unknown-linux-gnu";

/// Builds a target and runs it; fails if it found something, with the input in fuzz/artifacts.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let fuzz = root.join("fuzz");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .current_dir(&fuzz)
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_TARGET_DIR", fuzz.join("target"))
        .args(["build", "--release", "--locked", "--target", MACHINE, "--bin", &args.target])
        .status()?;
    if !built.success() {
        return Err(format!("the target `{}` does not build", args.target).into());
    }
    let [corpus, artifacts] = ["corpus", "artifacts"].map(|name| fuzz.join(name).join(&args.target));
    for folder in [&corpus, &artifacts] {
        std::fs::create_dir_all(folder)?;
    }
    let found = Command::new(fuzz.join("target").join(MACHINE).join("release").join(&args.target))
        .arg(&corpus)
        .args(&args.seeds)
        .arg(format!("-max_total_time={}", args.seconds))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-rss_limit_mb=8000", "-timeout=60", "-max_len=20000", "-print_final_stats=1"])
        .status()?;
    if found.success() { Ok(()) } else { Err(format!("see {}", artifacts.display()).into()) }
}
