//! Time integration of multi-joint states.
#![forbid(unsafe_code)]
