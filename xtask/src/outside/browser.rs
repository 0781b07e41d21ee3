//! Opens pages that this project writes in headless Chromium, and uses them as people do.

use super::steps::Steps;
use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

const STEPS: Steps = Steps("browser");

/// Arguments of `cargo xtask browser`.
#[derive(clap::Args)]
pub struct Args {
    /// Chromium; where it is missing, Debian's package is installed.
    #[arg(long, default_value = "/usr/bin/chromium")]
    chromium: PathBuf,
}

/// The package that drives the browser, of npm.
const DRIVER: &str = "playwright-core@1";

/// Models that are recorded, and for how many seconds: bodies, textures and lights; flexes without a texture.
const MODELS: &[(&str, &str)] = &[("humanoid", "10"), ("drapery", "3")];

/// Models that are viewed: many joints and controls; cameras, textures and sensors.
const VIEWED: &[&str] = &["humanoid", "arm_gripper"];

/// Records pages, opens each in Chromium and runs `tests/browser/recording.mjs` on it; serves simulations, and runs
/// `tests/browser/view.mjs` on their page. Nothing is skipped: what can't be installed is an error.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let work = target.join("browser");
    std::fs::create_dir_all(&work)?;
    let work = work.canonicalize()?;
    let mut packages = Vec::new();
    if !args.chromium.exists() {
        packages.push("chromium");
    }
    for program in ["node", "npm"] {
        if Command::new(program).arg("--version").output().is_err() {
            packages.push(if program == "node" { "nodejs" } else { "npm" });
        }
    }
    if !packages.is_empty() {
        STEPS.run("package lists", Command::new("apt-get").args(["update", "-qq"]))?;
        let install = ["install", "-y", "-qq", "--no-install-recommends"];
        STEPS.run("packages", Command::new("apt-get").args(install).args(&packages))?;
    }
    if !args.chromium.exists() {
        return Err(format!("there is no Chromium at {}; name it with --chromium", args.chromium.display()).into());
    }
    if !work.join("node_modules/playwright-core").exists() {
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", ".", DRIVER];
        STEPS.run("driver", Command::new("npm").current_dir(&work).args(install))?;
    }

    // Node looks for packages beside the script.
    let script = work.join("recording.mjs");
    std::fs::copy(root.join("tests/browser/recording.mjs"), &script)?;
    for (model, seconds) in MODELS {
        let (page, picture) = (work.join(format!("{model}.html")), work.join(format!("{model}.png")));
        let mut record = Command::new(env!("CARGO"));
        record.current_dir(root).args(["run", "--quiet", "--locked", "-p", "mj-record", "--example", "html", "--"]);
        record.arg(format!("models/{model}.xml")).arg(&page).arg(seconds);
        STEPS.run(&format!("recording of {model}"), &mut record)?;
        let mut test = Command::new("node");
        test.arg(&script).arg(&args.chromium).arg(&page).arg(&picture);
        STEPS.run(&format!("page of {model}"), &mut test)?;
    }

    let script = work.join("view.mjs");
    std::fs::copy(root.join("tests/browser/view.mjs"), &script)?;
    let build = ["build", "--quiet", "--locked", "-p", "mj-serve", "--example", "serve"];
    STEPS.run("server", Command::new(env!("CARGO")).current_dir(root).args(build))?;
    let server = target.canonicalize()?.join("debug/examples/serve");
    for model in VIEWED {
        let mut test = Command::new("node");
        test.arg(&script).arg(&args.chromium).arg(work.join(format!("view-{model}.png")));
        test.arg(root.join(format!("models/{model}.xml"))).arg(&server);
        STEPS.run(&format!("view of {model}"), &mut test)?;
    }
    Ok(())
}
