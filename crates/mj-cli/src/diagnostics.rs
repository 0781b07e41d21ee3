//! Diagnostics for other programs, and their number for people.

use crate::failure::Failure;
use mj_mjcf::Report;
use mj_model::{Diagnostic, Loc, Severity, Sources};
use serde_json::{Value, json};

/// Returns a report as one JSON object, whose form the help of `mj compile` describes.
pub fn json(report: &Report) -> Value {
    let list = &report.diagnostics.list;
    let count = |severity| list.iter().filter(|d| d.severity == severity).count();
    json!({
        "errors": count(Severity::Error),
        "warnings": count(Severity::Warning),
        "diagnostics": list.iter().map(|d| one(&report.sources, d)).collect::<Vec<_>>(),
    })
}

fn one(sources: &Sources, d: &Diagnostic) -> Value {
    let mut value = json!({
        "severity": d.severity.to_string(),
        "message": d.message,
        "help": d.help,
        "file": null, "line": null, "column": null, "end_line": null, "end_column": null,
        "start_byte": null, "end_byte": null,
        "chain": [],
    });
    let Some((file, range)) = d.loc.get() else { return value };
    let start = place(sources, d.loc);
    let (end_line, end_column) = sources.line_column(file, range.end);
    value["file"] = start["file"].clone();
    value["line"] = start["line"].clone();
    value["column"] = start["column"].clone();
    value["end_line"] = end_line.into();
    value["end_column"] = end_column.into();
    value["start_byte"] = range.start.into();
    value["end_byte"] = range.end.into();
    let chain = sources.chain(file).into_iter().map(|(attached, from)| {
        let mut link = place(sources, from);
        link["how"] = if attached { "attached" } else { "included" }.into();
        link
    });
    value["chain"] = chain.collect();
    value
}

/// File, line and column of the start of a place.
fn place(sources: &Sources, loc: Loc) -> Value {
    let Some((file, range)) = loc.get() else { return json!({}) };
    let (line, column) = sources.line_column(file, range.start);
    let path = sources.files.get(file).map(|f| f.path.display().to_string());
    json!({ "file": path, "line": line, "column": column })
}

/// Returns the number of diagnostics in words: "2 errors, 1 warning".
pub fn count(failure: &Failure) -> String {
    let Failure::Model(e) = failure else { return String::new() };
    let list = &e.0.diagnostics.list;
    let errors = list.iter().filter(|d| d.severity == Severity::Error).count();
    let some = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    match list.len() - errors {
        0 => some(errors, "error"),
        warnings => format!("{}, {}", some(errors, "error"), some(warnings, "warning")),
    }
}
