//! How the fields of a model are stored: cells of typed numbers, tables of them, parts that copies share, and their bytes.

#[macro_use]
mod binary;
mod cell;
mod cells;
mod error;
mod shared;
mod source;
#[macro_use]
mod table;

pub(crate) use binary::{Binary, Rows, Stored, check_column, checksum, read_cells, write_cells};
pub(crate) use cell::scalar_cell;
pub use cell::{Cell, Column, Number, column_of, field_name};
pub use error::{BinaryError, Invalid};
pub(crate) use error::{Check, VERSION};
pub use shared::{Fixed, Shared};
pub(crate) use source::{Result, Source};
pub use table::{Buffer, Class, Field, FieldError, FieldInfo, Parameter};
pub(crate) use table::{EditColumn, class, column, edit_column, edit_field, set_column, set_field, show};
