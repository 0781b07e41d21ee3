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

/// Numbers of one type, as columns hold them.
pub trait Number: Copy + Default + PartialEq {
    /// Makes a column of them.
    fn column(numbers: Vec<Self>) -> Column;
    /// Returns the numbers of a column, if they are of this type.
    fn of(column: &Column) -> Option<&[Self]>;
    /// Converts to a double: truth values to 0 or 1.
    fn to_f64(self) -> f64;
    /// Converts from a double: integers round towards zero, what is not zero is true.
    fn from_f64(x: f64) -> Self;
}

macro_rules! number {
    ($($t:ty => $kind:ident, $to:expr, $from:expr);* $(;)?) => {$(
        impl Number for $t {
            fn column(numbers: Vec<Self>) -> Column {
                Column::$kind(numbers)
            }
            fn of(column: &Column) -> Option<&[Self]> {
                match column {
                    Column::$kind(v) => Some(v),
                    _ => None,
                }
            }
            fn to_f64(self) -> f64 {
                let convert: fn(Self) -> f64 = $to;
                convert(self)
            }
            fn from_f64(x: f64) -> Self {
                let convert: fn(f64) -> Self = $from;
                convert(x)
            }
        }
    )*};
}

number! {
    f64 => F64, |x| x, |x| x;
    f32 => F32, f64::from, |x| x as f32;
    i32 => I32, f64::from, |x| x as i32;
    u8 => U8, f64::from, |x| x as u8;
    bool => Bool, f64::from, |x| x != 0.0;
}

/// A value that can stand in a table: it knows its type, its shape and its numbers.
pub trait Cell: Clone + Default {
    /// Type of its numbers.
    type Number: Number;
    /// Shape of one cell; empty for a scalar.
    const SHAPE: &'static [usize];
    /// Count of its numbers.
    const WIDTH: usize;
    /// Writes the cell's numbers, row-major, into `out`, which holds [`WIDTH`](Self::WIDTH).
    fn write(&self, out: &mut [Self::Number]);
    /// Whether any numbers make a cell: not for ids and codes.
    const EDITABLE: bool = false;
    /// Takes on numbers in the order in which [`write`](Self::write) gives them. Returns false, and changes nothing, if
    /// they make no cell: codes that the enum lacks; ids are never set.
    fn set(&mut self, _numbers: &[Self::Number]) -> bool {
        false
    }
}

/// Numbers of a slice of cells, cell after cell.
pub fn column_of<T: Cell>(cells: &[T]) -> Column {
    let mut numbers = vec![T::Number::default(); cells.len() * T::WIDTH];
    for (cell, out) in cells.iter().zip(numbers.chunks_exact_mut(T::WIDTH.max(1))) {
        cell.write(out);
    }
    T::Number::column(numbers)
}

/// The cell of one number.
macro_rules! scalar_cell {
    ($t:ty => $number:ty, $conv:expr $(, editable $editable:literal, $set:expr)?) => {
        impl Cell for $t {
            type Number = $number;
            const SHAPE: &'static [usize] = &[];
            const WIDTH: usize = 1;
            $(const EDITABLE: bool = $editable;)?
            #[inline]
            #[allow(clippy::redundant_closure_call)] // `$conv` comes from outside
            fn write(&self, out: &mut [$number]) {
                let convert: fn(&$t) -> $number = $conv;
                out[0] = convert(self);
            }
            $(
                #[inline]
                #[allow(clippy::redundant_closure_call)] // as above
                fn set(&mut self, numbers: &[$number]) -> bool {
                    let convert: fn($number) -> Option<$t> = $set;
                    convert(numbers[0]).map(|x| *self = x).is_some()
                }
            )?
        }
    };
}
pub(crate) use scalar_cell;

macro_rules! stored_scalar {
    ($($t:ty => $number:ty, $conv:expr, $take:expr, $set:expr);* $(;)?) => {$(
        impl Stored for $t {
            fn take(from: &mut Source) -> Result<Self> {
                let take: fn(&mut Source) -> Result<$t> = $take;
                take(from)
            }
        }
        scalar_cell!($t => $number, $conv, editable true, $set);
    )*};
}

stored_scalar! {
    f64 => f64, |x| *x, |s| s.bytes().map(f64::from_le_bytes), Some;
    f32 => f32, |x| *x, |s| s.bytes().map(f32::from_le_bytes), Some;
    i32 => i32, |x| *x, |s| s.bytes().map(i32::from_le_bytes), Some;
    u32 => i32, |x| i32::try_from(*x).unwrap_or(i32::MAX), |s| s.number(), |x| u32::try_from(x).ok();
    u8 => u8, |x| *x, |s| s.bytes().map(|[x]| x), Some;
    bool => bool, |x| *x, |s| s.truth(), Some;
}

macro_rules! id_cell {
    ($($t:ident $rows:ident),* $(,)?) => {$(
        scalar_cell!($t => i32, |x| i32::try_from(x.index()).unwrap_or(i32::MAX));
        scalar_cell!(Option<$t> => i32, |x| x.map_or(-1, |x| i32::try_from(x.index()).unwrap_or(i32::MAX)));

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
            type Number = f64;
            const SHAPE: &'static [usize] = &[$n];
            const WIDTH: usize = $n;
            $(const EDITABLE: bool = { let _: fn(&[f64; $n]) -> $t = $set; true };)?
            #[inline]
            fn write(&self, out: &mut [f64]) {
                let convert: fn(&$t) -> [f64; $n] = $conv;
                out.copy_from_slice(&convert(self));
            }
            $(
                #[inline]
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
    type Number = T::Number;
    const SHAPE: &'static [usize] = ArrayShape::<N>::SHAPE;
    const WIDTH: usize = N * T::WIDTH;
    const EDITABLE: bool = T::EDITABLE;
    #[inline]
    fn write(&self, out: &mut [T::Number]) {
        for (x, out) in self.iter().zip(out.chunks_exact_mut(T::WIDTH)) {
            x.write(out);
        }
    }
    #[inline]
    fn set(&mut self, numbers: &[T::Number]) -> bool {
        self.iter_mut().zip(numbers.chunks_exact(T::WIDTH)).all(|(x, numbers)| x.set(numbers))
    }
}
