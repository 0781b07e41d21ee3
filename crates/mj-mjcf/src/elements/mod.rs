//! Elements of the language, one file a section.

pub(crate) mod actuators;
pub(crate) mod assets;
pub(crate) mod bodies;
pub(crate) mod custom;
pub(crate) mod deformable;
pub(crate) mod frames;
pub(crate) mod globals;
pub(crate) mod plugins;
pub(crate) mod relations;
pub(crate) mod sensors;
pub(crate) mod servos;
pub(crate) mod shapes;
pub(crate) mod shortcuts;
pub(crate) mod skins;
