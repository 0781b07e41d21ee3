//! Circles between the modules of a crate: modules that import each other, directly or by way of others.
//!
//! A module here is one at the root of a crate, with all its files: what it names by `crate::` are its imports, also where
//! the root re-exports them. Code for tests doesn't count.

use super::manifest::Manifest;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Crates whose modules still have circles.
const EXEMPT: &[&str] = &["mj-model", "mj-mjcf", "mj-compile"];

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Complaints about circles between the modules of a crate.
pub fn check(m: &Manifest) -> Vec<String> {
    if EXEMPT.contains(&m.name.as_str()) {
        return Vec::new();
    }
    let files = source_files(&m.dir.join("src"));
    let circles = circles(&imports(&files));
    circles.into_iter().map(|c| format!("{}: the modules {} import each other", m.name, c.join(", "))).collect()
}

/// The files of a crate without comments and tests, by the module at the root that they belong to; the root's own file is
/// in none.
fn source_files(src: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![src.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let tests = path.file_stem().is_some_and(|s| s == "tests");
            if tests || path.extension().is_none_or(|x| x != "rs") {
                continue;
            }
            let inside = path.strip_prefix(src).unwrap_or(&path);
            let first = inside.iter().next().and_then(|s| s.to_str()).unwrap_or_default();
            let module = first.trim_end_matches(".rs").to_string();
            files.push((module, code(&std::fs::read_to_string(&path).unwrap_or_default())));
        }
    }
    files
}

/// Text without line comments and without what is for tests, which stands at the end of a file.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..end].lines().map(|l| l.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Which modules each module imports from.
fn imports(files: &[(String, String)]) -> Graph {
    let is_root = |m: &str| m == "lib" || m == "main";
    let modules: BTreeSet<&str> = files.iter().map(|(m, _)| m.as_str()).filter(|m| !is_root(m)).collect();
    let mut homes: BTreeMap<String, String> = BTreeMap::new();
    for (_, root) in files.iter().filter(|(m, _)| is_root(m)) {
        for (_, rest) in root.match_indices("pub use ").map(|(i, s)| (i, &root[i + s.len()..])) {
            let statement = rest.split(';').next().unwrap_or_default();
            let home = statement.split("::").next().unwrap_or_default().trim();
            if !modules.contains(home) {
                continue;
            }
            let names: Vec<String> = if statement.ends_with("::*") {
                files.iter().filter(|(m, _)| m == home).flat_map(|(_, text)| public_items(text)).collect()
            } else {
                words(statement).skip(1).map(str::to_string).collect()
            };
            homes.extend(names.into_iter().map(|n| (n, home.to_string())));
        }
    }
    let mut graph = Graph::new();
    for (module, text) in files.iter().filter(|(m, _)| !is_root(m)) {
        let edges = graph.entry(module.clone()).or_default();
        for (i, path) in text.match_indices("crate::") {
            let before = text[..i].chars().next_back();
            if before.is_some_and(|c| c == '$' || c == '_' || c.is_alphanumeric()) {
                continue;
            }
            for name in first_names(&text[i + path.len()..]) {
                let to = if modules.contains(name) { Some(name.to_string()) } else { homes.get(name).cloned() };
                edges.extend(to.filter(|to| to != module));
                if name == "*" {
                    edges.extend(homes.values().filter(|to| *to != module).cloned());
                }
            }
        }
    }
    graph
}

/// Names of the public items that a text declares.
fn public_items(text: &str) -> Vec<String> {
    let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static"];
    let declared = |line: &str| {
        let mut words = words(line);
        (words.next() == Some("pub") && words.next().is_some_and(|k| kinds.contains(&k)))
            .then(|| words.next())
            .flatten()
            .map(str::to_string)
    };
    text.lines().filter_map(|l| declared(l.trim_start())).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && !c.is_alphanumeric()).filter(|w| !w.is_empty())
}

/// The first names of the paths after `crate::`: one, or those of a group.
fn first_names(rest: &str) -> Vec<&str> {
    let name =
        |s: &'_ str| -> usize { s.find(|c: char| c != '_' && c != '*' && !c.is_alphanumeric()).unwrap_or(s.len()) };
    let Some(group) = rest.strip_prefix('{') else { return vec![&rest[..name(rest)]] };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.push(&group[start..i]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(&group[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    names.into_iter().map(str::trim).map(|s| &s[..name(s)]).filter(|s| !s.is_empty()).collect()
}

/// The groups of modules that reach each other.
fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = graph.keys().map(|m| (m.as_str(), reachable(graph, m))).collect();
    let mut circles = BTreeSet::new();
    for (m, from) in &reach {
        let circle: Vec<String> =
            from.iter().filter(|o| reach.get(*o).is_some_and(|r| r.contains(m))).map(|o| (*o).to_string()).collect();
        if !circle.is_empty() {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn reachable<'a>(graph: &'a Graph, from: &str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&str> = graph.get(from).into_iter().flatten().map(String::as_str).collect();
    while let Some(m) = open.pop() {
        if seen.insert(m) {
            open.extend(graph.get(m).into_iter().flatten().map(String::as_str));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files: Vec<_> = files.iter().map(|(m, t)| (m.to_string(), code(t))).collect();
        circles(&imports(&files))
    }

    #[test]
    fn circles_are_found_through_groups_and_the_root() {
        let lib = ("lib", "pub use a::Thing;\npub use c::*;");
        assert_eq!(
            found(&[lib, ("a", "use crate::{b::{x, y}, c};"), ("b", "fn f() { crate::c::g() }"), ("c", "")]),
            Vec::<Vec<String>>::new()
        );
        assert_eq!(found(&[lib, ("a", "use crate::b::x;"), ("b", "use crate::Thing;")]), [["a", "b"]]);
        assert_eq!(
            found(&[
                lib,
                ("b", "use crate::{Other, d};"),
                ("c", "pub struct Other;\nuse crate::d;"),
                ("d", "use crate::b;")
            ]),
            [["b", "c", "d"]]
        );
    }

    #[test]
    fn tests_and_comments_import_nothing() {
        let a = "// crate::b\n#[cfg(test)]\nmod tests { use crate::b; }";
        assert!(found(&[("a", a), ("b", "use crate::a;")]).is_empty());
    }
}
