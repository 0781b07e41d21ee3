//! One self-contained page that plays a recording: geometry once, then poses by frame.
//!
//! The page holds one compressed block: the length of a description in JSON (u32), the description, and columns of
//! numbers in the order in which `decode.js` reads them.

mod column;
mod images;
mod json;
mod look;
mod meshes;
mod page;
mod pose;
mod recorder;
mod shape;
mod surfaces;
mod tracks;

pub use recorder::{HtmlOptions, HtmlRecorder};
