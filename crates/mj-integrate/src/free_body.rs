//! Blocks of free bodies, which are coupled to nothing else.

use mj_dynamics::VelocityDerivative;
use mj_model::{DofId, Model};

/// The 6×6 block of A − h ∂f/∂v of a free body that carries no joints, row-major; `a` holds A in the
/// pattern of M.
pub(crate) fn free_block(m: &Model, a: &[f64], d: &VelocityDerivative, first: DofId) -> [f64; 36] {
    let h = m.opt.timestep;
    let mut block = [0.0; 36];
    for i in 0..6 {
        let (row, mass) = (d.pattern.row(first.index() + i), m.m_pattern.row(first.index() + i));
        for (j, at) in row.enumerate() {
            block[6 * j + i] = -h * d.upper[at];
            block[6 * i + j] = -h * d.lower[at];
        }
        // A row of M holds all ancestors of its dof, or only the diagonal.
        for (j, at) in (i + 1 - mass.len()..=i).zip(mass) {
            block[6 * i + j] += a[at];
            if j != i {
                block[6 * j + i] += a[at];
            }
        }
    }
    block
}
