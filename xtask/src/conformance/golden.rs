//! Golden files: what `oracle.py` records.

use crate::Result;
use crate::npz::{self, Arrays};
use std::path::Path;

/// A state and what the reference computes there.
#[derive(Debug, Default)]
pub struct Case {
    /// State, as `mj dump --state` reads it.
    pub input: Arrays,
    /// The reference's results; an array that is absent is empty.
    pub output: Arrays,
}

/// Everything recorded for one model.
#[derive(Debug, Default)]
pub struct Golden {
    /// Fields of the compiled model.
    pub model: Arrays,
    /// Forward dynamics.
    pub forward: Vec<Case>,
    /// Inverse dynamics.
    pub inverse: Vec<Case>,
    /// Twenty steps.
    pub step: Vec<Case>,
    /// Jacobians of a step.
    pub transition: Vec<Case>,
    /// Abstract scenes.
    pub scene: Vec<Case>,
}

impl Golden {
    /// Everything recorded for a model in the folder `dir`.
    pub fn of(dir: &Path, name: &str) -> Result<Self> {
        let mut g = Self::default();
        g.read(&dir.join(format!("{name}.npz")))?;
        for folder in [TRANSITIONS, SCENES] {
            let file = dir.join(folder).join(format!("{name}.npz"));
            if file.is_file() {
                g.read(&file)?;
            }
        }
        Ok(g)
    }

    /// Adds what a golden file holds.
    fn read(&mut self, path: &Path) -> Result<()> {
        for (name, array) in npz::read(path)? {
            let parts: Vec<&str> = name.splitn(4, '/').collect();
            match parts[..] {
                ["model", field] => {
                    self.model.insert(field.into(), array);
                }
                ["meta", _] => {}
                [
                    stage @ ("forward" | "inverse" | "step" | "transition" | "scene"),
                    k,
                    side @ ("in" | "out"),
                    field,
                ] => {
                    let cases = match stage {
                        "forward" => &mut self.forward,
                        "inverse" => &mut self.inverse,
                        "transition" => &mut self.transition,
                        "scene" => &mut self.scene,
                        _ => &mut self.step,
                    };
                    let k: usize =
                        k.parse().map_err(|_| format!("{}: {name}: no number of a state", path.display()))?;
                    if k >= 1000 {
                        return Err(format!("{}: {name}: too many states", path.display()).into());
                    }
                    while cases.len() <= k {
                        cases.push(Case::default());
                    }
                    let side = if side == "in" { &mut cases[k].input } else { &mut cases[k].output };
                    side.insert(field.into(), array);
                }
                _ => return Err(format!("{}: unknown array {name}", path.display()).into()),
            }
        }
        Ok(())
    }
}

/// Folder of the Jacobians, in that of the golden files.
pub const TRANSITIONS: &str = "transition";

/// Folder of the abstract scenes, in that of the golden files.
pub const SCENES: &str = "scene";

/// Names of all golden files under a folder, those of Jacobians and scenes left out: paths from it, without
/// extension, in order.
pub fn files(dir: &Path) -> Result<Vec<String>> {
    let mut out = Vec::new();
    collect(dir, dir, &mut out)?;
    out.retain(|name| name.split_once('/').is_none_or(|(folder, _)| ![TRANSITIONS, SCENES].contains(&folder)));
    out.sort();
    Ok(out)
}

fn collect(root: &Path, dir: &Path, out: &mut Vec<String>) -> Result<()> {
    let entries = std::fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, out)?;
        } else if path.extension().is_some_and(|e| e == "npz") {
            let name: Vec<_> =
                path.strip_prefix(root)?.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
            out.push(name.join("/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_humanoid_was_recorded() {
        let g = Golden::of(&crate::root().join("tests/golden"), "humanoid").unwrap();
        assert_eq!(g.model["nv"].data, [27.0]);
        assert_eq!((g.forward.len(), g.inverse.len(), g.step.len()), (4, 4, 1));
        assert_eq!(g.forward[0].output["M_dense"].shape, [27, 27]);
        assert_eq!(g.inverse[3].input["qacc"].shape, [27]);
        assert_eq!(g.transition[0].output["A"].shape, [54, 54]);
    }

    #[test]
    fn every_model_has_a_golden_file() {
        let golden = files(&crate::root().join("tests/golden")).unwrap();
        for entry in std::fs::read_dir(crate::root().join("models")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "xml") {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                assert!(golden.contains(&name), "{name}: run `cargo xtask oracle`");
                let jacobians = crate::root().join(format!("tests/golden/{TRANSITIONS}/{name}.npz"));
                assert!(jacobians.is_file(), "{name}: run `cargo xtask oracle`");
            }
        }
    }
}
