//! Opens pages that this project writes in headless Chromium, and uses them as people do.

use super::steps::Steps;
use crate::Result;
use crate::builds::choice;
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

    // Node looks for packages beside the scripts.
    for script in ["common.mjs", "recording.mjs", "view.mjs"] {
        std::fs::copy(root.join("tests/browser").join(script), work.join(script))?;
    }
    let examples = ["--quiet", "--example", "html", "--example", "serve"];
    STEPS.run("build", &mut choice::cargo(root, "build", &examples))?;
    let built = target.canonicalize()?.join("debug/examples");
    let model = |name: &str| root.join(format!("models/{name}.xml"));
    for (name, seconds) in MODELS {
        let (page, picture) = (work.join(format!("{name}.html")), work.join(format!("{name}.png")));
        let mut record = Command::new(built.join("html"));
        STEPS.run(&format!("recording of {name}"), record.arg(model(name)).arg(&page).arg(seconds))?;
        let mut test = Command::new("node");
        test.arg(work.join("recording.mjs")).arg(&args.chromium).arg(&page).arg(&picture);
        STEPS.run(&format!("page of {name}"), &mut test)?;
    }
    for name in VIEWED {
        let mut test = Command::new("node");
        test.arg(work.join("view.mjs")).arg(&args.chromium).arg(work.join(format!("view-{name}.png")));
        STEPS.run(&format!("view of {name}"), test.arg(model(name)).arg(built.join("serve")))?;
    }
    Ok(())
}
