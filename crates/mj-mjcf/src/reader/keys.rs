//! Keyframes of attached models. Where their numbers go is known only when the whole tree has been
//! read, so each element that has some is tagged, and the keyframes are written at the end.

use super::Reader;
use mj_model::Loc;
use mj_model::Spec;
use mj_model::spec::{Key, Place, each_place};
use std::ops::Range;
use std::rc::Rc;

/// The keyframes of one attached model, and the places of its elements by tag.
#[derive(Default)]
pub(crate) struct State {
    keys: Vec<Key>,
    places: Vec<Place>,
}

/// Keyframes to be settled, in the order in which their models were attached.
#[derive(Default)]
pub(crate) struct Pending {
    /// For each attached model: its state, the names of its keyframes, and the first of its tags.
    attached: Vec<(Rc<State>, Vec<String>, u32)>,
    tags: u32,
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
            for (part, numbers, n) in sizes.parts(key) {
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
                let moves = there[from..to].iter().map(|(tag, to)| (state.places[(tag - first) as usize], *to));
                let key = sizes.remap(source, name, moves);
                self.spec.keys.push(key);
            }
        }
    }
}
