//! Passes of a frame: what each of them draws, and how it is encoded.

mod draws;
mod encode;
mod shadows;

pub use draws::{Draw, Style, ViewDraws, ViewSlots, plan_shadows, plan_view};
pub use encode::{Bound, encode_colour, encode_ids, encode_shadows};
pub use shadows::ShadowMaps;
