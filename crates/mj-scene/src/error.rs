//! Errors of scenes.

use mj_engine::StepError;

/// Reason why a scene can't be filled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The data are those of another model.
    #[error(transparent)]
    Data(#[from] StepError),
    /// A fixed camera names no camera of the model.
    #[error("the model has no camera {id}: it has {count}, counted from 0")]
    Camera {
        /// Number that was given.
        id: i32,
        /// Number of cameras.
        count: usize,
    },
    /// A tracking camera names no body of the model.
    #[error("the model has no body {id} to track: it has {count}, counted from 0")]
    TrackedBody {
        /// Number that was given.
        id: i32,
        /// Number of bodies.
        count: usize,
    },
}
