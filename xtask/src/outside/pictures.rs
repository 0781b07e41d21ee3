//! Tests all that draws, with a software driver where the machine has none.

use super::driver;
use super::steps::Steps;
use crate::Result;
use std::path::Path;
use std::process::Command;

const STEPS: Steps = Steps("pictures");

/// Arguments of `cargo xtask pictures`.
#[derive(clap::Args)]
pub struct Args {
    /// Draws the pictures of the documents anew.
    #[arg(long)]
    write: bool,
}

/// Pictures of the documents: file, and arguments of `mj render`.
const PICTURES: &[(&str, &[&str])] =
    &[("docs/figures/humanoid.png", &["humanoid", "--size", "720x400", "--steps", "60", "--vis", "contactforce=1"])];

/// Installs what is missing, runs the tests of the renderer and of the command's pictures.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    driver::install(&STEPS)?;
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(root).args(arguments);
        command
    };
    if args.write {
        for (file, arguments) in PICTURES {
            let mut draw = cargo(&["run", "--locked", "--quiet", "-p", "mj-cli", "--features", "view", "--", "render"]);
            STEPS.run(file, draw.args(*arguments).args(["-o", file]))?;
        }
        return Ok(());
    }
    STEPS.run("renderer", &mut cargo(&["test", "--locked", "-p", "mj-render"]))?;
    STEPS.run("command", &mut cargo(&["test", "--locked", "-p", "mj-cli", "--features", "view", "--test", "render"]))
}
