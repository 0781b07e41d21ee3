//! NumPy archives of the command: errors that name the file, and arrays in double precision.

use crate::failure::Failure;
use mj_model::{Column, Field};
use mj_npz::Compression;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Writer of an archive, array by array.
pub struct Writer<'a> {
    path: &'a Path,
    npz: mj_npz::Writer<BufWriter<File>>,
}

impl<'a> Writer<'a> {
    /// Creates the file.
    pub fn create(path: &'a Path) -> Result<Self, Failure> {
        let npz = mj_npz::Writer::create(path, Compression::None);
        Ok(Self { path, npz: npz.map_err(|source| Failure::Write { path: path.into(), source })? })
    }

    /// Writes an array under a name.
    pub fn put(&mut self, name: &str, field: &Field) -> Result<(), Failure> {
        let shape = &field.shape;
        let written = match &field.data {
            Column::F64(v) => self.npz.put(name, shape, v),
            Column::F32(v) => self.npz.put(name, shape, v),
            Column::I32(v) => self.npz.put(name, shape, v),
            Column::U8(v) => self.npz.put(name, shape, v),
            Column::Bool(v) => self.npz.put(name, shape, v),
        };
        written.map_err(|source| Failure::Archive { path: self.path.into(), source })
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), Failure> {
        self.npz.finish().map_err(|source| Failure::Archive { path: self.path.into(), source })?;
        Ok(())
    }
}

/// Array of an archive, in double precision.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Lengths of the axes.
    pub shape: Vec<usize>,
    /// Numbers in row-major order.
    pub data: Vec<f64>,
}

/// Reads all arrays of an archive.
pub fn read(path: &Path) -> Result<BTreeMap<String, Array>, Failure> {
    let arrays = mj_npz::read(path).map_err(|source| Failure::Archive { path: path.into(), source })?;
    Ok(arrays.into_iter().map(|(name, a)| (name, Array { shape: a.shape().into(), data: a.to_f64() })).collect())
}
