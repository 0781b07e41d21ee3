//! Keyframes of attached models. Where their numbers go is known only when the whole tree has been
//! read, so each element that has some is tagged, and the keyframes are written at the end.

use crate::reader::Reader;
use mj_model::Spec;
use mj_model::diag::Loc;
use mj_model::enums::{DynType, JointType};
use mj_model::spec::{Body, Key};
use std::ops::Range;
use std::rc::Rc;

/// Where an element's numbers stand in the state.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    qpos: (usize, usize),
    qvel: (usize, usize),
    act: (usize, usize),
    ctrl: (usize, usize),
    mocap: Option<usize>,
}

/// The sizes of a state.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    qpos: usize,
    qvel: usize,
    act: usize,
    ctrl: usize,
    mocap: usize,
}

/// The keyframes of one attached model, and the places of its elements by tag.
#[derive(Default)]
pub(crate) struct State {
    keys: Vec<Key>,
    places: Vec<Place>,
}

/// Keyframes to be settled, in the order in which their models were attached.
#[derive(Default)]
pub(crate) struct Pending {
    /// What is attached: its state, the names of its keyframes, and the first of its tags.
    attached: Vec<(Rc<State>, Vec<String>, u32)>,
    tags: u32,
}

/// Numbers in `qpos` and `qvel`.
fn joint_sizes(t: JointType) -> (usize, usize) {
    match t {
        JointType::Free => (7, 6),
        JointType::Ball => (4, 3),
        JointType::Slide | JointType::Hinge => (1, 1),
    }
}

/// Calls `f` with every element that has a state: its tag, and its place in the model's state.
fn each_place(spec: &mut Spec, mut f: impl FnMut(&mut u32, Place)) -> Sizes {
    fn body(b: &mut Body, at: &mut Sizes, f: &mut dyn FnMut(&mut u32, Place)) {
        if b.mocap {
            f(&mut b.tag, Place { mocap: Some(at.mocap), ..Default::default() });
            at.mocap += 1;
        }
        for j in &mut b.joints {
            let (nq, nv) = joint_sizes(j.r#type);
            f(&mut j.tag, Place { qpos: (at.qpos, nq), qvel: (at.qvel, nv), ..Default::default() });
            at.qpos += nq;
            at.qvel += nv;
        }
        for child in &mut b.bodies {
            body(child, at, f);
        }
    }
    let mut at = Sizes::default();
    body(&mut spec.worldbody, &mut at, &mut f);
    for a in &mut spec.actuators {
        let na = usize::try_from(a.actdim).unwrap_or(usize::from(a.dyntype != DynType::None));
        let na = if a.actdim == 0 { usize::from(a.dyntype != DynType::None) } else { na };
        f(&mut a.tag, Place { act: (at.act, na), ctrl: (at.ctrl, 1), ..Default::default() });
        at.act = at.act.saturating_add(na);
        at.ctrl += 1;
    }
    at
}

/// The parts of a keyframe with the numbers that each needs.
fn parts(key: &mut Key, s: Sizes) -> [(&'static str, &mut Vec<f64>, usize); 6] {
    [
        ("qpos", &mut key.qpos, s.qpos),
        ("qvel", &mut key.qvel, s.qvel),
        ("act", &mut key.act, s.act),
        ("ctrl", &mut key.ctrl, s.ctrl),
        ("mpos", &mut key.mpos, 3 * s.mocap),
        ("mquat", &mut key.mquat, 4 * s.mocap),
    ]
}

impl Reader<'_> {
    /// Takes the keyframes out of a model that is to be attached, and tags what they set from 1 on.
    pub(crate) fn take_state(&mut self, spec: &mut Spec) -> State {
        let mut keys = std::mem::take(&mut spec.keys);
        if keys.is_empty() {
            return State::default();
        }
        let mut places = Vec::new();
        let sizes = each_place(spec, |tag, place| {
            places.push(place);
            *tag = places.len() as u32;
        });
        for key in &mut keys {
            let (loc, name) = (key.loc, key.name.clone());
            for (part, numbers, n) in parts(key, sizes) {
                if !numbers.is_empty() && numbers.len() != n {
                    let message =
                        format!("keyframe `{name}`: `{part}` has {} numbers, but the model has {n}", numbers.len());
                    self.error(loc, message).help("a model can be attached only with whole keyframes");
                    numbers.clear();
                }
            }
        }
        State { keys, places }
    }

    /// Notes that a model is attached: its keyframes get names with a prefix, and its tags go up by the
    /// number returned.
    pub(crate) fn await_keys(&mut self, state: &Rc<State>, prefix: &str, loc: Loc) -> u32 {
        if state.keys.is_empty() {
            return 0;
        }
        let first = self.pending.tags;
        let numbers: usize = state.keys.iter().map(|k| k.qpos.len() + k.qvel.len() + k.ctrl.len()).sum();
        if !self.spend(8 * numbers + 64 * state.keys.len(), 0, loc) {
            return 0;
        }
        let mut names = Vec::new();
        for key in &state.keys {
            let name = format!("{prefix}{}", key.name);
            self.declare("key", &name, key.loc);
            names.push(name);
        }
        self.pending.attached.push((state.clone(), names, first));
        self.pending.tags += state.places.len() as u32;
        first
    }

    /// Writes the keyframes of attached models, now that the tree is whole, and clears the tags.
    pub(crate) fn settle_keys(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if pending.attached.is_empty() {
            return;
        }
        let mut there: Vec<(u32, Place)> = Vec::new();
        let sizes = each_place(&mut self.spec, |tag, place| {
            if *tag > 0 {
                there.push((*tag - 1, place));
            }
            *tag = 0;
        });
        there.sort_unstable_by_key(|(tag, _)| *tag);
        for (state, names, first) in pending.attached {
            let tags: Range<u32> = first..first + state.places.len() as u32;
            let from = there.partition_point(|(tag, _)| *tag < tags.start);
            let to = there.partition_point(|(tag, _)| *tag < tags.end);
            for (source, name) in state.keys.iter().zip(names) {
                let numbers = sizes.qpos + sizes.qvel + sizes.act.saturating_add(sizes.ctrl) + 7 * sizes.mocap;
                if !self.spend(numbers.saturating_mul(8), 0, source.loc) {
                    return;
                }
                // Entries of what was not attached, and of the rest of the model, are the reset state's.
                let mut source = source.clone();
                let mut key = Key { name, time: source.time, loc: source.loc, ..Default::default() };
                for ((_, given, _), (_, out, n)) in parts(&mut source, sizes).into_iter().zip(parts(&mut key, sizes)) {
                    if !given.is_empty() {
                        out.resize(n, f64::NAN);
                    }
                }
                for (tag, to) in &there[from..to] {
                    carry(&source, &mut key, state.places[(tag - first) as usize], *to);
                }
                self.spec.keys.push(key);
            }
        }
    }
}

/// Copies an element's numbers from one keyframe to another.
fn carry(source: &Key, key: &mut Key, from: Place, to: Place) {
    let copy = |source: &[f64], out: &mut [f64], from: usize, to: usize, n: usize| {
        if let (Some(source), Some(out)) = (source.get(from..from + n), out.get_mut(to..to + n)) {
            out.copy_from_slice(source);
        }
    };
    copy(&source.qpos, &mut key.qpos, from.qpos.0, to.qpos.0, to.qpos.1);
    copy(&source.qvel, &mut key.qvel, from.qvel.0, to.qvel.0, to.qvel.1);
    copy(&source.act, &mut key.act, from.act.0, to.act.0, to.act.1);
    copy(&source.ctrl, &mut key.ctrl, from.ctrl.0, to.ctrl.0, to.ctrl.1);
    if let (Some(from), Some(to)) = (from.mocap, to.mocap) {
        copy(&source.mpos, &mut key.mpos, 3 * from, 3 * to, 3);
        copy(&source.mquat, &mut key.mquat, 4 * from, 4 * to, 4);
    }
}
