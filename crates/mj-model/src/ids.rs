//! Typed ids and vectors that only the right id can index.

use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// A typed row number of a table.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// Id of row `i`. Ids hold up to 2³² − 2 rows; more panics.
    fn new(i: usize) -> Self;
    /// Row number.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        ///
        /// `Option` of it is four bytes too.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU32);

        impl Id for $name {
            #[inline]
            fn new(i: usize) -> Self {
                Self(u32::try_from(i + 1).ok().and_then(NonZeroU32::new).expect("at most 2^32 - 2 rows"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl $name {
            /// Id of row `i`.
            #[inline]
            pub fn new(i: usize) -> Self {
                <Self as Id>::new(i)
            }
            /// Row number.
            #[inline]
            pub fn index(self) -> usize {
                <Self as Id>::index(self)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                <Self as Id>::new(0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.index())
            }
        }
    )*};
}

ids! {
    /// A body.
    BodyId,
    /// A joint.
    JointId,
    /// A degree of freedom.
    DofId,
    /// A kinematic tree under the world.
    TreeId,
    /// A geom.
    GeomId,
    /// A site.
    SiteId,
    /// A camera.
    CameraId,
    /// A light.
    LightId,
    /// A mesh.
    MeshId,
    /// A height field.
    HfieldId,
    /// A skin.
    SkinId,
    /// A flex.
    FlexId,
    /// An edge of a flex.
    FlexEdgeId,
    /// A bone of a skin.
    BoneId,
    /// A texture.
    TextureId,
    /// A material.
    MaterialId,
    /// An explicit geom pair.
    PairId,
    /// An excluded body pair.
    ExcludeId,
    /// An equality constraint.
    EqualityId,
    /// A tendon.
    TendonId,
    /// An object in a tendon's path.
    WrapId,
    /// An actuator.
    ActuatorId,
    /// A scalar control input.
    ControlId,
    /// A scalar force output of an actuator.
    OutputId,
    /// A sensor.
    SensorId,
    /// A custom numeric field.
    NumericId,
    /// A custom text field.
    TextId,
    /// A custom tuple.
    TupleId,
    /// An entry of a custom tuple.
    TupleItemId,
    /// A keyframe.
    KeyId,
    /// A mocap body's data.
    MocapId,
    /// An instance of a plugin.
    PluginId,
}

impl BodyId {
    /// The world: row 0.
    pub const WORLD: Self = Self(NonZeroU32::MIN);
}

/// A vector indexed by one kind of id.
#[derive(PartialEq)]
pub struct IdVec<I, T> {
    data: Vec<T>,
    id: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// Empty.
    pub const fn new() -> Self {
        Self { data: Vec::new(), id: PhantomData }
    }
    /// `n` copies.
    pub fn filled(n: usize, value: T) -> Self
    where
        T: Clone,
    {
        vec![value; n].into()
    }
    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.data.len()
    }
    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
    /// Appends a row and returns its id.
    pub fn push(&mut self, value: T) -> I {
        self.data.push(value);
        I::new(self.data.len() - 1)
    }
    /// Makes it `n` rows long.
    pub fn resize(&mut self, n: usize, value: T)
    where
        T: Clone,
    {
        self.data.resize(n, value);
    }
    /// The row, or `None` out of range.
    pub fn get(&self, i: I) -> Option<&T> {
        self.data.get(i.index())
    }
    /// All ids in order.
    #[inline]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.data.len()).map(I::new)
    }
    /// Rows with their ids.
    pub fn iter_ids(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.data.iter().enumerate().map(|(i, x)| (I::new(i), x))
    }
    /// Rows.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.data.iter()
    }
    /// Rows, to be changed.
    #[inline]
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.data.iter_mut()
    }
    /// All rows, for loops that index by number.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }
    /// All rows, to be changed.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(data: Vec<T>) -> Self {
        Self { data, id: PhantomData }
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Vec::from_iter(iter).into()
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I, T: Clone> Clone for IdVec<I, T> {
    fn clone(&self) -> Self {
        self.data.clone().into()
    }
    fn clone_from(&mut self, other: &Self) {
        self.data.clone_from(&other.data);
    }
}

impl<I, T: std::fmt::Debug> std::fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.data.fmt(f)
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, i: I) -> &T {
        &self.data[i.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, i: I) -> &mut T {
        &mut self.data[i.index()]
    }
}

/// Ids `first .. first + n`, or none where there is no first.
#[inline]
pub fn id_range<I: Id>(first: Option<I>, n: u32) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I> {
    let a = first.map_or(0, Id::index);
    let n = if first.is_some() { n as usize } else { 0 };
    (a..a + n).map(I::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_ids_are_small() {
        assert_eq!(size_of::<Option<BodyId>>(), 4);
        assert_eq!(BodyId::WORLD.index(), 0);
    }

    #[test]
    fn ranges() {
        assert_eq!(id_range(Some(DofId::new(2)), 3).map(|d| d.index()).collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(id_range(None::<DofId>, 3).count(), 0);
    }
}
