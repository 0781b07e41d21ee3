//! What can go wrong, and the exit code that says so.

use mj_engine::LoadError;
use std::path::PathBuf;
use std::process::ExitCode;

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The model has errors.
    #[error("{0}")]
    Model(Box<LoadError>),
    /// The model has errors, which have been told.
    #[error("")]
    Told,
    /// The model can't be simulated.
    #[error("{model}: error: {reason}")]
    Data {
        /// Model as it was named.
        model: String,
        /// Why.
        reason: mj_engine::DataError,
    },
    /// A batch can't be simulated.
    #[error("{model}: error: {reason}")]
    Rollout {
        /// Model as it was named.
        model: String,
        /// Why not.
        reason: mj_engine::RolloutError,
    },
    /// A strict simulation went bad.
    #[error("{model}: error: {reason}")]
    Diverged {
        /// Model as it was named.
        model: String,
        /// What went bad first, and why it may have.
        reason: mj_engine::StrictError,
    },
    /// A step was refused.
    #[error("error: {0}")]
    Refused(#[from] mj_engine::StepError),
    /// The model has what velocity stepping doesn't know.
    #[error("{model}: error: {reason}")]
    VelocityStepping {
        /// Model as it was named.
        model: String,
        /// What.
        reason: mj_impulse::Unsupported,
    },
    /// A simulation by velocity stepping went bad.
    #[error("{model}: error: a number of the state is not finite after {time:.4} s")]
    NotFinite {
        /// Model as it was named.
        model: String,
        /// When, s.
        time: f64,
    },
    /// An input file is at fault.
    #[error("{}: error: {message}", path.display())]
    Input {
        /// File.
        path: PathBuf,
        /// What is wrong and what would be right.
        message: String,
    },
    /// The command line is at fault.
    #[error("error: {0}")]
    Usage(String),
    /// An output file can't be written.
    #[error("{}: error: {source}", path.display())]
    Write {
        /// File.
        path: PathBuf,
        /// Why.
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
    /// 1: the input is at fault; 2: the command line is.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            _ => ExitCode::from(1),
        }
    }
}
