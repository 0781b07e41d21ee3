//! An element on its way into text.

use crate::reader::table::{Form, Given, Shape, Table, Write};
use std::fmt::Write as _;

/// An element with its attributes as text.
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    pub children: Vec<Element>,
    /// Text in a CDATA section.
    cdata: Option<String>,
    /// Whether the prototype says something that this element cannot take back.
    pub lacks: bool,
}

impl Element {
    pub fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), children: Vec::new(), cdata: None, lacks: false }
    }

    /// An element with what its table's attributes say of a value, as far as that differs from a
    /// prototype.
    pub fn of<T>(name: &'static str, table: &Table<T>, value: &T, prototype: &T) -> Self {
        let mut e = Self::new(name);
        e.give(table, value, prototype, false);
        e
    }

    /// Sets an attribute.
    pub fn set(&mut self, name: &'static str, value: String) {
        self.attributes.push((name, value));
    }

    /// Takes an attribute back.
    pub fn unset(&mut self, name: &str) {
        self.attributes.retain(|a| a.0 != name);
    }

    /// Makes an attribute's value, if it has line ends or characters of markup, a CDATA section. One that no such section can
    /// hold stays.
    pub fn set_apart(&mut self, name: &str) {
        let Some(i) = self.attributes.iter().position(|a| a.0 == name) else { return };
        let text = &self.attributes[i].1;
        let plain = !text.contains(['\n', '<', '>', '&', '"']);
        let control = |c: char| c < ' ' && c != '\n' && c != '\t';
        if !(plain || text.contains("]]>") || text.contains(control)) {
            self.cdata = Some(self.attributes.remove(i).1);
        }
    }

    /// Whether there is nothing in it.
    pub fn is_bare(&self) -> bool {
        self.attributes.is_empty() && self.children.is_empty()
    }

    /// Sets what the attributes of a table say of a value, as far as that differs from a prototype.
    pub fn give<T>(&mut self, table: &Table<T>, value: &T, prototype: &T, in_default: bool) {
        table.each(in_default, &mut |a| {
            if let Some(give) = a.give {
                self.give_one(&a.form, give(value), give(prototype));
            }
        });
    }

    /// Sets one attribute, as far as it differs from what is inherited.
    fn give_one(&mut self, form: &Form, given: Given, inherited: Given) {
        let same = given == inherited;
        if same && !form.required && form.write != Write::Always {
            return;
        }
        match given {
            Given::Nothing => self.lacks |= !same,
            // Nothing is lost of a text that is empty anyway.
            Given::Text(text) if text.is_empty() && same && !form.required => {}
            Given::Text(text) => self.set(form.name, text),
            Given::Words(words) if words.is_empty() => {}
            Given::Words(mut words) => {
                if let (Given::Words(inherited), Write::Difference) = (inherited, form.write) {
                    shorten(&mut words, &inherited, form.shape);
                }
                self.set(form.name, words.join(" "));
            }
        }
    }

    /// The element as XML text, two spaces a level.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        let _ = write!(out, "{:1$}<{2}", "", 2 * depth, self.name);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"");
            escape(value, out);
            out.push('"');
        }
        if let Some(text) = &self.cdata {
            let _ = writeln!(out, "><![CDATA[{text}]]></{}>", self.name);
            return;
        }
        if self.children.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push_str(">\n");
        for child in &self.children {
            if depth == 0 {
                out.push('\n');
            }
            child.write(out, depth + 1);
        }
        let _ = writeln!(out, "{:1$}</{2}>", "", 2 * depth, self.name);
    }
}

/// Drops the last numbers as far as they are inherited, where the attribute can do with fewer.
fn shorten(words: &mut Vec<String>, inherited: &[String], shape: Shape) {
    let (Shape::Numbers { min, max, .. } | Shape::Integers { min, max }) = shape else { return };
    if max == usize::MAX || words.len() != inherited.len() {
        return;
    }
    while words.len() > min && words.last() == inherited.get(words.len() - 1) {
        words.pop();
    }
}

/// Writes a value so that XML gives it back.
fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            // No XML can hold it.
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}
