//! Arrays of an npz file, as doubles with their shape.

use crate::Result;
use npyz::npz::{NpzArchive, NpzWriter};
use npyz::{DType, TypeChar, WriterBuilder};
use std::collections::BTreeMap;
use std::path::Path;

/// What the file stored; a state is written back as it was read.
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
    let at = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let mut file = NpzArchive::open(path).map_err(|e| at(&e))?;
    let names: Vec<String> = file.array_names().map(String::from).collect();
    let mut out = Arrays::new();
    for name in names {
        let array = read_one(&mut file, &name).map_err(|e| at(&format!("{name}: {e}")))?;
        out.insert(name, array);
    }
    Ok(out)
}

fn read_one(file: &mut NpzArchive<std::io::BufReader<std::fs::File>>, name: &str) -> Result<Array> {
    let npy = file.by_name(name)?.ok_or("not in the file")?;
    let shape = npy.shape().iter().map(|&n| usize::try_from(n)).collect::<Result<Vec<_>, _>>()?;
    let DType::Plain(ty) = npy.dtype() else { return Err("a structured array".into()) };
    let (char, bytes) = (ty.type_char(), ty.size_field());
    let as_f64 = |v: Vec<f64>, kind| Array { shape: shape.clone(), data: v, kind };
    Ok(match (char, bytes) {
        (TypeChar::Float, 8) => as_f64(npy.into_vec::<f64>()?, Kind::Float),
        (TypeChar::Float, 4) => as_f64(npy.into_vec::<f32>()?.into_iter().map(f64::from).collect(), Kind::Float),
        (TypeChar::Int, 8) => as_f64(npy.into_vec::<i64>()?.into_iter().map(|x| x as f64).collect(), Kind::Int),
        (TypeChar::Int, 4) => as_f64(npy.into_vec::<i32>()?.into_iter().map(f64::from).collect(), Kind::Int),
        (TypeChar::Int, 1) => as_f64(npy.into_vec::<i8>()?.into_iter().map(f64::from).collect(), Kind::Int),
        (TypeChar::Uint, 8) => as_f64(npy.into_vec::<u64>()?.into_iter().map(|x| x as f64).collect(), Kind::Int),
        (TypeChar::Uint, 4) => as_f64(npy.into_vec::<u32>()?.into_iter().map(f64::from).collect(), Kind::Int),
        (TypeChar::Uint, 1) => as_f64(npy.into_vec::<u8>()?.into_iter().map(f64::from).collect(), Kind::Int),
        (TypeChar::Bool, _) => {
            as_f64(npy.into_vec::<bool>()?.into_iter().map(|x| f64::from(u8::from(x))).collect(), Kind::Bool)
        }
        _ => return Err(format!("numbers of type {ty}").into()),
    })
}

/// Writes arrays to a new file.
pub fn write<'a>(path: &Path, arrays: impl IntoIterator<Item = (&'a str, &'a Array)>) -> Result<()> {
    let mut file = NpzWriter::create(path)?;
    for (name, a) in arrays {
        match a.kind {
            Kind::Float => put(&mut file, name, &a.shape, a.data.iter().copied())?,
            Kind::Int => put(&mut file, name, &a.shape, a.data.iter().map(|&x| x as i64))?,
            Kind::Bool => put(&mut file, name, &a.shape, a.data.iter().map(|&x| x != 0.0))?,
        }
    }
    Ok(())
}

fn put<T: npyz::AutoSerialize>(
    file: &mut NpzWriter<std::io::BufWriter<std::fs::File>>,
    name: &str,
    shape: &[usize],
    data: impl Iterator<Item = T>,
) -> Result<()> {
    let shape: Vec<u64> = shape.iter().map(|&n| n as u64).collect();
    let mut w = file.array::<T>(name, Default::default())?.default_dtype().shape(&shape).begin_nd()?;
    w.extend(data)?;
    Ok(w.finish()?)
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
