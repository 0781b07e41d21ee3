//! The tolerant pass: the XML that people write, into the XML that a strict parser reads.
//!
//! MJCF files in the wild hold `--` inside comments, attributes with no space between them, bare
//! `&` and `<` in values, text around and between elements, stray DOCTYPEs. None of it carries
//! meaning, and the reference loads it. This pass keeps the elements and attributes, drops the
//! rest, writes what it keeps as strict XML, and remembers where each name and value came from.
//! What it refuses (unclosed elements, values without quotes, a repeated attribute, …) it explains
//! better than a general parser could, because it knows the place of the tag that was left open.

use crate::limits;
use std::collections::HashSet;
use std::ops::Range;

/// Strict XML and where its pieces came from.
#[derive(Debug, Default)]
pub(crate) struct Strict {
    /// The text.
    pub text: String,
    /// (byte in `text`, bytes in the source) of every name and every value, in order.
    map: Vec<(usize, Range<usize>)>,
    /// CDATA sections: (byte in the source of the name of the element that holds it, bytes of its text in the source), by
    /// element.
    cdata: Vec<(usize, Range<usize>)>,
}

impl Strict {
    /// Bytes in the source of the name or value that starts at a byte of the text.
    pub fn source(&self, at: usize) -> Range<usize> {
        match self.map.binary_search_by_key(&at, |m| m.0) {
            Ok(i) => self.map[i].1.clone(),
            Err(_) => 0..0,
        }
    }

    /// Texts, as bytes in the source, of the CDATA sections of the element whose name starts at a byte of the source.
    pub fn cdata(&self, element: usize) -> impl Iterator<Item = Range<usize>> {
        let first = self.cdata.partition_point(|(e, _)| *e < element);
        self.cdata[first..].iter().take_while(move |(e, _)| *e == element).map(|(_, text)| text.clone())
    }
}

/// Why the text is not XML, even generously read.
#[derive(Debug, PartialEq)]
pub(crate) struct SyntaxError {
    /// Where.
    pub at: Range<usize>,
    /// Message.
    pub message: String,
    /// Help: what a right value would be.
    pub help: Option<String>,
}

/// Opening of a CDATA section.
const CDATA: &str = "<![CDATA[";

type Result<T> = std::result::Result<T, SyntaxError>;

fn error<T>(at: Range<usize>, message: impl Into<String>) -> Result<T> {
    Err(SyntaxError { at, message: message.into(), help: None })
}

fn error_help<T>(at: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Result<T> {
    Err(SyntaxError { at, message: message.into(), help: Some(help.into()) })
}

/// Rewrites a source text as strict XML.
pub(crate) fn strict(source: &str) -> Result<Strict> {
    // A NUL ends the text, as it does for C.
    let source = source.split('\0').next().unwrap_or("");
    let mut pass = Pass { source, at: 0, open: Vec::new(), out: Strict::default(), root_done: false };
    if source.starts_with('\u{feff}') {
        pass.at = '\u{feff}'.len_utf8();
    }
    pass.document()?;
    pass.out.cdata.sort_by_key(|(element, _)| *element);
    Ok(pass.out)
}

struct Pass<'a> {
    source: &'a str,
    at: usize,
    /// Names of the elements that are open.
    open: Vec<Range<usize>>,
    out: Strict,
    root_done: bool,
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn starts_name(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b':' || b >= 128
}

fn continues_name(b: u8) -> bool {
    starts_name(b) || b.is_ascii_digit() || b == b'.' || b == b'-'
}

impl<'a> Pass<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.byte().is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// Skips to the end of `mark`; `opening` is the length of what opened the construct.
    fn skip_past(&mut self, opening: usize, mark: &str, what: &str) -> Result<()> {
        let start = self.at;
        match self.source[start + opening..].find(mark) {
            Some(i) => {
                self.at = start + opening + i + mark.len();
                Ok(())
            }
            None => {
                error_help(start..start + opening, format!("{what} is never closed"), format!("close it with `{mark}`"))
            }
        }
    }

    fn document(&mut self) -> Result<()> {
        let mut prolog = true;
        loop {
            self.skip_space();
            let rest = self.rest();
            if rest.is_empty() {
                break;
            }
            if rest.starts_with("<?") {
                if !prolog {
                    return error_help(
                        self.at..self.at + 2,
                        "an XML declaration or processing instruction may only stand at the start of the file",
                        "remove it",
                    );
                }
                self.skip_past(2, "?>", "this XML declaration")?;
                continue;
            }
            prolog = false;
            if rest.starts_with("<!--") {
                self.skip_past(4, "-->", "this comment")?;
            } else if rest.starts_with(CDATA) {
                let text = self.at + CDATA.len();
                self.skip_past(CDATA.len(), "]]>", "this CDATA section")?;
                if let Some(element) = self.open.last() {
                    self.out.cdata.push((element.start, text..self.at - 3));
                }
            } else if rest.starts_with("<!") {
                self.skip_past(2, ">", "this declaration")?;
            } else if rest.starts_with("</") {
                if self.open.is_empty() && self.root_done {
                    // A closing tag too many ends the document.
                    return Ok(());
                }
                self.close()?;
            } else if rest.starts_with('<') {
                self.element()?;
            } else {
                self.text()?;
            }
        }
        if let Some(name) = self.open.last().cloned() {
            let tag = &self.source[name.clone()];
            return error_help(name, format!("`<{tag}>` is never closed"), format!("close it with `</{tag}>`"));
        }
        if !self.root_done {
            return error_help(0..0, "there is no element in this file", "a model is a `<mujoco>` element");
        }
        Ok(())
    }

    /// Text means nothing in MJCF; it may stand anywhere but at the very end.
    fn text(&mut self) -> Result<()> {
        let start = self.at;
        match self.rest().find('<') {
            Some(i) => {
                self.at += i;
                Ok(())
            }
            None => {
                let end = start + self.rest().trim_end().len();
                if self.open.is_empty() {
                    let what = if self.root_done { "text after the last element" } else { "this is text, not XML" };
                    error(start..end, what)
                } else {
                    self.at = self.source.len();
                    Ok(())
                }
            }
        }
    }

    fn name(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        if !self.byte().is_some_and(starts_name) {
            return None;
        }
        while self.byte().is_some_and(continues_name) {
            self.at += 1;
        }
        Some(start..self.at)
    }

    fn close(&mut self) -> Result<()> {
        let start = self.at;
        self.at += 2;
        let Some(name) = self.name() else {
            return error(start..start + 2, "a closing tag needs a name right after `</`");
        };
        self.skip_space();
        if self.byte() != Some(b'>') {
            return error_help(name, "this closing tag does not end", "end it with `>`");
        }
        self.at += 1;
        let found = &self.source[name.clone()];
        let Some(open) = self.open.pop() else {
            return error(name, format!("`</{found}>` closes nothing"));
        };
        let expected = &self.source[open.clone()];
        if expected != found {
            let line = self.source[..open.start].matches('\n').count() + 1;
            return error_help(
                name,
                format!("`</{found}>` does not close `<{expected}>`, opened on line {line}"),
                format!("close `<{expected}>` with `</{expected}>` first"),
            );
        }
        self.out.text.push_str("</");
        self.write_name(expected);
        self.out.text.push('>');
        self.root_done |= self.open.is_empty();
        Ok(())
    }

    fn element(&mut self) -> Result<()> {
        let start = self.at;
        self.at += 1;
        self.skip_space();
        let Some(name) = self.name() else {
            let shown = self.rest().chars().next().map_or(0, char::len_utf8);
            return error_help(
                start..self.at + shown,
                "`<` must be followed by an element's name",
                "write `&lt;` for a literal `<`",
            );
        };
        if self.open.len() >= limits::DEPTH {
            return error(name, format!("elements are nested more than {} deep", limits::DEPTH));
        }
        // Only the first root counts; a second one is checked, and dropped.
        let kept = self.out.text.len();
        let kept_map = self.out.map.len();
        let second_root = self.root_done && self.open.is_empty();
        self.out.text.push('<');
        self.write_mapped_name(name.clone());
        self.attributes(&name)?;
        if self.rest().starts_with("/>") {
            self.at += 2;
            self.out.text.push_str("/>");
            self.root_done |= self.open.is_empty();
        } else {
            self.at += 1;
            self.out.text.push('>');
            self.open.push(name);
            if second_root {
                self.rest_of_second_root()?;
            }
        }
        if second_root {
            self.out.text.truncate(kept);
            self.out.map.truncate(kept_map);
        }
        Ok(())
    }

    /// Reads to the end of a second root, whose content means nothing.
    fn rest_of_second_root(&mut self) -> Result<()> {
        while !self.open.is_empty() && !self.rest().is_empty() {
            self.skip_space();
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.skip_past(4, "-->", "this comment")?;
            } else if rest.starts_with("<!") {
                self.skip_past(2, ">", "this declaration")?;
            } else if rest.starts_with("</") {
                self.close()?;
            } else if rest.starts_with('<') {
                self.element()?;
            } else {
                self.text()?;
            }
        }
        Ok(())
    }

    /// Attributes up to `>` or `/>`, which is left in place.
    fn attributes(&mut self, element: &Range<usize>) -> Result<()> {
        let mut seen: HashSet<&str> = HashSet::new();
        loop {
            self.skip_space();
            match self.byte() {
                None => {
                    let tag = &self.source[element.clone()];
                    return error_help(
                        element.clone(),
                        format!("the tag `<{tag}` does not end"),
                        "end it with `>` or `/>`",
                    );
                }
                Some(b'>') => return Ok(()),
                Some(b'/') if self.rest().starts_with("/>") => return Ok(()),
                Some(_) => {}
            }
            let start = self.at;
            let Some(name) = self.name() else {
                let width = self.rest().chars().next().map_or(0, char::len_utf8);
                let tag = &self.source[element.clone()];
                return error(start..start + width, format!("expected an attribute, `>` or `/>` in `<{tag}>`"));
            };
            let text = &self.source[name.clone()];
            self.skip_space();
            if self.byte() != Some(b'=') {
                return error_help(name, format!("attribute `{text}` has no value"), format!("write `{text}=\"…\"`"));
            }
            self.at += 1;
            self.skip_space();
            let quote = match self.byte() {
                Some(q @ (b'"' | b'\'')) => q as char,
                _ => {
                    return error_help(
                        name,
                        format!("the value of `{text}` is not in quotes"),
                        format!("write `{text}=\"…\"`"),
                    );
                }
            };
            let open = self.at;
            self.at += 1;
            let Some(length) = self.rest().find(quote) else {
                return error(open..open + 1, format!("the value of `{text}` has no closing quote"));
            };
            let value = self.at..self.at + length;
            self.at = value.end + 1;
            if !seen.insert(text) {
                return error_help(name, format!("attribute `{text}` is repeated"), "keep one of them");
            }
            if seen.len() > limits::ATTRIBUTES {
                return error(name, format!("this element has more than {} attributes", limits::ATTRIBUTES));
            }
            self.out.text.push(' ');
            self.write_mapped_name(name);
            self.out.text.push_str("=\"");
            self.out.map.push((self.out.text.len(), value.clone()));
            self.write_value(&self.source[value]);
            self.out.text.push('"');
        }
    }

    fn write_mapped_name(&mut self, name: Range<usize>) {
        self.out.map.push((self.out.text.len(), name.clone()));
        self.write_name(&self.source[name]);
    }

    /// Names that a strict parser would treat specially are written as placeholders: readers take
    /// names from the source.
    fn write_name(&mut self, name: &str) {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
        if plain && !name.starts_with("xmlns") {
            self.out.text.push_str(name);
        } else {
            self.out.text.push('_');
            for b in name.bytes() {
                self.out.text.push_str(&format!("{b:02x}"));
            }
        }
    }

    fn write_value(&mut self, value: &str) {
        let out = &mut self.out.text;
        let mut rest = value;
        while let Some(c) = rest.chars().next() {
            let mut width = c.len_utf8();
            match c {
                '&' => match reference_length(rest) {
                    Some(n) => {
                        out.push_str(&rest[..n]);
                        width = n;
                    }
                    None => out.push_str("&amp;"),
                },
                '<' => out.push_str("&lt;"),
                '"' => out.push_str("&quot;"),
                '\n' => out.push_str("&#10;"),
                '\t' => out.push_str("&#9;"),
                '\r' => out.push_str(if rest.starts_with("\r\n") { "" } else { "&#10;" }),
                c if (c as u32) < 0x20 || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
                c => out.push(c),
            }
            rest = &rest[width..];
        }
    }
}

/// Length of the character or entity reference at the start of a text, if it is a valid one.
fn reference_length(text: &str) -> Option<usize> {
    let end = text.as_bytes().iter().take(12).position(|&b| b == b';')?;
    let body = &text[1..end];
    let code = match body.strip_prefix('#') {
        None => return matches!(body, "lt" | "gt" | "amp" | "quot" | "apos").then_some(end + 1),
        Some(number) => match number.strip_prefix('x') {
            Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16).ok()?,
            None if number.bytes().all(|b| b.is_ascii_digit()) => number.parse().ok()?,
            _ => return None,
        },
    };
    let c = char::from_u32(code)?;
    let allowed = matches!(c, '\t' | '\n' | '\r') || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'));
    allowed.then_some(end + 1)
}
