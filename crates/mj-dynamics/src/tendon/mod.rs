//! Tendons: their lengths, paths around wrapping geoms, and moments.

pub(crate) mod fixed;
pub(crate) mod layout;
pub(crate) mod measure;
pub(crate) mod path;
pub(crate) mod plan;
pub(crate) mod route;
pub(crate) mod tendons;
pub(crate) mod wrap;
