//! Arrays of an npz file, as doubles with their shape.

use crate::Result;
use mj_npz::{Compression, Data, Writer};
use std::collections::BTreeMap;
use std::path::Path;

/// Stored type of an array; a state is written back as it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Double or single precision.
    #[default]
    Float,
    /// Any integer.
    Int,
    /// Truth values.
    Bool,
}

/// One array, row-major.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Array {
    /// Lengths of the axes; empty for a scalar.
    pub shape: Vec<usize>,
    /// Entries.
    pub data: Vec<f64>,
    /// Stored type.
    pub kind: Kind,
}

impl Array {
    /// Row `i` of `n` rows.
    pub fn row(&self, i: usize, n: usize) -> &[f64] {
        let width = self.data.len().checked_div(n).unwrap_or(0);
        self.data.get(i * width..(i + 1) * width).unwrap_or(&[])
    }
}

/// Arrays by name.
pub type Arrays = BTreeMap<String, Array>;

/// Reads every array of a file.
pub fn read(path: &Path) -> Result<Arrays> {
    let arrays = mj_npz::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(arrays.into_iter().map(|(name, a)| (name, convert(&a))).collect())
}

fn convert(a: &mj_npz::Array) -> Array {
    let kind = match a.data() {
        Data::F64(_) | Data::F32(_) => Kind::Float,
        Data::Bool(_) => Kind::Bool,
        _ => Kind::Int,
    };
    Array { shape: a.shape().to_vec(), data: a.to_f64(), kind }
}

/// Writes arrays to a new file.
pub fn write<'a>(path: &Path, arrays: impl IntoIterator<Item = (&'a str, &'a Array)>) -> Result<()> {
    let mut file = Writer::create(path, Compression::Deflate)?;
    for (name, a) in arrays {
        match a.kind {
            Kind::Float => file.put(name, &a.shape, &a.data)?,
            Kind::Int => file.put(name, &a.shape, &a.data.iter().map(|&x| x as i64).collect::<Vec<_>>())?,
            Kind::Bool => file.put(name, &a.shape, &a.data.iter().map(|&x| x != 0.0).collect::<Vec<_>>())?,
        }
    }
    file.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let dir = std::env::temp_dir().join(format!("mj-xtask-npz-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("a.npz");
        let mut want = Arrays::new();
        want.insert("x".into(), Array { shape: vec![2, 2], data: vec![1.5, -0.0, 3.0, 1e-300], kind: Kind::Float });
        want.insert("n".into(), Array { shape: vec![], data: vec![-7.0], kind: Kind::Int });
        want.insert("b".into(), Array { shape: vec![3], data: vec![1.0, 0.0, 1.0], kind: Kind::Bool });
        write(&path, want.iter().map(|(n, a)| (n.as_str(), a))).unwrap();
        assert_eq!(read(&path).unwrap(), want);
        std::fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn a_file_that_is_no_archive_is_an_error() {
        assert!(read(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").as_path()).is_err());
    }
}
