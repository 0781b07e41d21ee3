//! Measurements of solvers, papers, the broad phase, control and identification, over models and problems.

pub mod broadphase;
pub mod control;
pub mod figures;
pub mod identify;
pub mod kkt;
mod laboratory;
pub mod papers;
mod planner;
