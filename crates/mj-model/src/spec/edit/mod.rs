//! Editing a spec by program: finding, adding, removing and attaching.
//!
//! Lists are public, so that adding is pushing; what is here is what takes more than that.

mod attach;
mod conventions;
mod find;
mod remove;

pub use attach::{AttachError, Part};
pub use find::SpecElement;

use super::document::Spec;
use super::{Place, each_place};

impl Spec {
    /// Does something to the tree or the actuators, and moves the numbers of the keyframes with the
    /// elements that they belong to. Entries of new elements are the reset state's; `edit` must leave
    /// the tags of elements as they are.
    pub fn edit<T>(&mut self, edit: impl FnOnce(&mut Self) -> T) -> T {
        // Sizes in the state may follow from a class.
        self.apply_defaults();
        let mut before = Vec::new();
        each_place(self, |tag, place| {
            before.push(place);
            *tag = before.len() as u32;
        });
        let keys = self.keys.len();
        let out = edit(self);
        self.apply_defaults();
        let mut moves: Vec<(Place, Place)> = Vec::new();
        let sizes = each_place(self, |tag, place| {
            if let Some(from) = (*tag as usize).checked_sub(1).and_then(|i| before.get(i)) {
                moves.push((*from, place));
            }
            *tag = 0;
        });
        for key in self.keys.iter_mut().take(keys) {
            *key = sizes.remap(key, key.name.clone(), moves.iter().copied());
        }
        out
    }
}
