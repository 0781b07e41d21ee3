//! Errors of recordings.

use std::path::PathBuf;

/// Most pixels along a side of a picture.
pub const MAX_SIDE: u32 = 16384;

/// Reason why a recording can't be written, read or replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A file can't be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Reason of the system.
        source: std::io::Error,
    },
    /// The reader of a stream of frames takes no more.
    #[error("frames can't be written: {0}")]
    Stream(#[from] std::io::Error),
    /// A frame can't be encoded as PNG.
    #[error("{}: {source}", path.display())]
    Png {
        /// Path of the file.
        path: PathBuf,
        /// Reason of the encoder.
        source: png::EncodingError,
    },
    /// Pictures of a size that no format here has.
    #[error("pictures of {width}x{height} pixels can't be recorded; expected 1 to {max} pixels a side", max = MAX_SIDE)]
    Size {
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
    },
    /// A rate of frames that no player has.
    #[error("{fps} frames a second can't be recorded; expected more than 0 and at most 1000")]
    Rate {
        /// Rate that was given, Hz.
        fps: f64,
    },
    /// A frame of another size than the recording's.
    #[error("frame {frame} has {got} bytes; expected {expected}: red, green and blue for {width}x{height} pixels")]
    Frame {
        /// Number of the frame, from 0.
        frame: u64,
        /// Bytes that were given.
        got: usize,
        /// Bytes of a frame.
        expected: usize,
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
    },
    /// More frames than the format holds.
    #[error("{}: a file of this format holds {max} frames, and no more", path.display())]
    Full {
        /// Path of the file.
        path: PathBuf,
        /// Frames that it holds.
        max: u64,
    },
    /// The recording was finished before.
    #[error("the recording is finished; frames after its end have no place")]
    Finished,
    /// No frame was recorded.
    #[error("nothing was recorded; expected at least one frame")]
    Empty,
    /// There is no `ffmpeg`.
    #[error(
        "videos need the program `ffmpeg`, which can't be run: {0}; install it (Debian: apt-get install ffmpeg), or record .apng or .html"
    )]
    NoFfmpeg(std::io::Error),
    /// `ffmpeg` has no encoder for H.264.
    #[error("this `ffmpeg` lacks the encoder `libx264`; install one that has it, or record .apng or .html")]
    NoEncoder,
    /// `ffmpeg` failed.
    #[error("`ffmpeg` failed for {}: {message}", path.display())]
    Ffmpeg {
        /// Path of the video.
        path: PathBuf,
        /// End of its own messages.
        message: String,
    },
    /// Time of a frame before that of the last one, or not finite.
    #[error("frame {frame} is at {time} s; expected a finite time, not before the last frame's {last} s")]
    Time {
        /// Number of the frame, from 0.
        frame: usize,
        /// Time that was given, s.
        time: f64,
        /// Time of the last frame, s.
        last: f64,
    },
    /// A state log that is damaged, or no state log.
    #[error("this is no state log of this version: {0}")]
    Malformed(&'static str),
    /// A state log of another model.
    #[error(
        "the log was recorded with the model `{recorded}` of structure {recorded_structure:#018x}; this one is `{given}` of structure {given_structure:#018x}"
    )]
    OtherModel {
        /// Name of the recorded model.
        recorded: String,
        /// Signature of its structure.
        recorded_structure: u64,
        /// Name of the model that was given.
        given: String,
        /// Signature of its structure.
        given_structure: u64,
    },
    /// A frame that the log doesn't have.
    #[error("the log has no frame {frame}: it has {count}, counted from 0")]
    NoFrame {
        /// Frame that was asked for.
        frame: usize,
        /// Number of frames.
        count: usize,
    },
    /// States can't be taken from data, or set.
    #[error(transparent)]
    State(#[from] mj_engine::QueryError),
}

impl RecordError {
    /// Returns an error of a file, for `map_err`.
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }
}
