//! One file a command.

pub mod bench;
pub mod compile;
pub mod completions;
pub mod control;
pub mod decompose;
pub mod dump;
pub mod identify;
pub mod info;
pub mod problem;
pub mod render;
pub mod rollout;
pub mod run;
pub mod solve;
pub mod view;
