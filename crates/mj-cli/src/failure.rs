//! Failures of a command, and their exit codes.

use mj_engine::LoadError;
use std::path::PathBuf;
use std::process::ExitCode;

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The model has errors.
    #[error("{0}")]
    Model(Box<LoadError>),
    /// The model has errors, which have been printed.
    #[error("")]
    Told,
    /// The model can't be simulated.
    #[error("{model}: error: {reason}")]
    Data {
        /// Model as it was named.
        model: String,
        /// Reason.
        reason: mj_engine::DataError,
    },
    /// A batch can't be simulated.
    #[error("{model}: error: {reason}")]
    Rollout {
        /// Model as it was named.
        model: String,
        /// Reason.
        reason: mj_engine::RolloutError,
    },
    /// A strict simulation met a number that is not finite.
    #[error("{model}: error: {reason}")]
    Diverged {
        /// Model as it was named.
        model: String,
        /// First number that is not finite, and likely causes.
        reason: mj_engine::StrictError,
    },
    /// A task of control failed to run.
    #[cfg(feature = "control")]
    #[error("{task}: error: {reason}")]
    Control {
        /// Task as it was named.
        task: String,
        /// Reason.
        reason: mj_control::ControlError,
    },
    /// Parameters can't be found.
    #[cfg(feature = "control")]
    #[error("{model}: error: {reason}")]
    Identify {
        /// Model as it was named.
        model: String,
        /// Reason.
        reason: mj_identify::IdentifyError,
    },
    /// A step was refused.
    #[error("error: {0}")]
    Refused(#[from] mj_engine::StepError),
    /// The model has a feature that velocity stepping doesn't support.
    #[error("{model}: error: {reason}")]
    VelocityStepping {
        /// Model as it was named.
        model: String,
        /// Feature.
        reason: mj_impulse::Unsupported,
    },
    /// A simulation by velocity stepping met a number that is not finite.
    #[error("{model}: error: a number of the state is not finite after {time:.4} s")]
    NotFinite {
        /// Model as it was named.
        model: String,
        /// Simulated time, s.
        time: f64,
    },
    /// An input file has an error.
    #[error("{}: error: {message}", path.display())]
    Input {
        /// File.
        path: PathBuf,
        /// Problem, and what would be right.
        message: String,
    },
    /// The command line has an error.
    #[error("error: {0}")]
    Usage(String),
    /// The command was built without a part of it.
    #[cfg_attr(feature = "full", expect(dead_code, reason = "nothing is left out"))]
    #[error(
        "error: this `mj` was built without {what}; add it with: cargo build --release -p mj-cli --features {feature}"
    )]
    Missing {
        /// Part.
        what: &'static str,
        /// Feature of the crate that adds it.
        feature: &'static str,
    },
    /// An output file can't be written.
    #[error("{}: error: {source}", path.display())]
    Write {
        /// File.
        path: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
    /// An archive of arrays can't be read or written.
    #[error("{}: error: {source}", path.display())]
    Archive {
        /// File.
        path: PathBuf,
        /// Reason.
        source: mj_npz::Error,
    },
    /// A signal ended the run early; its results are written.
    #[error("")]
    Interrupted,
    /// Standard output can't be written.
    #[error("error: {0}")]
    Output(#[from] std::io::Error),
}

impl From<LoadError> for Failure {
    fn from(e: LoadError) -> Self {
        Self::Model(Box::new(e))
    }
}

impl Failure {
    /// Returns 1 if the input is at fault, 2 if the command line is, 130 after Ctrl-C.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) | Self::Missing { .. } => ExitCode::from(2),
            Self::Interrupted => ExitCode::from(crate::interrupt::EXIT_CODE),
            _ => ExitCode::from(1),
        }
    }
}
