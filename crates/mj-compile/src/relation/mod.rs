//! Elements that refer to the tree by name: tendons, equalities, actuators, sensors.

pub(crate) mod actuator;
pub(crate) mod contact;
pub(crate) mod custom;
pub(crate) mod equality;
pub(crate) mod sensor;
pub(crate) mod servo;
pub(crate) mod tendon;
