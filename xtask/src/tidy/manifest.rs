//! Entries of a crate's Cargo.toml that the checks need.

use crate::Result;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A crate of the workspace.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// Package name.
    pub name: String,
    /// Folder.
    pub dir: PathBuf,
    /// Whether a licence is named, here or by the workspace.
    pub licensed: bool,
    /// Whether the workspace's lints apply.
    pub lints: bool,
    /// Package names of all dependencies, of whatever kind and platform.
    pub dependencies: Vec<String>,
}

impl Manifest {
    /// Reads the text of a Cargo.toml that lies in `dir`.
    pub fn parse(text: &str, dir: &Path) -> Result<Self> {
        let doc: Table = text.parse().map_err(|e| format!("{}: {e}", dir.join("Cargo.toml").display()))?;
        let package = doc.get("package").and_then(Value::as_table).ok_or("no [package]")?;
        let mut dependencies = Vec::new();
        collect_dependencies(&doc, &mut dependencies);
        for platform in doc.get("target").and_then(Value::as_table).into_iter().flat_map(|t| t.values()) {
            if let Some(t) = platform.as_table() {
                collect_dependencies(t, &mut dependencies);
            }
        }
        dependencies.sort();
        dependencies.dedup();
        Ok(Self {
            name: package.get("name").and_then(Value::as_str).unwrap_or_default().to_string(),
            dir: dir.to_path_buf(),
            licensed: package.get("license").is_some_and(|l| l.as_str() == Some("Apache-2.0") || inherits(l)),
            lints: doc.get("lints").is_some_and(inherits),
            dependencies,
        })
    }

    /// Whether other crates can depend on it.
    pub fn is_library(&self) -> bool {
        self.dir.join("src/lib.rs").exists()
    }
}

fn inherits(v: &Value) -> bool {
    v.get("workspace").and_then(Value::as_bool) == Some(true)
}

/// The three kinds of dependency; a renamed one counts under its package's name.
fn collect_dependencies(doc: &Table, out: &mut Vec<String>) {
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        for (key, value) in doc.get(kind).and_then(Value::as_table).into_iter().flatten() {
            out.push(value.get("package").and_then(Value::as_str).unwrap_or(key).to_string());
        }
    }
}

/// All crates of the workspace, in order of their folders.
pub fn workspace(root: &Path) -> Result<Vec<Manifest>> {
    let mut dirs = vec![root.join("xtask")];
    for folder in ["crates", "graphics", "examples"] {
        dirs.extend(std::fs::read_dir(root.join(folder))?.filter_map(|e| e.ok().map(|e| e.path())));
    }
    dirs.sort();
    let mut out = Vec::new();
    for dir in dirs {
        let path = dir.join("Cargo.toml");
        if path.exists() {
            out.push(Manifest::parse(&std::fs::read_to_string(&path)?, &dir)?);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_dependency_counts() {
        let m = Manifest::parse(
            r#"
            [package]
            name = "mj-example"
            license.workspace = true
            [lints]
            workspace = true
            [dependencies]
            a = "1"
            alias = { package = "b", version = "1" }
            [dev-dependencies]
            c = { workspace = true }
            [target.'cfg(unix)'.build-dependencies]
            d = "1"
            "#,
            Path::new("crates/mj-example"),
        )
        .unwrap();
        assert_eq!(m.dependencies, ["a", "b", "c", "d"]);
        assert!(m.licensed && m.lints);
        assert!(!Manifest::parse("[package]\nname = 'x'\nlicense = 'MIT'", Path::new("x")).unwrap().licensed);
    }
}
