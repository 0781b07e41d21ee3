//! Costs of builds and steps: the first build, the minutes of continuous integration, the instructions of a step.

pub mod budget;
pub mod choice;
pub mod first_build;
pub mod minutes;
