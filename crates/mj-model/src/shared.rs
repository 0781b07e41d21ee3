//! What copies of a model have in common until one of them changes it.

use crate::binary::{Binary, Result, Source};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A part of a model that may be large, and that variations of the model share: a copy costs nothing, and takes memory
/// of its own when it is changed. It is used as if it were the part itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Whether two are one in memory.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(part: T) -> Self {
        Self(Arc::new(part))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T: Binary> Binary for Shared<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }
    fn read(from: &mut Source) -> Result<Self> {
        T::read(from).map(Self::from)
    }
    fn layout(out: &mut String) {
        T::layout(out);
    }
}
