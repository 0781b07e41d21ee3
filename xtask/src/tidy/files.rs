//! The project's text files.

use crate::Result;
use std::path::Path;

/// A text file, with its path from the root, `/` between folders.
pub struct TextFile {
    /// Path from the root.
    pub path: String,
    /// Contents.
    pub text: String,
}

/// Every file that is UTF-8 text, build output and version control left out.
pub fn text_files(root: &Path) -> Result<Vec<TextFile>> {
    let mut out = Vec::new();
    walk(root, root, &mut out)?;
    out.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(out)
}

fn walk(root: &Path, dir: &Path, out: &mut Vec<TextFile>) -> Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name();
        if name == "target" || name == ".git" || name == "Cargo.lock" {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(root, &path, out)?;
        } else if kind.is_file()
            && let Ok(text) = String::from_utf8(std::fs::read(&path)?)
        {
            let parts: Vec<_> = path.strip_prefix(root)?.iter().map(|p| p.to_string_lossy()).collect();
            out.push(TextFile { path: parts.join("/"), text });
        }
    }
    Ok(())
}
