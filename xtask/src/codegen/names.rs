//! Names of MuJoCo's interfaces and ours, as pages: functions of `mujoco.h`, names of its Python package.

use crate::Result;
use crate::page::table;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

const FUNCTIONS: &str = include_str!("functions.txt");
const PYTHON: &str = include_str!("python.txt");

/// Stubs of the Python package.
const STUBS: [&str; 8] = [
    "__init__.pyi",
    "_functions.pyi",
    "_structs.pyi",
    "_specs/__init__.pyi",
    "_records.pyi",
    "_scene.pyi",
    "_visual.pyi",
    "vfs.py",
];

/// Public names of ours.
struct Ours {
    rust: BTreeSet<String>,
    /// Names of the package `mj`, and members of its classes as `Class.member`.
    python: BTreeSet<String>,
}

impl Ours {
    /// Reads the records of the crates' public names, and the package's stubs.
    fn read(root: &Path) -> Result<Self> {
        let (mut rust, mut python) = (BTreeSet::new(), BTreeSet::new());
        for entry in std::fs::read_dir(root.join("tests/api"))? {
            let text = std::fs::read_to_string(entry?.path())?;
            rust.extend(text.lines().filter_map(|line| Some(line.split_once(' ')?.1.to_string())));
        }
        for file in STUBS {
            let text = std::fs::read_to_string(root.join("python/mj").join(file))?;
            let module = file.strip_suffix(".py").map_or(String::new(), |name| format!("{name}."));
            python.extend(stub(&text).into_iter().map(|name| format!("{module}{name}")));
        }
        Ok(Self { rust, python })
    }
}

/// Returns the names that a stub declares.
fn stub(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut class = String::new();
    for line in text.lines() {
        let inner = line.strip_prefix("    ").filter(|l| !l.starts_with(' '));
        // What only raises isn't there.
        let Some(declared) = declared(inner.unwrap_or(line)).filter(|_| !line.contains("-> NoReturn")) else {
            continue;
        };
        match inner {
            Some(_) if class.is_empty() => {}
            Some(_) => _ = names.insert(format!("{class}.{declared}")),
            None => {
                class = if line.starts_with("class ") { declared.to_string() } else { String::new() };
                names.insert(declared.to_string());
            }
        }
    }
    names
}

/// Returns the name that a line of a stub declares: a class, a function, an import under another name, or a variable.
fn declared(line: &str) -> Option<&str> {
    let word = |text: &'static str| line.strip_prefix(text);
    let rest = word("class ").or_else(|| word("def "));
    let rest = rest.or_else(|| word("from ").and_then(|l| Some(l.rsplit_once(" as ")?.1)));
    let (name, rest) = match rest {
        Some(rest) => (rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?, ":"),
        None => line.split_at(line.find(|c: char| !c.is_alphanumeric() && c != '_')?),
    };
    let is_name = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    (is_name && (rest.starts_with(':') || rest.starts_with(" ="))).then_some(name)
}

/// A line of a list: its name, and what follows it.
fn entry(line: &str) -> (&str, Vec<&str>) {
    let mut parts = line.split('|').map(str::trim);
    (parts.next().unwrap_or_default(), parts.collect())
}

/// Page of the functions of `mujoco.h`.
pub fn functions(root: &Path) -> Result<String> {
    let ours = Ours::read(root)?;
    let lines = || FUNCTIONS.lines().filter(|l| !l.trim().is_empty());
    let reasons: BTreeMap<&str, &str> = lines().filter_map(|l| l.strip_prefix('!')?.split_once(" = ")).collect();
    let mut out = String::from(
        "# Functions\n\nEvery function of `mujoco.h` (MuJoCo 4.0.0), and ours in Rust and in Python. Made by `cargo xtask codegen`, \
         which checks that ours exist; don't edit. A function of Rust with the words of MuJoCo's means what MuJoCo's means; \
         other names are where the same is found. In Python all names are those of the package `mj`.\n",
    );
    let mut rows: Vec<[String; 3]> = Vec::new();
    let (mut total, mut rust, mut python) = (0, 0, 0);
    let mut sections = String::new();
    let head = ["MuJoCo", "Rust", "Python"].map(String::from);
    let end = |rows: &mut Vec<[String; 3]>, out: &mut String| {
        if !rows.is_empty() {
            *out += &table(&head, rows);
            rows.clear();
        }
    };
    for line in lines().filter(|l| !l.starts_with('!')) {
        if let Some(title) = line.strip_prefix("# ") {
            if line.contains('`') {
                continue;
            }
            end(&mut rows, &mut sections);
            let _ = write!(sections, "\n## {title}\n\n");
            continue;
        }
        let (name, cells) = entry(line);
        let cell = |i: usize, own: &str, known: &BTreeSet<String>| -> Result<(String, bool)> {
            match cells.get(i).copied().filter(|c| !c.is_empty()).unwrap_or(own) {
                why if why.starts_with('!') => {
                    let reason = reasons.get(&why[1..]).ok_or(format!("{name}: no reason {why}"))?;
                    Ok((format!("none: {reason}"), false))
                }
                ours if known.contains(ours) => Ok((format!("`{ours}`"), true)),
                gone => Err(format!("functions.txt: {name}: `{gone}` doesn't exist").into()),
            }
        };
        let (in_rust, in_python) = (cell(0, name, &ours.rust)?, cell(1, name, &ours.python)?);
        total += 1;
        rust += usize::from(in_rust.1);
        python += usize::from(in_python.1);
        rows.push([format!("`{name}`"), in_rust.0, in_python.0]);
    }
    end(&mut rows, &mut sections);
    let _ =
        write!(out, "\nOf {total} functions, {rust} have a counterpart in Rust and {python} in Python.\n{sections}");
    Ok(out)
}

/// Page of the names of MuJoCo's Python package.
pub fn python(root: &Path) -> Result<String> {
    let ours = Ours::read(root)?.python;
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut missing = Vec::new();
    for line in PYTHON.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (name, why) = line.split_once(" = ").map_or((line, None), |(name, why)| (name, Some(why)));
        match (ours.contains(name), why) {
            (true, Some(_)) => return Err(format!("python.txt: {name} exists: take its reason out").into()),
            (true, None) => kinds.entry(kind(name)).or_default().push(format!("`{name}`")),
            (false, Some(why)) => missing.push([format!("`{name}`"), why.to_string()]),
            (false, None) => {
                return Err(format!("python.txt: {name}: `mj` doesn't have it, and there is no reason").into());
            }
        }
    }
    let there: usize = kinds.values().map(Vec::len).sum();
    let mut out = format!(
        "# Names in Python\n\nNames of the package `mujoco` 4.0.0, but for [functions](functions.md). Made by `cargo xtask codegen` \
         from the stubs of `mj`; don't edit. `mj` has {there} of them under the same name:\n\n"
    );
    let rows: Vec<[String; 2]> = kinds.into_iter().map(|(kind, names)| [kind.to_string(), names.join(", ")]).collect();
    out += &table(&["kind", "names"].map(String::from), &rows);
    let _ = write!(out, "\nand not the other {}:\n\n", missing.len());
    out += &table(&["name", "because"].map(String::from), &missing);
    Ok(out)
}

/// Kind of a name, by its form.
fn kind(name: &str) -> &'static str {
    let starts = |p: &[&str]| p.iter().any(|p| name.starts_with(p));
    match () {
        () if starts(&["MjSpec."]) => "of `MjSpec`",
        () if starts(&["Mjs"]) => "elements of specifications",
        () if starts(&["Mj"]) => "classes",
        () if starts(&["mjt", "mjr"]) => "enumerations",
        () if starts(&["get_mj", "set_mj"]) => "callbacks",
        () if starts(&["mj"]) => "constants",
        () => "others",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_stubs() {
        let text = "import os\nfrom . import a as a\nfrom .b import c as d\nX: int\nclass A(B):\n    \"\"\"Doc: x\"\"\"\n    \
                    e: float\n    def f(self) -> int: ...\n    @property\n    def g(self): ...\n        deep: int\n\n\
                    def h(x: int) -> None:\n    local: int\ndef i() -> NoReturn: ...\n";
        let names: Vec<_> = stub(text).into_iter().collect();
        assert_eq!(names, ["A", "A.e", "A.f", "A.g", "X", "a", "d", "h"]);
    }

    #[test]
    fn pages_have_every_name() {
        let root = crate::root();
        let (functions, python) = (functions(&root).unwrap(), python(&root).unwrap());
        assert!(functions.contains("| `mj_step` | `mj_engine::step` | `mj_step` |"), "{functions}");
        assert!(functions.contains("| `mjui_event` | none: "));
        assert!(python.contains("`MjSpec.attach`") && python.contains("| `from_zip` | `MjSpec.from_zip` |"));
    }
}
