//! Frames without a format, for other programs.

use super::frame::{FrameSink, Frames};
use crate::error::RecordError;
use std::io::Write;

/// Stream of raw frames, as to standard output: 3 × width × height bytes each.
#[derive(Debug)]
pub struct RawFrames<W: Write> {
    out: W,
    frames: Frames,
}

impl<W: Write> RawFrames<W> {
    /// Returns a stream into a writer.
    ///
    /// # Errors
    /// If no picture has this size.
    pub fn new(out: W, width: u32, height: u32) -> Result<Self, RecordError> {
        Ok(Self { out, frames: Frames::new(width, height)? })
    }
}

impl<W: Write> FrameSink for RawFrames<W> {
    fn write(&mut self, rgb: &[u8]) -> Result<(), RecordError> {
        self.frames.take(rgb)?;
        Ok(self.out.write_all(rgb)?)
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        Ok(self.out.flush()?)
    }
}
