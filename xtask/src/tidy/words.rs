//! Wording of documentation and messages; docs/style.md has the reasons.

use super::files::TextFile;

/// Openings that leave a summary without its object: it is read alone in lists and in editors.
const OPENINGS: &[&str] = &["What ", "The same", "Such ", "As ", "Of "];

/// Metaphors and turns of phrase that a reader has to translate.
const WORDS: &[&str] = &["house", "houses", "rooms", "floors", "door", "doors", "born", "birth", "foreseen"];

/// Complaints about the summaries, comments and messages of a Rust file.
pub fn check(f: &TextFile) -> Vec<String> {
    let mut folders = f.path.split('/');
    let own = folders.any(|part| part == "src") && f.path.ends_with(".rs") && !f.path.ends_with("tests.rs");
    // The lists above name what they refuse.
    if !own || f.path.ends_with("tidy/words.rs") {
        return Vec::new();
    }
    faults(&f.text).into_iter().map(|(line, fault)| format!("{}:{line}: {fault}", f.path)).collect()
}

fn faults(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|l| *l != "#[cfg(test)]").collect();
    let mut faults = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let opens = |marker: &str| {
            line.strip_prefix(marker).filter(|_| i == 0 || !lines[i - 1].starts_with(marker)).map(str::trim_start)
        };
        let summary = opens("//!").or_else(|| opens("///").filter(|_| is_public(&lines[i..])));
        if let Some(opening) = summary.and_then(|s| OPENINGS.iter().find(|o| s.starts_with(*o))) {
            let right = "say what the item is or does: a verb and its object, or a noun phrase";
            faults.push((i + 1, format!("a summary begins with `{}`; {right}", opening.trim())));
        }
        for word in prose(line).flat_map(|s| s.split(|c: char| !c.is_alphanumeric() && c != '_')) {
            if WORDS.iter().any(|w| word.eq_ignore_ascii_case(w)) {
                faults.push((i + 1, format!("`{word}` is a metaphor; use the field's term (layer, crate, module, …)")));
            }
        }
    }
    faults
}

/// Whether documentation that begins these lines is of a public item or of a variant.
fn is_public(lines: &[&str]) -> bool {
    let item = lines.iter().find(|l| !l.starts_with("///") && !l.starts_with("#["));
    item.is_some_and(|l| l.starts_with("pub ") || l.starts_with(char::is_uppercase))
}

/// The parts of a line that people read: its comment, and its strings.
fn prose(line: &str) -> impl Iterator<Item = &str> {
    let strings = line.split('"').skip(1).step_by(2);
    let comment = if line.starts_with("//") { Some(line) } else { line.split_once(" // ").map(|(_, c)| c) };
    comment.into_iter().chain(strings.filter(move |_| !line.starts_with("//")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        faults(text).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn summaries_are_checked_and_other_lines_are_not() {
        let text = "//! What a model is.\n//!\n//! What follows is fine.\n\n/// As [`f`], in vectors.\npub fn g() {}\n\
                    /// Adds.\n/// What it adds is fine.\npub fn h() {}\n/// The same.\n#[inline]\npub fn i() {}\n\
                    enum E {\n    /// Such a thing.\n    A,\n}\n/// What is private.\nfn j() {}\n";
        assert_eq!(lines(text), [1, 5, 10, 14]);
    }

    #[test]
    fn metaphors_are_found_in_comments_and_messages() {
        let text = "// behind one door\nlet room = floors.len();\nlet s = \"two floors left\";\nx(); // the House\n";
        assert_eq!(lines(text), [1, 3, 4]);
        assert_eq!(lines("#[cfg(test)]\nmod tests {\n    // a door\n}"), Vec::<usize>::new());
    }

    #[test]
    fn only_sources_are_checked() {
        let file = |path: &str| TextFile { path: path.into(), text: "//! What it is.\n".into() };
        assert_eq!(check(&file("crates/mj-cli/src/main.rs")).len(), 1);
        assert_eq!(check(&file("crates/mj-solvers/src/lib.rs")).len(), 1);
        assert_eq!(check(&file("crates/mj-cli/tests/cli.rs")).len(), 0);
        assert_eq!(check(&file("docs/src/style.md")).len(), 0);
    }
}
