//! The interface that programs use.

mod examples;
mod explain;
mod queries;
mod simulation;
