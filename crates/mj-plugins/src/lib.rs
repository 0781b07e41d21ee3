//! Plugins that models can name without anybody registering them: PID control, touch grids, signed distance functions.
#![forbid(unsafe_code)]

mod pid;
mod sdf;
mod touch_grid;

use mj_model::plugin::Registry;

/// Returns a registry of the built-in plugins, to which a program may add its own.
pub fn builtin() -> Registry {
    let mut registry = Registry::empty();
    registry.add(pid::plugin()).add(touch_grid::plugin());
    for plugin in sdf::plugins() {
        registry.add(plugin);
    }
    registry
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
