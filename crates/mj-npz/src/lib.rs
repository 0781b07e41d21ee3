//! Reads and writes NumPy archives (`.npz`): zip files with one `.npy` file an array.
//!
//! The format is that of NumPy's `numpy.lib.format`, versions 1 to 3.
//!
//! It knows no models.
//!
//! # Example
//!
//! ```
//! use mj_npz::{Compression, Writer, read_from};
//!
//! let mut file = Writer::new(std::io::Cursor::new(Vec::new()), Compression::None);
//! file.put("qpos", &[2, 3], &[0.0, 0.1, 0.2, 1.0, 1.1, 1.2])?;
//! assert_eq!(read_from(file.finish()?)?["qpos"].shape(), [2, 3]);
//! # Ok::<(), mj_npz::Error>(())
//! ```
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
