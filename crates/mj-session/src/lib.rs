//! Simulations that are watched: a simulation on a thread of its own, and the messages between it and its viewers.
//!
//! Simulation and viewers share no state. A [`Snapshot`] holds the state from which the engine goes on, and the latest one
//! replaces those before it; an [`Event`] is a wish of the user's, and all arrive in order. A viewer computes what it shows
//! from the snapshot in a [`Replica`] of its own.
//!
//! - [`Session`] runs a [`Host`] on a thread: it keeps pace with the clock, keeps a history, and does what events ask for.
//! - [`Passive`] is for programs that step a simulation themselves.
//! - [`Client`] is a viewer's end of either.
//!
//! It knows no windows, no networks and no pictures.
//!
//! # Example
//!
//! ```
//! use mj_engine::Simulation;
//! use mj_session::{Event, Host, Session};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ball = "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
//! let session = Session::start(Host::new(Simulation::from_xml(ball)?))?;
//! let client = session.client();
//! client.send(Event::Step(100));
//! while client.latest().is_none_or(|snapshot| snapshot.time < 0.1) {
//!     std::thread::yield_now();
//! }
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod channel;
mod edits;
mod event;
mod history;
mod host;
pub mod inputs;
mod overlay;
mod passive;
mod replica;
mod session;
mod snapshot;

pub use channel::Client;
pub use event::Event;
pub use host::Host;
pub use overlay::{Overlay, OverlayImage, OverlayText};
pub use passive::Passive;
pub use replica::Replica;
pub use session::Session;
pub use snapshot::{Look, Pace, Snapshot, Statistics};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
