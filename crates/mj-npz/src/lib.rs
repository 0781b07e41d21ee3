//! Reads and writes NumPy archives (`.npz`): zip files with one `.npy` file an array.
//!
//! The format is that of NumPy's `numpy.lib.format`, versions 1 to 3.
#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod array;
mod decode;
mod element;
mod error;
mod header;
mod read;
mod write;

pub use array::{Array, Data};
pub use element::Element;
pub use error::{Error, Fault, MAX_ENTRIES};
pub use read::{read, read_from};
pub use write::{Compression, Writer};
