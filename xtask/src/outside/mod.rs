//! Tests in other programs: in Python's interpreter, in a browser.

pub mod browser;
pub mod pictures;
pub mod python;
mod steps;
