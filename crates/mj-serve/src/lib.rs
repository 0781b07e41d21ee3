//! Simulations in a browser: one page, streamed scenes, and events of the watcher who controls.
#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod error;
mod http;
mod server;
mod show;
mod token;
mod watch;

pub use error::ServeError;
pub use server::{ServeOptions, Server};
