//! Files that take frames, by their ending.

use crate::failure::Failure;
use crate::output;
use mj_engine::Model;
use mj_record::{ApngFile, FrameSink, HtmlOptions, HtmlRecorder, Mp4File, PngFile, RawFrames, RecordError};
use mj_scene::Scene;
use std::io::stdout;
use std::path::{Path, PathBuf};

/// File that takes frames.
pub enum Output<'a> {
    /// Pictures, one after the other.
    Pictures(Box<dyn FrameSink>),
    /// A page that plays scenes.
    Page(PathBuf, Box<HtmlRecorder<'a>>),
}

impl<'a> Output<'a> {
    /// Opens a file, or says why it can't be written.
    pub fn create(path: &Path, m: &'a Model, size: (u32, u32), fps: f64, frames: usize) -> Result<Self, Failure> {
        let (width, height) = size;
        if path.as_os_str() == "-" {
            return Ok(Self::Pictures(Box::new(RawFrames::new(stdout(), width, height).map_err(failure)?)));
        }
        output::check(path)?;
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        let sink: Box<dyn FrameSink> = match ending.as_str() {
            "png" if frames > 1 => {
                let wrong = format!(
                    "{}: a .png holds one picture; write {frames} frames to .apng, .mp4 or .html",
                    path.display()
                );
                return Err(Failure::Usage(wrong));
            }
            "png" => Box::new(PngFile::new(path, width, height).map_err(failure)?),
            "apng" => Box::new(ApngFile::create(path, width, height, fps).map_err(failure)?),
            "mp4" => Box::new(Mp4File::create(path, width, height, fps).map_err(failure)?),
            "html" => return Ok(Self::Page(path.into(), Box::new(HtmlRecorder::new(m, HtmlOptions::default())))),
            _ => {
                let wrong = format!("{}: expected .png, .apng, .mp4, .html, or - for raw frames", path.display());
                return Err(Failure::Usage(wrong));
            }
        };
        Ok(Self::Pictures(sink))
    }

    /// Returns whether frames must be drawn.
    pub fn wants_pictures(&self) -> bool {
        matches!(self, Self::Pictures(_))
    }

    /// Writes a frame.
    pub fn frame(&mut self, scene: &Scene, time: f64, rgb: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Pictures(sink) => sink.write(rgb).map_err(failure),
            Self::Page(_, page) => page.frame(scene, time).map_err(failure),
        }
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Pictures(mut sink) => sink.finish().map_err(failure),
            Self::Page(path, page) => {
                let text = page.finish().map_err(failure)?;
                std::fs::write(&path, text).map_err(|source| Failure::Write { path, source })
            }
        }
    }
}

fn failure(e: RecordError) -> Failure {
    Failure::Usage(e.to_string())
}
