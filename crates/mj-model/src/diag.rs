//! Diagnostics that point into the source text.

use std::fmt::{self, Write};
use std::path::PathBuf;

/// A place in the source text: a byte range of one file, or nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Loc {
    /// File number in [`Sources`] plus one; 0: no place.
    file: u32,
    /// First byte.
    start: u32,
    /// One past the last byte.
    end: u32,
}

impl Loc {
    /// No place: the element was built by a program.
    pub const NONE: Self = Self { file: 0, start: 0, end: 0 };

    /// Bytes `start..end` of file number `file` of [`Sources`].
    pub fn new(file: usize, range: std::ops::Range<usize>) -> Self {
        let clamp = |x: usize| u32::try_from(x).unwrap_or(u32::MAX);
        Self { file: clamp(file + 1), start: clamp(range.start), end: clamp(range.end) }
    }

    /// File number and byte range, if there is a place.
    pub fn get(self) -> Option<(usize, std::ops::Range<usize>)> {
        (self.file > 0).then(|| (self.file as usize - 1, self.start as usize..self.end as usize))
    }
}

/// One file's text and how it came in.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceFile {
    /// Path as it was resolved.
    pub path: PathBuf,
    /// Text.
    pub text: String,
    /// The element that included it, or that names it as a model to attach.
    pub included_from: Loc,
    /// Whether it is a model of its own, to be attached.
    pub attached: bool,
}

/// All source files of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// Files, the main one first.
    pub files: Vec<SourceFile>,
}

impl Sources {
    /// Line and column (both from 1, the column in characters) of a byte.
    pub fn line_column(&self, file: usize, byte: usize) -> (usize, usize) {
        let text = self.files.get(file).map_or("", |f| &f.text);
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &text[..byte];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// `path:line:column`, if there is a place.
    pub fn place(&self, loc: Loc) -> Option<String> {
        let (file, range) = loc.get()?;
        let (line, column) = self.line_column(file, range.start);
        Some(format!("{}:{line}:{column}", self.files.get(file)?.path.display()))
    }

    /// The text at a place; empty where there is none.
    pub fn text(&self, loc: Loc) -> &str {
        let text = loc.get().and_then(|(file, range)| self.files.get(file)?.text.get(range));
        text.unwrap_or_default()
    }

    /// How a file came into the model, from the file outwards: whether it was attached (or else
    /// included), and the element that asked for it.
    pub fn chain(&self, file: usize) -> Vec<(bool, Loc)> {
        let mut chain = Vec::new();
        let mut next = self.files.get(file);
        while let Some(f) = next {
            let Some((outer, _)) = f.included_from.get() else { break };
            chain.push((f.attached, f.included_from));
            // A file is listed after the one that asked for it, so that there are no circles.
            next = self.files.get(outer).filter(|_| chain.len() <= self.files.len());
        }
        chain
    }

    /// A diagnostic as text: `path:line:column: error: message`, the include chain, the source line
    /// with the span marked, and the help.
    pub fn render(&self, d: &Diagnostic) -> String {
        let mut s = String::new();
        if let Some(place) = self.place(d.loc) {
            let _ = write!(s, "{place}: ");
        }
        let _ = write!(s, "{}: {}", d.severity, d.message);
        if let Some((file, range)) = d.loc.get()
            && let Some(f) = self.files.get(file)
        {
            for (attached, from) in self.chain(file) {
                let how = if attached { "attached from" } else { "included from" };
                let _ = write!(s, "\n  {how} {}", self.place(from).unwrap_or_default());
            }
            let (line, column) = self.line_column(file, range.start);
            if let Some(text) = f.text.lines().nth(line - 1) {
                let number = line.to_string();
                let pad = " ".repeat(number.len());
                let rest = text.chars().count().saturating_sub(column - 1);
                let width = f
                    .text
                    .get(range)
                    .map_or(1, |t| t.lines().next().unwrap_or("").chars().count())
                    .clamp(1, rest.max(1));
                let gap: String = text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                let _ = write!(s, "\n {pad} |\n {number} | {text}\n {pad} | {gap}{}", "^".repeat(width));
            }
        }
        if let Some(help) = &d.help {
            let _ = write!(s, "\n  help: {help}");
        }
        s
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model loads, but probably not as meant.
    Warning,
    /// The model does not load.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One problem: what, where, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// Where.
    pub loc: Loc,
    /// Message.
    pub message: String,
    /// Help: what a right value would be.
    pub help: Option<String>,
    /// The name that is referred to, where the problem is that nothing has it.
    pub missing: Option<String>,
}

/// All problems found so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    /// In the order found.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds an error.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Severity::Error, loc, message.into())
    }

    /// Adds a warning.
    pub fn warning(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Severity::Warning, loc, message.into())
    }

    fn push(&mut self, severity: Severity, loc: Loc, message: String) -> &mut Diagnostic {
        self.list.push(Diagnostic { severity, loc, message, help: None, missing: None });
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Whether any is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }
}

impl Diagnostic {
    /// Adds what would be right.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Notes that the problem is a name that nothing has.
    pub fn missing(&mut self, name: &str) -> &mut Self {
        self.missing = Some(name.to_string());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendering_marks_the_span() {
        let text = "<mujoco>\n  <bdy/>\n</mujoco>\n".to_string();
        let at = text.find("bdy").unwrap();
        let sources = Sources {
            files: vec![SourceFile { path: "a.xml".into(), text, included_from: Loc::NONE, attached: false }],
        };
        let mut d = Diagnostics::default();
        d.error(Loc::new(0, at..at + 3), "unknown element `bdy`").help("did you mean `body`?");
        assert_eq!(
            sources.render(&d.list[0]),
            "a.xml:2:4: error: unknown element `bdy`\n   |\n 2 |   <bdy/>\n   |    ^^^\n  help: did you mean `body`?"
        );
    }
}
