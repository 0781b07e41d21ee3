//! Errors of reading and writing, and the limit of sizes.

/// Greatest number of entries of all arrays of an archive together: 2 GiB in double precision.
pub const MAX_ENTRIES: u64 = 1 << 28;

/// Reason why an archive can't be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file can't be opened, created, read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file is no zip archive, or a damaged one.
    #[error("not a readable .npz archive: {0}")]
    Archive(String),
    /// An array in the archive can't be read or written.
    #[error("array `{name}`: {fault}")]
    Array {
        /// Name of the array, without `.npy`.
        name: String,
        /// Problem of the array.
        fault: Fault,
    },
}

/// Problem of one array.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The entry doesn't begin as a `.npy` file of a known version does.
    #[error("not an .npy file of version 1, 2 or 3")]
    NotNpy,
    /// The header isn't a Python dictionary with `descr`, `fortran_order` and `shape`.
    #[error("a damaged .npy header: {0}")]
    Header(String),
    /// The entries are of a type that isn't read.
    #[error("type {0}; expected float64, float32, bool, or an integer of 8, 16, 32 or 64 bits")]
    Type(String),
    /// The array, together with those before it, has more entries than [`MAX_ENTRIES`].
    #[error("shape {0:?} has more than the {max} numbers that an archive may hold", max = MAX_ENTRIES)]
    TooLarge(Vec<u64>),
    /// The file ends before the last entry of the array.
    #[error("the data ends after {found} of {expected} numbers")]
    Short {
        /// Number of entries that are there.
        found: usize,
        /// Number of entries that the shape asks for.
        expected: usize,
    },
    /// The number of entries to be written isn't that of the shape.
    #[error("{entries} numbers for the shape {shape:?}")]
    Length {
        /// Number of entries given.
        entries: usize,
        /// Shape given.
        shape: Vec<usize>,
    },
    /// The zip archive holds the array in a form that can't be read or written.
    #[error("{0}")]
    Zip(String),
    /// The data can't be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}
