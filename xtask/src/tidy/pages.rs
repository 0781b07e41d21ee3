//! Pages: links of all of them; chapters and lengths of those of the book, in docs/.

use super::files::TextFile;
use crate::book::markdown::{self, Kind};
use std::collections::BTreeMap;
use std::path::Path;

/// List of the book's pages.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Crate whose documentation tests are the Rust code of the book's pages.
const TESTS: &str = "examples/book/src/pages.rs";

/// Most lines of text without a picture, a table or code: a few screens.
const FULL: usize = 60;

/// Pages that may have more, and why.
const LONG: &[(&str, &str)] = &[
    ("docs/lab/performance.md", "notes, in the order in which they were written"),
    ("docs/mathematics.md", "a reference, which ends with the list of its sources"),
];

/// Complaints about links that lead nowhere, pages that the book hasn't, and long stretches of text.
pub fn check(root: &Path, files: &[TextFile]) -> Vec<String> {
    faults(files, &|path| root.join(path).exists())
}

fn faults(files: &[TextFile], exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let pages = files.iter().filter(|f| f.path.ends_with(".md"));
    let pages: BTreeMap<&str, &str> = pages.map(|f| (f.path.as_str(), f.text.as_str())).collect();
    let tests = files.iter().find(|f| f.path == TESTS).map_or("", |f| f.text.as_str());
    let mut faults = chapters(&pages);
    for (path, text) in &pages {
        faults.extend(links(path, text, &pages, exists));
        let name = path.strip_prefix("docs/").unwrap_or_default();
        if !name.is_empty() && text.lines().any(|l| l.starts_with("```rust")) && !tests.contains(&format!("\"{name}\""))
        {
            faults.push(format!("{path}: its Rust code is not tested: it is not in {TESTS}"));
        }
        if path.starts_with("docs/") && !LONG.iter().any(|(long, _)| long == path) {
            faults.extend(stretches(path, text));
        }
    }
    faults
}

/// Complaints about pages of the book that its summary lacks, or has twice.
fn chapters(pages: &BTreeMap<&str, &str>) -> Vec<String> {
    let Some(summary) = pages.get(SUMMARY) else { return Vec::new() };
    let targets = summary.lines().flat_map(|l| markdown::links(l).into_iter().map(|place| &l[place]));
    let listed: Vec<String> = targets.filter_map(|link| Some(markdown::target(SUMMARY, link)?.0)).collect();
    let times = |page: &str| listed.iter().filter(|l| *l == page).count();
    let book = pages.keys().filter(|p| p.starts_with("docs/") && **p != SUMMARY);
    let wrong = book.filter_map(|page| match times(page) {
        0 => Some(format!("{page}: not in {SUMMARY}")),
        1 => None,
        n => Some(format!("{page}: {n} times in {SUMMARY}")),
    });
    wrong.collect()
}

/// Complaints about links to files and anchors that don't exist.
fn links(path: &str, text: &str, pages: &BTreeMap<&str, &str>, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (i, (kind, line)) in markdown::lines(text).into_iter().enumerate() {
        for place in if kind == Kind::Code { Vec::new() } else { markdown::links(line) } {
            let Some((to, anchor)) = markdown::target(path, &line[place.clone()]) else { continue };
            let anchors = pages.get(to.as_str()).map(|page| markdown::anchors(page));
            let fault = match (anchors, anchor) {
                (None, _) if !exists(&to) => format!("no file {to}"),
                (Some(anchors), Some(anchor)) if !anchors.iter().any(|a| a == anchor) => {
                    format!("no heading `{anchor}` in {to}; it has: {}", anchors.join(", "))
                }
                _ => continue,
            };
            faults.push(format!("{path}:{}: link `{}`: {fault}", i + 1, &line[place]));
        }
    }
    faults
}

/// Complaints about more than [`FULL`] lines of nothing but text.
fn stretches(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut run = 0;
    for (i, (kind, _)) in markdown::lines(text).into_iter().enumerate() {
        run = if kind == Kind::Text { run + 1 } else { 0 };
        if run == FULL + 1 {
            let right = "a few screens are enough: add one, or divide the page";
            faults.push(format!("{path}:{}: {run} lines without a picture, table or code; {right}", i + 1));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pages: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| TextFile { path: path.to_string(), text: text.to_string() };
        faults(&pages.iter().map(file).collect::<Vec<_>>(), &|path| path == "docs/p.png")
    }

    #[test]
    fn links_to_missing_files_and_headings_are_faults() {
        let b = ("docs/b.md", "# Some words\n");
        let fine = "[b](b.md) [b](b.md#some-words) ![p](p.png) [x](https://x.org/y.md) `[c](d)`\n# A\n[a](#a)\n";
        assert_eq!(check(&[("docs/a.md", fine), b]), Vec::<String>::new());
        let wrong = check(&[("README.md", "[c](docs/c.md)\n[b](docs/b.md#words)\n"), b]);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].starts_with("README.md:1: link `docs/c.md`: no file docs/c.md"), "{wrong:?}");
        assert!(wrong[1].contains("no heading `words` in docs/b.md; it has: some-words"), "{wrong:?}");
    }

    #[test]
    fn pages_are_chapters_once() {
        let summary = ("docs/SUMMARY.md", "- [A](a.md)\n  - [B](x/b.md)\n- [B](x/b.md)\n");
        let pages = [summary, ("docs/a.md", ""), ("docs/x/b.md", ""), ("docs/c.md", ""), ("README.md", "")];
        assert_eq!(check(&pages), ["docs/c.md: not in docs/SUMMARY.md", "docs/x/b.md: 2 times in docs/SUMMARY.md"]);
    }

    #[test]
    fn untested_code_is_a_fault() {
        let page = ("docs/x/a.md", "```rust\n```\n");
        assert_eq!(check(&[page, ("README.md", page.1)]).len(), 1);
        assert!(check(&[page, (TESTS, "pages! { A \"x/a.md\" }")]).is_empty());
    }

    #[test]
    fn long_stretches_of_text_are_faults_and_what_is_seen_ends_them() {
        let text = "word\n".repeat(FULL);
        for end in ["```\ncode\n```\n", "| a |\n", "![a](p.png)\n", "    code\n"] {
            assert_eq!(check(&[("docs/a.md", &format!("{text}{end}{text}"))]), Vec::<String>::new(), "{end}");
        }
        let long = format!("{text}\n{text}");
        assert_eq!(check(&[("docs/a.md", &long)]).len(), 1);
        assert!(check(&[("docs/a.md", &long)])[0].starts_with("docs/a.md:61: "));
        assert!(check(&[("README.md", &long), (LONG[0].0, &long)]).is_empty());
    }
}
