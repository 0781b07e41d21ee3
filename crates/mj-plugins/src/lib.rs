//! Plugins that models can name without anybody registering them: PID control, touch grids, signed distance functions; and
//! behind features decoders of mesh files.
//!
//! They are written against [`mj_model::plugin`] alone, as anybody's, and know neither the compiler nor the engine.
//!
//! # Example
//!
//! ```
//! let plugins = mj_plugins::builtin();
//! let torus = plugins.find("mujoco.sdf.torus").unwrap().1.instance(&["1".into(), "0.25".into()]).unwrap();
//! assert_eq!(torus.sdf.unwrap().distance([2.0, 0.0, 0.0].into()), 0.75);
//! ```
#![forbid(unsafe_code)]

#[cfg(any(feature = "gltf", feature = "ply"))]
mod formats;
mod pid;
mod sdf;
mod touch_grid;

use mj_model::plugin::Registry;

/// Returns a registry of the built-in plugins, and of the decoders that the features `ply` and `gltf` ask for, to which a
/// program may add its own.
///
/// Example: [the crate](crate#example).
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
