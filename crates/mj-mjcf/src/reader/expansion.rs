//! Memory of the expansion of `replicate` and `attach` while a document is read: the names that are taken, the models that may
//! be attached, and a budget.

use super::Reader;
use super::keys::State;
use crate::limits;
use mj_model::spec::Passthrough;
use mj_model::{Loc, ObjType, Spec};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

/// A model that may be attached.
#[derive(Clone)]
pub(crate) struct ModelAsset {
    /// The model, in this one's conventions, its keyframes taken out. None if it has errors, which
    /// have been told.
    pub model: Option<Rc<Spec>>,
    pub state: Rc<State>,
    /// Attributes of `option` that it gives.
    pub authored: Rc<HashSet<String>>,
    /// Whether its settings have been compared with this model's.
    pub settled: bool,
}

/// Names of each kind, with their places.
///
/// Names in a part that is to be replicated hold until its copies have theirs. Until then one of them may be the name of
/// something outside, too.
#[derive(Default)]
pub(crate) struct Names(HashMap<&'static str, HashMap<String, Bearers>>);

/// Places of the elements that have a name.
struct Bearers {
    first: Loc,
    others: Vec<Loc>,
}

impl Names {
    /// Adds a name; the place of the last one that had it before, if any.
    pub fn add(&mut self, kind: &'static str, name: &str, loc: Loc) -> Option<Loc> {
        match self.0.entry(kind).or_default().entry(name.to_string()) {
            Entry::Vacant(entry) => {
                entry.insert(Bearers { first: loc, others: Vec::new() });
                None
            }
            Entry::Occupied(entry) => {
                let bearers = entry.into_mut();
                let before = *bearers.others.last().unwrap_or(&bearers.first);
                bearers.others.push(loc);
                Some(before)
            }
        }
    }

    /// Takes the name from the element that got it last.
    pub fn remove(&mut self, kind: &'static str, name: &str) {
        let Some(names) = self.0.get_mut(kind) else { return };
        if names.get_mut(name).is_some_and(|bearers| bearers.others.pop().is_none()) {
            names.remove(name);
        }
    }

    /// Whether an object has the name.
    pub fn has(&self, kind: ObjType, name: &str) -> bool {
        self.0.get(keyword(kind)).is_some_and(|names| names.contains_key(name))
    }

    /// All names of a kind, in alphabetical order.
    pub fn sorted(&self, kind: ObjType) -> Vec<&str> {
        let mut names: Vec<&str> = self.0.get(keyword(kind)).into_iter().flatten().map(|(n, _)| n.as_str()).collect();
        names.sort_unstable();
        names
    }
}

/// Names are shared by the kinds that stand for one list of objects.
pub(crate) fn keyword(kind: ObjType) -> &'static str {
    if kind == ObjType::XBody { ObjType::Body.keyword() } else { kind.keyword() }
}

/// Limits that are left for expansion.
pub(crate) struct Budget {
    bytes: usize,
    lookups: usize,
    /// Models that may still be read.
    pub models: usize,
    /// The models that are being read, each attached to the one before.
    pub open: Vec<PathBuf>,
    /// Assets that the outermost model leaves by reference.
    pub passthrough: Passthrough,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            bytes: limits::EXPANDED,
            lookups: limits::LOOKUPS,
            models: limits::MODELS,
            open: Vec::new(),
            passthrough: Passthrough::None,
        }
    }
}

impl Reader<'_> {
    /// Takes from the budget; false if it does not have that much, which is told once.
    pub(crate) fn spend(&mut self, bytes: usize, lookups: usize, loc: Loc) -> bool {
        if self.stopped {
            return false;
        }
        if bytes <= self.budget.bytes && lookups <= self.budget.lookups {
            self.budget.bytes -= bytes;
            self.budget.lookups -= lookups;
            return true;
        }
        let message = if bytes > self.budget.bytes {
            format!("copies take more than {} bytes here", limits::EXPANDED)
        } else {
            format!("copies need more than {} names looked up here", limits::LOOKUPS)
        };
        self.error(loc, message).help("`replicate` and `attach` make too much of this model");
        self.stopped = true;
        false
    }
}
