//! Checks that the compiler doesn't do: layering, invariants, licences, lengths, wording, pages and their links,
//! examples.

mod circles;
mod examples;
mod files;
mod layers;
mod manifest;
mod modules;
mod pages;
mod sources;
mod tokens;
mod words;

use crate::{Result, codegen};
use std::path::Path;

/// Runs all checks; fails if one of them complains.
pub fn run(root: &Path) -> Result<()> {
    let manifests = manifest::workspace(root)?;
    let files = files::text_files(root)?;

    let mut faults = layers::check(&manifests);
    for m in &manifests {
        faults.extend(sources::check_crate(m));
        faults.extend(circles::check(&m.name, &m.dir));
    }
    faults.extend(circles::check("mj-py", &root.join("python")));
    faults.extend(sources::check_folders(&files));
    for f in &files {
        faults.extend(sources::check_file(f));
        faults.extend(words::check(f));
    }
    faults.extend(pages::check(root, &files));
    faults.extend(examples::check(&files));
    faults.extend(codegen::stale(root));

    let long = sources::long_files(&files);
    if !long.is_empty() {
        println!("files of more than {} lines:", sources::LONG);
        for (lines, path) in long {
            println!("  {lines:4} {path}");
        }
    }
    for f in &faults {
        eprintln!("tidy: {f}");
    }
    if faults.is_empty() {
        println!("tidy: {} crates and {} files are in order", manifests.len(), files.len());
        Ok(())
    } else {
        Err(format!("{} faults", faults.len()).into())
    }
}
