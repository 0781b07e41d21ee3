//! What every pass of the compiler shares: the source, the diagnostics, the names so far.

use mj_model::spec::Compiler;
use mj_model::{Diagnostic, Diagnostics, Loc, Names, ObjType, Spec, Tri};
use std::collections::HashMap;

/// State of one compilation.
pub(crate) struct Context<'a> {
    pub spec: &'a Spec,
    pub compiler: &'a Compiler,
    pub diag: Diagnostics,
    pub names: Names,
}

impl<'a> Context<'a> {
    pub fn new(spec: &'a Spec) -> Self {
        Self { spec, compiler: &spec.compiler, diag: Diagnostics::default(), names: Names::default() }
    }

    /// Adds an error.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        self.diag.error(loc, message)
    }

    /// Adds a warning.
    pub fn warning(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        self.diag.warning(loc, message)
    }

    /// Adds the error that a feature is known but not supported yet.
    pub fn unsupported(&mut self, loc: Loc, what: impl std::fmt::Display) {
        self.diag.unsupported(loc, what);
    }

    /// Makes the names of a kind known; a name that stands twice is an error.
    pub fn register<'n>(&mut self, kind: ObjType, names: impl Iterator<Item = (&'n str, Loc)>) {
        let mut seen: HashMap<&str, ()> = HashMap::new();
        let mut list = Vec::new();
        for (name, loc) in names {
            if !name.is_empty() && seen.insert(name, ()).is_some() {
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
        let near = nearest(name, self.names.all(kind)).map(str::to_string);
        let count = self.names.all(kind).len();
        let d = if name.is_empty() {
            self.error(loc, format!("{role}: the name of a {word} is missing"))
        } else {
            self.error(loc, format!("{role}: there is no {word} named `{name}`"))
        };
        match near {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None if count == 0 => d.help(format!("the model has no {word}")),
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

/// An element in messages: its kind, and its name if it has one.
pub(crate) fn describe(kind: &str, name: &str) -> String {
    if name.is_empty() { kind.to_string() } else { format!("{kind} `{name}`") }
}

/// The candidate that is fewest edits away, if that is few enough to be a slip of the hand.
fn nearest<'n>(name: &str, candidates: &'n [String]) -> Option<&'n str> {
    // Long lists of long names are not worth the time.
    if name.len() > 100 || candidates.len() > 100_000 {
        return None;
    }
    candidates
        .iter()
        .filter(|c| !c.is_empty() && c.len().abs_diff(name.len()) <= 2)
        .map(|c| (edits(name, c), c.as_str()))
        .filter(|(n, c)| *n <= 2 && *n < c.len().max(2))
        .min_by_key(|(n, _)| *n)
        .map(|(_, c)| c)
}

/// Levenshtein distance in characters.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_name() {
        let names = ["left_knee".to_string(), "right_knee".into(), String::new()];
        assert_eq!(nearest("left_kne", &names), Some("left_knee"));
        assert_eq!(nearest("elbow", &names), None);
        assert_eq!((edits("kitten", "sitting"), edits("", "abc")), (3, 3));
    }
}
