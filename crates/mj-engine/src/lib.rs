//! The simulation pipeline: Data, step, forward, inverse, sensors, loading.
#![forbid(unsafe_code)]
