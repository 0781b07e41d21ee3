//! Signed distance functions.
//!
//! Bowl after I. Quilez, "Distance functions"; thread and gear after shaders by others (shadertoy.com/view/XtffzX and 3lG3WR):
//! shapes put together from unions, intersections and differences, which are distances near the surface only.

mod bowl;
mod form;
mod gear;
mod screw;
mod torus;

use mj_model::plugin::PluginType;

/// All types of shapes.
pub(crate) fn plugins() -> [PluginType; 5] {
    [screw::bolt(), bowl::plugin(), gear::plugin(), screw::nut(), torus::plugin()]
}

#[cfg(test)]
mod tests;
