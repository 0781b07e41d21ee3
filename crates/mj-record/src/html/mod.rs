//! One self-contained page that plays a recording: geometry once, then poses by frame.
//!
//! The page holds one compressed block: the length of a description in JSON (u32), the description, and columns of
//! numbers in the order in which `decode.js` reads them.

mod column;
pub(crate) mod images;
pub(crate) mod json;
pub(crate) mod look;
pub(crate) mod meshes;
pub(crate) mod page;
mod pose;
mod recorder;
pub(crate) mod shape;
mod surfaces;
pub(crate) mod topology;
pub(crate) mod tracks;

pub use page::{PagePart, fill_page};
pub use recorder::{HtmlOptions, HtmlRecorder};
