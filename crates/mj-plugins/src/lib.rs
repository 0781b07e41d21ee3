//! Plugins that models can name without anybody registering them: PID control, touch grids, signed distance functions; and
//! behind features decoders of mesh files.
#![forbid(unsafe_code)]

#[cfg(any(feature = "gltf", feature = "ply"))]
mod formats;
mod pid;
mod sdf;
mod touch_grid;

use mj_model::plugin::Registry;

/// Returns a registry of the built-in plugins, and of the decoders that the features `ply` and `gltf` ask for, to which a
/// program may add its own.
pub fn builtin() -> Registry {
    let mut registry = Registry::empty();
    registry.add(pid::plugin()).add(touch_grid::plugin());
    for plugin in sdf::plugins() {
        registry.add(plugin);
    }
    #[cfg(feature = "ply")]
    registry.add_decoder(formats::ply::Ply);
    #[cfg(feature = "gltf")]
    registry.add_decoder(formats::gltf::Gltf::Text).add_decoder(formats::gltf::Gltf::Binary);
    registry
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
