//! Vectors, quaternions, spatial algebra, tree-sparse and small dense kernels for multi-joint dynamics.
#![forbid(unsafe_code)]
