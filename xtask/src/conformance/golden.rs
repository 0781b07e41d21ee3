//! Golden files: what `oracle.py` records.

use crate::Result;
use crate::npz::{self, Arrays};
use std::path::Path;

/// A state and what the reference computes there.
#[derive(Debug, Default)]
pub struct Case {
    /// What `mj dump --state` reads.
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
}

impl Golden {
    /// Reads a golden file.
    pub fn read(path: &Path) -> Result<Self> {
        let mut g = Self::default();
        for (name, array) in npz::read(path)? {
            let parts: Vec<&str> = name.splitn(4, '/').collect();
            match parts[..] {
                ["model", field] => {
                    g.model.insert(field.into(), array);
                }
                ["meta", _] => {}
                [stage @ ("forward" | "inverse" | "step"), k, side @ ("in" | "out"), field] => {
                    let cases = match stage {
                        "forward" => &mut g.forward,
                        "inverse" => &mut g.inverse,
                        _ => &mut g.step,
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
        Ok(g)
    }
}

/// Names of all golden files under a folder: paths from it, without extension, in order.
pub fn files(dir: &Path) -> Result<Vec<String>> {
    let mut out = Vec::new();
    collect(dir, dir, &mut out)?;
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
        let g = Golden::read(&crate::root().join("tests/golden/humanoid.npz")).unwrap();
        assert_eq!(g.model["nv"].data, [27.0]);
        assert_eq!((g.forward.len(), g.inverse.len(), g.step.len()), (4, 4, 1));
        assert_eq!(g.forward[0].output["M_dense"].shape, [27, 27]);
        assert_eq!(g.inverse[3].input["qacc"].shape, [27]);
    }

    #[test]
    fn every_model_has_a_golden_file() {
        let golden = files(&crate::root().join("tests/golden")).unwrap();
        for entry in std::fs::read_dir(crate::root().join("models")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "xml") {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                assert!(golden.contains(&name), "{name}: run `cargo xtask oracle`");
            }
        }
    }
}
