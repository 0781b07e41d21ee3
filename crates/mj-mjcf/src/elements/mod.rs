//! Elements of the language, one file a section.

pub(crate) mod actuator_form;
pub(crate) mod actuators;
pub(crate) mod assets;
pub(crate) mod bodies;
pub(crate) mod custom;
pub(crate) mod defaults;
pub(crate) mod deformable;
pub(crate) mod frames;
pub(crate) mod globals;
pub(crate) mod orientation;
pub(crate) mod plugins;
pub(crate) mod relations;
pub(crate) mod sensors;
pub(crate) mod servos;
pub(crate) mod shapes;
pub(crate) mod shortcuts;
pub(crate) mod skins;
