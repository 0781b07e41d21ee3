//! Errors of windows.

use mj_engine::{DataError, QueryError};
use mj_record::RecordError;
use mj_render::RenderError;
use mj_scene::SceneError;

/// Reason why a window can't be opened, or shows no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// There is no display or no driver for windows.
    #[error(
        "no window can be opened: {0}; on a machine without a display, `mj view --web` shows the same in a browser"
    )]
    Window(#[from] eframe::Error),
    /// The renderer failed.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The scene can't be filled.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The model is larger than memory.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The engine refuses the state.
    #[error(transparent)]
    State(#[from] QueryError),
    /// A file can't be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}
