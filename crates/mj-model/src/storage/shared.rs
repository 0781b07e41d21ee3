//! Values that copies of a model share until one of them changes its own.

use super::binary::Binary;
use super::source::{Result, Source};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A part of a model that may be large, and that variations of the model share: a copy costs nothing, and takes memory
/// of its own when it is changed. It is used as if it were the part itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Returns whether two are one in memory.
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

/// A part of a model that its copies share and that is read-only once the model is compiled: structure, and what is
/// derived from assets. It is used as if it were the part itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixed<T>(Arc<T>);

impl<T> Fixed<T> {
    /// Returns whether two are one in memory.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Clone> Fixed<T> {
    /// Returns the part to be changed, for those who build models: what is derived from a model's structure doesn't follow.
    /// Call [`Model::seal`](crate::Model::seal) when done.
    pub fn edit(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> From<T> for Fixed<T> {
    fn from(part: T) -> Self {
        Self(Arc::new(part))
    }
}

impl<I, T> From<Vec<T>> for Fixed<crate::ids::IdVec<I, T>> {
    fn from(rows: Vec<T>) -> Self {
        crate::ids::IdVec::from(rows).into()
    }
}

impl<T> Deref for Fixed<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// In a file, the part itself.
macro_rules! binary_part {
    ($($t:ident),*) => {$(
        impl<T: Binary> Binary for $t<T> {
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
    )*};
}

binary_part!(Shared, Fixed);
