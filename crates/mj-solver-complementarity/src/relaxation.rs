//! One unit after the other: each is brought towards its own laws, the others' forces held.
//!
//! f_u ← Π(f_u − ρ w_u) has the laws of contact as its fixed points, and sweeps of it go where Newton's method, which
//! only ever lowers ‖F‖, may get stuck. They converge slowly, so they only find Newton's method a better start.

use crate::hybrid::{Scaled, unit_force};
use mj_math::dense::dot;

/// Steps of a unit in one visit.
const LOCAL: usize = 8;

/// Improves the scaled forces `f` (k) by so many sweeps.
pub fn relax(p: &Scaled, sweeps: u32, f: &mut [f64]) {
    let k = p.len();
    for _ in 0..sweeps {
        for u in &p.units {
            let (row, n) = (u.row, u.dim());
            let block = |i: usize| &p.a[(row + i) * k + row..(row + i) * k + row + n];
            // Nowhere less than the block's eigenvalues.
            let reach = (0..n).map(|i| block(i).iter().map(|a| a.abs()).sum::<f64>()).fold(0.0, f64::max);
            if reach <= 0.0 || reach.is_nan() {
                continue;
            }
            let mut w = [0.0; 6];
            (0..n).for_each(|i| w[i] = dot(&p.a[(row + i) * k..(row + i + 1) * k], f) + p.b[row + i]);
            for _ in 0..LOCAL {
                let (mut to, mut moved) = ([0.0; 6], [0.0; 6]);
                (0..n).for_each(|i| to[i] = f[row + i] - w[i] / reach);
                unit_force(u.bound, &mut to[..n]);
                (0..n).for_each(|i| moved[i] = to[i] - f[row + i]);
                (0..n).for_each(|i| w[i] += dot(block(i), &moved[..n]));
                f[row..row + n].copy_from_slice(&to[..n]);
            }
        }
    }
}
