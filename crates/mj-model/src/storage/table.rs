//! Tables as columns of typed cells: one macro declares a table, and from the declaration come the
//! struct, a row type for building, and the description that dumps and docs are made from.

use super::binary::{Rows, Stored};
use super::cell::{Cell, Column, Number, column_of};
use super::shared::Fixed;
use crate::ids::*;

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

/// Name, type and documentation of a field, for the generated reference.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// Name, without the table's prefix.
    pub name: &'static str,
    /// Rust type.
    pub ty: &'static str,
    /// First line of its documentation.
    pub doc: &'static str,
    /// Effect of an edit.
    pub class: Class,
}

/// Effect of editing a field of a compiled model (the manual's "Simulation: mjModel changes").
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

/// Numbers of a field that may be edited.
#[derive(Debug)]
pub struct Parameter<'a> {
    /// Name, with the table's prefix.
    pub name: &'a str,
    /// Effect of an edit.
    pub class: Class,
    /// Whether its numbers are real: not integers or truth values.
    pub real: bool,
    /// Numbers in a row.
    pub width: usize,
    /// Numbers, row after row.
    pub numbers: &'a mut [f64],
}

/// Calls `f` with the numbers of a column, and takes on what it leaves. Columns of ids and codes are left out.
pub(crate) fn edit_column<T: Cell>(name: &str, class: Class, cells: &mut [T], f: &mut dyn FnMut(Parameter)) {
    let column = column_of(cells);
    let (real, mut numbers) = (matches!(column, Column::F64(_) | Column::F32(_)), column.to_f64());
    if !T::EDITABLE {
        return;
    }
    f(Parameter { name, class, real, width: T::WIDTH, numbers: &mut numbers });
    let numbers: Vec<T::Number> = numbers.into_iter().map(Number::from_f64).collect();
    set_cells(cells, &numbers);
}

fn set_cells<T: Cell>(cells: &mut [T], numbers: &[T::Number]) -> bool {
    cells.iter_mut().zip(numbers.chunks_exact(T::WIDTH.max(1))).fold(true, |all, (cell, n)| cell.set(n) && all)
}

/// Sets a column of cells from numbers of their type, as many as it has; ids must be rows of their tables.
pub(crate) fn set_column<T: Stored>(cells: &mut [T], column: &Column, rows: &Rows) -> Result<(), FieldError> {
    let numbers = T::Number::of(column).ok_or(FieldError::Type)?;
    let expected = cells.len() * T::WIDTH;
    if numbers.len() != expected {
        return Err(FieldError::Length { expected, got: numbers.len() });
    }
    let mut new = cells.to_vec();
    if !set_cells(&mut new, numbers) || new.iter().any(|cell| cell.reach() > T::limit(rows)) {
        return Err(FieldError::Value);
    }
    cells.clone_from_slice(&new);
    Ok(())
}

/// A field of a model could not be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// No field has this name.
    #[error("a model has no field of this name")]
    Unknown,
    /// The field is structure, or derived from assets.
    #[error("it is structure of the model, which is read-only: edit the specification and compile again")]
    Structure,
    /// The numbers are of another type.
    #[error("its numbers are of another type")]
    Type,
    /// There are more or fewer numbers than the field has.
    #[error("it has {expected} numbers, not {got}")]
    Length {
        /// Count of the field's numbers.
        expected: usize,
        /// Count given.
        got: usize,
    },
    /// A number is no code of the field's enum, or no row of the table that it names.
    #[error("a number is not among the codes of its enum, or names no row of its table")]
    Value,
}

/// Anything that can be dumped as one array.
pub trait Buffer {
    /// Shape and numbers.
    fn array(&self) -> (Vec<usize>, Column);
}

/// Calls `f` with a field of a table.
pub(crate) fn show(prefix: &str, name: &str, buffer: &dyn Buffer, f: &mut dyn FnMut(Field)) {
    let (shape, data) = buffer.array();
    f(Field { name: format!("{prefix}_{name}"), shape, data });
}

fn rows<T: Cell>(data: &[T]) -> (Vec<usize>, Column) {
    let mut shape = vec![data.len()];
    shape.extend(T::SHAPE);
    (shape, column_of(data))
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
        (T::SHAPE.to_vec(), column_of(std::slice::from_ref(self)))
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
            $($(#[doc = $doc])+ pub $field: $crate::storage::column!($($class)? [$id, $ty]),)*
        }

        /// The number of rows, then column by column.
        impl $crate::storage::Binary for $table {
            fn write(&self, out: &mut Vec<u8>) {
                $crate::storage::Binary::write(&self.len(), out);
                $($crate::storage::write_cells(self.$field.as_slice(), out);)*
            }
            fn read(from: &mut $crate::storage::Source) -> $crate::storage::Result<Self> {
                let n = <usize as $crate::storage::Binary>::read(from)?;
                Ok(Self { $($field: {
                    from.at_field($prefix, stringify!($field));
                    $crate::storage::read_cells(from, n)?.into()
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
            pub const FIELDS: &'static [$crate::storage::FieldInfo] = &[$(
                $crate::storage::FieldInfo {
                    name: $crate::field_name(stringify!($field)),
                    ty: stringify!($ty),
                    doc: concat!($($doc, " "),+),
                    class: $crate::storage::class!($($class)?),
                },
            )*];

            /// Number of rows.
            #[inline]
            pub fn len(&self) -> usize {
                [$(self.$field.len()),*][0]
            }

            /// Whether there are no rows.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// All ids in order.
            #[inline]
            pub fn ids(&self) -> impl DoubleEndedIterator<Item = $id> + ExactSizeIterator + use<> {
                (0..self.len()).map(<$id as $crate::ids::Id>::new)
            }

            /// Appends a row and returns its id.
            pub fn push(&mut self, row: $row) -> $id {
                $($crate::storage::EditColumn::edit(&mut self.$field).push(row.$field);)*
                <$id as $crate::ids::Id>::new(self.len() - 1)
            }

            /// Checks that all columns have as many rows, and that ids are rows of their tables.
            pub(crate) fn check(&self, rows: &$crate::storage::Rows) -> Result<(), $crate::storage::Invalid> {
                let n = self.len();
                $({
                    let name = $crate::field_name(stringify!($field));
                    $crate::storage::check_column(self.$field.as_slice(), n, rows, $prefix, name)?;
                })*
                Ok(())
            }

            /// Writes the columns of structure, each after its number of rows.
            pub(crate) fn write_structure(&self, out: &mut Vec<u8>) {
                $(if matches!($crate::storage::class!($($class)?), $crate::storage::Class::Structure) {
                    $crate::storage::Binary::write(&self.$field.len(), out);
                    $crate::storage::write_cells(self.$field.as_slice(), out);
                })*
            }

            /// Calls `f` with the numbers of every field that may be edited, and takes on what it leaves.
            pub fn edit(&mut self, f: &mut dyn FnMut($crate::storage::Parameter)) {
                $($crate::storage::edit_field!($($class)? [self, $prefix, $field, f]);)*
            }

            /// Calls `f` with every field.
            pub fn visit(&self, f: &mut dyn FnMut($crate::storage::Field)) {
                $($crate::storage::show($prefix, $crate::field_name(stringify!($field)), &self.$field, f);)*
            }

            /// Prefix of the fields' names.
            pub(crate) fn prefix(&self) -> &'static str {
                Self::PREFIX
            }

            /// Describes the fields.
            pub(crate) fn fields(&self) -> &'static [$crate::storage::FieldInfo] {
                Self::FIELDS
            }

            /// Returns a field by its name without the prefix.
            pub(crate) fn buffer(&self, name: &str) -> Option<&dyn $crate::storage::Buffer> {
                $(if name == $crate::field_name(stringify!($field)) {
                    return Some(&self.$field);
                })*
                None
            }

            /// Sets a field by its name without the prefix.
            pub(crate) fn set(&mut self, name: &str, column: &$crate::storage::Column, rows: &$crate::storage::Rows) -> Result<(), $crate::storage::FieldError> {
                $(if name == $crate::field_name(stringify!($field)) {
                    return $crate::storage::set_field!($($class)? [self, $field, column, rows]);
                })*
                Err($crate::storage::FieldError::Unknown)
            }
        }
    };
}

/// Type of a table's column: structure is shared between copies of a model, and read-only.
macro_rules! column {
    (structure [$id:ty, $ty:ty]) => { $crate::storage::Fixed<$crate::ids::IdVec<$id, $ty>> };
    ($($class:ident)? [$id:ty, $ty:ty]) => { $crate::ids::IdVec<$id, $ty> };
}
pub(crate) use column;

/// Edits a field, unless it is structure.
macro_rules! edit_field {
    (structure [$self:ident, $prefix:literal, $field:ident, $f:ident]) => {
        let _ = &$f;
    };
    ($($class:ident)? [$self:ident, $prefix:literal, $field:ident, $f:ident]) => {
        $crate::storage::edit_column(
            &format!("{}_{}", $prefix, $crate::field_name(stringify!($field))),
            $crate::storage::class!($($class)?),
            $self.$field.as_mut_slice(),
            $f,
        )
    };
}
pub(crate) use edit_field;

/// Sets a field, unless it is structure.
macro_rules! set_field {
    (structure [$self:ident, $field:ident, $column:ident, $rows:ident]) => {{
        let _ = (&$column, &$rows);
        Err($crate::storage::FieldError::Structure)
    }};
    ($($class:ident)? [$self:ident, $field:ident, $column:ident, $rows:ident]) => {
        $crate::storage::set_column($self.$field.as_mut_slice(), $column, $rows)
    };
}
pub(crate) use set_field;

/// The [`Class`] that stands in a declaration.
macro_rules! class {
    () => {
        $crate::storage::Class::Live
    };
    (constant) => {
        $crate::storage::Class::Constant
    };
    (derived) => {
        $crate::storage::Class::Derived
    };
    (structure) => {
        $crate::storage::Class::Structure
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
        $(.. $($(#[doc = $beside_doc:literal])+ $beside_vis:vis $beside:ident : $beside_ty:ty,)*)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        $vis struct $name {
            $($(#[doc = $doc])+ pub $field: $ty,)*
            $($($(#[doc = $beside_doc])+ $beside_vis $beside: $beside_ty,)*)?
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
