//! Pictures of other people's models beside those that the reference draws.

use super::steps::Steps;
use crate::engine::Engine;
use crate::{Result, page};
use std::path::{Path, PathBuf};
use std::process::Command;

const STEPS: Steps = Steps("pictures");

/// The part of the page that the summary goes to, and the command that writes it.
const PAGE: &str = "graphics/mj-render/README.md";
const PART: &str = "beside";
const COMMAND: &str = "pictures --beside";

/// Draws the models of `beside.txt` with both renderers, compares, and makes a page of the pictures.
///
/// # Errors
/// If a view misses what must hold; the page is made all the same.
pub fn run(root: &Path, python: &Path, corpus: &Path, mj: Option<&Path>, write: bool) -> Result<()> {
    let engine = mj.map_or_else(|| Engine::build_with(root, &["view"]), |path| Ok(Engine::at(path.into())))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let (out, scripts) = (target.join("beside"), root.join("xtask/src/outside"));
    let mut draw = Command::new(python);
    draw.arg(scripts.join("beside.py")).arg(engine.path()).arg(corpus).arg(scripts.join("beside.txt")).arg(&out);
    let outcome = STEPS.run("beside", &mut draw);
    println!("pictures: {}", out.join("index.html").display());
    outcome?;
    if write {
        let (path, summary) = (root.join(PAGE), std::fs::read_to_string(out.join("table.md"))?);
        let text = std::fs::read_to_string(&path)?;
        std::fs::write(&path, page::replaced(&text, PART, COMMAND, &summary)?)?;
    }
    Ok(())
}
