//! Blocks of free bodies, which are coupled to nothing else.

use mj_dynamics::VelocityDerivative;
use mj_math::dense;
use mj_model::{DofId, Model};
use std::array::from_fn;

/// Entries of six rows that hold all columns up to their own.
const ENTRIES: usize = 21;

/// The 6×6 block of A − h ∂f/∂v of a free body that carries no joints, row by row; `a` holds A in the
/// pattern of M.
pub(crate) fn free_block(m: &Model, a: &[f64], d: &VelocityDerivative, first: DofId) -> [[f64; 6]; 6] {
    let (h, rows) = (m.opt.timestep, d.pattern.row(first.index()).start..);
    let (lower, upper) = (&d.lower[rows.clone()][..ENTRIES], &d.upper[rows][..ENTRIES]);
    let mut block = [[0.0; 6]; 6];
    let mut at = 0;
    for i in 0..6 {
        for j in 0..=i {
            block[j][i] = -h * upper[at];
            block[i][j] = -h * lower[at];
            at += 1;
        }
    }
    add_inertia(m, a, first, &mut block);
    block
}

/// Adds the block of A.
fn add_inertia(m: &Model, a: &[f64], first: DofId, block: &mut [[f64; 6]; 6]) {
    for i in 0..6 {
        let row = m.m_pattern.row(first.index() + i);
        block[i][i] += a[row.end - 1];
        // A row of M holds all ancestors of its dof, or only the diagonal.
        if row.len() == i + 1 {
            for (j, a) in a[row].iter().enumerate().take(i) {
                block[i][j] += a;
                block[j][i] += a;
            }
        }
    }
}

/// Solves for the six dofs of a free body, in place, with their block of A − h ∂f/∂v; with that of A alone where this is
/// singular.
pub(crate) fn solve_free(m: &Model, a: &[f64], d: &VelocityDerivative, first: DofId, x: &mut [f64; 6]) {
    let right = *x;
    if solve_block(&mut free_block(m, a, d, first), x) {
        return;
    }
    *x = right;
    let mut block = [[0.0; 6]; 6];
    add_inertia(m, a, first, &mut block);
    dense::cholesky(block.as_flattened_mut(), 6);
    dense::cholesky_solve(block.as_flattened(), 6, x);
}

/// Solves a block's equations; translations and rotations apart where neither acts on the other, as is the case of a body
/// whose frame is in its centre of mass.
fn solve_block(block: &mut [[f64; 6]; 6], x: &mut [f64; 6]) -> bool {
    let coupling = |i: usize| if i < 3 { &block[i][3..] } else { &block[i][..3] };
    if (0..6).any(|i| coupling(i).iter().any(|&x| x != 0.0)) {
        return dense::lu_solve_fixed(block, x);
    }
    (0..2).all(|k| {
        let mut part: [[f64; 3]; 3] = from_fn(|i| from_fn(|j| block[3 * k + i][3 * k + j]));
        let x = &mut x.as_chunks_mut::<3>().0[k];
        dense::lu_solve_fixed(&mut part, x)
    })
}
