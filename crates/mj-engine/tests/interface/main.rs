//! What a program sees of a simulation.

mod examples;
mod explain;
mod queries;
mod simulation;
