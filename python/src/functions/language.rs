//! MJCF itself: its schema as text, and the files that a model consists of.

use crate::error;
use mj_engine::{FileResolver, FileSystem};
use mj_mjcf::language::{ChildElement, Element, elements};
use pyo3::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Column where attributes begin in plain text.
const ATTRIBUTES: usize = 30;
/// Width after which a line of attributes ends in plain text.
const WIDTH: usize = 30;

/// Form of the schema.
#[derive(Clone, Copy)]
enum Form {
    /// Plain text.
    Text,
    /// A table of HTML, elements indented by spaces that don't break.
    Spaces,
    /// A table of HTML, elements indented by a style.
    Padding,
}

/// Writer of the schema: elements in order, each with its kind and attributes.
struct Schema<'a> {
    elements: HashMap<&'a str, &'a Element>,
    /// Elements that may hold themselves, directly or not.
    recursive: HashSet<&'a str>,
    /// Recursive elements whose children are written already.
    opened: HashSet<&'a str>,
    form: Form,
    out: String,
}

impl<'a> Schema<'a> {
    fn new(list: &'a [Element], form: Form) -> Self {
        let elements: HashMap<&str, &Element> = list.iter().map(|e| (e.id.as_str(), e)).collect();
        let recursive = elements.keys().copied().filter(|id| reaches(&elements, id)).collect();
        Self { elements, recursive, opened: HashSet::new(), form, out: String::new() }
    }

    /// Writes an element and all that it may hold.
    fn element(&mut self, name: &str, id: Option<&'a str>, kind: char, depth: usize) {
        let element = id.and_then(|id| self.elements.get(id)).copied();
        let mut attributes: Vec<&str> =
            element.map(|e| e.attributes.iter().map(|a| a.name.as_str()).collect()).unwrap_or_default();
        attributes.sort_unstable();
        match self.form {
            Form::Text => self.text(name, kind, depth, &attributes),
            _ => self.row(name, kind, depth, &attributes),
        }
        let Some(element) = element else { return };
        if self.recursive.contains(element.id.as_str()) && !self.opened.insert(&element.id) {
            return;
        }
        // An element that holds itself says so by its kind.
        for child in element.children.iter().filter(|c| c.id.as_ref() != Some(&element.id)) {
            let kind = self.kind(child);
            self.element(&child.name, child.id.as_deref(), kind, depth + 1);
        }
    }

    fn kind(&self, child: &ChildElement) -> char {
        match child.id.as_deref() {
            Some(id) if self.recursive.contains(id) => 'R',
            _ if child.single => '?',
            _ => '*',
        }
    }

    fn text(&mut self, name: &str, kind: char, depth: usize, attributes: &[&str]) {
        let mut line = format!("{:indent$}{name} ({kind})", "", indent = 3 * depth);
        line = format!("{line:ATTRIBUTES$}");
        let mut width = 0;
        for (i, attribute) in attributes.iter().enumerate() {
            line.push_str(attribute);
            line.push(' ');
            width += attribute.len() + 1;
            if width > WIDTH && i + 1 < attributes.len() {
                let _ = writeln!(self.out, "{line}");
                line = " ".repeat(ATTRIBUTES);
                width = 0;
            }
        }
        let _ = writeln!(self.out, "{line}");
    }

    fn row(&mut self, name: &str, kind: char, depth: usize, attributes: &[&str]) {
        let (style, indent) = match self.form {
            Form::Padding => (format!(" style=\"padding-left:{}\"", 5 + 15 * depth), String::new()),
            _ => (String::new(), "&nbsp;".repeat(4 * depth)),
        };
        let attributes = match attributes {
            [] => "<span style=\"color:black\"><i>no attributes</i></span>".into(),
            names => names.iter().fold(String::new(), |text, name| text + name + " "),
        };
        let _ = writeln!(self.out, "<tr>\n\t<td{style} bgcolor=\"#EEEEEE\" class=\"el\">{indent}{name}</td>");
        let _ = writeln!(self.out, "\t<td class=\"ty\">{kind}</td>\n\t<td class=\"at\">{attributes}</td>\n</tr>");
    }
}

/// Whether an element may hold itself, directly or not.
fn reaches(elements: &HashMap<&str, &Element>, id: &str) -> bool {
    let mut seen = HashSet::new();
    let mut next = vec![id];
    while let Some(element) = next.pop().and_then(|id| elements.get(id)) {
        for child in element.children.iter().filter_map(|c| c.id.as_deref()) {
            if child == id {
                return true;
            }
            if seen.insert(child) {
                next.push(child);
            }
        }
    }
    false
}

/// Returns the schema of MJCF: each element with its kind (`!` once, `?` at most once, `*` any number of times, `R` any
/// number of times and within itself) and attributes, as plain text or as a table of HTML.
#[pyfunction]
fn _schema(flg_html: bool, flg_pad: bool) -> String {
    let form = match (flg_html, flg_pad) {
        (false, _) => Form::Text,
        (true, false) => Form::Spaces,
        (true, true) => Form::Padding,
    };
    let list = elements();
    let mut schema = Schema::new(&list, form);
    if let Some(root) = list.first() {
        schema.element(&root.name, Some(&root.id), '!', 0);
    }
    match form {
        Form::Text => schema.out,
        _ => format!("<table border=\"1\">\n{}</table>\n", schema.out),
    }
}

/// Files of the disk, and the paths of all that were asked for.
struct Recorded {
    disk: FileSystem,
    paths: Mutex<Vec<PathBuf>>,
}

impl FileResolver for Recorded {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let mut paths = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        if !paths.iter().any(|p| p == path) {
            paths.push(path.into());
        }
        drop(paths);
        self.disk.read(path, limit)
    }

    fn exists(&self, path: &Path) -> bool {
        self.disk.exists(path)
    }
}

/// Returns the paths of all files that a model in MJCF consists of, its own first: included files, other models, and
/// files of assets, whether these exist or not.
#[pyfunction]
fn mju_getXMLDependencies(py: Python, filename: PathBuf) -> PyResult<Vec<String>> {
    let files = Recorded { disk: FileSystem::default(), paths: Mutex::default() };
    let (partial, report) = py.detach(|| mj_mjcf::read_partial(&filename, &files));
    if partial.is_none() {
        return Err(error::fatal(py, report));
    }
    let paths = files.paths.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(paths.iter().map(|path| path.to_string_lossy().into_owned()).collect())
}

super::register! { _schema mju_getXMLDependencies }
