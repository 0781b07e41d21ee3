//! Examples of the public functions of the libraries that programs begin with.

use super::files::TextFile;

/// Libraries all of whose functions have examples.
const LIBRARIES: &[&str] = &["mj-engine", "mj-collide", "mj-mjcf", "mj-problem"];

/// Functions without an example still.
const EXEMPT: &[&str] = &[
    "mj_collide::cast_ray_at_flex",
    "mj_collide::collide_ahead",
    "mj_collide::collide_flexes",
    "mj_collide::continuous::resolves_flex_geom",
    "mj_collide::continuous::resolves_flexes",
];

/// Complaints about public functions whose documentation has neither code nor a line that begins with `Example:`.
pub fn check(files: &[TextFile]) -> Vec<String> {
    let sources: Vec<&TextFile> = files.iter().filter(|f| is_source(&f.path)).collect();
    let mut faults = Vec::new();
    for library in LIBRARIES {
        let list = format!("tests/api/{library}.txt");
        let Some(api) = files.iter().find(|f| f.path == list) else {
            faults.push(format!("{list}: no such file"));
            continue;
        };
        for function in api.text.lines().filter_map(|l| l.strip_prefix("fn ")) {
            let fault = match shows(function, library, &sources) {
                Some(true) if EXEMPT.contains(&function) => "has an example: take it off the list of exemptions",
                Some(false) if !EXEMPT.contains(&function) => {
                    "no example, and no line `/// Example:` with a link to one"
                }
                None => "no definition found",
                _ => continue,
            };
            faults.push(format!("{function}: {fault}"));
        }
    }
    faults
}

fn is_source(path: &str) -> bool {
    path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs")
}

/// Whether a definition of a function shows its use: one of the library itself, or else one that it exports from another
/// crate. `None` where there is none.
fn shows(function: &str, library: &str, sources: &[&TextFile]) -> Option<bool> {
    let parts: Vec<&str> = function.split("::").collect();
    let [_, modules @ .., name] = &parts[..] else { return None };
    let own = format!("crates/{library}/");
    let inside = |f: &TextFile| modules.iter().all(|m| f.path.contains(&format!("/{m}")));
    let of_own = sources.iter().filter(|f| f.path.starts_with(&own) && inside(f));
    let shown: Vec<bool> = of_own.flat_map(|f| definitions(&f.text, name)).collect();
    if !shown.is_empty() {
        return Some(shown.contains(&true));
    }
    let name = sources.iter().find_map(|f| first_name(&f.text, name)).unwrap_or(name);
    let shown: Vec<bool> = sources.iter().flat_map(|f| definitions(&f.text, name)).collect();
    (!shown.is_empty()).then(|| shown.contains(&true))
}

/// The name under which a function is defined that is exported by another.
fn first_name<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (before, _) = text.split_once(&format!(" as {name}"))?;
    let exported = before.rsplit(['\n', ';']).next().is_some_and(|line| line.trim_start().starts_with("pub use "));
    before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|_| exported)
}

/// Whether each definition of a function in a file, as an item or as an entry `name = |` of a macro, shows its use.
fn definitions(text: &str, name: &str) -> Vec<bool> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = [format!("pub fn {name}("), format!("pub fn {name}<"), format!("    {name} = |")];
    let defined = (0..lines.len()).filter(|&i| starts.iter().any(|s| lines[i].starts_with(s.as_str())));
    let shown = defined.map(|i| {
        let above = lines[..i].iter().rev().map(|l| l.trim_start());
        let mut doc = above.take_while(|l| l.starts_with("///") || l.starts_with("#["));
        doc.any(|l| l.starts_with("/// ```") || l.starts_with("/// Example:"))
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.into(), text: text.into() }
    }

    fn shown(function: &str, files: &[TextFile]) -> Option<bool> {
        shows(function, "mj-engine", &files.iter().collect::<Vec<_>>())
    }

    #[test]
    fn code_or_a_link_shows_the_use() {
        let text = "/// A.\n///\n/// ```\n/// a();\n/// ```\n#[inline]\npub fn a() {}\n\n/// B.\n///\n/// Example: [`a`].\n\
                    pub fn b<T>() {}\n\n/// C.\npub fn c() {}\n\n    /// D.\n    ///\n    /// Example: [`a`].\n    d = |m| {}\n";
        let files = [file("crates/mj-engine/src/x.rs", text)];
        for (name, want) in [("a", Some(true)), ("b", Some(true)), ("c", Some(false)), ("d", Some(true)), ("e", None)] {
            assert_eq!(shown(&format!("mj_engine::{name}"), &files), want, "{name}");
        }
    }

    #[test]
    fn modules_and_exports_are_followed() {
        let example = "/// F.\n///\n/// Example: [`g`].\n";
        let files = [
            file("crates/mj-engine/src/lib.rs", "pub use mj_math::inner as f;\n"),
            file("crates/mj-engine/src/a/one.rs", "/// F.\npub fn h() {}\n"),
            file("crates/mj-engine/src/b.rs", &format!("{example}pub fn h() {{}}\n")),
            file("crates/mj-math/src/lib.rs", &format!("{example}pub fn inner() {{}}\n")),
        ];
        assert_eq!(shown("mj_engine::f", &files), Some(true));
        assert_eq!(shown("mj_engine::a::h", &files), Some(false));
        assert_eq!(shown("mj_engine::b::h", &files), Some(true));
    }

    #[test]
    fn functions_without_examples_are_faults() {
        let api = |library: &str| {
            let text =
                if library == "mj-mjcf" { "fn mj_mjcf::read\nfn mj_mjcf::lost\nstruct mj_mjcf::X\n" } else { "" };
            file(&format!("tests/api/{library}.txt"), text)
        };
        let mut files: Vec<TextFile> = LIBRARIES.iter().map(|l| api(l)).collect();
        files.push(file("crates/mj-mjcf/src/lib.rs", "/// Reads.\npub fn read() {}\n"));
        let faults = check(&files);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].starts_with("mj_mjcf::read: no example"), "{faults:?}");
        assert!(faults[1].starts_with("mj_mjcf::lost: no definition"), "{faults:?}");
    }
}
