//! Recordings of simulations: pictures and videos, logs of states, and HTML pages that play by themselves.
//!
//! It knows scenes, and neither renderers nor GPUs.
//!
//! # Example
//!
//! ```
//! use mj_engine::Simulation;
//! use mj_record::StateLog;
//!
//! let ball = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
//! let mut sim = Simulation::from_xml(ball)?;
//! let model = sim.shared_model().clone();
//! let mut log = StateLog::new(&model)?;
//! log.push(&model, sim.data())?;
//! sim.steps(10)?;
//! log.restore(0, &model, sim.data_mut())?;
//! assert_eq!(sim.time(), 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod error;
mod html;
mod log;
mod sink;
mod stream;

pub use error::{MAX_SIDE, RecordError};
pub use html::{HtmlOptions, HtmlRecorder, PagePart, fill_page};
pub use log::StateLog;
pub use sink::{ApngFile, FrameSink, Mp4File, PngFile, RawFrames};
pub use stream::SceneStream;
