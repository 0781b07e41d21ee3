//! Reading archives.

use crate::array::{Array, Data};
use crate::decode::Decoder;
use crate::header::Header;
use crate::{Error, Fault, MAX_ENTRIES};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use zip::ZipArchive;

/// Reads all arrays of a file, by name.
///
/// Entries of the archive that aren't `.npy` files are left out.
///
/// # Errors
///
/// The file can't be read or is damaged, an array's type isn't numeric, or there are more than [`MAX_ENTRIES`] numbers.
pub fn read(path: impl AsRef<Path>) -> Result<BTreeMap<String, Array>, Error> {
    read_from(BufReader::new(File::open(path)?))
}

/// Reads all arrays of an archive in any reader, by name; see [`read()`].
///
/// # Errors
///
/// See [`read()`].
pub fn read_from(source: impl Read + Seek) -> Result<BTreeMap<String, Array>, Error> {
    let mut zip = ZipArchive::new(source).map_err(|e| Error::Archive(e.to_string()))?;
    let mut arrays = BTreeMap::new();
    let mut left = MAX_ENTRIES;
    for i in 0..zip.len() {
        let Some(name) = zip.name_for_index(i).and_then(Result::ok) else { continue };
        let Some(name) = name.strip_suffix(".npy").map(String::from) else { continue };
        let entry = zip.by_index(i).map_err(|e| Fault::Zip(e.to_string()));
        let array = entry.and_then(|mut entry| {
            let size = entry.size();
            one(&mut entry, size, &mut left)
        });
        match array {
            Ok(array) => arrays.insert(name, array),
            Err(fault) => return Err(Error::Array { name, fault }),
        };
    }
    Ok(arrays)
}

/// Reads an array from a `.npy` file of `size` bytes, and takes its number of entries from those that are left.
fn one(source: &mut impl Read, size: u64, left: &mut u64) -> Result<Array, Fault> {
    let header = Header::read(source)?;
    let Some(rest) = header.entries().and_then(|n| left.checked_sub(n)) else {
        return Err(Fault::TooLarge(header.shape));
    };
    // At most 2^28 numbers, none longer than the number of entries unless there are none.
    let count = (*left - rest) as usize;
    *left = rest;
    let Ok(shape) = header.shape.iter().map(|&n| usize::try_from(n)).collect::<Result<Vec<_>, _>>() else {
        return Err(Fault::TooLarge(header.shape));
    };
    let order = header.fortran_order.then_some(&shape[..]);
    let decoder = Decoder { source, count, size, big_endian: header.big_endian, column_major: order };
    let data = Data::decode(&header.code, decoder).ok_or(Fault::Type(header.code))??;
    Ok(Array::new(shape, data))
}
