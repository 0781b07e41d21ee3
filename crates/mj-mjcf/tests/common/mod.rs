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

/// Reads text that must be a good model.
#[allow(dead_code)]
pub fn good(text: &str) -> Spec {
    let (spec, report) = read_with(text, &[]);
    spec.unwrap_or_else(|| panic!("{report}"))
}
