//! Errors of identification.

use mj_engine::model::model::ParameterNameError;
use mj_engine::{DataError, SetConstError, StepError, TransitionError};

/// A log can't be read, or a problem of identification can't be stated or solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IdentifyError {
    /// The log is wrong at a place.
    #[error("log, {place}: {wrong}")]
    Log {
        /// Line or column.
        place: String,
        /// Description of the fault, and of the right form.
        wrong: String,
    },
    /// A setting is out of its range.
    #[error("`{name}` is {value}; expected {expected}")]
    Setting {
        /// Name of the setting.
        name: String,
        /// Value given.
        value: f64,
        /// Values that are right.
        expected: &'static str,
    },
    /// Nothing was measured that depends on the parameters.
    #[error("the log has no measured number: give columns of `qpos`, `qvel` or `sensor`")]
    Empty,
    /// No parameter is unknown.
    #[error("no parameter is to be found: name one, as `body_mass[torso]`")]
    NoParameters,
    /// The simulation leaves the finite numbers at the first parameters.
    #[error(
        "the simulation from the log's states diverges; begin with other parameters, shorter windows or a smaller timestep"
    )]
    Diverged,
    /// A text names no parameter.
    #[error(transparent)]
    Parameter(#[from] ParameterNameError),
    /// The model refuses a parameter's value.
    #[error("parameter `{name}`: {reason}")]
    Value {
        /// Parameter.
        name: String,
        /// Reason.
        reason: String,
    },
    /// Two parameters set the inertia of one body in different ways.
    #[error("`{name}` and `{other}` both set the inertia of a body: name log-Cholesky coordinates alone")]
    Twice {
        /// Log-Cholesky coordinate.
        name: String,
        /// Other parameter.
        other: String,
    },
    /// A model can't be simulated.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Constants can't be derived.
    #[error(transparent)]
    SetConst(#[from] SetConstError),
    /// A step is refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A step has no derivative.
    #[error(transparent)]
    Derivative(#[from] TransitionError),
}
