//! Actuators: transmission, activation and force.

pub(crate) mod activation;
pub(crate) mod affine;
pub(crate) mod dcmotor;
pub(crate) mod force;
pub(crate) mod layout;
pub mod muscle;
pub(crate) mod plan;
mod plugin;
pub mod servo;
pub(crate) mod state;
pub(crate) mod transmission;
pub(crate) mod user;
