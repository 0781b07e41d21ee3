//! The entries of a derivative while it is summed.

use mj_math::block::Run;
use mj_math::{TreePattern, dense};

/// The entries of an unsymmetric matrix of which row and column are dofs on one path from the root.
pub(super) struct Entries<'a> {
    /// Each dof with all its ancestors.
    pub pattern: &'a TreePattern,
    /// Entries (i, j) with j an ancestor of i, or i itself.
    pub lower: &'a mut [f64],
    /// Entries (j, i) with j an ancestor of i; of all forces, the diagonal too.
    pub upper: &'a mut [f64],
}

impl Entries<'_> {
    /// Adds `scale`·JᵀJ of the rows J with the values `vals` in the columns of `runs`, to the lower part alone.
    #[inline]
    pub fn add_outer<const N: usize>(&mut self, runs: &[Run], vals: [&[f64]; N], scale: f64) {
        let Self { pattern, lower, .. } = self;
        for (k, i) in runs.iter().flat_map(|r| r.start..r.start + r.len).enumerate() {
            let by = vals.map(|v| scale * v[k]);
            if by == [0.0; N] {
                continue;
            }
            pattern.for_each_common(i as usize, runs, |places, first| {
                let lower = &mut lower[places];
                for (r, &by) in by.iter().enumerate() {
                    dense::axpy(lower, by, &vals[r][first..]);
                }
            });
        }
    }
}
