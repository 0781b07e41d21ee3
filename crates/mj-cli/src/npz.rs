//! NumPy archives.

use crate::failure::Failure;
use mj_model::{Column, Field};
use npyz::npz::{NpzArchive, NpzWriter};
use npyz::zip::{CompressionMethod, write::FileOptions};
use npyz::{DType, NpyFile, TypeChar, WriterBuilder};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// Writes arrays to an archive as they come.
pub struct Writer<'a> {
    path: &'a Path,
    npz: NpzWriter<BufWriter<File>>,
}

impl<'a> Writer<'a> {
    /// Creates the file.
    pub fn create(path: &'a Path) -> Result<Self, Failure> {
        let npz = NpzWriter::create(path).map_err(|source| Failure::Write { path: path.into(), source })?;
        Ok(Self { path, npz })
    }

    /// Writes an array under a name.
    pub fn put(&mut self, name: &str, field: &Field) -> Result<(), Failure> {
        let shape: Vec<u64> = field.shape.iter().map(|&n| n as u64).collect();
        let written = match &field.data {
            Column::F64(v) => self.array(name, &shape, v),
            Column::F32(v) => self.array(name, &shape, v),
            Column::I32(v) => self.array(name, &shape, v),
            Column::U8(v) => self.array(name, &shape, v),
            Column::Bool(v) => self.array(name, &shape, v),
        };
        written.map_err(|source| Failure::Write { path: self.path.into(), source })
    }

    fn array<T: npyz::AutoSerialize + Copy>(&mut self, name: &str, shape: &[u64], data: &[T]) -> io::Result<()> {
        let mut w = self
            .npz
            .array(name, FileOptions::default().compression_method(CompressionMethod::Stored))?
            .default_dtype()
            .shape(shape)
            .begin_nd()?;
        w.extend(data.iter().copied())?;
        w.finish()
    }
}

/// An array read from an archive, as doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Shape.
    pub shape: Vec<usize>,
    /// Numbers in row-major order.
    pub data: Vec<f64>,
}

/// Greatest number of entries that an input array may claim, so that a forged header cannot ask for
/// all memory.
const MAX_ENTRIES: u64 = 1 << 28;

/// Reads all arrays of an archive.
pub fn read(path: &Path) -> Result<BTreeMap<String, Array>, Failure> {
    let fail = |message: String| Failure::Input { path: path.into(), message };
    let mut npz = NpzArchive::open(path).map_err(|e| fail(format!("not a readable .npz archive: {e}")))?;
    let names: Vec<String> = npz.array_names().map(String::from).collect();
    let mut arrays = BTreeMap::new();
    for name in names {
        let npy = match npz.by_name(&name) {
            Ok(Some(npy)) => npy,
            Ok(None) => continue,
            Err(e) => return Err(fail(format!("array `{name}`: {e}"))),
        };
        let array = numbers(npy).map_err(|e| fail(format!("array `{name}`: {e}")))?;
        arrays.insert(name, array);
    }
    Ok(arrays)
}

/// Numbers of any numeric type as doubles, in row-major order.
fn numbers<R: io::Read>(npy: NpyFile<R>) -> Result<Array, String> {
    let shape = npy.shape().to_vec();
    if npy.order() == npyz::Order::Fortran && shape.len() > 1 {
        return Err("column-major order; save it row-major (C order)".into());
    }
    let entries = shape.iter().try_fold(1u64, |a, &b| a.checked_mul(b)).filter(|&n| n <= MAX_ENTRIES);
    if entries.is_none() {
        return Err(format!("shape {shape:?} is absurd"));
    }
    let DType::Plain(t) = npy.dtype() else { return Err("a record array; expected plain numbers".into()) };
    let size = t.num_bytes();
    macro_rules! read {
        ($t:ty) => {
            npy.into_vec::<$t>().map_err(|e| e.to_string())?.into_iter().map(|x| x as f64).collect()
        };
    }
    let data = match (t.type_char(), size) {
        (TypeChar::Float, Some(8)) => read!(f64),
        (TypeChar::Float, Some(4)) => read!(f32),
        (TypeChar::Int, Some(8)) => read!(i64),
        (TypeChar::Int, Some(4)) => read!(i32),
        (TypeChar::Uint, Some(1)) => read!(u8),
        (TypeChar::Bool, _) => {
            npy.into_vec::<bool>().map_err(|e| e.to_string())?.into_iter().map(|x| f64::from(u8::from(x))).collect()
        }
        _ => return Err(format!("type {t}; expected float64, float32, int64, int32, uint8 or bool")),
    };
    Ok(Array { shape: shape.iter().map(|&n| n as usize).collect(), data })
}
