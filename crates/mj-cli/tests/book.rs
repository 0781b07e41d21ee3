//! Commands on the pages of the book: what they print is what the pages say.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A block of code of a page: language, and lines with the number of the first.
struct Block<'a> {
    language: &'a str,
    line: usize,
    lines: Vec<&'a str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (i, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(language), None) => open = Some(Block { language, line: i + 2, lines: Vec::new() }),
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.lines.push(line);
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    blocks
}

/// Pages of the book, with their paths.
fn pages(folder: &Path, out: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of pages") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|e| e == "md") {
            let text = std::fs::read_to_string(&path).expect("a page");
            out.push((path, text));
        }
    }
}

/// Runs a command of a page, and returns all that it prints; nothing where it can't be run in this build.
fn run(command: &str, folder: &Path) -> Option<String> {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("mj"), "{command}: only `mj` is run");
    let words: Vec<&str> = words.collect();
    let built = match words[0] {
        "render" | "view" => cfg!(feature = "view"),
        "control" | "identify" | "plan" => cfg!(feature = "control"),
        "decompose" => cfg!(feature = "decompose"),
        _ => true,
    };
    if !built {
        return None;
    }
    let o =
        Command::new(env!("CARGO_BIN_EXE_mj")).args(words).current_dir(folder).output().expect("the command starts");
    Some(format!("{}{}", String::from_utf8_lossy(&o.stdout), String::from_utf8_lossy(&o.stderr)))
}

/// Whether lines are as expected: `…` in a line stands for anything in it, and alone for any lines.
fn matches(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|n| matches(rest, &lines[n..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, others)| is_like(first, line) && matches(rest, others))
        }
    }
}

/// Whether a line is as expected: `…` stands for anything.
fn is_like(expected: &str, line: &str) -> bool {
    let mut parts = expected.trim_end().split('…');
    let Some(rest) = parts.next().and_then(|first| line.trim_end().strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    let mut rest = rest;
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn commands_print_what_the_pages_say() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut all = Vec::new();
    pages(&docs, &mut all);
    let (mut ran, mut faults) = (0, String::new());
    for (i, (path, page)) in all.iter().enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{i}"));
        std::fs::create_dir_all(&folder).expect("a scratch folder");
        for block in blocks(page) {
            let file = block.lines.first().and_then(|l| l.strip_prefix("<!-- ")?.strip_suffix(" -->"));
            if let (Some(file), "xml") = (file, block.language) {
                std::fs::write(folder.join(file), block.lines.join("\n") + "\n").expect("a file of the page");
            }
            if block.language != "console" {
                continue;
            }
            let mut rest = &block.lines[..];
            while let Some((first, others)) = rest.split_first() {
                let command = first.strip_prefix("$ ").expect("a console begins with a command");
                let end = others.iter().position(|l| l.starts_with("$ ")).unwrap_or(others.len());
                let at = block.line + block.lines.len() - rest.len();
                rest = &others[end..];
                let Some(printed) = run(command, &folder) else { continue };
                ran += 1;
                if !matches(&others[..end], &printed.lines().collect::<Vec<_>>()) {
                    faults += &format!("{}:{at}: {command} prints\n{printed}\n", path.display());
                }
            }
        }
    }
    assert!(ran > 5 && faults.is_empty(), "{ran} commands\n{faults}");
}

#[test]
fn dots_stand_for_anything() {
    assert!(is_like("a … c", "a b c") && is_like("a", "a  ") && is_like("…", "") && is_like("a … b … c", "a x b y c"));
    assert!(!is_like("a … c", "a b d") && !is_like("a", "ab") && !is_like("…a", "b"));
    assert!(matches(&["…", "b", "…"], &["a", "b"]) && matches(&["a"], &["a"]) && matches(&["…"], &[]));
    assert!(!matches(&["a"], &["a", "b"]) && !matches(&["…", "c"], &["a", "b"]) && !matches(&[], &["a"]));
}
