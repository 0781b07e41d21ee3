//! Scenes for pages that draw them as they come: descriptions once, poses by frame.

mod block;
mod encoder;

pub use encoder::SceneStream;
