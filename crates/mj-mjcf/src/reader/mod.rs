//! Reads elements by their tables: the one place where attributes and children are looked at,
//! values parsed, and problems told.

pub(crate) mod expansion;
pub(crate) mod gaps;
pub(crate) mod keys;
pub(crate) mod table;

use crate::limits;
use crate::suggest;
use crate::syntax::number::{self, NumberError};
use crate::syntax::report::Report;
use crate::syntax::resolver::FileResolver;
use crate::syntax::tree::{Attribute, Node};
use expansion::{Budget, ModelAsset, Names};
use gaps::Gaps;
use keys::Pending;
use mj_model::spec::{Body, FileBytes};
use mj_model::{Diagnostic, Loc};
use mj_model::{Spec, Tri};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use table::{Child, Form, Rule, Shape, Table, Value};

/// State of reading a document.
pub(crate) struct Reader<'a> {
    pub spec: Spec,
    pub report: &'a mut Report,
    pub files: &'a dyn FileResolver,
    /// The main file's directory.
    pub base: PathBuf,
    /// Directories of included files, relative to it.
    pub dirs: Vec<PathBuf>,
    /// Names of each kind, with their places.
    pub names: Names,
    /// The body whose contents are being read; the world at first.
    pub body: Body,
    /// The bodies that it is in, the world first.
    pub around: Vec<Body>,
    /// Models that may be attached, by name.
    pub models: HashMap<String, ModelAsset>,
    /// Keyframes of attached models, to be settled when the tree is whole.
    pub pending: Pending,
    /// Attributes of `option` and `flag` that were given.
    pub authored: HashSet<String>,
    /// Limits that are left for expansion, shared with the models that this one attaches.
    pub budget: Budget,
    /// Rows of default classes.
    pub classes: HashMap<String, usize>,
    /// Whether unknown attributes and elements are passed over with a warning.
    pub lenient: bool,
    /// In how many frames and replicates what is being read stands. The reference does not look for
    /// unknown attributes there, so they are passed over with a warning.
    pub unchecked: usize,
    /// In how many replicates what is being read stands.
    pub replicates: usize,
    /// Whether a default class is being read.
    pub in_default: bool,
    numbers: Vec<f64>,
    rows: Vec<usize>,
    /// Where problems go that are too many to tell.
    overflow: Diagnostic,
    /// Whether to read no further.
    pub stopped: bool,
    /// Bytes of text and user data in each default class.
    pub class_bytes: Vec<usize>,
    /// Element that each default class's actuator is written with.
    pub class_actuators: Vec<&'static str>,
    /// Bytes taken over from default classes so far.
    inherited: usize,
    /// Asset files read so far, by path.
    pub asset_files: HashMap<PathBuf, FileBytes>,
    /// Their bytes together.
    pub asset_bytes: u64,
    /// Parts that could not be read.
    pub gaps: Gaps,
}

impl<'a> Reader<'a> {
    pub fn new(report: &'a mut Report, files: &'a dyn FileResolver, base: PathBuf, dirs: Vec<PathBuf>) -> Self {
        let mut names = Names::default();
        names.add("body", "world", Loc::NONE);
        let overflow = Diagnostic {
            severity: mj_model::Severity::Error,
            loc: Loc::NONE,
            message: String::new(),
            help: None,
            missing: None,
        };
        Self {
            spec: Spec::default(),
            report,
            files,
            base,
            dirs,
            names,
            body: Body { name: "world".into(), simple: Tri::Auto, fuse: Tri::Auto, ..Default::default() },
            around: Vec::new(),
            models: HashMap::new(),
            pending: Pending::default(),
            authored: HashSet::new(),
            budget: Budget::default(),
            classes: HashMap::new(),
            lenient: false,
            unchecked: 0,
            replicates: 0,
            in_default: false,
            numbers: Vec::new(),
            rows: Vec::new(),
            overflow,
            stopped: false,
            class_bytes: Vec::new(),
            class_actuators: Vec::new(),
            inherited: 0,
            asset_files: HashMap::new(),
            asset_bytes: 0,
            gaps: Gaps::default(),
        }
    }

    /// Tells an error.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        if self.stopped {
            return &mut self.overflow;
        }
        if self.report.diagnostics.list.len() >= limits::DIAGNOSTICS {
            self.stopped = true;
            return self.report.diagnostics.error(Loc::NONE, "there are more problems: these come first");
        }
        self.report.diagnostics.error(loc, message)
    }

    /// Tells a warning.
    pub fn warning(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        if self.report.diagnostics.list.len() >= limits::DIAGNOSTICS {
            return &mut self.overflow;
        }
        self.report.diagnostics.warning(loc, message)
    }

    /// The children that are supported, in order; tells about the others.
    pub fn children<'n>(&mut self, node: &'n Node, allowed: &[Child]) -> Vec<&'n Node> {
        let mut out: Vec<&Node> = Vec::with_capacity(node.children.len());
        let mut firsts: Vec<Option<Loc>> = vec![None; allowed.len()];
        for child in &node.children {
            if self.stopped {
                return Vec::new();
            }
            let Some(row) = allowed.iter().position(|c| c.name == child.name) else {
                let message = format!("unknown element `{}` in `{}`", child.name, node.name);
                let lead = format!("`{}` takes:", node.name);
                let help = match allowed {
                    [] => Some(format!("`{}` takes no child elements", node.name)),
                    _ => suggest::help(&child.name, allowed.iter().map(|c| c.name), &lead),
                };
                self.unknown(child.loc, message).help = help;
                self.gaps.drop(child);
                continue;
            };
            let known = allowed[row];
            if known.single
                && let Some(first) = firsts[row].replace(child.loc)
            {
                let place = self.report.sources.place(first).unwrap_or_default();
                let message = format!("`{}` takes at most one `{}`", node.name, child.name);
                self.error(child.loc, message).help(format!("the first is at {place}"));
                self.gaps.drop(child);
                continue;
            }
            out.push(child);
        }
        out
    }

    /// Tells about any child of an element that takes none.
    pub fn no_children(&mut self, node: &Node) {
        self.children(node, &[]);
    }

    /// Reads the attributes of an element into a target.
    pub fn attributes<T>(&mut self, node: &Node, table: &Table<T>, target: &mut T) {
        if self.stopped {
            return;
        }
        for a in &node.attributes {
            self.one_attribute(node, a, table, target);
        }
        table.each(self.in_default, &mut |attr| self.require(node, &attr.form));
        self.rules(node, table.rules);
    }

    /// Complains where a required attribute is not given.
    fn require(&mut self, node: &Node, form: &Form) {
        // An empty list of numbers counts as absent, an empty text does not.
        let missing = form.required
            && match node.get(form.name) {
                None => true,
                Some(text) => form.shape != Shape::Text && number::words(text).next().is_none(),
            };
        if missing {
            self.error(node.loc, format!("`{}` needs the attribute `{}`", node.name, form.name));
        }
    }

    /// Reads one attribute of an element into a target.
    pub fn one_attribute<T>(&mut self, node: &Node, a: &Attribute, table: &Table<T>, target: &mut T) {
        match table.find(&a.name, self.in_default) {
            Some(attr) => self.attribute(a, &attr.form, &mut |value| (attr.put)(target, value)),
            None => self.unknown_attribute(node, a, &table.forms(self.in_default)),
        }
    }

    fn unknown_attribute(&mut self, node: &Node, a: &Attribute, forms: &[&Form]) {
        let names: Vec<&str> = forms.iter().map(|form| form.name).collect();
        let place = if self.in_default { " in a default class" } else { "" };
        let message = format!("unknown attribute `{}` of `{}`{place}", a.name, node.name);
        let help = if names.is_empty() {
            Some(format!("`{}` takes no attributes", node.name))
        } else {
            suggest::help(&a.name, names, &format!("`{}` takes:", node.name))
        };
        let d = if self.unchecked > 0 { self.warning(a.name_loc, message) } else { self.unknown(a.name_loc, message) };
        d.help = help;
    }

    fn unknown(&mut self, loc: Loc, message: String) -> &mut Diagnostic {
        if self.lenient { self.warning(loc, message) } else { self.error(loc, message) }
    }

    /// Parses an attribute and puts its value where it belongs.
    fn attribute(&mut self, a: &Attribute, form: &Form, put: &mut dyn FnMut(Value)) {
        match form.shape {
            Shape::Text => put(Value::Text(&a.value)),
            Shape::Integers { min, max } => {
                self.numbers(a, form, put, [min, max], &|w| number::integer(w).map(f64::from))
            }
            Shape::Numbers { min, max, single } => self.numbers(a, form, put, [min, max], &|w| {
                let x = number::real(w)?;
                if single && x.is_finite() && (x as f32).is_infinite() { Err(NumberError::Range) } else { Ok(x) }
            }),
            Shape::Keyword(words) => match words.iter().position(|w| *w == a.value) {
                Some(row) => put(Value::Keyword(row)),
                None => self.bad_keyword(a, &a.value, words, "one of"),
            },
            Shape::Keywords(words) => {
                let mut rows = std::mem::take(&mut self.rows);
                rows.clear();
                let mut good = true;
                for word in number::words(&a.value) {
                    match words.iter().position(|w| *w == word) {
                        None => {
                            self.bad_keyword(a, word, words, "some of");
                            good = false;
                        }
                        Some(row) if rows.contains(&row) => {
                            self.error(a.value_loc, format!("`{word}` is repeated in `{}`", a.name));
                            good = false;
                        }
                        Some(row) => rows.push(row),
                    }
                }
                if good && !rows.is_empty() {
                    put(Value::Keywords(&rows));
                }
                self.rows = rows;
            }
        }
    }

    fn bad_keyword(&mut self, a: &Attribute, word: &str, words: &[&str], which: &str) {
        let help = suggest::help(word, words.iter().copied(), &format!("it takes {which}:"));
        self.error(a.value_loc, format!("`{word}` is not a value of `{}`", a.name)).help = help;
    }

    fn numbers(
        &mut self,
        a: &Attribute,
        form: &Form,
        put: &mut dyn FnMut(Value),
        count: [usize; 2],
        parse: &dyn Fn(&str) -> Result<f64, NumberError>,
    ) {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        if self.parse_numbers(a, form, &mut numbers, count, parse) {
            put(Value::Numbers(&numbers));
        }
        self.numbers = numbers;
    }

    /// Parses a list of numbers and checks it; false if there is nothing to put.
    fn parse_numbers(
        &mut self,
        a: &Attribute,
        form: &Form,
        numbers: &mut Vec<f64>,
        [min, max]: [usize; 2],
        parse: &dyn Fn(&str) -> Result<f64, NumberError>,
    ) -> bool {
        let kind = if matches!(form.shape, Shape::Integers { .. }) { "integer" } else { "number" };
        let mut warned = false;
        for word in number::words(&a.value) {
            let shown: String = word.chars().take(40).collect();
            match parse(word) {
                Ok(x) => {
                    if x.is_nan() && !warned {
                        self.warning(a.value_loc, format!("`{}` is not a number", a.name));
                        warned = true;
                    }
                    numbers.push(x);
                }
                Err(NumberError::Format) => {
                    let article = if kind == "integer" { "an" } else { "a" };
                    let d = self.error(a.value_loc, format!("`{shown}` in `{}` is not {article} {kind}", a.name));
                    if word.contains(',') {
                        d.help("separate numbers with spaces");
                    } else if kind == "integer" && number::real(word).is_ok() {
                        d.help("write it without fraction and exponent");
                    }
                    return false;
                }
                Err(NumberError::Range) => {
                    self.error(a.value_loc, format!("`{shown}` in `{}` is too large", a.name));
                    return false;
                }
            }
        }
        let n = numbers.len();
        if n == 0 {
            return false;
        }
        if n < min || n > max {
            let expected = if min == max {
                format!("{min} {kind}{}", if min == 1 { "" } else { "s" })
            } else if max == usize::MAX {
                format!("at least {min} {kind}{}", if min == 1 { "" } else { "s" })
            } else {
                format!("{min} to {max} {kind}s")
            };
            self.error(a.value_loc, format!("`{}` takes {expected}, not {n}", a.name));
            return false;
        }
        if let Some((low, strict)) = form.low
            && numbers.iter().any(|&x| x < low || (strict && x == low))
        {
            let relation = if strict { "greater than" } else { "at least" };
            self.error(a.value_loc, format!("`{}` must be {relation} {low}", a.name));
            return false;
        }
        true
    }

    fn rules(&mut self, node: &Node, rules: &[Rule]) {
        rules.iter().for_each(|rule| self.rule(node, rule));
    }

    fn rule(&mut self, node: &Node, rule: &Rule) {
        let given = |name: &&str| node.attribute(name).is_some();
        let list = |bundles: &[&[&str]]| {
            let words: Vec<String> =
                bundles.iter().map(|b| b.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" with ")).collect();
            words.join(", ")
        };
        match rule {
            Rule::AtMostOne(bundles) => {
                let present: Vec<&&str> = bundles.iter().filter_map(|b| b.iter().find(|n| given(n))).collect();
                if let [first, second, ..] = present.as_slice() {
                    let loc = node.attribute(second).map_or(node.loc, |a| a.name_loc);
                    self.error(loc, format!("`{}` cannot have both `{first}` and `{second}`", node.name))
                        .help(format!("give at most one of {}", list(bundles)));
                }
            }
            Rule::OneOf(bundles) => {
                if !bundles.iter().any(|b| b.iter().all(given)) {
                    self.error(node.loc, format!("`{}` needs one of {}", node.name, list(bundles)));
                }
            }
            Rule::Together(names) => {
                let missing: Vec<&&str> = names.iter().filter(|n| !given(n)).collect();
                if let Some(missing) = missing.first()
                    && let Some(present) = names.iter().find(|n| given(n))
                {
                    let loc = node.attribute(present).map_or(node.loc, |a| a.name_loc);
                    self.error(loc, format!("`{present}` of `{}` needs `{missing}` too", node.name));
                }
            }
        }
    }

    /// Notes the name of an element; tells if another of its kind has it.
    pub fn declare(&mut self, kind: &'static str, name: &str, loc: Loc) {
        if name.is_empty() || self.stopped {
            return;
        }
        let Some(before) = self.names.add(kind, name, loc) else {
            return;
        };
        let place = match self.report.sources.place(before) {
            Some(place) => format!("the first is at {place}"),
            None => format!("`{name}` is the name of the world itself"),
        };
        self.error(loc, format!("the name `{name}` is taken: every {kind} needs its own")).help(place);
    }

    /// Notes the name given in an element's `name` attribute.
    pub fn declare_node(&mut self, kind: &'static str, node: &Node) {
        if let Some(a) = node.attribute("name") {
            self.declare(kind, &a.value, a.value_loc);
        }
    }

    /// Row of the default class that an attribute names; `otherwise` where it is not given.
    pub fn class(&mut self, node: &Node, attribute: &str, otherwise: usize) -> usize {
        let row = match node.attribute(attribute) {
            None => otherwise,
            Some(a) => self.classes.get(&a.value).copied().unwrap_or_else(|| {
                self.unknown_class(a);
                otherwise
            }),
        };
        self.inherit(row, node.loc);
        row
    }

    /// Counts what an element takes over from a class: small files must not fill the memory.
    pub fn inherit(&mut self, class: usize, loc: Loc) {
        self.inherited = self.inherited.saturating_add(self.class_bytes[class]);
        if self.inherited > limits::INHERITED && !self.stopped {
            self.error(loc, format!("elements take over more than {} bytes from default classes", limits::INHERITED));
            self.stopped = true;
        }
    }

    fn unknown_class(&mut self, a: &Attribute) {
        if self.gaps.elements && self.gaps.settings {
            // It may be in a file that could not be read, which has been told.
            return;
        }
        let mut names: Vec<String> = if self.stopped { Vec::new() } else { self.classes.keys().cloned().collect() };
        names.sort();
        let help = suggest::help(&a.value, names.iter().map(String::as_str), "the classes are:");
        self.error(a.value_loc, format!("there is no default class `{}`", a.value)).help = help;
    }
}
