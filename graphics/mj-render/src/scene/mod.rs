//! From abstract scenes to what the shaders need.

mod camera;
mod dynamic;
mod instance;
mod lights;
mod order;
mod parts;
mod sky;
mod view;

pub use camera::{Eye, middle};
pub use instance::InstanceData;
pub use lights::{LIGHT_BYTES, LightData, Lights, MAX_LIGHTS, ShadowSettings};
pub use order::Order;
pub use parts::{Assets, Part, Parts, Triangles};
pub use sky::{haze, sky};
pub use view::{Fog, VIEW_BYTES, ViewData, encode, encode_shadow};
