//! Controls of MuJoCo Warp's benchmark: a process that reverts to the middle of each control's range, driven by a
//! sequence of low discrepancy, equal for a world and a step on any machine.

use mj_engine::Model;
use mj_model::ControlId;

/// Standard deviation of the noise, in half ranges.
const DEVIATION: f64 = 0.01;
/// Time in which controls return to the middle, s.
const TIME: f64 = 0.1;

/// Noise of a model's controls.
#[derive(Clone, Debug)]
pub struct ControlNoise {
    rate: f64,
    scale: f64,
    /// Middle, half width, limits of each control.
    controls: Vec<[f64; 4]>,
}

impl ControlNoise {
    /// Makes the noise of a model; `centre` holds the controls to return to, or nothing for the middle of each range.
    pub fn new(m: &Model, centre: &[f64]) -> Self {
        let rate = (-m.opt.timestep / TIME).exp();
        let control = |i: usize| {
            let c = ControlId::new(i);
            let limited = m.control.ctrllimited[c];
            let [low, high] = if limited { m.control.ctrlrange[c] } else { [-1.0, 1.0] };
            let bounds = if limited { [low, high] } else { [f64::NEG_INFINITY, f64::INFINITY] };
            let middle = centre.get(i).copied().unwrap_or(0.5 * (low + high));
            [middle, 0.5 * (high - low), bounds[0], bounds[1]]
        };
        Self { rate, scale: DEVIATION * (1.0 - rate * rate).sqrt(), controls: (0..m.nu()).map(control).collect() }
    }

    /// Advances the controls of a world by one step.
    pub fn advance(&self, world: usize, step: usize, ctrl: &mut [f64]) {
        for (i, (u, [middle, half, low, high])) in ctrl.iter_mut().zip(&self.controls).enumerate() {
            let noise = 2.0 * radical_inverse(((step + 1) * (world + 1)) as u64, i as u64 + 2) - 1.0;
            *u = (self.rate * *u + (1.0 - self.rate) * middle + self.scale * half * noise).clamp(*low, *high);
        }
    }
}

/// Returns the digits of `n` in a base, mirrored at the point: Halton's sequence.
fn radical_inverse(mut n: u64, base: u64) -> f64 {
    let (mut digit, mut x) = (1.0 / base as f64, 0.0);
    while n > 0 {
        x += digit * (n % base) as f64;
        n /= base;
        digit /= base as f64;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::radical_inverse;

    #[test]
    fn sequence_fills_the_interval() {
        let first: Vec<f64> = (1..5).map(|n| radical_inverse(n, 2)).collect();
        assert_eq!(first, [0.5, 0.25, 0.75, 0.125]);
        assert!((radical_inverse(5, 3) - 7.0 / 9.0).abs() < 1e-15);
    }
}
