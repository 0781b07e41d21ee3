//! Spike: many worlds of one model at once, on CPU lanes and on a GPU. See `docs/lab/batch.md`.
#![cfg_attr(not(any(feature = "cuda", feature = "wgpu")), forbid(unsafe_code))]
#![deny(unsafe_code)]

pub mod gpu;
pub mod lane;
pub mod noise;
pub mod plan;
pub mod smooth;
pub mod solver;
pub mod step;
pub mod worlds;
