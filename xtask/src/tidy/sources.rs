//! Invariants of single crates and files.

use super::files::TextFile;
use super::manifest::Manifest;
use std::collections::BTreeMap;

/// Lines from which a Rust file is listed, and above which it is a fault.
pub const LONG: usize = 400;
const TOO_LONG: usize = 500;

/// Most source files in a folder.
const FULL: usize = 18;

/// Folders whose files and subfolders have these limits.
const LIMITED: &[&str] = &["crates/", "graphics/", "xtask/", "python/src/"];

/// Files and folders that exceed the limits still.
const EXEMPT: &[&str] = &[];

/// Complaints about a crate: licence, lints, `forbid(unsafe_code)`, README, example.
pub fn check_crate(m: &Manifest) -> Vec<String> {
    let mut faults = Vec::new();
    let mut want = |ok: bool, what: &str| {
        if !ok {
            faults.push(format!("{}: {what}", m.name));
        }
    };
    want(m.licensed, "the licence is not the workspace's Apache-2.0");
    want(m.lints, "`[lints] workspace = true` is missing");
    want(std::fs::read_to_string(m.dir.join("README.md")).is_ok_and(|t| t.len() > 40), "no README.md worth the name");
    for file in ["src/lib.rs", "src/main.rs"] {
        if let Ok(text) = std::fs::read_to_string(m.dir.join(file)) {
            want(forbids_unsafe(&text), &format!("{file} lacks `#![forbid(unsafe_code)]`"));
        }
    }
    if m.is_library() {
        let example = std::fs::read_dir(m.dir.join("examples"))
            .is_ok_and(|mut d| d.any(|e| e.is_ok_and(|e| e.path().extension().is_some_and(|x| x == "rs"))));
        want(example, "no example in examples/");
    }
    faults
}

fn forbids_unsafe(text: &str) -> bool {
    text.lines().any(|l| l.trim() == "#![forbid(unsafe_code)]")
}

/// Complaints about a file: too long, unfinished, or naming a folder of somebody's machine.
pub fn check_file(f: &TextFile) -> Vec<String> {
    let mut faults = Vec::new();
    let rust = f.path.ends_with(".rs");
    let lines = f.text.lines().count();
    if rust && lines > TOO_LONG && is_limited(&f.path) {
        faults.push(format!("{}: {lines} lines; more than {TOO_LONG} is several things in one file", f.path));
    }
    faults.extend(platform_functions(f));
    for (i, line) in f.text.lines().enumerate() {
        if let Some(folder) = machine_path(line) {
            faults.push(format!("{}:{}: names a folder of one machine: {folder}", f.path, i + 1));
        }
        if rust && let Some(mark) = UNFINISHED.iter().find(|m| line.contains(&format!("{m}!("))) {
            faults.push(format!("{}:{}: {mark}! is not finished work", f.path, i + 1));
        }
    }
    faults
}

/// Complaints about folders with too many source files.
pub fn check_folders(files: &[TextFile]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for f in files.iter().filter(|f| f.path.ends_with(".rs")) {
        *counts.entry(f.path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default() += 1;
    }
    let full = counts.iter().filter(|(folder, n)| **n > FULL && is_limited(&format!("{folder}/")));
    full.map(|(folder, n)| format!("{folder}: {n} source files; group them in folders of at most {FULL}")).collect()
}

/// Whether the limits of length and number apply to a file or to a folder, whose name ends with `/`.
fn is_limited(path: &str) -> bool {
    LIMITED.iter().any(|l| path.starts_with(l)) && !EXEMPT.contains(&path.trim_end_matches('/'))
}

/// Complaints about elementary functions of the platform, whose last digits differ from one machine to the next, where
/// models are compiled and simulated: `mj_math::real` has them. Tests, and what only draws, may use them.
fn platform_functions(f: &TextFile) -> Vec<String> {
    let simulated = SIMULATION.iter().any(|c| f.path.starts_with(&format!("crates/{c}/src/")));
    if !simulated || ELSEWHERE.iter().any(|e| f.path.contains(e)) {
        return Vec::new();
    }
    let lines = f.text.lines().take_while(|l| l.trim() != "#[cfg(test)]").enumerate();
    let used = lines.filter_map(|(i, l)| PLATFORM.iter().find(|p| l.contains(*p)).map(|p| (i, p)));
    used.map(|(i, p)| format!("{}:{}: `{p}` is the platform's; use mj_math::real", f.path, i + 1)).collect()
}

/// Crates whose results are bits of a simulation.
const SIMULATION: &[&str] = &[
    "mj-math",
    "mj-problem",
    "mj-model",
    "mj-dynamics",
    "mj-compile",
    "mj-collide",
    "mj-constraint",
    "mj-solver",
    "mj-integrate",
    "mj-engine",
];

/// Their files that may use any function: the module that replaces them, tests, and code that only draws.
const ELSEWHERE: &[&str] = &["/real.rs", "/tests.rs", "/testmodel.rs", "/texture/", "/view.rs"];

/// Calls of the platform's functions.
const PLATFORM: &[&str] = &[
    ".sin()",
    ".cos()",
    ".sin_cos()",
    ".tan()",
    ".asin()",
    ".acos()",
    ".atan()",
    ".atan2(",
    ".exp()",
    ".ln()",
    ".powf(",
    ".hypot(",
];

/// Macros that mark unfinished work.
const UNFINISHED: &[&str] = &["todo", "unimplemented", "dbg"];

/// Top folders under which builds and homes live.
const MACHINE_FOLDERS: &[&str] = &["home", "root", "Users", "work", "tmp"];

/// The absolute path of a build or home folder in a line, if there is one.
fn machine_path(line: &str) -> Option<String> {
    MACHINE_FOLDERS.iter().find_map(|folder| {
        let start = format!("/{folder}/");
        line.match_indices(&start).find_map(|(at, _)| {
            // In a relative path or an address the same name means something else.
            let before = line[..at].chars().next_back();
            let absolute = before.is_none_or(|c| !c.is_alphanumeric() && !"._-/}~*".contains(c));
            absolute.then(|| start.clone())
        })
    })
}

/// Rust files of more than [`LONG`] lines, longest first.
pub fn long_files(files: &[TextFile]) -> Vec<(usize, &str)> {
    let mut long: Vec<_> = files
        .iter()
        .filter(|f| f.path.ends_with(".rs"))
        .map(|f| (f.text.lines().count(), f.path.as_str()))
        .filter(|(n, _)| *n > LONG)
        .collect();
    long.sort_by(|a, b| b.cmp(a));
    long
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.into(), text: text.into() }
    }

    #[test]
    fn absolute_folders_are_found() {
        let line = format!("see /{}/someone/x", "home");
        assert_eq!(check_file(&file("README.md", &line)).len(), 1);
        assert_eq!(machine_path(&format!("\"/{}/a\"", "tmp")), Some(format!("/{}/", "tmp")));
        for fine in ["docs/work/a", "https://x.org/home/a", "target/tmp/a", "tmp/x"] {
            assert_eq!(machine_path(fine), None, "{fine}");
        }
    }

    #[test]
    fn unfinished_work_is_found() {
        let line = format!("fn f() {{ {}!() }}", "todo");
        assert_eq!(check_file(&file("a.rs", &line)).len(), 1);
        assert_eq!(check_file(&file("a.md", &line)).len(), 0);
    }

    #[test]
    fn functions_of_the_platform_are_found_where_they_would_change_bits() {
        let text = "fn f(x: f64) -> f64 { x.sin() }";
        assert_eq!(check_file(&file("crates/mj-dynamics/src/a.rs", text)).len(), 1);
        let tested = format!("#[cfg(test)]\nmod tests {{ {text} }}");
        for (path, text) in [("crates/mj-cli/src/a.rs", text), ("crates/mj-math/src/real.rs", text)] {
            assert!(check_file(&file(path, text)).is_empty(), "{path}");
        }
        assert!(check_file(&file("crates/mj-dynamics/src/a.rs", &tested)).is_empty());
    }

    #[test]
    fn long_files_are_listed_and_too_long_ones_are_faults() {
        let long = file("crates/a/src/a.rs", &"\n".repeat(LONG + 1));
        let too_long = file("crates/a/src/b.rs", &"\n".repeat(TOO_LONG + 1));
        assert!(check_file(&long).is_empty());
        assert_eq!(check_file(&too_long).len(), 1);
        let listed = [(TOO_LONG + 1, "crates/a/src/b.rs"), (LONG + 1, "crates/a/src/a.rs")];
        assert_eq!(long_files(&[long, too_long]), listed);
    }

    #[test]
    fn folders_with_too_many_source_files_are_faults() {
        let folder = |name: &str, n: usize| -> Vec<TextFile> {
            (0..n).flat_map(|i| [file(&format!("{name}/{i}.rs"), ""), file(&format!("{name}/{i}.md"), "")]).collect()
        };
        assert!(check_folders(&folder("crates/a/src/b", FULL)).is_empty());
        assert_eq!(check_folders(&folder("crates/a/src/b", FULL + 1)).len(), 1);
        assert!(check_folders(&folder("tests/models", FULL + 1)).is_empty());
    }

    #[test]
    fn a_bare_crate_is_told_all_it_lacks() {
        let dir = std::env::temp_dir().join(format!("mj-xtask-crate-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("src")).unwrap();
        std::fs::write(dir.join("src/lib.rs"), "//! Nothing.\n").unwrap();
        let m = Manifest { name: "x".into(), dir: dir.clone(), ..Manifest::default() };
        let faults = check_crate(&m);
        std::fs::remove_dir_all(&dir).unwrap();
        for what in ["licence", "lints", "README", "forbid(unsafe_code)", "example"] {
            assert!(faults.iter().any(|f| f.contains(what)), "{what}: {faults:?}");
        }
    }
}
