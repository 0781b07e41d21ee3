//! Convex collision: contacts between primitive shapes, in f64, with or without a model.
#![forbid(unsafe_code)]
