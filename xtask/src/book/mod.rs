//! The book: the pages of docs/ as a web site, made by mdBook.

pub mod markdown;

use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Version of mdBook.
const VERSION: &str = "^0.5";

/// Folder of the pages.
const PAGES: &str = "docs";

/// Installs mdBook beside the build output where it is missing, and builds the book to `target/book`.
pub fn run(root: &Path) -> Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    let (stage, book) = (target.join("book-pages"), target.join("book"));
    for old in [&stage, &book] {
        if old.exists() {
            std::fs::remove_dir_all(old)?;
        }
    }
    let settings = std::fs::read_to_string(root.join("book.toml"))?;
    let address = repository(root)?;
    copy(root, PAGES, &stage, &address)?;
    std::fs::write(stage.join("book.toml"), settings)?;

    let mut mdbook = Command::new(program(&target)?);
    if !mdbook.arg("build").arg(&stage).arg("--dest-dir").arg(&book).status()?.success() {
        return Err("mdbook failed".into());
    }
    println!("book: {}", book.join("index.html").display());
    Ok(())
}

/// Address of the repository's files, from the workspace's manifest.
fn repository(root: &Path) -> Result<String> {
    let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let address = manifest.get("workspace").and_then(|w| w.get("package")?.get("repository")?.as_str());
    Ok(format!("{}/blob/main", address.ok_or("Cargo.toml names no repository")?))
}

/// Copies a folder of the root. Links that leave the book lead to the repository, and those to a README to its page.
fn copy(root: &Path, folder: &str, stage: &Path, address: &str) -> Result<()> {
    std::fs::create_dir_all(stage.join(folder))?;
    for entry in std::fs::read_dir(root.join(folder))? {
        let name = entry?.file_name();
        let path = format!("{folder}/{}", name.to_string_lossy());
        let from = root.join(&path);
        if from.is_dir() {
            copy(root, &path, stage, address)?;
        } else if path.ends_with(".md") {
            let text = std::fs::read_to_string(from)?;
            std::fs::write(stage.join(&path), markdown::relinked(&text, &|link| relinked(&path, link, address)))?;
        } else {
            std::fs::copy(from, stage.join(&path))?;
        }
    }
    Ok(())
}

/// Returns the link in the book in place of one in the sources, where they differ.
fn relinked(page: &str, link: &str, address: &str) -> Option<String> {
    let (path, _) = markdown::target(page, link)?;
    let summary = format!("{PAGES}/SUMMARY.md");
    if !path.starts_with(&format!("{PAGES}/")) || path == summary {
        return Some(format!("{address}/{path}"));
    }
    (page != summary && path.ends_with("README.md")).then(|| link.replace("README.md", "index.md"))
}

/// Returns mdBook's program; installs it where it is missing, to the folder that the variable MJ_TOOLS names, or beside the build
/// output.
fn program(target: &Path) -> Result<PathBuf> {
    let tools = std::env::var_os("MJ_TOOLS").map_or_else(|| target.join("tools"), PathBuf::from);
    let own = tools.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    for program in [PathBuf::from("mdbook"), own.clone()] {
        if Command::new(&program).arg("--version").output().is_ok_and(|o| o.status.success()) {
            return Ok(program);
        }
    }
    let mut install = Command::new(env!("CARGO"));
    // Unoptimized: it takes a third of the time to build, and it runs for a second.
    install.args(["install", "mdbook", "--version", VERSION, "--locked", "--debug", "--quiet"]);
    install.args(["--config", "profile.dev.debug=false", "--no-default-features", "--features", "search", "--root"]);
    if !install.arg(&tools).env_remove("CARGO_TARGET_DIR").status()?.success() {
        return Err("mdbook could not be installed".into());
    }
    Ok(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_the_book_lead_to_the_repository() {
        let of = |page, link| relinked(page, link, "https://x.org/blob/main");
        assert_eq!(
            of("docs/a/b.md", "../../crates/c/README.md").unwrap(),
            "https://x.org/blob/main/crates/c/README.md"
        );
        assert_eq!(of("docs/a/b.md", "../python/README.md#d").unwrap(), "../python/index.md#d");
        assert_eq!(of("docs/SUMMARY.md", "python/README.md"), None);
        assert_eq!(of("docs/a.md", "SUMMARY.md").unwrap(), "https://x.org/blob/main/docs/SUMMARY.md");
        assert_eq!(of("docs/a.md", "b.md"), None);
        assert_eq!(of("docs/a.md", "https://x.org"), None);
    }

    #[test]
    fn the_manifest_names_the_repository() {
        assert!(repository(&crate::root()).unwrap().starts_with("https://"));
    }
}
