//! Derivatives against central differences of the forces.

mod arms;
mod fluid;
mod position;
mod velocity;

use mj_dynamics::*;
use mj_model::*;

fn results(d: &Dynamics) -> &Smooth {
    &d.smooth
}

/// Dense ∂τ/∂q by central differences.
fn by_position(m: &Model, s: &State, tau: impl Fn(&State) -> Vec<f64>) -> Vec<Vec<f64>> {
    by_position_over(1e-5, m, s, tau)
}

fn by_position_over(h: f64, m: &Model, s: &State, tau: impl Fn(&State) -> Vec<f64>) -> Vec<Vec<f64>> {
    let at = |k: usize, h: f64| {
        let (mut s, mut direction) = (s.clone(), vec![0.0; m.nv()]);
        direction[k] = 1.0;
        integrate_pos(m, &mut s.qpos, &direction, h);
        tau(&s)
    };
    (0..m.nv()).map(|k| at(k, h).iter().zip(at(k, -h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()).collect()
}
