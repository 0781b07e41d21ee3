//! What the fuzz targets share.

mod choices;
pub use choices::{Choices, Value};

use mj_engine::{Data, load_with, step};
use mj_mjcf::Memory;
use std::path::Path;

/// Loads `model.xml` or another main file, and makes two steps of what loads: neither may panic, hang
/// or take much memory.
pub fn load_and_step(files: &Memory, main: &str) {
    let Ok(mut loaded) = load_with(Path::new(main), files) else { return };
    let m = &mut loaded.model;
    m.opt.iterations = m.opt.iterations.min(20);
    m.opt.ls_iterations = m.opt.ls_iterations.min(20);
    if m.nv() > 200 || m.geom.len() > 200 || m.hfield.len() + m.mesh.len() > 20 {
        return;
    }
    if let Ok(mut d) = Data::new(m) {
        step(m, &mut d).unwrap();
        step(m, &mut d).unwrap();
    }
}

/// A model with a geom of a mesh or height field that a file gives.
pub fn asset(file: &str, element: &str, contents: &[u8]) {
    let mut files = Memory::new();
    let text = format!(
        "<mujoco><asset>{element}</asset><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    );
    files.insert("model.xml", text);
    files.insert(file, contents);
    load_and_step(&files, "model.xml");
}
