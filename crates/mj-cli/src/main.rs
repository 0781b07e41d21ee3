//! The `mj` command.
#![forbid(unsafe_code)]

fn main() {}
