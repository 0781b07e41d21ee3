//! Errors of the functions that read results.

use crate::errors::element::ElementError;
use crate::errors::step::StepError;
use mj_model::SignatureError;

/// A function that reads results, or adds to inputs, was given something that isn't there or doesn't fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// An element that the model doesn't have.
    #[error(transparent)]
    Element(#[from] ElementError),
    /// Data and model don't fit together.
    #[error(transparent)]
    Data(#[from] StepError),
    /// A signature of the state, or a vector with its components, that isn't valid.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// A vector of another length than needed.
    #[error("`{vector}` has length {got}, but {expected} is needed")]
    Length {
        /// Name of the argument.
        vector: &'static str,
        /// Length needed.
        expected: usize,
        /// Length given.
        got: usize,
    },
    /// A contact that isn't there.
    #[error("there is no contact {index}: there are {count}, counted from 0")]
    Contact {
        /// Number asked for.
        index: usize,
        /// Number of contacts.
        count: usize,
    },
    /// A constraint row that isn't there.
    #[error("there is no constraint row {index}: there are {count}, counted from 0")]
    Row {
        /// Number asked for.
        index: usize,
        /// Number of rows.
        count: usize,
    },
    /// A kind of object that has no frame.
    #[error("a {0} has no frame; body, xbody, geom, site and camera have one")]
    NoFrame(&'static str),
    /// A ray without a direction.
    #[error("the direction of a ray must be finite and longer than 1e-15, not {0:?}")]
    Direction([f64; 3]),
    /// A contact that makes no sense.
    #[error("the contact can't be added: {0}")]
    BadContact(&'static str),
}

/// Checks the length of an argument.
pub(crate) fn check_length(vector: &'static str, got: usize, expected: usize) -> Result<(), QueryError> {
    if got == expected { Ok(()) } else { Err(QueryError::Length { vector, expected, got }) }
}
