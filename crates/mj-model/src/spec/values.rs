//! Built-in values that several kinds of elements share.

/// Default constraint reference: time constant, damping ratio.
pub const SOLREF: [f64; 2] = [0.02, 1.0];
/// Default constraint impedance: d₀, d_width, width, midpoint, power.
pub const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
/// Default colour.
pub const RGBA: [f32; 4] = [0.5, 0.5, 0.5, 1.0];
/// Friction of a pair of geoms that gives none: two coefficients of sliding, one of spinning, two of rolling.
pub const PAIR_FRICTION: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001];
