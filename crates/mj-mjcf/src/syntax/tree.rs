//! From files to one tree of elements: parsing, includes, the place of every name and value.

use crate::limits;
use crate::syntax::lenient;
use crate::syntax::report::Report;
use crate::syntax::resolver::{FileResolver, normal, way};
use mj_model::{Loc, SourceFile};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// An attribute.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub name: String,
    pub value: String,
    pub name_loc: Loc,
    pub value_loc: Loc,
}

/// An element; included files have taken the place of `include` elements.
#[derive(Debug)]
pub(crate) struct Node {
    pub name: String,
    /// The name in the opening tag.
    pub loc: Loc,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Node>,
    /// Texts of its CDATA sections.
    pub cdata: Vec<Loc>,
    /// Directory of the file that it stands in, relative to the main file's.
    pub dir: usize,
}

impl Node {
    /// An attribute by name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// Value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    /// Place of an attribute's value, or of the element where it has no such attribute.
    pub fn value_loc(&self, name: &str) -> Loc {
        self.attribute(name).map_or(self.loc, |a| a.value_loc)
    }
}

/// The whole document.
pub(crate) struct Document {
    pub root: Node,
    /// Directories of the files, relative to the main file's; the first is the main file's.
    pub dirs: Vec<PathBuf>,
    /// Whether an included file is missing, or has errors itself.
    pub incomplete: bool,
}

/// Reads a model's main file, which something at `from` names, and everything that it includes.
/// Problems go to the report.
pub(crate) fn load(
    path: &Path,
    text: Vec<u8>,
    from: Loc,
    files: &dyn FileResolver,
    report: &mut Report,
) -> Option<Document> {
    let base = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut loader = Loader {
        files,
        report,
        base,
        included: HashMap::from([(normal(path), Loc::NONE)]),
        dirs: vec![PathBuf::new()],
        bytes: 0,
        elements: 0,
        attached: from != Loc::NONE,
        incomplete: false,
    };
    let mut root = loader.parse(path, text, from, 0, 0)?;
    if root.name == "include" {
        return Some(Document { root, dirs: loader.dirs, incomplete: false });
    }
    root.children = loader.resolve(std::mem::take(&mut root.children), 0, 1);
    Some(Document { root, dirs: loader.dirs, incomplete: loader.incomplete })
}

struct Loader<'a> {
    files: &'a dyn FileResolver,
    report: &'a mut Report,
    /// The main file's directory.
    base: PathBuf,
    /// Files that were read, with the place of their include.
    included: HashMap<PathBuf, Loc>,
    dirs: Vec<PathBuf>,
    bytes: u64,
    elements: usize,
    /// Whether the main file is to be attached to another model.
    attached: bool,
    incomplete: bool,
}

impl Loader<'_> {
    /// Parses one file; its includes stay in place.
    fn parse(&mut self, path: &Path, bytes: Vec<u8>, from: Loc, dir: usize, depth: usize) -> Option<Node> {
        self.bytes += bytes.len() as u64;
        // Text in another encoding is most often a comment: what is not UTF-8 is replaced.
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
        };
        let file = self.report.sources.files.len();
        let attached = std::mem::take(&mut self.attached);
        self.report.sources.files.push(SourceFile { path: path.to_path_buf(), text, included_from: from, attached });
        let text = &self.report.sources.files[file].text;

        let strict = match lenient::strict(text) {
            Ok(strict) => strict,
            Err(e) => {
                let d = self.report.diagnostics.error(Loc::new(file, e.at), e.message);
                d.help = e.help;
                return None;
            }
        };
        let options = roxmltree::ParsingOptions { nodes_limit: u32::MAX, ..Default::default() };
        let document = match roxmltree::Document::parse_with_options(&strict.text, options) {
            Ok(document) => document,
            Err(e) => {
                self.report.diagnostics.error(Loc::new(file, 0..0), format!("not XML: {e}"));
                return None;
            }
        };
        let mut convert = Convert { source: text, strict: &strict, file, dir, elements: self.elements, too_deep: None };
        let root = convert.node(document.root_element(), depth);
        self.elements = convert.elements;
        if let Some(loc) = convert.too_deep {
            self.report.diagnostics.error(loc, format!("elements are nested more than {} deep", limits::DEPTH));
            return None;
        }
        if self.elements > limits::ELEMENTS {
            let at = Loc::new(file, 0..0);
            self.report.diagnostics.error(at, format!("the model has more than {} elements", limits::ELEMENTS));
            return None;
        }
        Some(root)
    }

    /// Replaces includes among the children, at any depth.
    fn resolve(&mut self, children: Vec<Node>, nested: usize, depth: usize) -> Vec<Node> {
        let mut out = Vec::with_capacity(children.len());
        for mut child in children {
            if child.name == "include" {
                match self.include(child, nested, depth) {
                    Some(mut included) => out.append(&mut included),
                    None => self.incomplete = true,
                }
            } else {
                child.children = self.resolve(std::mem::take(&mut child.children), nested, depth + 1);
                out.push(child);
            }
        }
        out
    }

    fn include(&mut self, node: Node, nested: usize, depth: usize) -> Option<Vec<Node>> {
        let diagnostics = &mut self.report.diagnostics;
        if !node.children.is_empty() {
            diagnostics.error(node.loc, "`include` takes no child elements");
            return None;
        }
        let Some(file) = node.attribute("file") else {
            diagnostics.error(node.loc, "`include` needs the attribute `file`");
            return None;
        };
        let at = file.value_loc;
        if nested >= limits::INCLUDE_DEPTH {
            diagnostics.error(at, format!("includes are nested more than {} deep", limits::INCLUDE_DEPTH));
            return None;
        }
        if self.included.len() >= limits::FILES {
            diagnostics.error(at, format!("the model has more than {} files", limits::FILES));
            return None;
        }

        // A relative path starts from the main file's directory; failing that, from the directory of
        // the file that includes.
        let name = Path::new(&file.value);
        let from_main = normal(&self.base.join(name));
        let from_here = normal(&self.base.join(&self.dirs[node.dir]).join(name));
        let path = if self.files.exists(&from_main) { from_main } else { from_here };
        if let Some(&before) = self.included.get(&path) {
            let place = match self.report.sources.place(before) {
                Some(place) => format!("it is included at {place}"),
                None => "it is the main file".to_string(),
            };
            diagnostics.error(at, format!("file `{}` is already part of the model", file.value)).help(place);
            return None;
        }
        let limit = limits::FILE_BYTES.min(limits::TOTAL_BYTES.saturating_sub(self.bytes));
        let bytes = match self.files.read(&path, limit) {
            Ok(bytes) => bytes,
            Err(e) => {
                let message = format!("cannot read `{}`: {}", path.display(), describe(&e));
                let d = diagnostics.error(at, message);
                if e.kind() == io::ErrorKind::NotFound {
                    d.help("included files are looked for in the main file's directory, then in the including file's");
                }
                return None;
            }
        };
        if bytes.is_empty() {
            diagnostics.error(at, format!("file `{}` is empty", path.display()));
            return None;
        }
        self.included.insert(path.clone(), at);
        let dir = self.directory(&path);
        let root = self.parse(&path, bytes, at, dir, depth.saturating_sub(1))?;
        if root.children.is_empty() {
            self.report.diagnostics.error(at, format!("the root element of `{}` holds no elements", path.display()));
            return None;
        }
        Some(self.resolve(root.children, nested + 1, depth))
    }

    /// Row of a file's directory, relative to the main file's.
    fn directory(&mut self, path: &Path) -> usize {
        let dir = path.parent().unwrap_or(Path::new(""));
        let dir = way(&normal(&self.base), dir);
        self.dirs.iter().position(|d| *d == dir).unwrap_or_else(|| {
            self.dirs.push(dir);
            self.dirs.len() - 1
        })
    }
}

/// An I/O error in words that are the same on every system, where there are such words.
pub(crate) fn describe(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => e.to_string(),
    }
}

/// Turns a strict parser's tree into ours, with places in the source.
struct Convert<'a> {
    source: &'a str,
    strict: &'a lenient::Strict,
    file: usize,
    dir: usize,
    elements: usize,
    too_deep: Option<Loc>,
}

impl Convert<'_> {
    fn node(&mut self, node: roxmltree::Node, depth: usize) -> Node {
        self.elements += 1;
        let (name, loc) = self.piece(node.range().start + 1);
        let attributes = node
            .attributes()
            .map(|a| {
                let (name, name_loc) = self.piece(a.range_qname().start);
                let value_loc = Loc::new(self.file, self.strict.source(a.range_value().start));
                Attribute { name, value: a.value().to_string(), name_loc, value_loc }
            })
            .collect();
        let mut children = Vec::new();
        if depth >= limits::DEPTH {
            self.too_deep = self.too_deep.or(Some(loc));
        } else {
            for child in node.children().filter(roxmltree::Node::is_element) {
                children.push(self.node(child, depth + 1));
            }
        }
        let start = self.strict.source(node.range().start + 1).start;
        let cdata = self.strict.cdata(start).map(|text| Loc::new(self.file, text)).collect();
        Node { name, loc, attributes, children, cdata, dir: self.dir }
    }

    fn piece(&self, at: usize) -> (String, Loc) {
        let range = self.strict.source(at);
        (self.source[range.clone()].to_string(), Loc::new(self.file, range))
    }
}
