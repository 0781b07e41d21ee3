//! Uses the window as a person does, on a virtual display.

use super::driver;
use super::steps::Steps;
use crate::Result;
use crate::builds::choice;
use std::path::Path;
use std::process::Command;

const STEPS: Steps = Steps("window");

/// Debian's packages of the display, and of the program that moves its mouse.
const PACKAGES: &[&str] = &["xvfb", "xauth", "xdotool", "libxkbcommon-x11-0", "libxcursor1", "libxi6", "libxrandr2"];

/// Installs what is missing, and runs the script `graphics/mj-view/tests/window.rs`. Nothing is skipped.
pub fn run(root: &Path) -> Result<()> {
    driver::install(&STEPS)?;
    let missing = |program: &str| Command::new(program).arg("-help").output().is_err();
    if missing("Xvfb") || missing("xvfb-run") || missing("xdotool") {
        STEPS.run("package lists", Command::new("apt-get").args(["update", "-qq"]))?;
        let install = ["install", "-y", "-qq", "--no-install-recommends"];
        STEPS.run("display", Command::new("apt-get").args(install).args(PACKAGES))?;
    }
    let window = ["--test", "window"];
    STEPS.run("build", choice::cargo(root, "test", &window).arg("--no-run"))?;
    let test = choice::cargo(root, "test", &window);
    let mut script = Command::new("xvfb-run");
    script.current_dir(root).args(["-a", "-s", "-screen 0 1280x960x24"]).arg(test.get_program()).args(test.get_args());
    STEPS.run("script", &mut script)
}
