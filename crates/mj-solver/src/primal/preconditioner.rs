//! The approximation of the inverse of M by which conjugate gradients turn gradients into directions.

use mj_math::{DMat3, DVec3, SparseSymmetric};
use mj_problem::Problem;

/// The inverse of M, of which the problem has a factor. With the stiffness of flexes that is the factor of an approximation;
/// trees of three dofs, as vertices are, have the inverses of their whole blocks instead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preconditioner {
    /// First dofs of the blocks, and their inverses.
    first: Vec<u32>,
    inverse: Vec<DMat3>,
    /// Whether any dof is in no block.
    rest: bool,
}

impl Preconditioner {
    /// Computes the blocks of a problem.
    pub(crate) fn load(&mut self, p: &Problem) {
        self.first.clear();
        self.inverse.clear();
        self.rest = true;
        let Some(stiffness) = p.stiffness else { return };
        let mut d = 0;
        for dofs in p.tree.chunk_by(|a, b| a == b) {
            if dofs.len() == 3 {
                self.first.push(d as u32);
                self.inverse.push(block(p, stiffness, d).inverse());
            }
            d += dofs.len();
        }
        self.rest = 3 * self.first.len() < p.nv();
    }

    /// z = P r.
    pub(crate) fn apply(&self, p: &Problem, r: &[f64], z: &mut [f64]) {
        if self.rest {
            z.copy_from_slice(r);
            p.pattern.solve(p.ld, p.dinv, &mut z[..p.nv()]);
        }
        for (&d, inverse) in self.first.iter().zip(&self.inverse) {
            let dofs = d as usize..d as usize + 3;
            let x = *inverse * DVec3::from_slice(&r[dofs.clone()]);
            z[dofs].copy_from_slice(&x.to_array());
        }
    }
}

/// Entries of M, with the stiffness, between three dofs from `d` on that are a tree.
fn block(p: &Problem, stiffness: &SparseSymmetric, d: usize) -> DMat3 {
    let mut h = [[0.0; 3]; 3];
    for (i, row) in h.iter_mut().enumerate() {
        let (inertia, between) = (p.pattern.row(d + i), stiffness.row(d + i));
        let inertia = p.pattern.colind[inertia.clone()].iter().zip(&p.m[inertia]);
        // Columns ascend: those of the tree come last.
        let between = stiffness.colind[between.clone()].iter().zip(&stiffness.values[between]).rev();
        let between = between.map_while(|(&c, v)| (c as usize >= d).then_some((c, v)));
        row[i] = stiffness.diagonal[d + i];
        inertia.map(|(&c, v)| (c, v)).chain(between).for_each(|(c, v)| row[c as usize - d] += v);
    }
    for i in 0..3 {
        (0..i).for_each(|j| h[j][i] = h[i][j]);
    }
    DMat3::from_cols_array_2d(&h)
}
