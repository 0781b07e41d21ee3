//! Models, recorded numbers and tolerances for the tests of several crates.
#![forbid(unsafe_code)]

mod files;
mod models;

pub use files::{Recorded, assert_near, bundled};
pub use models::{Builder, Joint, any_model, pendulum, turn};
