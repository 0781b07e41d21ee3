//! From abstract scenes to what the shaders need.

mod camera;
mod dynamic;
mod instance;
mod lights;
mod material;
mod order;
mod parts;
mod sky;
mod view;

pub use camera::Eye;
pub use instance::InstanceData;
pub use lights::{LightData, Lights, ShadowLight, ShadowSettings};
pub use order::{Order, casts_nothing};
pub use parts::{Assets, Part, Parts, Triangles};
pub use sky::{haze, sky};
pub use view::{Fog, ViewData, encode, encode_shadow};
