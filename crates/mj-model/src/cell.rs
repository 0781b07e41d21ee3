//! Values that stand in tables: each knows its type, its shape and its numbers.

use crate::binary::{Result, Rows, Source, Stored};
use crate::ids::*;
use mj_math::{DMat3, DQuat, DVec3, Inertia, Spatial, quat};

/// Numbers of one column, row after row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Double precision.
    F64(Vec<f64>),
    /// Single precision: what only rendering uses.
    F32(Vec<f32>),
    /// Integers, ids (−1: none) and enum codes.
    I32(Vec<i32>),
    /// Bytes.
    U8(Vec<u8>),
    /// Truth values.
    Bool(Vec<bool>),
}

impl Column {
    /// Number of entries.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::U8(v) => v.len(),
            Self::Bool(v) => v.len(),
        }
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entries as doubles.
    pub fn to_f64(&self) -> Vec<f64> {
        match self {
            Self::F64(v) => v.clone(),
            Self::F32(v) => v.iter().map(|&x| x.into()).collect(),
            Self::I32(v) => v.iter().map(|&x| x.into()).collect(),
            Self::U8(v) => v.iter().map(|&x| x.into()).collect(),
            Self::Bool(v) => v.iter().map(|&x| u8::from(x).into()).collect(),
        }
    }
}

/// A value that can stand in a table: it knows its type, its shape and its numbers.
pub trait Cell: Clone + Default {
    /// Shape of one cell; empty for a scalar.
    const SHAPE: &'static [usize];
    /// An empty column of the cell's number type.
    fn column() -> Column;
    /// Appends the cell's numbers.
    fn put(&self, column: &mut Column);
    /// Takes on numbers in the order in which [`put`](Self::put) gives them. Ids and codes stay as they are, and return
    /// false.
    fn set(&mut self, _numbers: &[f64]) -> bool {
        false
    }
}

macro_rules! scalar_cell {
    ($($t:ty => $kind:ident, $conv:expr, $take:expr, $set:expr);* $(;)?) => {$(
        impl Stored for $t {
            fn take(from: &mut Source) -> Result<Self> {
                let take: fn(&mut Source) -> Result<$t> = $take;
                take(from)
            }
        }
        scalar_cell!(@cell $t => $kind, $conv, $set);
    )*};
    (@cell $t:ty => $kind:ident, $conv:expr $(, $set:expr)?) => {
        impl Cell for $t {
            const SHAPE: &'static [usize] = &[];
            fn column() -> Column {
                Column::$kind(Vec::new())
            }
            fn put(&self, column: &mut Column) {
                if let Column::$kind(v) = column {
                    let convert: fn(&$t) -> _ = $conv;
                    v.push(convert(self));
                }
            }
            $(
                fn set(&mut self, numbers: &[f64]) -> bool {
                    numbers.first().copied().map($set).map(|x| *self = x).is_some()
                }
            )?
        }
    };
}

scalar_cell! {
    f64 => F64, |x| *x, |s| s.bytes().map(f64::from_le_bytes), |x| x;
    f32 => F32, |x| *x, |s| s.bytes().map(f32::from_le_bytes), |x| x as f32;
    i32 => I32, |x| *x, |s| s.bytes().map(i32::from_le_bytes), |x| x as i32;
    u32 => I32, |x| i32::try_from(*x).unwrap_or(i32::MAX), |s| s.number(), |x| x as u32;
    u8 => U8, |x| *x, |s| s.bytes().map(|[x]| x), |x| x as u8;
    bool => Bool, |x| *x, |s| s.truth(), |x| x != 0.0;
}

macro_rules! id_cell {
    ($($t:ident $rows:ident),* $(,)?) => {$(
        scalar_cell!(@cell $t => I32, |x| i32::try_from(x.index()).unwrap_or(i32::MAX));
        scalar_cell!(@cell Option<$t> => I32, |x| x.map_or(-1, |x| i32::try_from(x.index()).unwrap_or(i32::MAX)));

        impl Stored for $t {
            fn take(from: &mut Source) -> Result<Self> {
                from.number().map(|i| Self::new(i as usize))
            }
            fn limit(rows: &Rows) -> usize {
                rows.$rows
            }
            fn reach(&self) -> usize {
                self.index() + 1
            }
        }

        impl Stored for Option<$t> {
            fn take(from: &mut Source) -> Result<Self> {
                from.optional().map(|i| i.map($t::new))
            }
            fn limit(rows: &Rows) -> usize {
                rows.$rows
            }
            fn reach(&self) -> usize {
                self.map_or(0, |i| i.index() + 1)
            }
        }
    )*};
}

id_cell!(
    BodyId body,
    JointId jnt,
    DofId dof,
    TreeId tree,
    GeomId geom,
    SiteId site,
    CameraId cam,
    LightId light,
    MeshId mesh,
    HfieldId hfield,
    SkinId skin,
    BoneId bone,
    TextureId tex,
    MaterialId mat,
    PairId pair,
    ExcludeId exclude,
    EqualityId eq,
    TendonId tendon,
    WrapId wrap,
    ActuatorId actuator,
    ControlId control,
    OutputId output,
    SensorId sensor,
    NumericId numeric,
    TextId text,
    TupleId tuple,
    TupleItemId tuple_item,
    KeyId key,
    MocapId mocap
);

macro_rules! vector_cell {
    ($($t:ty, $n:literal, $conv:expr $(, $set:expr)?);* $(;)?) => {$(
        impl Cell for $t {
            const SHAPE: &'static [usize] = &[$n];
            fn column() -> Column {
                Column::F64(Vec::new())
            }
            fn put(&self, column: &mut Column) {
                if let Column::F64(v) = column {
                    let convert: fn(&$t) -> [f64; $n] = $conv;
                    v.extend(convert(self));
                }
            }
            $(
                fn set(&mut self, numbers: &[f64]) -> bool {
                    let convert: fn(&[f64; $n]) -> $t = $set;
                    numbers.first_chunk().map(|x| *self = convert(x)).is_some()
                }
            )?
        }
    )*};
}

vector_cell! {
    DVec3, 3, |x| x.to_array(), |x| DVec3::from_array(*x);
    DQuat, 4, |x| quat::to_wxyz(*x), |x| quat::from_wxyz(*x);
    DMat3, 9, |x| x.transpose().to_cols_array(), |x| DMat3::from_cols_array(x).transpose();
    Spatial, 6, |x| x.to_array(), |x| Spatial::from_slice(x);
    Inertia, 10, |x| x.to_array();
}

/// Shape of an array cell of `N` entries.
struct ArrayShape<const N: usize>;
impl<const N: usize> ArrayShape<N> {
    const SHAPE: &'static [usize] = &[N];
}

impl Stored for DVec3 {
    fn take(from: &mut Source) -> Result<Self> {
        <[f64; 3]>::take(from).map(Self::from_array)
    }
}

impl Stored for DQuat {
    fn take(from: &mut Source) -> Result<Self> {
        <[f64; 4]>::take(from).map(quat::from_wxyz)
    }
}

impl Stored for DMat3 {
    fn take(from: &mut Source) -> Result<Self> {
        <[f64; 9]>::take(from).map(|a| Self::from_cols_array(&a).transpose())
    }
}

impl<T: Stored, const N: usize> Stored for [T; N]
where
    [T; N]: Default,
{
    fn take(from: &mut Source) -> Result<Self> {
        let mut out = Self::default();
        for x in &mut out {
            *x = T::take(from)?;
        }
        Ok(out)
    }
    fn limit(rows: &Rows) -> usize {
        T::limit(rows)
    }
    fn reach(&self) -> usize {
        self.iter().map(T::reach).max().unwrap_or(0)
    }
}

impl<T: Cell, const N: usize> Cell for [T; N]
where
    [T; N]: Default,
{
    const SHAPE: &'static [usize] = ArrayShape::<N>::SHAPE;
    fn column() -> Column {
        T::column()
    }
    fn put(&self, column: &mut Column) {
        self.iter().for_each(|x| x.put(column));
    }
    fn set(&mut self, numbers: &[f64]) -> bool {
        let width: usize = T::SHAPE.iter().product();
        self.iter_mut().zip(numbers.chunks_exact(width)).all(|(x, numbers)| x.set(numbers))
    }
}
