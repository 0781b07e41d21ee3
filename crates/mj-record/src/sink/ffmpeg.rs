//! Videos, by the program `ffmpeg`.

use super::frame::{FrameSink, Frames, check_rate};
use crate::error::RecordError;
use std::ffi::OsString;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

/// Bytes of ffmpeg's messages that are kept.
const MESSAGE: usize = 2000;

/// Video (`.mp4`, H.264 with yuv420p) that `ffmpeg` encodes.
#[derive(Debug)]
pub struct Mp4File {
    path: PathBuf,
    frames: Frames,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    frames: BufWriter<ChildStdin>,
    messages: JoinHandle<String>,
}

impl Mp4File {
    /// Starts `ffmpeg`, after a check that there is one with the encoder.
    ///
    /// Sides of odd length get one more row or column: yuv420p has none.
    ///
    /// # Errors
    /// If no picture has this size, no player this rate, or there is no `ffmpeg` with `libx264`.
    pub fn create(path: impl AsRef<Path>, width: u32, height: u32, fps: f64) -> Result<Self, RecordError> {
        Self::create_with("ffmpeg".as_ref(), path.as_ref(), width, height, fps)
    }

    fn create_with(program: &Path, path: &Path, width: u32, height: u32, fps: f64) -> Result<Self, RecordError> {
        let (path, frames) = (path.to_path_buf(), Frames::new(width, height)?);
        check_rate(fps)?;
        let encoders = Command::new(program).args(["-hide_banner", "-encoders"]).stdin(Stdio::null()).output();
        let encoders = encoders.map_err(RecordError::NoFfmpeg)?.stdout;
        if !encoders.split(|b| b.is_ascii_whitespace()).any(|word| word == b"libx264") {
            return Err(RecordError::NoEncoder);
        }
        // A path isn't taken for an option, nor for a protocol.
        let mut target = OsString::from("file:");
        target.push(&path);
        let mut command = Command::new(program);
        command.args(["-y", "-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
        command.args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string(), "-i", "-"]);
        command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p"]);
        command.args(["-movflags", "+faststart", "-f", "mp4"]).arg(target);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(RecordError::NoFfmpeg)?;
        let (Some(frames_in), Some(errors)) = (child.stdin.take(), child.stderr.take()) else {
            return Err(RecordError::NoFfmpeg(std::io::ErrorKind::BrokenPipe.into()));
        };
        // Read beside the frames, so that a full pipe of messages stops nobody.
        let messages = std::thread::spawn(move || last_of(errors));
        Ok(Self { path, frames, process: Some(Process { child, frames: BufWriter::new(frames_in), messages }) })
    }

    fn failure(&self, process: Process) -> RecordError {
        let Process { mut child, frames, messages } = process;
        // The pipe is closed without its buffer: its reader is gone.
        drop(frames.into_parts().0);
        let status = child.wait();
        let message = messages.join().unwrap_or_default();
        let message = match (message.trim(), status) {
            ("", Ok(status)) => format!("it ended early, with {status}"),
            ("", Err(e)) => e.to_string(),
            (message, _) => message.to_string(),
        };
        RecordError::Ffmpeg { path: self.path.clone(), message }
    }
}

impl FrameSink for Mp4File {
    fn write(&mut self, rgb: &[u8]) -> Result<(), RecordError> {
        let mut process = self.process.take().ok_or(RecordError::Finished)?;
        if let Err(e) = self.frames.take(rgb) {
            self.process = Some(process);
            return Err(e);
        }
        if process.frames.write_all(rgb).is_err() {
            return Err(self.failure(process));
        }
        self.process = Some(process);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        let mut process = self.process.take().ok_or(RecordError::Finished)?;
        if process.frames.flush().is_err() {
            return Err(self.failure(process));
        }
        let Process { mut child, frames, messages } = process;
        drop(frames);
        let status = child.wait()?;
        let message = messages.join().unwrap_or_default();
        self.frames.some()?;
        if status.success() {
            return Ok(());
        }
        let message = if message.trim().is_empty() { status.to_string() } else { message.trim().to_string() };
        Err(RecordError::Ffmpeg { path: self.path.clone(), message })
    }
}

impl Drop for Mp4File {
    /// Ends `ffmpeg`, where the recording was not finished.
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // Both may fail for a process that has ended by itself.
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

/// Reads to the end, and returns the last part as text.
fn last_of(mut from: impl Read) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 1024]);
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..n]);
        let excess = kept.len().saturating_sub(MESSAGE);
        kept.drain(..excess);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_told_at_once() {
        let nowhere = std::env::temp_dir().join("no-such-program-here");
        let error = Mp4File::create_with(&nowhere, "x.mp4".as_ref(), 4, 4, 30.0).unwrap_err();
        assert!(matches!(error, RecordError::NoFfmpeg(_)), "{error}");
        assert!(error.to_string().contains("apt-get install ffmpeg"));
    }
}
