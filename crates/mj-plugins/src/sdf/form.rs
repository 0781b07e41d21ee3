//! Parts that shapes share: settings, waves, gradients.

use mj_math::DVec3;
use mj_model::plugin::{Config, ConfigError, Instance, PluginType, SdfPlugin};

/// Makes a type of shape from the names of its attributes with their defaults.
pub(super) fn shape<const N: usize, S: SdfPlugin + 'static>(
    name: &str,
    attributes: [(&'static str, f64); N],
    make: impl Fn([f64; N]) -> Result<S, ConfigError> + Send + Sync + 'static,
) -> PluginType {
    PluginType::new(name, &attributes.map(|(name, _)| name), move |config: &Config| {
        let mut values = [0.0; N];
        for (value, (name, default)) in values.iter_mut().zip(attributes) {
            *value = config.number(name)?.unwrap_or(default);
        }
        make(values).map(Instance::sdf)
    })
}

/// Error unless a number is positive.
pub(super) fn positive(key: &str, x: f64) -> Result<f64, ConfigError> {
    if x > 0.0 { Ok(x) } else { Err(ConfigError::new(key, format!("{x} is not positive"))) }
}

/// Height from which a triangle wave of period 1 falls and to which it rises: distance of x from the next half.
pub(super) fn triangle_wave(x: f64) -> f64 {
    (x - x.floor() - 0.5).abs()
}

/// Distance and gradient of a function of z that depends on x and y through what `column` computes of them, so that the
/// difference along z costs one evaluation of the rest.
pub(super) fn by_columns<C>(p: DVec3, column: impl Fn(f64, f64) -> C, at: impl Fn(&C, f64) -> f64) -> (f64, DVec3) {
    const STEP: f64 = 1e-8;
    let here = column(p.x, p.y);
    let d = at(&here, p.z);
    let x = at(&column(p.x + STEP, p.y), p.z);
    let y = at(&column(p.x, p.y + STEP), p.z);
    let z = at(&here, p.z + STEP);
    (d, DVec3::new((x - d) / STEP, (y - d) / STEP, (z - d) / STEP))
}
