//! Plugins: parts of the physics that a program adds, which models name in their text.
//!
//! A [`PluginType`] has a name, the names of its settings, and a function that makes an [`Instance`] of their values. A
//! program puts its types into a [`Registry`] and hands that to whatever loads a model. A compiled model holds its
//! instances, and the stages of a step call them through the traits of this module. A registry also holds file formats: a
//! [`Decoder`] reads meshes and models, an [`Encoder`] writes models.

mod config;
mod formats;
mod functions;
mod registry;

pub use config::{Config, ConfigError};
pub use formats::{Decoder, Encoder, Format};
pub use functions::{
    ActuatorPlugin, ActuatorView, ContactForce, PassivePlugin, PassiveView, SdfPlugin, SensorPlugin, SensorView,
};
pub use registry::{BindError, Instance, PluginType, Registry};
