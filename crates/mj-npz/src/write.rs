//! Writing archives.

use crate::element::Element;
use crate::{Error, Fault, header};
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Way in which an archive stores its arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Stored as they are, as `numpy.savez` does.
    #[default]
    None,
    /// Deflated, as `numpy.savez_compressed` does.
    Deflate,
}

/// Size of a file in the archive, bytes, from which its lengths take 64 bits: some less than 2^32.
const LARGE: usize = (1 << 32) - (1 << 24);

/// Writer of an archive, array by array.
///
/// [`Writer::finish`] completes the file and tells whether that worked.
#[must_use]
pub struct Writer<W: Write + Seek> {
    zip: ZipWriter<W>,
    options: SimpleFileOptions,
}

impl Writer<BufWriter<File>> {
    /// Creates a file, or empties one that is there.
    ///
    /// # Errors
    ///
    /// The file can't be created.
    pub fn create(path: impl AsRef<Path>, compression: Compression) -> io::Result<Self> {
        Ok(Self::new(BufWriter::new(File::create(path)?), compression))
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Makes a writer into anything that can be written and rewound.
    pub fn new(to: W, compression: Compression) -> Self {
        let method = match compression {
            Compression::None => CompressionMethod::Stored,
            Compression::Deflate => CompressionMethod::Deflated,
        };
        Self { zip: ZipWriter::new(to), options: SimpleFileOptions::default().compression_method(method) }
    }

    /// Writes an array under a name.
    ///
    /// # Errors
    ///
    /// The shape asks for another number of entries, the name is taken, or the data can't be written.
    pub fn put<T: Element>(&mut self, name: &str, shape: &[usize], entries: &[T]) -> Result<(), Error> {
        self.put_one(name, shape, entries).map_err(|fault| Error::Array { name: name.into(), fault })
    }

    fn put_one<T: Element>(&mut self, name: &str, shape: &[usize], entries: &[T]) -> Result<(), Fault> {
        if shape.iter().try_fold(1, |n: usize, &length| n.checked_mul(length)) != Some(entries.len()) {
            return Err(Fault::Length { entries: entries.len(), shape: shape.into() });
        }
        let options = self.options.large_file(size_of_val(entries) >= LARGE);
        self.zip.start_file(format!("{name}.npy"), options).map_err(|e| Fault::Zip(e.to_string()))?;
        self.zip.write_all(&header::bytes::<T>(shape))?;
        let mut buffer = Vec::new();
        for chunk in entries.chunks(1 << 13) {
            buffer.clear();
            chunk.iter().for_each(|x| x.append(&mut buffer));
            self.zip.write_all(&buffer)?;
        }
        Ok(())
    }

    /// Writes the archive's directory and returns what was written to.
    ///
    /// # Errors
    ///
    /// The data can't be written.
    pub fn finish(self) -> Result<W, Error> {
        let mut to = self.zip.finish().map_err(|e| Error::Archive(e.to_string()))?;
        to.flush()?;
        Ok(to)
    }
}
