//! Contacts of the narrow phase: geometry only, no parameters.

use mj_math::DVec3;

/// The largest number of contacts between two shapes.
pub const MAX_CONTACTS: usize = 50;

/// A contact point between two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreContact {
    /// Distance of the surfaces along the normal; negative when they overlap.
    pub dist: f64,
    /// Midpoint between the two surfaces.
    pub pos: DVec3,
    /// Unit vector from the first shape to the second.
    pub normal: DVec3,
    /// A direction that the first tangent should follow as nearly as it can; zero where any will do.
    pub tangent: DVec3,
}

impl PreContact {
    /// No contact yet.
    pub const ZERO: Self = Self { dist: 0.0, pos: DVec3::ZERO, normal: DVec3::ZERO, tangent: DVec3::ZERO };
}

/// A list of at most [`MAX_CONTACTS`] contacts that never allocates.
#[derive(Clone, Debug)]
pub struct PreContacts {
    len: usize,
    items: [PreContact; MAX_CONTACTS],
}

impl PreContacts {
    /// An empty list.
    pub fn new() -> Self {
        Self { len: 0, items: [PreContact::ZERO; MAX_CONTACTS] }
    }

    /// Forgets all contacts.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends a contact; beyond the capacity it is dropped.
    pub fn push(&mut self, contact: PreContact) {
        if let Some(slot) = self.items.get_mut(self.len) {
            *slot = contact;
            self.len += 1;
        }
    }

    /// Appends a contact whose first tangent is free.
    pub(crate) fn add(&mut self, dist: f64, pos: DVec3, normal: DVec3) {
        self.push(PreContact { dist, pos, normal, tangent: DVec3::ZERO });
    }

    /// The contacts, to change.
    pub fn as_mut_slice(&mut self) -> &mut [PreContact] {
        &mut self.items[..self.len]
    }
}

impl Default for PreContacts {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Deref for PreContacts {
    type Target = [PreContact];

    fn deref(&self) -> &[PreContact] {
        &self.items[..self.len]
    }
}
