//! The first build of a newcomer: the command of the README, and what it says of the parts that it leaves out.

use crate::Result;
use crate::engine::{Engine, Scratch};
use std::path::Path;
use std::process::{Command, Output};

/// Arguments whose command needs a feature, and the feature.
const LEFT_OUT: &[(&[&str], &str)] = &[
    (&["plan", "acrobot"], "control"),
    (&["control", "acrobot"], "control"),
    (&["identify", "m.xml", "log.csv", "--find", "body_mass[a]"], "control"),
    (&["decompose", "cup.stl", "--out", "parts"], "decompose"),
    (&["render", "humanoid", "--output", "h.png"], "view"),
    (&["view", "humanoid", "--web"], "view"),
];

/// Files of formats that need a feature.
const FORMATS: &[(&str, &str)] = &[("part.ply", "ply"), ("part.gltf", "gltf"), ("part.glb", "gltf")];

/// Builds the command as the README says, simulates, and checks that what is left out names its feature.
pub fn run(root: &Path) -> Result<()> {
    let engine = Engine::build(root)?;
    let scratch = Scratch::new("first-build")?;
    let folder = scratch.file("");
    let mj = |arguments: &[&str]| Command::new(engine.path()).current_dir(&folder).args(arguments).output();

    let ran = mj(&["run", "humanoid"])?;
    let said = String::from_utf8_lossy(&ran.stdout);
    if !ran.status.success() || !said.contains("simulated     10.000 s") {
        return Err(format!("`mj run humanoid`: {}\n{said}", ran.status).into());
    }
    for (arguments, feature) in LEFT_OUT {
        refused(&mj(arguments)?, &arguments.join(" "), feature)?;
    }
    for (file, feature) in FORMATS {
        std::fs::write(folder.join(file), "solid")?;
        let model = format!(
            "<mujoco><asset><mesh name='m' file='{file}'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
        );
        std::fs::write(folder.join("part.xml"), model)?;
        refused(&mj(&["compile", "part.xml"])?, file, feature)?;
    }
    let size = std::fs::metadata(engine.path())?.len();
    println!("first build: {:.1} MB; it simulates, and names the features of what it leaves out", size as f64 / 1e6);
    Ok(())
}

/// Checks that a call failed with an error that names a feature.
fn refused(output: &Output, call: &str, feature: &str) -> Result<()> {
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !said.contains(&format!("--features {feature}")) {
        return Err(format!("`{call}` does not name the feature `{feature}`: {}\n{said}", output.status).into());
    }
    Ok(())
}
