//! How much input is too much: every bound of the reader in one place.
//!
//! A file that breaks one of these gets a diagnostic that names the bound; nothing is read beyond it.

/// Greatest size of one file, bytes.
pub const FILE_BYTES: u64 = 256 << 20;
/// Greatest size of all files of a model together, bytes.
pub const TOTAL_BYTES: u64 = 512 << 20;
/// Greatest size of all files of meshes and height fields of a model together, bytes.
pub const ASSET_BYTES: u64 = 2 << 30;
/// Greatest size of an archive, bytes. The files in it have their own bounds, unpacked.
pub const ARCHIVE_BYTES: u64 = 2 << 30;
/// Greatest number of files in an archive.
pub const ARCHIVE_ENTRIES: usize = 100_000;
/// Greatest number of files of a model.
pub const FILES: usize = 1000;
/// Greatest number of nested includes.
pub const INCLUDE_DEPTH: usize = 100;
/// Greatest number of nested elements, the root counted, includes resolved. The reference stops at
/// the same depth in each file.
pub const DEPTH: usize = 498;
/// Greatest number of elements of a model.
pub const ELEMENTS: usize = 1_000_000;
/// Greatest number of bytes that copies made by `replicate` and `attach` may take, all models together.
pub const EXPANDED: usize = 256 << 20;
/// Greatest number of names that `replicate` and `attach` may look up, all models together.
pub const LOOKUPS: usize = 100_000_000;
/// Greatest number of models that are read to be attached.
pub const MODELS: usize = 1000;
/// Greatest number of models that are attached one in another.
pub const MODEL_DEPTH: usize = 16;
/// Greatest number of attributes of one element.
pub const ATTRIBUTES: usize = 1000;
/// Greatest amount of text and user data that elements take over from default classes, bytes.
pub const INHERITED: usize = 1 << 28;
/// Greatest length of a custom numeric field.
pub const NUMERIC_SIZE: usize = 1_000_000;
/// Number of problems after which the reader stops.
pub const DIAGNOSTICS: usize = 200;
/// Sizes of memory, in bytes, that `size` may ask for: the reference can't run any model outside of
/// them. Nothing is allocated by it here.
pub const MEMORY: std::ops::RangeInclusive<f64> = 256.0..=1e12;
/// Greatest size in the `size` section.
pub const COUNT: i64 = 1 << 24;
