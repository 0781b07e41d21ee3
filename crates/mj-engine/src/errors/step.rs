//! Why data can't be made, and why a step is refused.

use crate::errors::support::UnsupportedOption;
use mj_model::ParameterError;

/// A model can't be simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// An option asks for something that the engine doesn't have yet.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedOption),
    /// The model's plugins have no functions yet.
    #[error("the model's plugins are not bound: call `Model::bind_plugins` after `Model::from_bytes`")]
    UnboundPlugins,
    /// The time step, a mass or an inertia has a value that no simulation can use.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// A step, or a part of one, was refused; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A vector of the state has another length than the model needs.
    #[error("`{vector}` has length {got}, but the model needs {expected}")]
    Length {
        /// Name of the vector.
        vector: &'static str,
        /// Length that the model needs.
        expected: usize,
        /// Length that the vector has.
        got: usize,
    },
    /// The data was made for a model of another structure.
    #[error(
        "the data was made for another model: it has {got} {table}, the model has {expected}; \
         make new data with `Data::new(&model)`"
    )]
    Structure {
        /// Elements that are counted.
        table: &'static str,
        /// Number that the model has.
        expected: usize,
        /// Number that the data was made for.
        got: usize,
    },
    /// The data was made for a model of as many elements, but of other types, parents or addresses.
    #[error(
        "the data was made for another model: it has as many elements, but others; make new data with `Data::new(&model)`"
    )]
    Signature,
    /// An option was set to a value that doesn't go with the rest of the model.
    #[error(transparent)]
    Unsupported(UnsupportedOption),
    /// The solver of the data can't take the stiffness of flexes into account.
    #[error(
        "the solver of the data doesn't take stiffness, which elastic flexes add to the inertia under the integrator \
         `discrete`; use `Newton` or `CG`, or another integrator"
    )]
    SolverWithoutStiffness,
    /// A hook called a function that calls hooks.
    #[error(
        "`{function}` was called from inside a hook, which is called by it; \
         to simulate ahead from a hook, step a copy of the data with its `hooks` set to `None`"
    )]
    InsideHook {
        /// The function that was called.
        function: &'static str,
    },
}
