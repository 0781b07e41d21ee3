//! An animation as APNG.

use super::frame::{FrameSink, Frames, check_rate};
use crate::error::RecordError;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Frames that the encoder is told to expect: how many come is known at the end.
const EXPECTED: u32 = 0x7fff_fffe;

/// Bytes of the signature of PNG.
const SIGNATURE: u64 = 8;

/// File with an animation (`.apng`) that repeats for ever.
pub struct ApngFile {
    path: PathBuf,
    frames: Frames,
    writer: Option<png::Writer<BufWriter<File>>>,
}

impl std::fmt::Debug for ApngFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApngFile").field("path", &self.path).field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl ApngFile {
    /// Creates a file.
    ///
    /// # Errors
    /// If no picture has this size, no player this rate, or the file can't be created.
    pub fn create(path: impl AsRef<Path>, width: u32, height: u32, fps: f64) -> Result<Self, RecordError> {
        let (path, frames) = (path.as_ref().to_path_buf(), Frames::new(width, height)?);
        check_rate(fps)?;
        let file = File::create(&path).map_err(RecordError::file(&path))?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
        encoder.set_color(png::ColorType::Rgb);
        let (numerator, denominator) = delay(fps);
        let header = encoder
            .set_animated(EXPECTED, 0)
            .and_then(|()| encoder.set_frame_delay(numerator, denominator))
            .and_then(|()| encoder.write_header());
        let writer = header.map_err(|source| RecordError::Png { path: path.clone(), source })?;
        Ok(Self { path, frames, writer: Some(writer) })
    }
}

impl FrameSink for ApngFile {
    fn write(&mut self, rgb: &[u8]) -> Result<(), RecordError> {
        let writer = self.writer.as_mut().ok_or(RecordError::Finished)?;
        if self.frames.count >= u64::from(EXPECTED) {
            return Err(RecordError::Full { path: self.path.clone(), max: EXPECTED.into() });
        }
        self.frames.take(rgb)?;
        writer.write_image_data(rgb).map_err(|source| RecordError::Png { path: self.path.clone(), source })
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        let writer = self.writer.take().ok_or(RecordError::Finished)?;
        self.frames.some()?;
        writer.finish().map_err(|source| RecordError::Png { path: self.path.clone(), source })?;
        set_count(&self.path, self.frames.count as u32).map_err(RecordError::file(&self.path))
    }
}

/// Returns the time between two frames as a fraction of a second.
fn delay(fps: f64) -> (u16, u16) {
    let scales = [1_u16, 10, 60, 100, 1000].into_iter().filter(|s| fps * f64::from(*s) <= f64::from(u16::MAX));
    let error =
        |scale: u16| (fps * f64::from(scale) - (fps * f64::from(scale)).round().max(1.0)).abs() / f64::from(scale);
    // The least scale among equals: players read fractions in their lowest terms.
    let best = scales.min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(1);
    (best, (fps * f64::from(best)).round().max(1.0) as u16)
}

/// Writes the number of frames into the chunk `acTL`, which stands before the frames.
fn set_count(path: &Path, count: u32) -> std::io::Result<()> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let mut at = SIGNATURE;
    loop {
        let mut head = [0; 8];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut head)?;
        let [a, b, c, d, kind @ ..] = head;
        if &kind == b"acTL" {
            break;
        }
        // A chunk has its length, kind, data and sum.
        at += 12 + u64::from(u32::from_be_bytes([a, b, c, d]));
    }
    let mut chunk = *b"acTL\0\0\0\0\0\0\0\0";
    chunk[4..8].copy_from_slice(&count.to_be_bytes());
    let mut sum = flate2::Crc::new();
    sum.update(&chunk);
    file.seek(SeekFrom::Start(at + 4))?;
    file.write_all(&chunk)?;
    file.write_all(&sum.sum().to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::delay;

    #[test]
    fn delays_are_fractions_that_players_read() {
        assert_eq!(delay(60.0), (1, 60));
        assert_eq!(delay(1000.0), (1, 1000));
        assert_eq!(delay(12.5), (10, 125));
        assert_eq!(delay(0.25), (60, 15));
        let (n, d) = delay(29.97);
        assert!((f64::from(d) / f64::from(n) - 29.97).abs() < 1e-9);
    }
}
