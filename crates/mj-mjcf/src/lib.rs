//! Reads MJCF text into a Spec, with diagnostics that say what, where and what would be right.
#![forbid(unsafe_code)]
