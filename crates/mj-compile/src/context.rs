//! State shared by all passes of the compiler: the source, the diagnostics, the names so far.

use crate::instances::Plugins;
use crate::mesh::MeshBuild;
use crate::resize::Resized;
use mj_model::plugin::Registry;
use mj_model::spec::Compiler;
use mj_model::{Diagnostic, Diagnostics, Loc, MaterialId, Names, ObjType, Spec, Tri, suggest};
use std::collections::HashSet;

/// Names that help lists, at most.
const LISTED: usize = 12;

/// State of one compilation.
pub(crate) struct Context<'a> {
    pub spec: &'a Spec,
    /// Result of resizing frames, if there are any: the spec above is its spec.
    pub resized: Option<&'a Resized>,
    pub compiler: &'a Compiler,
    /// Plugins and decoders that the model may name.
    pub registry: &'a Registry,
    pub diag: Diagnostics,
    pub names: Names,
    /// The meshes, by row; none for those that are wrong.
    pub meshes: Vec<Option<MeshBuild>>,
    /// The instances of plugins.
    pub plugins: Plugins,
}

impl<'a> Context<'a> {
    /// Makes the context of a spec, or of its resized form.
    pub fn of(spec: &'a Spec, resized: Option<&'a Resized>, registry: &'a Registry) -> Self {
        let spec = resized.map_or(spec, |r| &r.spec);
        Self {
            spec,
            resized,
            compiler: &spec.compiler,
            registry,
            diag: Diagnostics::default(),
            names: Names::default(),
            meshes: Vec::new(),
            plugins: Plugins::default(),
        }
    }

    /// Adds an error.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        self.diag.error(loc, message)
    }

    /// Adds a warning.
    pub fn warning(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        self.diag.warning(loc, message)
    }

    /// Makes the names of a kind known; a name that stands twice is an error.
    pub fn register<'n>(&mut self, kind: ObjType, names: impl Iterator<Item = (&'n str, Loc)>) {
        let mut seen = HashSet::new();
        let mut list = Vec::new();
        for (name, loc) in names {
            if !name.is_empty() && !seen.insert(name) {
                self.error(loc, format!("another {} is named `{name}` already", kind.keyword()))
                    .help("names must be unique among elements of one kind");
            }
            list.push(name.to_string());
        }
        self.names.set(kind, list);
    }

    /// Row of a name, or an error that says what is near. `role` is what refers to it, as in
    /// "target of camera `eye`".
    pub fn find(&mut self, kind: ObjType, name: &str, loc: Loc, role: &str) -> Option<usize> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        if let Some(i) = self.names.find(kind, name) {
            return Some(i);
        }
        let word = kind.keyword();
        // Guessing takes time: a file full of wrong names gets by with a few guesses.
        let few = self.diag.list.len() < 50 && self.names.all(kind).len() < 10_000;
        let candidates = self.names.all(kind).iter().map(String::as_str).filter(|n| !n.is_empty());
        let near = few.then(|| suggest::closest(name, candidates.clone())).flatten().map(str::to_string);
        let count = self.names.all(kind).len();
        let known: Vec<String> = candidates.take(LISTED + 1).map(|n| format!("`{n}`")).collect();
        let d = if name.is_empty() {
            self.error(loc, format!("{role}: the name of a {word} is missing"))
        } else {
            self.error(loc, format!("{role}: there is no {word} named `{name}`")).missing(name)
        };
        match near {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None if count == 0 => d.help(format!("the model has no {word}")),
            None if known.is_empty() => d.help(format!("no {word} has a name")),
            None if known.len() <= LISTED => d.help(format!("there are: {}", known.join(", "))),
            None => d,
        };
        None
    }

    /// Whether limits act, and the limits. `auto` needs the compiler's leave to follow from the
    /// range; a range upside down is an error where limits were demanded.
    pub fn limits(
        &mut self,
        limited: Tri,
        range: Option<[f64; 2]>,
        loc: Loc,
        what: &str,
        attribute: &str,
    ) -> (bool, [f64; 2]) {
        let range = range.unwrap_or_default();
        let given = range != [0.0, 0.0];
        match limited {
            Tri::False => return (false, range),
            Tri::True if range[0] < range[1] => return (true, range),
            Tri::True => {
                self.error(loc, format!("{what}: the lower limit of `{attribute}` must be below the upper one"));
                return (true, range);
            }
            Tri::Auto => {}
        }
        if given && !self.compiler.autolimits {
            let flag = attribute.replace("range", "limited");
            self.error(loc, format!("{what} has `{attribute}` but not `{flag}`")).help(format!(
                "set `{flag}` to true or false, drop `{attribute}`, or set autolimits=\"true\" in `compiler`"
            ));
        } else if given && range[0] >= range[1] {
            self.warning(
                loc,
                format!("{what}: the range `{attribute}` is empty or upside down, so there are no limits"),
            );
        }
        (range[0] < range[1], range)
    }

    /// Checks the size of an element's user data against the size of its kind.
    pub fn check_user(&mut self, user: &[f64], size: usize, loc: Loc, kind: &str) {
        if user.len() > size {
            self.error(loc, format!("{} user values, but `nuser_{kind}` in `size` is {size}", user.len()));
        }
    }
}

/// Row of a material by name, if one is named.
pub(crate) fn material(cx: &mut Context, name: &str, loc: Loc, what: &str) -> Option<MaterialId> {
    if name.is_empty() || cx.compiler.discardvisual {
        return None;
    }
    cx.find(ObjType::Material, name, loc, &format!("material of {what}")).map(MaterialId::new)
}
