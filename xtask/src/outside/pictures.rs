//! Tests all that draws, with a software driver where the machine has none.

use super::steps::Steps;
use super::{beside, driver};
use crate::Result;
use crate::builds::choice;
use std::path::{Path, PathBuf};
use std::process::Command;

const STEPS: Steps = Steps("pictures");

/// Arguments of `cargo xtask pictures`.
#[derive(clap::Args)]
pub struct Args {
    /// Draws the pictures of the documents anew; with `--beside`, writes the table of graphics/mj-render/README.md.
    #[arg(long)]
    write: bool,
    /// Compares pictures of other people's models with the reference's, and makes a page with both beside each other.
    #[arg(long)]
    beside: bool,
    /// A Python interpreter that can import the reference (`mujoco` 4.0.0) with OSMesa, Pillow, and scikit-image.
    #[arg(long, default_value = "python3", requires = "beside")]
    python: PathBuf,
    /// Folder with the models of other people.
    #[arg(long, default_value = "../shared/corpus", requires = "beside")]
    corpus: PathBuf,
    /// A built `mj` with the feature `view`; by default it is built in the release profile.
    #[arg(long, requires = "beside")]
    mj: Option<PathBuf>,
}

/// Pictures of the documents: file, and arguments of `mj render`.
const PICTURES: &[(&str, &[&str])] = &[
    ("docs/figures/humanoid.png", &["humanoid", "--size", "720x400", "--steps", "60", "--vis", "contactforce=1"]),
    (
        "docs/figures/physical.png",
        &[
            "graphics/mj-render/examples/materials.xml",
            "--size",
            "720x400",
            "--distance",
            "1.3",
            "--shading",
            "physical",
        ],
    ),
    (
        "docs/figures/grasp.png",
        &[
            "graphics/mj-render/examples/grasp.xml",
            "--size",
            "720x400",
            "--key",
            "hold",
            "--steps",
            "500",
            "--vis",
            "contactforce=1",
            "--vis",
            "contactpoint=1",
        ],
    ),
    ("docs/figures/models/arm_gripper.png", &["arm_gripper", "--size", "320x240", "--steps", "300"]),
    ("docs/figures/models/box_heap.png", &["box_heap", "--size", "320x240", "--steps", "1500"]),
    ("docs/figures/models/drapery.png", &["drapery", "--size", "320x240", "--distance", "2", "--steps", "400"]),
    ("docs/figures/models/quadruped.png", &["quadruped", "--size", "320x240", "--distance", "3", "--steps", "200"]),
    ("docs/figures/models/ragdoll.png", &["ragdoll", "--size", "320x240", "--steps", "300"]),
    ("docs/figures/models/screws.png", &["screws", "--size", "320x240", "--distance", "5", "--steps", "300"]),
];

/// Installs what is missing, runs the tests of the renderer and of the command's pictures.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    driver::install(&STEPS)?;
    if args.beside {
        return beside::run(root, &args.python, &args.corpus, args.mj.as_deref(), args.write);
    }
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
    let tests =
        ["--test", "pictures", "--test", "physical", "--test", "robustness", "--test", "render", "--test", "book"];
    STEPS.run("tests", &mut choice::cargo(root, "test", &tests))
}
