//! Errors of optimization and control.

use mj_engine::{DataError, ElementError, InverseError, LoadError, QueryError, StepError, TransitionError};

/// A problem of control can't be stated or solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// An array of another length than the problem's.
    #[error("array `{array}` has {got} numbers; expected {expected}")]
    Length {
        /// Name of the array.
        array: &'static str,
        /// Numbers given.
        got: usize,
        /// Numbers that the problem has.
        expected: usize,
    },
    /// A setting is out of its range.
    #[error("`{name}` is {value}; expected {expected}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value given.
        value: f64,
        /// Values that are right.
        expected: &'static str,
    },
    /// Riccati's equation has no stabilizing solution.
    #[error(
        "Riccati's equation has no stabilizing solution: can the controls reach all that is unstable, and does the cost see it?"
    )]
    Riccati,
    /// The trajectory to start from leaves the finite numbers.
    #[error("the simulation diverges along the first trajectory; begin with smaller controls or a smaller timestep")]
    Diverged,
    /// An optimizer has no trajectory to begin with.
    #[error("there is no trajectory yet; call `start` with a state first")]
    NotStarted,
    /// A planner on a thread of its own has ended.
    #[error("planning has ended after an error, which an earlier call told; start another agent")]
    PlannerEnded,
    /// No task has this name.
    #[error("there is no task `{name}`; the tasks are {known}")]
    UnknownTask {
        /// Name given.
        name: String,
        /// Names of all tasks.
        known: String,
    },
    /// A model can't be read.
    #[error(transparent)]
    Load(Box<LoadError>),
    /// A model can't be simulated.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A step is refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A step has no derivative.
    #[error(transparent)]
    Derivative(#[from] TransitionError),
    /// Inverse dynamics is refused.
    #[error(transparent)]
    Inverse(#[from] InverseError),
    /// An element isn't found.
    #[error(transparent)]
    Element(#[from] ElementError),
    /// A query of the engine is refused.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl From<LoadError> for ControlError {
    fn from(e: LoadError) -> Self {
        Self::Load(Box::new(e))
    }
}

/// Checks the length of an array.
pub(crate) fn check_length(array: &'static str, got: usize, expected: usize) -> Result<(), ControlError> {
    if got == expected { Ok(()) } else { Err(ControlError::Length { array, got, expected }) }
}
