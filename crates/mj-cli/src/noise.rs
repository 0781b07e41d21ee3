//! Controls as stateless noise that any language can reproduce.

use mj_engine::Model;
use mj_model::{ControlId, KeyId};

/// Steps for which a control is held.
pub const BLOCK: u64 = 10;

/// Returns a number in [0, 1) from a seed, a block of steps and a control's index.
pub fn uniform(seed: u64, block: u64, i: u64) -> f64 {
    let z = seed
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(block.wrapping_mul(0xD1B5_4A32_D192_ED03))
        .wrapping_add(i.wrapping_mul(0x8CB9_2BA7_2F3D_8DD7))
        .wrapping_add(1);
    (mix(z) >> 11) as f64 * (-53f64).exp2()
}

/// Scrambles 64 bits.
fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Uniform noise about the middle of each control's range, or about key 0's control where there is one.
pub struct ControlNoise {
    seed: u64,
    /// Middle, half width, bounds of each control.
    controls: Vec<(f64, f64, f64, f64)>,
}

impl ControlNoise {
    /// Makes the noise of a model's controls.
    pub fn new(m: &Model, seed: u64) -> Self {
        let controls = (0..m.nu()).map(|i| {
            let c = ControlId::new(i);
            let [lo, hi] = if m.control.ctrllimited[c] { m.control.ctrlrange[c] } else { [-1.0, 1.0] };
            let mid = if m.key.is_empty() { 0.5 * (lo + hi) } else { m.key.ctrl[i].max(lo).min(hi) };
            (mid, 0.5 * (hi - lo), lo, hi)
        });
        Self { seed, controls: controls.collect() }
    }

    /// Sets the controls of step number `step`, counted from the reset.
    pub fn set(&self, step: u64, ctrl: &mut [f64]) {
        if !step.is_multiple_of(BLOCK) {
            return;
        }
        for (i, (c, &(mid, half, lo, hi))) in ctrl.iter_mut().zip(&self.controls).enumerate() {
            let u = uniform(self.seed, step / BLOCK, i as u64);
            *c = (mid + 0.5 * half * (2.0 * u - 1.0)).max(lo).min(hi);
        }
    }
}

/// Sets the state that measurements start from: key 0 where the model has one.
pub fn start(m: &Model, d: &mut mj_engine::Data) {
    if m.key.is_empty() {
        d.reset(m);
    } else {
        d.state.set_key(m, KeyId::new(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the documented formula, computed with arbitrary-precision integers.
    #[test]
    fn noise_is_reproducible() {
        assert_eq!(uniform(1, 0, 0), NOISE_1_0_0);
        assert_eq!(uniform(7, 12, 3), NOISE_7_12_3);
    }
    const NOISE_1_0_0: f64 = 0.5665615751722809;
    const NOISE_7_12_3: f64 = 0.49702590605737695;
}
