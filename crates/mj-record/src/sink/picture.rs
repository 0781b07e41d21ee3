//! A picture as PNG.

use super::frame::{FrameSink, Frames};
use crate::error::RecordError;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// File with one picture (`.png`).
#[derive(Debug)]
pub struct PngFile {
    path: PathBuf,
    frames: Frames,
}

impl PngFile {
    /// Prepares a file; it is written with its frame.
    ///
    /// # Errors
    /// If no picture has this size.
    pub fn new(path: impl AsRef<Path>, width: u32, height: u32) -> Result<Self, RecordError> {
        Ok(Self { path: path.as_ref().to_path_buf(), frames: Frames::new(width, height)? })
    }
}

impl FrameSink for PngFile {
    fn write(&mut self, rgb: &[u8]) -> Result<(), RecordError> {
        if self.frames.count > 0 {
            return Err(RecordError::Full { path: self.path.clone(), max: 1 });
        }
        self.frames.take(rgb)?;
        let file = File::create(&self.path).map_err(RecordError::file(&self.path))?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), self.frames.width, self.frames.height);
        encoder.set_color(png::ColorType::Rgb);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(rgb)?;
            writer.finish()
        });
        written.map_err(|source| RecordError::Png { path: self.path.clone(), source })
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        self.frames.some()
    }
}
