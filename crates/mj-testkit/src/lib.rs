//! Models, recorded numbers and tolerances for the tests of several crates.
#![forbid(unsafe_code)]

pub mod cantilevers;
pub mod falling;
mod files;
mod models;
mod statics;

pub use files::{Recorded, assert_near, bundled};
pub use models::{Builder, Joint, any_model, pendulum, turn};
pub use statics::settle;
