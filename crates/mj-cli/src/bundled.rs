//! Models: bundled ones by their bare name, others by path.

use crate::failure::Failure;
use crate::suggest;
use mj_engine::{Data, Loaded, Model, load_with};
use mj_mjcf::{FileSystem, Memory};
use std::path::Path;

macro_rules! bundle {
    ($($file:literal),* $(,)?) => {
        /// Bundled files: name and text.
        const FILES: &[(&str, &str)] = &[$(($file, include_str!(concat!("../models/", $file)))),*];
    };
}

bundle!(
    "acrobot.xml",
    "arm_gripper.xml",
    "box_heap.xml",
    "cables.xml",
    "cart_double_pendulum.xml",
    "crane.xml",
    "drapery.xml",
    "drivetrain.xml",
    "four_bar.xml",
    "humanoid.xml",
    "lamp.xml",
    "muscle_arm.xml",
    "parts/defaults.xml",
    "parts/gantry.xml",
    "pendulum_chain.xml",
    "pid_touch.xml",
    "quadruped.xml",
    "ragdoll.xml",
    "rolling.xml",
    "scaled.xml",
    "screws.xml",
    "sled.xml",
    "spinning_top.xml",
    "swimmer.xml",
    "tendon_finger.xml",
    "welded_pair.xml",
    "workcell.xml",
);

/// Loads a model by path, or a bundled one by its bare name; prints warnings.
pub fn open(name: &str) -> Result<Loaded, Failure> {
    let loaded = load(name)?;
    if !loaded.report.diagnostics.list.is_empty() {
        eprint!("{}", loaded.report);
    }
    Ok(loaded)
}

/// Loads a model by path, or a bundled one by its bare name.
pub fn load(name: &str) -> Result<Loaded, Failure> {
    let path = Path::new(name);
    let bare = path.components().count() == 1 && path.extension().is_none();
    if bare && !path.exists() {
        let file = format!("{name}.xml");
        if !FILES.iter().any(|(f, _)| *f == file) {
            let hint = suggest::hint(name, names());
            let known = names().join(", ");
            let message = format!("neither a file nor a bundled model{hint}; the bundled ones are {known}");
            return Err(Failure::Input { path: path.into(), message });
        }
        let mut files = Memory::new();
        for (name, text) in FILES {
            files.insert(name, *text);
        }
        Ok(load_with(Path::new(&file), &files)?)
    } else {
        Ok(load_with(path, &FileSystem::default())?)
    }
}

/// Makes the simulation data of a model.
pub fn data(name: &str, m: &Model) -> Result<Data, Failure> {
    Data::new(m).map_err(|reason| Failure::Data { model: name.into(), reason })
}

/// Returns the bare names of the bundled models.
pub fn names() -> Vec<&'static str> {
    FILES.iter().map(|(f, _)| f.trim_end_matches(".xml")).filter(|f| !f.contains('/')).collect()
}
