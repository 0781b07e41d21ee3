//! Compiles a Spec into a Model: frames, inertias, constants at the reference configuration.
#![forbid(unsafe_code)]
