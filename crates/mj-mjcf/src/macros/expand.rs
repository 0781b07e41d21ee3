//! Parts that `replicate` and `attach` share: the names that are taken, copies of parts of the tree, copies
//! of what refers to them, and a budget for all of it.

use crate::reader::Reader;
use crate::reader::expansion::{Names, keyword};
use mj_model::Loc;
use mj_model::ObjType;
use mj_model::spec::*;
use std::collections::{HashMap, HashSet};

/// Bytes that a copy of a body and of all that is in it takes.
pub(crate) fn weight(b: &Body) -> usize {
    let text = |t: &String| t.len();
    let own = size_of::<Body>() + b.name.len() + 8 * b.user.len();
    let frames: usize = b.frames.iter().map(|x| size_of::<Frame>() + text(&x.name)).sum();
    let joints: usize = b.joints.iter().map(|x| size_of::<Joint>() + text(&x.name) + 8 * x.user.len()).sum();
    let geoms: usize = b
        .geoms
        .iter()
        .map(|x| size_of::<Geom>() + text(&x.name) + text(&x.material) + text(&x.mesh) + 8 * x.user.len())
        .sum();
    let sites: usize = b.sites.iter().map(|x| size_of::<Site>() + text(&x.name) + 8 * x.user.len()).sum();
    let cameras: usize = b.cameras.iter().map(|x| size_of::<Camera>() + text(&x.name) + 8 * x.user.len()).sum();
    let lights: usize = b.lights.iter().map(|x| size_of::<Light>() + text(&x.name)).sum();
    own + frames + joints + geoms + sites + cameras + lights + b.bodies.iter().map(weight).sum::<usize>()
}

/// Nesting of bodies, the body itself counted.
pub(crate) fn height(b: &Body) -> usize {
    1 + b.bodies.iter().map(height).max().unwrap_or(0)
}

/// Calls `f` with the kind, name and place of everything in a body, and of the body.
fn each_name(b: &Body, f: &mut dyn FnMut(&'static str, &str, Loc)) {
    f("body", &b.name, b.loc);
    b.frames.iter().for_each(|x| f("frame", &x.name, x.loc));
    b.joints.iter().for_each(|x| f("joint", &x.name, x.loc));
    b.geoms.iter().for_each(|x| f("geom", &x.name, x.loc));
    b.sites.iter().for_each(|x| f("site", &x.name, x.loc));
    b.cameras.iter().for_each(|x| f("camera", &x.name, x.loc));
    b.lights.iter().for_each(|x| f("light", &x.name, x.loc));
    b.flexcomps.iter().for_each(|x| f("flex", &x.name, x.loc));
    b.bodies.iter().for_each(|x| each_name(x, f));
}

/// The lists outside the tree that refer to others by name, in the order in which they are copied.
macro_rules! each_list {
    ($call:ident!($($argument:tt)*)) => {
        $call!(pairs, $($argument)*);
        $call!(excludes, $($argument)*);
        $call!(tendons, $($argument)*);
        $call!(equalities, $($argument)*);
        $call!(actuators, $($argument)*);
        $call!(sensors, $($argument)*);
        $call!(tuples, $($argument)*);
        $call!(skins, $($argument)*);
    };
}
pub(crate) use each_list;

/// How far the copies of one part have come.
#[derive(Default)]
pub(crate) struct Copying {
    /// For each list, the rows to copy from: those there were at first, and those that refer to
    /// nothing and so are copied each time, their copies too.
    rows: HashMap<&'static str, Vec<usize>>,
    /// Places of the elements that were copied.
    copied: HashSet<Loc>,
}

impl Reader<'_> {
    /// Puts the contents of a part into the body that is being read, in one of its frames. Names are compared with others
    /// where they are final: not within a part that will be replicated itself.
    pub(crate) fn adopt(&mut self, mut part: Body, frame: Option<usize>) {
        let mut taken = Vec::new();
        part.name.clear();
        each_name(&part, &mut |kind, name, loc| taken.push((kind, name.to_string(), loc)));
        for (kind, name, loc) in taken {
            if self.replicates == 0 {
                self.declare(kind, &name, loc);
            } else if !name.is_empty() {
                self.names.add(kind, &name, loc);
            }
        }
        self.body.adopt(part, frame);
    }

    /// Copies what refers to objects that now have namesakes in a namespace, so that the copies refer
    /// to these.
    pub(crate) fn copy_related(&mut self, space: &Namespace, job: &mut Copying, loc: Loc) {
        macro_rules! copy {
            ($list:ident, $job:ident) => {{
                let mut list = std::mem::take(&mut self.spec.$list);
                let known = list.len();
                let mut rows = $job.rows.remove(stringify!($list)).unwrap_or_else(|| (0..known).collect());
                for i in 0..rows.len() {
                    if let Some((copy, free)) = self.related(&mut list[rows[i]], space, loc) {
                        $job.copied.insert(copy.loc);
                        if free {
                            rows.push(list.len());
                        }
                        list.push(copy);
                    }
                }
                self.take_over(&mut list[known..]);
                $job.rows.insert(stringify!($list), rows);
                self.spec.$list = list;
            }};
        }
        each_list!(copy!(job));
    }

    /// A copy of an element with all that it refers to in the namespace, or some of it where the kind
    /// of element may join what is inside and outside; and whether it refers to nothing. None if the
    /// namespace does not have what it refers to.
    pub(crate) fn related<E: Referring>(&mut self, e: &mut E, space: &Namespace, loc: Loc) -> Option<(E, bool)> {
        let (mut inside, mut outside, mut unknown) = (0, 0, 0);
        let mut full = String::new();
        let mut seek = |names: &Names, kind: ObjType, name: &str| {
            full.clear();
            full.push_str(name);
            space.name(&mut full);
            names.has(kind, &full)
        };
        let names = &self.names;
        e.references(&mut |kind, name| {
            if name.is_empty() {
            } else if seek(names, kind, name) {
                inside += 1;
            } else if E::JOINS && names.has(kind, name) {
                outside += 1;
            } else {
                unknown += 1;
            }
        });
        if !self.spend(0, 1 + inside + outside + unknown, loc) || unknown > 0 || (outside > 0 && inside == 0) {
            return None;
        }
        let mut copy = e.clone();
        let mut bytes = size_of::<E>();
        space.name(copy.name_mut());
        if space.foreign {
            copy.owned_mut(&mut |name| space.name(name));
        }
        let names = &self.names;
        copy.references(&mut |kind, name| {
            bytes += name.len();
            if !name.is_empty() && seek(names, kind, name) {
                space.name(name);
            }
        });
        self.spend(bytes, 0, loc).then_some((copy, inside == 0))
    }

    /// Makes the names of new elements known.
    pub(crate) fn take_over<E: Referring>(&mut self, new: &mut [E]) {
        for e in new {
            let loc = e.loc();
            let name = std::mem::take(e.name_mut());
            self.declare(E::KIND.keyword(), &name, loc);
            *e.name_mut() = name;
        }
    }

    /// Forgets the part that copies were made of, and drops what refers to it.
    pub(crate) fn discard(&mut self, part: &Body, job: &Copying, loc: Loc) {
        let mut gone: HashSet<(&'static str, String)> = HashSet::new();
        each_name(part, &mut |kind, name, _| {
            if !name.is_empty() {
                self.names.remove(kind, name);
                gone.insert((kind, name.to_string()));
            }
        });
        if gone.is_empty() {
            return;
        }
        macro_rules! drop {
            ($list:ident, $gone:ident) => {{
                let mut list = std::mem::take(&mut self.spec.$list);
                list.retain_mut(|e| self.survives(e, &mut $gone, job, loc));
                self.spec.$list = list;
            }};
        }
        each_list!(drop!(gone));
    }

    /// Whether an element refers to nothing that is gone. One that refers to nothing else that is
    /// missing goes as well; the others stay, to be told about later.
    fn survives<E: Referring>(
        &mut self,
        e: &mut E,
        gone: &mut HashSet<(&'static str, String)>,
        job: &Copying,
        loc: Loc,
    ) -> bool {
        let (mut lost, mut unknown, mut lookups) = (None, false, 1);
        let names = &self.names;
        e.references(&mut |kind, name| {
            lookups += 1;
            if name.is_empty() || names.has(kind, name) {
            } else if gone.contains(&(keyword(kind), name.clone())) {
                lost.get_or_insert_with(|| (kind, name.clone()));
            } else {
                unknown = true;
            }
        });
        let Some((kind, name)) = lost.filter(|_| !unknown) else {
            return self.spend(0, lookups, loc) || self.stopped;
        };
        self.spend(0, lookups, loc);
        let own = std::mem::take(e.name_mut());
        self.names.remove(E::KIND.keyword(), &own);
        if !job.copied.contains(&e.loc()) {
            let what = if own.is_empty() { String::new() } else { format!(" `{own}`") };
            let message =
                format!("{}{what} is dropped: its {} `{name}` is replicated", E::KIND.keyword(), kind.keyword());
            self.warning(e.loc(), message).help(
                "it would be copied if everything that it refers to were in the same `replicate`; name a copy to refer to it",
            );
        }
        gone.insert((E::KIND.keyword(), own));
        false
    }
}
