//! Report of reading a model: its sources and diagnostics.

use mj_model::{Diagnostic, Diagnostics, Severity, Sources};
use std::fmt;

/// Every problem that reading found, with the text that the problems point into.
///
/// Displayed, it is one block a problem: `file:line:column`, the message, the source line with the
/// place marked, and what would be right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The problems, in the order found.
    pub diagnostics: Diagnostics,
    /// The files that were read, the main one first.
    pub sources: Sources,
}

impl Report {
    /// Puts warnings before errors, each in the order of the text: people read a file from the top,
    /// and a terminal from the bottom.
    pub fn sort(&mut self) {
        let place = |d: &Diagnostic| d.loc.get().map_or((usize::MAX, 0), |(file, range)| (file, range.start));
        self.diagnostics.list.sort_by_key(|d| (d.severity, place(d)));
    }

    /// Whether any problem is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, d) in self.diagnostics.list.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            writeln!(f, "{}", self.sources.render(d))?;
        }
        Ok(())
    }
}

/// Counts the errors told so far, to see whether reading something adds any.
pub(crate) fn errors(report: &Report) -> usize {
    report.diagnostics.list.iter().filter(|d| d.severity == Severity::Error).count()
}
