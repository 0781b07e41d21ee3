//! Results of all simulations of a batch: one array a field, one row a simulation.

use crate::data::{fields, rows};
use crate::kind::{Kind, with_kind};
use crate::memory::{Block, Shareable, try_array};
use mj_engine::{Data, Model};
use pyo3::prelude::*;
use std::sync::Arc;

/// A field of data.
#[derive(Clone, Copy)]
pub enum What {
    /// An array whose size the model fixes.
    Array(&'static fields::Source),
    /// A count.
    Count(&'static str),
}

/// Counts that are fields of data.
const COUNTS: [&str; 10] = ["ncon", "nefc", "ne", "nf", "nl", "nJ", "nY", "nA", "nisland", "nidof"];

impl What {
    /// Finds a field by name.
    pub fn find(name: &str) -> Option<Self> {
        if name.contains('.') {
            return None;
        }
        let count = || COUNTS.iter().find(|n| **n == name).copied().map(Self::Count);
        crate::data::find_field(name).map(Self::Array).or_else(count)
    }

    /// Returns whether its name is among these.
    pub fn is_one_of(self, names: &[&str]) -> bool {
        names.contains(&match self {
            Self::Array(source) => source.name,
            Self::Count(name) => name,
        })
    }

    /// Type of its numbers.
    pub fn kind(self) -> Kind {
        match self {
            Self::Array(source) => source.kind,
            Self::Count(_) => Kind::I32,
        }
    }

    /// Shape of its array in one simulation.
    pub fn shape(self, m: &Model, d: &Data) -> Vec<usize> {
        match self {
            Self::Array(source) => (source.shape)(m, d),
            Self::Count(_) => Vec::new(),
        }
    }

    /// Writes the field of one simulation into a block of its size.
    fn write(self, m: &Model, d: &Data, to: &Block) {
        match self {
            Self::Array(source) => (source.write)(m, d, to),
            Self::Count(name) => to.write(&[count(m, d, name) as i32]),
        }
    }
}

fn count(m: &Model, d: &Data, name: &str) -> usize {
    match name {
        "ncon" => d.contacts.len(),
        "nefc" => d.rows.nefc(),
        "ne" => d.rows.ne,
        "nf" => d.rows.nf,
        "nl" => d.rows.nl,
        _ => rows::count(m, d, name).unwrap_or(0),
    }
}

/// An array with rows of one field.
pub struct Output {
    /// The field.
    pub what: What,
    /// Numbers of a row.
    pub width: usize,
    /// All rows.
    pub block: Arc<Block>,
}

impl Output {
    /// Makes rows of zeros with an array over them, of shape `rows` and then the field's.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new<'py>(
        py: Python<'py>,
        what: What,
        m: &Model,
        d: &Data,
        rows: &[usize],
    ) -> PyResult<(Self, Bound<'py, PyAny>)> {
        let own = what.shape(m, d);
        let width = own.iter().product();
        let shape = [rows, &own].concat();
        let (block, array) = array(py, what.kind(), &shape)?;
        Ok((Self { what, width, block }, array))
    }

    /// Makes memory for the numbers of one row.
    pub fn scratch(&self) -> Block {
        with_kind!(self.what.kind(), T => Block::zeros::<T>(self.width))
    }

    /// Writes a row.
    pub fn write(&self, m: &Model, d: &Data, row: usize, scratch: &Block) {
        if self.width == 0 {
            return;
        }
        self.what.write(m, d, scratch);
        with_kind!(self.what.kind(), T => self.block.write_at(row * self.width, &scratch.to_vec::<T>()));
    }

    /// Copies a row over another.
    pub fn repeat(&self, from: usize, to: usize) {
        with_kind!(self.what.kind(), T => {
            let row: Vec<T> = self.block.range(from * self.width, self.width);
            self.block.write_at(to * self.width, &row);
        });
    }
}

/// Makes an array of zeros with memory of its own.
///
/// # Errors
/// If there is no memory.
pub fn array<'py>(py: Python<'py>, kind: Kind, shape: &[usize]) -> PyResult<(Arc<Block>, Bound<'py, PyAny>)> {
    fn of<'py, T: Shareable>(py: Python<'py>, shape: &[usize]) -> PyResult<(Arc<Block>, Bound<'py, PyAny>)> {
        let (block, array) = try_array::<T>(py, shape)?;
        Ok((block, array.into_any()))
    }
    with_kind!(kind, T => of::<T>(py, shape))
}
