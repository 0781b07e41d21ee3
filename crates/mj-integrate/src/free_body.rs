//! Blocks of free bodies, which are coupled to nothing else.

use mj_dynamics::VelocityDerivative;
use mj_model::{DofId, Model};

/// The 6×6 block of A − h ∂f/∂v of a free body that carries no joints, row by row; `a` holds A in the
/// pattern of M.
pub(crate) fn free_block(m: &Model, a: &[f64], d: &VelocityDerivative, first: DofId) -> [[f64; 6]; 6] {
    let h = m.opt.timestep;
    let mut block = [[0.0; 6]; 6];
    for i in 0..6 {
        let (row, mass) = (d.pattern.row(first.index() + i), &a[m.m_pattern.row(first.index() + i)]);
        let (upper, lower) = (&d.upper[row.clone()][..=i], &d.lower[row][..=i]);
        for j in 0..=i {
            block[j][i] = -h * upper[j];
            block[i][j] = -h * lower[j];
        }
        // A row of M holds all ancestors of its dof, or only the diagonal.
        for (j, a) in (i + 1 - mass.len()..i).zip(mass) {
            block[i][j] += a;
            block[j][i] += a;
        }
        block[i][i] += mass[mass.len() - 1];
    }
    block
}
