//! The graphics library: adapters, pipelines, textures, targets.

mod adapter;
mod growing;
mod layouts;
mod picture;
mod pipelines;
mod readback;
mod targets;
mod textures;

pub use adapter::{AdapterDescription, Gpu, probe};
pub use growing::GrowingBuffer;
pub use layouts::{LIGHT_BYTES, Layouts, MAX_LIGHTS, VIEW_BYTES};
pub use picture::{Pixels, TextureKind, pixels};
pub use pipelines::{Blend, Cull, PipelineKey, Pipelines, Program};
pub use readback::{Plane, Readback};
pub use targets::{COLOUR, DEPTH, Targets, target, whole};
pub use textures::{TextureSet, Textures, texture_of, texture_view};
