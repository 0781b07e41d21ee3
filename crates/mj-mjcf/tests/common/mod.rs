//! Shared by the tests.

use mj_mjcf::{Memory, Report, read};
use mj_model::Spec;

/// Reads `model.xml` with some more files beside it.
pub fn read_with(text: &str, others: &[(&str, &str)]) -> (Option<Spec>, Report) {
    let mut files = Memory::new();
    files.insert("model.xml", text);
    for (path, text) in others {
        files.insert(path, *text);
    }
    read("model.xml", &files)
}

/// Images that stand beside good models.
#[allow(dead_code)]
const IMAGES: &[(&str, &str)] = &[("r.png", "pixels"), ("l.png", "pixels")];

/// Reads text that must be a good model.
#[allow(dead_code)]
pub fn good(text: &str) -> Spec {
    let (spec, report) = read_with(text, IMAGES);
    spec.unwrap_or_else(|| panic!("{report}"))
}

/// All of a spec but the places where it was written.
#[allow(dead_code)]
pub fn contents(spec: &Spec) -> String {
    let mut spec = spec.clone();
    spec.sources = Default::default();
    spec.option_locs = Default::default();
    let text = format!("{spec:#?}");
    let mut out = String::new();
    let mut in_place = false;
    for line in text.lines() {
        in_place |= line.ends_with(": Loc {");
        if !in_place {
            out.push_str(line);
            out.push('\n');
        }
        in_place &= line.trim() != "},";
    }
    out
}

/// Writes a spec and reads it again: it must be the same.
#[allow(dead_code)]
pub fn rewrite(spec: &Spec) -> String {
    let text = mj_mjcf::write(spec);
    let (again, report) = read_with(&text, IMAGES);
    let again = again.unwrap_or_else(|| panic!("{report}\n{text}"));
    let (a, b) = (contents(spec), contents(&again));
    if let Some((n, (x, y))) = a.lines().zip(b.lines()).enumerate().find(|(_, (x, y))| x != y) {
        let above: Vec<&str> = a.lines().skip(n.saturating_sub(40)).take(40).collect();
        panic!("{}\nwas {x}\nis {y}\n{text}", above.join("\n"));
    }
    assert_eq!(a.lines().count(), b.lines().count());
    assert_eq!(mj_mjcf::write(&again), text);
    text
}
