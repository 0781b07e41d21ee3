//! Tables as columns of typed cells: one macro declares a table, and from the declaration come the
//! struct, a row type for building, and the description that dumps and docs are made from.

use crate::binary::{Result, Rows, Source, Stored};
use crate::ids::*;
use crate::shared::Fixed;
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
}

macro_rules! scalar_cell {
    ($($t:ty => $kind:ident, $conv:expr, $take:expr);* $(;)?) => {$(
        impl Stored for $t {
            fn take(from: &mut Source) -> Result<Self> {
                let take: fn(&mut Source) -> Result<$t> = $take;
                take(from)
            }
        }
        scalar_cell!(@cell $t => $kind, $conv);
    )*};
    (@cell $t:ty => $kind:ident, $conv:expr) => {
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
        }
    };
}

scalar_cell! {
    f64 => F64, |x| *x, |s| s.bytes().map(f64::from_le_bytes);
    f32 => F32, |x| *x, |s| s.bytes().map(f32::from_le_bytes);
    i32 => I32, |x| *x, |s| s.bytes().map(i32::from_le_bytes);
    u32 => I32, |x| i32::try_from(*x).unwrap_or(i32::MAX), |s| s.number();
    u8 => U8, |x| *x, |s| s.bytes().map(|[x]| x);
    bool => Bool, |x| *x, |s| s.truth();
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
    ($($t:ty, $n:literal, $conv:expr);* $(;)?) => {$(
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
        }
    )*};
}

vector_cell! {
    DVec3, 3, |x| x.to_array();
    DQuat, 4, |x| quat::to_wxyz(*x);
    DMat3, 9, |x| x.transpose().to_cols_array();
    Spatial, 6, |x| x.to_array();
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
}

/// A column with its shape: what a dump writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name, with the table's prefix.
    pub name: String,
    /// Shape: rows, then the cell's shape. Empty for a scalar.
    pub shape: Vec<usize>,
    /// Numbers in row-major order.
    pub data: Column,
}

/// What is known of a field without a model: for the generated reference.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// Name, without the table's prefix.
    pub name: &'static str,
    /// Rust type.
    pub ty: &'static str,
    /// First line of its documentation.
    pub doc: &'static str,
    /// What happens when it is edited.
    pub class: Class,
}

/// What happens when a field of a compiled model is edited (the manual's "Simulation: mjModel changes").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The next step uses the new value.
    Live,
    /// Others are derived from it: they follow when `set_const` is called.
    Constant,
    /// Derived from others by the compiler and by `set_const`, which overwrites it.
    Derived,
    /// Counts, addresses, types, parents: read-only. To change them, edit the `Spec` and compile again.
    Structure,
}

/// Anything that can be dumped as one array.
pub trait Buffer {
    /// Shape and numbers.
    fn array(&self) -> (Vec<usize>, Column);
}

fn rows<T: Cell>(data: &[T]) -> (Vec<usize>, Column) {
    let mut column = T::column();
    data.iter().for_each(|x| x.put(&mut column));
    let mut shape = vec![data.len()];
    shape.extend(T::SHAPE);
    (shape, column)
}

impl<I: Id, T: Cell> Buffer for IdVec<I, T> {
    fn array(&self) -> (Vec<usize>, Column) {
        rows(self.as_slice())
    }
}

impl<B: Buffer> Buffer for Fixed<B> {
    fn array(&self) -> (Vec<usize>, Column) {
        (**self).array()
    }
}

impl<T: Cell> Buffer for Vec<T> {
    fn array(&self) -> (Vec<usize>, Column) {
        rows(self)
    }
}

impl<T: Cell> Buffer for T {
    fn array(&self) -> (Vec<usize>, Column) {
        let mut column = T::column();
        self.put(&mut column);
        (T::SHAPE.to_vec(), column)
    }
}

/// Declares a table: `Table / Row [Id] "prefix" { field: Cell, … }`, each field with a doc comment and, in front of its
/// name, its [`Class`] unless that is `Live`: `@constant`, `@derived` or `@structure`.
macro_rules! table {
    ($(#[$meta:meta])* $table:ident / $row:ident [$id:ty] $prefix:literal {
        $($(#[doc = $doc:literal])+ $(@$class:ident)? $field:ident : $ty:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[allow(non_snake_case)] // field names are the reference's
        pub struct $table {
            $($(#[doc = $doc])+ pub $field: $crate::table::column!($($class)? [$id, $ty]),)*
        }

        /// The number of rows, then column by column.
        impl $crate::binary::Binary for $table {
            fn write(&self, out: &mut Vec<u8>) {
                $crate::binary::Binary::write(&self.len(), out);
                $($crate::binary::write_cells(self.$field.as_slice(), out);)*
            }
            fn read(from: &mut $crate::binary::Source) -> $crate::binary::Result<Self> {
                let n = <usize as $crate::binary::Binary>::read(from)?;
                Ok(Self { $($field: {
                    from.at_field($prefix, stringify!($field));
                    $crate::binary::read_cells(from, n)?.into()
                },)* })
            }
            fn layout(out: &mut String) {
                out.push_str(concat!($(stringify!($field), ":", stringify!($ty), ";"),*));
            }
        }

        #[doc = concat!("One row of [`", stringify!($table), "`].")]
        #[derive(Clone, Debug, Default, PartialEq)]
        #[allow(non_snake_case)]
        pub struct $row {
            $($(#[doc = $doc])+ pub $field: $ty,)*
        }

        impl $table {
            /// Prefix of the fields' names in dumps.
            pub const PREFIX: &'static str = $prefix;
            /// The fields, in order.
            pub const FIELDS: &'static [$crate::table::FieldInfo] = &[$(
                $crate::table::FieldInfo {
                    name: $crate::field_name(stringify!($field)),
                    ty: stringify!($ty),
                    doc: concat!($($doc, " "),+),
                    class: $crate::table::class!($($class)?),
                },
            )*];

            /// Number of rows.
            pub fn len(&self) -> usize {
                [$(self.$field.len()),*][0]
            }

            /// Whether there are no rows.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// All ids in order.
            pub fn ids(&self) -> impl DoubleEndedIterator<Item = $id> + ExactSizeIterator + use<> {
                (0..self.len()).map(<$id as $crate::ids::Id>::new)
            }

            /// Appends a row and returns its id.
            pub fn push(&mut self, row: $row) -> $id {
                $($crate::table::EditColumn::edit(&mut self.$field).push(row.$field);)*
                <$id as $crate::ids::Id>::new(self.len() - 1)
            }

            /// Checks that all columns have as many rows, and that ids are rows of their tables.
            pub(crate) fn check(&self, rows: &$crate::binary::Rows) -> Result<(), $crate::binary::Invalid> {
                $($crate::binary::check_column(self.$field.as_slice(), self.len(), rows, || {
                    format!("{}_{}", $prefix, $crate::field_name(stringify!($field)))
                })?;)*
                Ok(())
            }

            /// Writes the columns of structure, each after its number of rows.
            pub(crate) fn write_structure(&self, out: &mut Vec<u8>) {
                $(if matches!($crate::table::class!($($class)?), $crate::table::Class::Structure) {
                    $crate::binary::Binary::write(&self.$field.len(), out);
                    $crate::binary::write_cells(self.$field.as_slice(), out);
                })*
            }

            /// Calls `f` with every field.
            pub fn visit(&self, f: &mut dyn FnMut($crate::table::Field)) {
                $({
                    let (shape, data) = $crate::table::Buffer::array(&self.$field);
                    f($crate::table::Field { name: format!("{}_{}", $prefix, $crate::field_name(stringify!($field))), shape, data });
                })*
            }
        }
    };
}

/// Type of a table's column: structure is shared between copies of a model, and read-only.
macro_rules! column {
    (structure [$id:ty, $ty:ty]) => { $crate::shared::Fixed<$crate::ids::IdVec<$id, $ty>> };
    ($($class:ident)? [$id:ty, $ty:ty]) => { $crate::ids::IdVec<$id, $ty> };
}
pub(crate) use column;

/// The [`Class`] that stands in a declaration.
macro_rules! class {
    () => {
        $crate::table::Class::Live
    };
    (constant) => {
        $crate::table::Class::Constant
    };
    (derived) => {
        $crate::table::Class::Derived
    };
    (structure) => {
        $crate::table::Class::Structure
    };
}
pub(crate) use class;

/// A column that rows can be appended to, shared between models or not.
pub(crate) trait EditColumn {
    type Column;
    fn edit(&mut self) -> &mut Self::Column;
}

impl<I, T> EditColumn for IdVec<I, T> {
    type Column = Self;
    fn edit(&mut self) -> &mut Self {
        self
    }
}

impl<C: Clone> EditColumn for Fixed<C> {
    type Column = C;
    fn edit(&mut self) -> &mut C {
        Fixed::edit(self)
    }
}

/// Declares a struct of buffers (a stage's results), each field a [`Buffer`](crate::Buffer) with a
/// doc comment, and its `visit` for dumps. Also usable in other crates.
#[macro_export]
macro_rules! buffers {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[doc = $doc:literal])+ pub $field:ident : $ty:ty,)*
        $(.. $($(#[doc = $beside_doc:literal])+ pub $beside:ident : $beside_ty:ty,)*)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        $vis struct $name {
            $($(#[doc = $doc])+ pub $field: $ty,)*
            $($($(#[doc = $beside_doc])+ pub $beside: $beside_ty,)*)?
        }

        impl $name {
            /// The fields, in order.
            pub const FIELDS: &'static [$crate::FieldInfo] = &[$(
                $crate::FieldInfo {
                    name: $crate::field_name(stringify!($field)),
                    ty: stringify!($ty),
                    doc: concat!($($doc, " "),+),
                    class: $crate::Class::Derived,
                },
            )*];

            /// Calls `f` with every field under its own name.
            pub fn visit(&self, f: &mut dyn FnMut($crate::Field)) {
                $({
                    let (shape, data) = $crate::Buffer::array(&self.$field);
                    f($crate::Field { name: stringify!($field).to_string(), shape, data });
                })*
            }
        }
    };
}

/// A field's name without the mark that lets Rust keywords be identifiers.
pub const fn field_name(s: &'static str) -> &'static str {
    match s.as_bytes() {
        [b'r', b'#', ..] => s.split_at(2).1,
        _ => s,
    }
}
