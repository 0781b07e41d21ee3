//! Simulations in a browser: one page, streamed scenes, and events of the watcher who controls.
//!
//! It knows no pixels, no GPUs and no windows: browsers draw.
//!
//! # Example
//!
//! ```
//! use mj_engine::Simulation;
//! use mj_serve::{ServeOptions, Server};
//! use mj_session::{Host, Session};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ball = "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
//! let session = Session::start(Host::new(Simulation::from_xml(ball)?))?;
//! let server = Server::start(session.client(), "127.0.0.1:0", ServeOptions::default())?;
//! assert!(server.url().starts_with("http://127.0.0.1"));
//! # Ok(())
//! # }
//! ```
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
