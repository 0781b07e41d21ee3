//! The modules of a crate and what each names of the others, read from the text.
//!
//! A module is a file. Of one that has modules inside, the code of its own (not its `mod` lines and re-exports) counts as
//! a further module inside, [`OWN`]. Code for tests doesn't count.

use super::tokens::{Token, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Name of the code that a module with modules inside holds itself.
pub const OWN: &str = "(own code)";

/// Names from the root of a crate to a module.
pub type ModulePath = Vec<String>;

/// The modules of a crate, or of one of its programs.
#[derive(Default)]
pub struct Modules {
    all: BTreeMap<ModulePath, Module>,
}

/// Names that the text of a module declares and uses.
#[derive(Default)]
struct Module {
    children: BTreeSet<String>,
    /// Names of items, with whether they are functions.
    items: BTreeMap<String, bool>,
    imports: Vec<Import>,
    /// Paths in the code, `use` declarations left out; words are paths of one name.
    mentions: BTreeSet<Vec<String>>,
}

/// One name that a `use` declaration brings into a module; `*` for all.
struct Import {
    name: String,
    path: Vec<String>,
    public: bool,
}

impl Modules {
    /// Reads the modules that a crate's `lib.rs` or `main.rs` declares.
    pub fn read(root: &Path) -> Self {
        let folder = root.parent().unwrap_or(root);
        Self::from_texts(&|path: &[String]| {
            let Some((last, above)) = path.split_last() else {
                return std::fs::read_to_string(root).ok();
            };
            let folder = above.iter().fold(PathBuf::from(folder), |f, name| f.join(name));
            let file = std::fs::read_to_string(folder.join(format!("{last}.rs"))).ok();
            file.or_else(|| std::fs::read_to_string(folder.join(last).join("mod.rs")).ok())
        })
    }

    /// Modules whose texts a function returns by their paths.
    pub fn from_texts(text: &dyn Fn(&[String]) -> Option<String>) -> Self {
        let mut out = Self::default();
        let mut open = vec![ModulePath::new()];
        while let Some(path) = open.pop() {
            let Some(text) = text(&path) else { continue };
            let module = Module::parse(&tokens(&text));
            open.extend(module.children.iter().map(|c| join(&path, c)));
            out.all.insert(path, module);
        }
        out
    }

    /// Pairs of modules of which the first names something of the second. The types that the code around a module
    /// declares aren't counted, only its functions.
    pub fn references(&self) -> BTreeSet<(ModulePath, ModulePath)> {
        let mut out = BTreeSet::new();
        for (path, module) in &self.all {
            let from = self.own(path);
            let mentioned = module.mentions.iter().filter_map(|m| self.resolve(path, m, 0));
            for (to, function) in mentioned.chain(self.imported(path, module)) {
                let around = to.split_last().is_some_and(|(last, above)| last == OWN && from.starts_with(above));
                if to != from && (function || !around) {
                    out.insert((from.clone(), to));
                }
            }
        }
        out
    }

    /// Modules that the imports of one name. A re-export from within doesn't count: its uses are mentions.
    fn imported(&self, path: &ModulePath, module: &Module) -> Vec<(ModulePath, bool)> {
        let mut out = Vec::new();
        for import in &module.imports {
            if import.name == "*" {
                let Some(of) = self.module(path, &import.path, 0) else { continue };
                let words = module.mentions.iter().filter_map(|m| m.first());
                let seen = words.filter(|w| !module.items.contains_key(*w) && self.has(&of, w, 0));
                out.extend(seen.filter_map(|w| self.resolve(&of, std::slice::from_ref(w), 0)));
            } else if self.module(path, &import.path, 0).is_none() {
                let to = self.resolve(path, &import.path, 0);
                out.extend(to.filter(|(to, _)| !(import.public && to.starts_with(path))));
            }
        }
        out
    }

    /// Name of the module's own code.
    fn own(&self, path: &[String]) -> ModulePath {
        match self.all.get(path) {
            Some(m) if !m.children.is_empty() => join(path, OWN),
            _ => path.to_vec(),
        }
    }

    /// The module that declares what a path names, and whether that is a function.
    fn resolve(&self, at: &[String], names: &[String], depth: usize) -> Option<(ModulePath, bool)> {
        let module = self.all.get(at)?;
        let Some((first, rest)) = names.split_first() else {
            // The module itself: what is used of it is another path.
            return module.children.is_empty().then(|| (at.to_vec(), false));
        };
        if depth > 16 {
            return None;
        }
        match first.as_str() {
            "crate" => return self.resolve(&[], rest, depth + 1),
            "self" => return self.resolve(at, rest, depth + 1),
            "super" => return self.resolve(at.split_last()?.1, rest, depth + 1),
            _ => {}
        }
        if module.children.contains(first) {
            return self.resolve(&join(at, first), rest, depth + 1);
        }
        if let Some(function) = module.items.get(first) {
            return Some((self.own(at), *function));
        }
        for import in module.imports.iter().filter(|i| i.name == *first) {
            let names = [&import.path, rest].concat();
            // A crate of the same name isn't this import.
            if names.first() != Some(first) || module.children.contains(first) {
                return self.resolve(at, &names, depth + 1);
            }
        }
        for import in module.imports.iter().filter(|i| i.name == "*") {
            if let Some(of) = self.module(at, &import.path, depth + 1).filter(|of| of != at)
                && self.has(&of, first, depth + 1)
            {
                return self.resolve(&of, names, depth + 1);
            }
        }
        None
    }

    /// The module that a path names, if it is one.
    fn module(&self, at: &[String], names: &[String], depth: usize) -> Option<ModulePath> {
        let module = self.all.get(at)?;
        let Some((first, rest)) = names.split_first() else { return Some(at.to_vec()) };
        if depth > 16 {
            return None;
        }
        match first.as_str() {
            "crate" => self.module(&[], rest, depth + 1),
            "self" => self.module(at, rest, depth + 1),
            "super" => self.module(at.split_last()?.1, rest, depth + 1),
            _ if module.children.contains(first) => self.module(&join(at, first), rest, depth + 1),
            _ => {
                let import = module.imports.iter().find(|i| i.name == *first && i.path.first() != Some(first))?;
                self.module(at, &[&import.path, rest].concat(), depth + 1)
            }
        }
    }

    /// Whether a module declares or imports a name.
    fn has(&self, at: &[String], name: &str, depth: usize) -> bool {
        let Some(module) = self.all.get(at).filter(|_| depth < 16) else { return false };
        let globs = || module.imports.iter().filter(|i| i.name == "*");
        module.items.contains_key(name)
            || module.children.contains(name)
            || module.imports.iter().any(|i| i.name == name)
            || globs()
                .filter_map(|i| self.module(at, &i.path, depth + 1))
                .any(|of| of != at && self.has(&of, name, depth + 1))
    }
}

fn join(path: &[String], name: &str) -> ModulePath {
    let mut out = path.to_vec();
    out.push(name.to_string());
    out
}

impl Module {
    fn parse(tokens: &[Token]) -> Self {
        let mut out = Self::default();
        let mut i = 0;
        // Depths at which modules inside the file end; their `super` is this file.
        let (mut inner, mut depth) = (Vec::new(), 0_usize);
        while let Some(token) = tokens.get(i) {
            let word = |k: usize| tokens.get(i + k).map_or("", |t| t.text);
            match token.text {
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    if inner.last() == Some(&depth) {
                        inner.pop();
                    }
                }
                "mod" if word(2) == ";" => {
                    out.children.insert(word(1).to_string());
                    i += 1;
                }
                "mod" if word(2) == "{" => {
                    inner.push(depth);
                    i += 1;
                }
                "use" => {
                    let public = i > 0 && matches!(tokens[i - 1].text, "pub" | ")");
                    let mut paths = Vec::new();
                    i = path(tokens, i + 1, &mut Vec::new(), &mut paths);
                    for (path, alias) in paths {
                        let path = outward(path, inner.len());
                        let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
                        let path = if name == "*" { path[..path.len() - 1].to_vec() } else { path };
                        out.imports.push(Import { name, path, public });
                    }
                    continue;
                }
                kind if KINDS.contains(&kind) && (depth == 0 || kind != "fn") => {
                    out.items.insert(word(1).to_string(), kind == "fn");
                }
                // What a macro declares can't be seen: any word in it that starts as types do.
                "!" if depth == 0 && matches!(word(1), "{" | "(") => {
                    out.items.extend(types_within(&tokens[i + 1..]).map(|name| (name, false)))
                }
                _ if token.is_path_start() && (i == 0 || !matches!(tokens[i - 1].text, "." | "$" | "::")) => {
                    let mut paths = Vec::new();
                    i = path(tokens, i, &mut Vec::new(), &mut paths);
                    out.mentions.extend(paths.into_iter().map(|(p, _)| outward(p, inner.len())));
                    continue;
                }
                _ => {}
            }
            i += 1;
        }
        out
    }
}

/// Words before the name of an item.
const KINDS: &[&str] = &["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];

fn types_within<'a>(tokens: &'a [Token]) -> impl Iterator<Item = String> + 'a {
    let mut depth = 0;
    let within = tokens.iter().take_while(move |t| {
        match t.text {
            "{" | "(" => depth += 1,
            "}" | ")" => depth -= 1,
            _ => {}
        }
        depth > 0
    });
    within.filter(|t| t.text.starts_with(char::is_uppercase)).map(|t| t.text.to_string())
}

/// A path of a module inside a file, seen from the file.
fn outward(mut path: Vec<String>, inner: usize) -> Vec<String> {
    let above = path.iter().take(inner).take_while(|p| *p == "super").count();
    path.drain(..above);
    path
}

/// Reads a path, or the tree of paths of a `use`, from token `i` on. Returns the index of the token behind it.
fn path(
    tokens: &[Token],
    mut i: usize,
    prefix: &mut Vec<String>,
    out: &mut Vec<(Vec<String>, Option<String>)>,
) -> usize {
    let start = prefix.len();
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text);
    if text(i) == "::" {
        i += 1;
    }
    loop {
        match text(i) {
            "{" => {
                i += 1;
                while !matches!(text(i), "}" | "") {
                    let before = i;
                    i = path(tokens, i, prefix, out);
                    i += usize::from(text(i) == "," || i == before);
                }
                i += 1;
                break;
            }
            "*" => {
                prefix.push("*".into());
                out.push((prefix.clone(), None));
                i += 1;
                break;
            }
            _ if !tokens.get(i).is_some_and(Token::is_word) => break,
            word => {
                if word != "self" || prefix.is_empty() {
                    prefix.push(word.trim_start_matches("r#").to_string());
                }
                i += 1;
                if text(i) == "::"
                    && (matches!(text(i + 1), "{" | "*") || tokens.get(i + 1).is_some_and(Token::is_word))
                {
                    i += 1;
                    continue;
                }
                let alias = (text(i) == "as" && prefix.len() > start).then(|| text(i + 1).to_string());
                i += if alias.is_some() { 2 } else { 0 };
                out.push((prefix.clone(), alias));
                break;
            }
        }
    }
    prefix.truncate(start);
    i
}
