//! Splits meshes into convex parts, and writes them.

use super::Args;
use crate::failure::Failure;
use mj_compile::decompose::{Splitting, Surface, decompose};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Runs `mj decompose`.
pub fn run(args: &Args) -> Result<(), Failure> {
    let at_fault = |message: String| Failure::Input { path: args.mesh.clone(), message };
    let contents = std::fs::read(&args.mesh).map_err(|e| at_fault(e.to_string()))?;
    let name = args.mesh.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let whole = Surface::read(name, contents).map_err(at_fault)?;
    let how = Splitting { concavity: args.concavity, voxels: args.voxels, most: args.most };
    how.check().map_err(Failure::Usage)?;
    let parts = decompose(&whole, &how).map_err(at_fault)?;

    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    std::fs::create_dir_all(&args.out).map_err(|source| Failure::Write { path: args.out.clone(), source })?;
    let write = |file: &str, text: String| {
        let path = args.out.join(file);
        std::fs::write(&path, text).map_err(|source| Failure::Write { path, source })
    };
    for (i, part) in parts.iter().enumerate() {
        write(&format!("{stem}_{i}.obj"), part.to_obj(&format!("convex part {i} of {name}")))?;
    }
    let file = format!("{stem}.xml");
    write(&file, model(name, stem, parts.len()))?;
    writeln!(std::io::stdout(), "{}", summary(&whole, &parts, &args.out.join(file)))?;
    Ok(())
}

/// Describes the parts in words.
fn summary(whole: &Surface, parts: &[Surface], model: &Path) -> String {
    let corners: usize = parts.iter().map(|p| p.vert.len()).sum();
    let (mesh, sum) = (whole.volume(), parts.iter().map(Surface::volume).sum::<f64>());
    let mut text = format!("{} convex parts with {corners} corners, volume {sum:.4e}", parts.len());
    // A surface with holes encloses no volume to compare with.
    if whole.is_closed() {
        let _ = write!(text, ", {:.1}% of the mesh's", 100.0 * sum / mesh);
    }
    let _ = write!(text, "\n{}", model.display());
    text
}

/// The model of all parts.
fn model(name: &str, stem: &str, count: usize) -> String {
    let [name, stem] = [name, stem].map(|s| s.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;"));
    let mut text =
        format!("<!-- Convex parts of {} -->\n<mujoco model=\"{stem}\">\n  <asset>\n", name.replace("--", "-"));
    for i in 0..count {
        let _ = writeln!(text, "    <mesh name=\"{stem}_{i}\" file=\"{stem}_{i}.obj\"/>");
    }
    let _ = writeln!(text, "  </asset>\n  <worldbody>\n    <body name=\"{stem}\">");
    for i in 0..count {
        let _ = writeln!(text, "      <geom type=\"mesh\" mesh=\"{stem}_{i}\"/>");
    }
    text.push_str("    </body>\n  </worldbody>\n</mujoco>\n");
    text
}
