//! Gaps in a spec that was read in spite of errors, so that the compiler can look at it
//! too, and the two together tell every problem once.

use crate::syntax::pinpoint::tag_end;
use crate::syntax::report::Report;
use crate::syntax::tree::Node;
use mj_model::{Diagnostic, Severity, Sources};
use mj_model::{Loc, Spec};
use std::collections::HashSet;
use std::ops::Range;

/// Parts of a model that could not be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    /// Names given in elements that were dropped.
    pub names: HashSet<String>,
    /// Whether elements are missing whose names are not known: those of a file that could not be read.
    pub elements: bool,
    /// Whether default classes or settings are missing on which the meaning of others depends.
    pub settings: bool,
}

impl Gaps {
    /// Notes that an element is dropped with all that is in it.
    pub fn drop(&mut self, node: &Node) {
        self.elements |= matches!(node.name.as_str(), "attach" | "model" | "replicate" | "include");
        self.names.extend(node.attributes.iter().filter(|a| a.name == "name").map(|a| a.value.clone()));
        node.children.iter().for_each(|child| self.drop(child));
    }
}

/// A model as far as it could be read: all of it where the report holds no error.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The spec; elements with errors have default values for what is wrong in them, or are missing.
    pub spec: Spec,
    pub(crate) gaps: Gaps,
}

impl Partial {
    /// Whether a problem that the compiler finds in the spec may only follow from errors that
    /// reading found, and so is not worth telling.
    pub fn explains(&self, report: &Report, found: &Diagnostic) -> bool {
        if !report.has_errors() {
            return false;
        }
        if let Some(name) = &found.missing {
            return self.gaps.elements || self.gaps.names.contains(name) || self.in_fault(report, found.loc);
        }
        self.gaps.settings || self.gaps.elements || self.in_fault(report, found.loc)
    }

    /// Whether an error of the reader's lies within the element at a place.
    fn in_fault(&self, report: &Report, loc: Loc) -> bool {
        let Some((file, range)) = loc.get() else { return true };
        let Some(source) = report.sources.files.get(file) else { return true };
        let element = extent(&source.text, range.start);
        let errors = report.diagnostics.list.iter().filter(|d| d.severity == Severity::Error);
        let mut places = errors.flat_map(|d| places(&report.sources, d.loc));
        places.any(|(f, at)| f == file && element.contains(&at))
    }
}

/// A place, and those of the elements that brought in its file.
fn places(sources: &Sources, loc: Loc) -> Vec<(usize, usize)> {
    let Some((file, range)) = loc.get() else { return Vec::new() };
    let outer = sources.chain(file).into_iter().filter_map(|(_, from)| from.get().map(|(f, r)| (f, r.start)));
    [(file, range.start)].into_iter().chain(outer).collect()
}

/// The bytes of the element in whose opening tag a byte stands, to its closing tag.
fn extent(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = bytes[..at.min(bytes.len())].iter().rposition(|&b| b == b'<').unwrap_or(0);
    let mut depth = 0;
    let mut i = start;
    while i < bytes.len() {
        let rest = &text.as_bytes()[i..];
        if rest.starts_with(b"<!--") {
            i = find(bytes, i, b"-->");
            continue;
        }
        if rest.starts_with(b"</") {
            depth -= 1;
        } else if rest.starts_with(b"<") {
            let end = tag_end(bytes, i);
            depth += i32::from(!bytes[..end].ends_with(b"/>"));
            i = end;
            if depth == 0 {
                return start..i;
            }
            continue;
        }
        i += 1;
        if depth <= 0 {
            break;
        }
    }
    start..i
}

fn find(bytes: &[u8], from: usize, mark: &[u8]) -> usize {
    bytes[from..].windows(mark.len()).position(|w| w == mark).map_or(bytes.len(), |i| from + i + mark.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_ends_with_its_closing_tag() {
        let text = r#"<a><b x=">"><!-- </b> --><c/></b><d/></a>"#;
        let of = |what: &str| &text[extent(text, text.find(what).unwrap() + 1)];
        assert_eq!(of("<d"), "<d/>");
        assert_eq!(of("<c"), "<c/>");
        assert!(of("<b").starts_with("<b x") && of("<b").ends_with("<c/><"), "{}", of("<b"));
        assert!(of("<a").ends_with("<d/><"));
    }
}
