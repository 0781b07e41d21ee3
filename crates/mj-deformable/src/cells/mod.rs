//! Finite elements of interpolated flexes: cells of a grid of nodes, or their outer faces.

pub mod basis;
pub mod corotational;
pub mod grid;
pub mod interpolation;
pub mod plastic;
pub mod polar;
pub mod shell_bending;
