//! Frames of one size, and the trait of what takes them.

use crate::error::{MAX_SIDE, RecordError};

/// Receiver of frames: a file, a video, a stream.
pub trait FrameSink {
    /// Writes a frame: red, green and blue of each pixel, row by row from the top.
    ///
    /// # Errors
    /// If the frame has another size than the recording, the format holds no more, or the system takes no more.
    fn write(&mut self, rgb: &[u8]) -> Result<(), RecordError>;

    /// Completes the recording. Without this call files may lack their ends.
    ///
    /// # Errors
    /// If nothing was recorded, or the system takes no more.
    fn finish(&mut self) -> Result<(), RecordError>;
}

/// Size of frames, and how many there were.
#[derive(Debug)]
pub struct Frames {
    pub width: u32,
    pub height: u32,
    pub count: u64,
}

impl Frames {
    /// Checks a size.
    pub fn new(width: u32, height: u32) -> Result<Self, RecordError> {
        if [width, height].iter().all(|side| (1..=MAX_SIDE).contains(side)) {
            Ok(Self { width, height, count: 0 })
        } else {
            Err(RecordError::Size { width, height })
        }
    }

    /// Checks the length of a frame, and counts it.
    pub fn take(&mut self, rgb: &[u8]) -> Result<(), RecordError> {
        let expected = 3 * self.width as usize * self.height as usize;
        if rgb.len() != expected {
            let Self { width, height, count } = *self;
            return Err(RecordError::Frame { frame: count, got: rgb.len(), expected, width, height });
        }
        self.count += 1;
        Ok(())
    }

    /// Checks that there was a frame.
    pub fn some(&self) -> Result<(), RecordError> {
        if self.count == 0 { Err(RecordError::Empty) } else { Ok(()) }
    }
}

/// Checks a rate of frames.
pub fn check_rate(fps: f64) -> Result<(), RecordError> {
    if fps > 0.0 && fps <= 1000.0 { Ok(()) } else { Err(RecordError::Rate { fps }) }
}
