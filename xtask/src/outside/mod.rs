//! Tests in other programs: in Python's interpreter, in a browser, on a display.

mod beside;
pub mod browser;
mod driver;
pub mod pictures;
pub mod python;
mod steps;
pub mod window;
