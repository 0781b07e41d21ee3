//! Recordings of simulations: pictures and videos, logs of states, and HTML pages that play by themselves.
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
