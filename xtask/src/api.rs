//! Record of the public names of each library, so that none disappears unnoticed.
//!
//! The names are read from the pages that rustdoc writes on the stable compiler: items, fields, variants, methods and
//! associated items. A change of a signature under a name is not seen.

use crate::Result;
use crate::builds::choice;
use std::collections::BTreeSet;
use std::path::Path;

/// Arguments of the chore.
#[derive(clap::Args)]
pub struct Args {
    /// Records the names as they are.
    #[arg(long)]
    write: bool,
}

/// Folder of the records, one file a crate.
const RECORDS: &str = "tests/api";

/// Prefixes of rustdoc's files, by kind of item.
const KINDS: &[&str] = &["struct", "enum", "union", "trait", "fn", "type", "constant", "static", "macro", "derive"];

/// Prefixes of rustdoc's anchors, by kind of member.
const MEMBERS: &[&str] = &["structfield", "variant", "method", "tymethod", "associatedconstant", "associatedtype"];

/// Anchors of the parts of a page that don't list the item's own members.
const ELSEWHERE: &[&str] =
    &["trait-implementations", "synthetic-implementations", "blanket-implementations", "implementors", "deref-methods"];

/// Documents all crates, without warnings, and compares their public names with the records, or writes these.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let mut crates: Vec<String> = std::fs::read_dir(root.join("crates"))?
        .filter_map(|e| e.ok().filter(|e| is_published_library(&e.path())))
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    crates.sort();
    let mut cargo = choice::cargo(root, "doc", &["--exclude", "mj-py", "--no-deps"]);
    let flags = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    if !cargo.env("RUSTDOCFLAGS", format!("{flags} -Dwarnings")).status()?.success() {
        return Err("cargo doc failed".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |dir| root.join(dir));
    std::fs::create_dir_all(root.join(RECORDS))?;
    let (mut lost, mut new) = (Vec::new(), 0);
    for name in &crates {
        let path = root.join(RECORDS).join(format!("{name}.txt"));
        let names = names(&target.join("doc"), &name.replace('-', "_"))?;
        if args.write {
            std::fs::write(&path, names.iter().map(|n| format!("{n}\n")).collect::<String>())?;
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let recorded: BTreeSet<String> = text.lines().map(String::from).collect();
        lost.extend(recorded.difference(&names).cloned());
        new += names.difference(&recorded).count();
    }
    if new > 0 {
        println!("api: {new} new names; `cargo xtask api --write` records them");
    }
    if lost.is_empty() {
        println!("api: the public names of {} crates are all there", crates.len());
        return Ok(());
    }
    lost.iter().for_each(|name| eprintln!("api: gone: {name}"));
    let right = "if that is meant, say so in CHANGELOG.md, raise the version, and run `cargo xtask api --write`";
    Err(format!("{} public names are gone; {right}", lost.len()).into())
}

fn is_published_library(folder: &Path) -> bool {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    folder.join("src/lib.rs").exists() && !manifest.lines().any(|l| l == "publish = false")
}

/// Returns the public names of a crate from its pages: `kind path` each.
fn names(doc: &Path, krate: &str) -> Result<BTreeSet<String>> {
    let folder = doc.join(krate);
    let read = |file: &str| {
        let path = folder.join(file);
        std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let mut names = BTreeSet::new();
    for (file, kind, path) in items(&read("all.html")?) {
        let path = format!("{krate}::{path}");
        names.extend(members(&read(&file)?).into_iter().map(|(kind, member)| format!("{kind} {path}::{member}")));
        names.insert(format!("{kind} {path}"));
    }
    if names.is_empty() {
        return Err(format!("{krate}: no public names in rustdoc's pages; their form may have changed").into());
    }
    Ok(names)
}

/// Returns file, kind and path of each item in rustdoc's list of all items.
fn items(page: &str) -> Vec<(String, String, String)> {
    let files: BTreeSet<&str> = quoted(page, "href=\"").collect();
    let item = |file: &str| {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let (kind, name) = name.strip_suffix(".html")?.split_once('.')?;
        let known = KINDS.contains(&kind) && !folder.contains("..");
        let modules: String = folder.split('/').filter(|m| !m.is_empty()).map(|m| format!("{m}::")).collect();
        known.then(|| (file.to_string(), kind.to_string(), format!("{modules}{name}")))
    };
    files.into_iter().filter_map(item).collect()
}

/// Returns kind and name of each member on an item's page.
fn members(page: &str) -> Vec<(String, String)> {
    let end = ELSEWHERE.iter().filter_map(|e| page.find(&format!("id=\"{e}"))).min().unwrap_or(page.len());
    let member = |id: &str| {
        let (kind, name) = id.split_once('.')?;
        // Rustdoc numbers anchors that would be the same.
        let name = match name.rsplit_once('-') {
            Some((name, digits)) if digits.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => name,
        };
        MEMBERS.contains(&kind).then(|| (kind.to_string(), name.replace(".field.", "::")))
    };
    quoted(&page[..end], "id=\"").filter_map(member).collect()
}

/// Returns the quoted texts that follow a prefix.
fn quoted<'a>(page: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    page.match_indices(prefix).filter_map(move |(at, _)| page[at + prefix.len()..].split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_members_are_read_from_pages() {
        let all = "<a href=\"../static/x.css\"><li><a href=\"read/fn.read.html\">read::read</a></li>\
                   <a href=\"struct.Writer.html\">Writer</a><a href=\"index.html\">";
        let paths: Vec<_> = items(all).into_iter().map(|(_, kind, path)| format!("{kind} {path}")).collect();
        assert_eq!(paths, ["fn read::read", "struct Writer"]);
        let page = "<section id=\"method.new\"><section id=\"method.new-1\"><span id=\"variant.A.field.x\">\
                    <a href=\"#method.other\"><h2 id=\"trait-implementations\"><section id=\"method.fmt\">";
        let found: Vec<_> = members(page).into_iter().map(|(kind, name)| format!("{kind} {name}")).collect();
        assert_eq!(found, ["method new", "method new", "variant A::x"]);
    }
}
