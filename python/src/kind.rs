//! Types of numbers, known at run time.

use crate::memory::{self, Arena, Block, Shareable};
use mj_model::Column;
use pyo3::prelude::*;
use std::sync::Arc;

/// Type of the numbers of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `float64`.
    F64,
    /// `float32`.
    F32,
    /// `int32`.
    I32,
    /// `uint8`.
    U8,
    /// `bool`.
    Bool,
}

/// A number type as a value.
pub trait HasKind {
    /// The value.
    const KIND: Kind;
}

macro_rules! kinds {
    ($($t:ty => $kind:ident),*) => {$(
        impl HasKind for $t {
            const KIND: Kind = Kind::$kind;
        }
    )*};
}
kinds!(f64 => F64, f32 => F32, i32 => I32, u8 => U8, bool => Bool);

/// Does something with the number type of a kind.
macro_rules! with_kind {
    ($kind:expr, $t:ident => $do:expr) => {
        match $kind {
            $crate::kind::Kind::F64 => {
                type $t = f64;
                $do
            }
            $crate::kind::Kind::F32 => {
                type $t = f32;
                $do
            }
            $crate::kind::Kind::I32 => {
                type $t = i32;
                $do
            }
            $crate::kind::Kind::U8 => {
                type $t = u8;
                $do
            }
            $crate::kind::Kind::Bool => {
                type $t = bool;
                $do
            }
        }
    };
}
pub(crate) use with_kind;

impl Kind {
    /// Kind of the numbers of a column.
    pub fn of(column: &Column) -> Self {
        match column {
            Column::F64(_) => Self::F64,
            Column::F32(_) => Self::F32,
            Column::I32(_) => Self::I32,
            Column::U8(_) => Self::U8,
            Column::Bool(_) => Self::Bool,
        }
    }

    /// Makes an array of zeros in an arena.
    pub fn array_in<'py>(self, arena: &Bound<'py, Arena>, shape: &[usize]) -> (Arc<Block>, Bound<'py, PyAny>) {
        with_kind!(self, T => {
            let (block, array) = Arena::array::<T>(arena, shape);
            (block, array.into_any())
        })
    }

    /// Reads all numbers of a block.
    pub fn column(self, block: &Block) -> Column {
        fn of<T: Shareable>(block: &Block) -> Column {
            T::column(block.to_vec())
        }
        with_kind!(self, T => of::<T>(block))
    }
}

/// Writes a column into a block.
pub fn write_column(column: &Column, block: &Block) {
    match column {
        Column::F64(v) => block.write(v),
        Column::F32(v) => block.write(v),
        Column::I32(v) => block.write(v),
        Column::U8(v) => block.write(v),
        Column::Bool(v) => block.write(v),
    }
}

/// Makes an array of a column that nothing else refers to; one without numbers owns its memory, as NumPy's own do.
pub fn array_of<'py>(py: Python<'py>, column: &Column, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    fn of<'py, T: Shareable>(py: Python<'py>, column: &Column, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        if column.is_empty() {
            return Ok(numpy::PyArrayDyn::<T>::zeros(py, shape, false).into_any());
        }
        let (block, array) = memory::array::<T>(py, shape)?;
        write_column(column, &block);
        Ok(array.into_any())
    }
    with_kind!(Kind::of(column), T => of::<T>(py, column, shape))
}

/// Makes an array of a column that owns its memory, as NumPy's own do.
pub fn own_array_of<'py>(py: Python<'py>, column: &Column, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let zeros = with_kind!(Kind::of(column), T => numpy::PyArrayDyn::<T>::zeros(py, shape, false).into_any());
    if !column.is_empty() {
        zeros.set_item(pyo3::types::PyEllipsis::get(py), array_of(py, column, shape)?)?;
    }
    Ok(zeros)
}
