//! The kinematic tree: bodies with their joints, geoms, sites, cameras, lights.

pub(crate) mod body;
pub(crate) mod bounds;
pub(crate) mod fluid;
pub(crate) mod geom;
pub(crate) mod geom_asset;
pub(crate) mod joint;
pub(crate) mod place;
pub(crate) mod shape;
pub(crate) mod simplify;
pub(crate) mod tables;
pub(crate) mod view;
