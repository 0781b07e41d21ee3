//! Questions about a model and its data, by the names of the reference's functions.

pub(crate) mod contacts;
pub(crate) mod inertia;
pub(crate) mod islands;
pub(crate) mod jacobians;
pub(crate) mod lengthrange;
pub(crate) mod objects;
pub(crate) mod rays;
pub(crate) mod sorted_islands;
pub(crate) mod views;
