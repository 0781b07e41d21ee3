//! From the element that a problem is in to the attribute that it is about.

use mj_model::{Diagnostic, Loc, Sources};
use std::ops::Range;

/// Moves the place of a problem that was found in a spec, where it is an element's name, to the value
/// of the attribute that the problem is about: the one that holds the missing name, or that the
/// message names.
///
/// ```
/// use mj_mjcf::{Memory, pinpoint, read_str};
/// use mj_model::Diagnostics;
///
/// let (spec, report) = read_str("<mujoco><worldbody><geom material='oak'/></worldbody></mujoco>", &Memory::new());
/// let geom = spec.unwrap().worldbody.geoms[0].loc;
/// assert_eq!(report.sources.text(geom), "geom");
/// let mut problems = Diagnostics::default();
/// problems.error(geom, "there is no material named `oak`").missing("oak");
/// pinpoint(&report.sources, &mut problems.list[0]);
/// assert_eq!(report.sources.text(problems.list[0].loc), "oak");
/// ```
pub fn pinpoint(sources: &Sources, d: &mut Diagnostic) {
    let Some((file, range)) = d.loc.get() else { return };
    let Some(source) = sources.files.get(file) else { return };
    let text = &source.text;
    // An element's place is its name in the opening tag.
    let opens = range.start > 0 && text.as_bytes().get(range.start - 1) == Some(&b'<');
    if !opens || text.get(range.clone()).is_none() {
        return;
    }
    let tag = range.end..tag_end(text.as_bytes(), range.start);
    let attributes = attributes(text, tag);
    let found = match &d.missing {
        Some(name) => attributes.iter().find(|a| text[a.1.clone()] == **name),
        None => {
            let mut words = d.message.split('`').skip(1).step_by(2);
            words.find_map(|word| attributes.iter().find(|a| &text[a.0.clone()] == word))
        }
    };
    if let Some((_, value)) = found.filter(|a| !a.1.is_empty()) {
        d.loc = Loc::new(file, value.clone());
    }
}

/// Names and values of the attributes in a part of a tag.
fn attributes(text: &str, tag: Range<usize>) -> Vec<(Range<usize>, Range<usize>)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = tag.start;
    while i < tag.end {
        let Some(quote) = (i..tag.end).find(|&k| matches!(bytes[k], b'"' | b'\'')) else { break };
        let Some(end) = (quote + 1..tag.end).find(|&k| bytes[k] == bytes[quote]) else { break };
        let before = &text[i..quote];
        let name = before.trim_end().trim_end_matches('=').trim_end();
        let start = name.rfind(char::is_whitespace).map_or(0, |k| k + 1);
        out.push((i + start..i + name.len(), quote + 1..end));
        i = end + 1;
    }
    out
}

/// One past the end of the tag that starts at a byte; quoted values may hold `>`.
pub(crate) fn tag_end(bytes: &[u8], start: usize) -> usize {
    let mut quote = None;
    for (i, &b) in bytes.iter().enumerate().skip(start) {
        match (quote, b) {
            (None, b'>') => return i + 1,
            (None, b'"' | b'\'') => quote = Some(b),
            (Some(q), b) if b == q => quote = None,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_model::Diagnostics;
    use mj_model::SourceFile;

    #[test]
    fn the_attribute_that_is_meant_is_found() {
        let text = "<mujoco><geom size = '-1'  material=\"m\" /></mujoco>".to_string();
        let element = Loc::new(0, 9..13);
        let file = SourceFile { path: "a.xml".into(), text: text.clone(), included_from: Loc::NONE, attached: false };
        let sources = Sources { files: vec![file] };
        let mut found = Diagnostics::default();
        found.error(element, "`size` must be positive");
        found.error(element, "there is no material `m`").missing("m");
        found.error(element, "something else about `mass`");
        let marked = found.list.iter_mut().map(|d| {
            pinpoint(&sources, d);
            &text[d.loc.get().unwrap().1]
        });
        assert_eq!(marked.collect::<Vec<_>>(), ["-1", "m", "geom"]);
    }
}
