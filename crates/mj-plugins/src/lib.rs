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
#[cfg(not(all(feature = "gltf", feature = "ply")))]
mod left_out;
mod pid;
mod sdf;
mod touch_grid;

use mj_model::plugin::{Format, Registry};

/// The Polygon File Format.
const PLY: Format = Format { content_type: "model/ply", endings: &["ply"] };
/// glTF 2.0 as text.
const GLTF: Format = Format { content_type: "model/gltf+json", endings: &["gltf"] };
/// glTF 2.0 in a binary container.
const GLB: Format = Format { content_type: "model/gltf-binary", endings: &["glb"] };

/// Returns a registry of the built-in plugins, and of the decoders that the features `ply` and `gltf` ask for, to which a
/// program may add its own. Files of a format whose feature is missing are refused with the feature's name.
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
    #[cfg(not(feature = "ply"))]
    registry.add_decoder(left_out::LeftOut { format: PLY, feature: "ply" });
    #[cfg(feature = "gltf")]
    registry.add_decoder(formats::gltf::Gltf::Text).add_decoder(formats::gltf::Gltf::Binary);
    #[cfg(not(feature = "gltf"))]
    for format in [GLTF, GLB] {
        registry.add_decoder(left_out::LeftOut { format, feature: "gltf" });
    }
    registry
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
