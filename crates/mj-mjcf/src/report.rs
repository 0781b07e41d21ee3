//! What reading found.

use mj_model::diag::{Diagnostics, Sources};
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
