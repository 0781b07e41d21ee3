//! Measurements of solvers, papers, the broad phase and control, over models and problems.

pub mod broadphase;
pub mod control;
pub mod kkt;
mod laboratory;
pub mod papers;
