//! Encoders of frames: red, green, blue, a byte each, row by row from the top.

mod apng;
mod ffmpeg;
mod frame;
mod picture;
mod raw;

pub use apng::ApngFile;
pub use ffmpeg::Mp4File;
pub use frame::FrameSink;
pub use picture::PngFile;
pub use raw::RawFrames;
