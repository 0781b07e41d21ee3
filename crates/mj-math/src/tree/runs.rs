//! Entries of a tree-sparse matrix side by side: where its columns are runs, and which a block's row shares with it.

use crate::TreePattern;
use crate::block::Run;
use std::ops::Range;

impl TreePattern {
    /// The columns of a row, or the first of them, where they are side by side as those of a chain are.
    #[inline]
    pub fn contiguous(cols: &[u32]) -> Option<Range<usize>> {
        let (first, last) = (*cols.first()? as usize, *cols.last()? as usize);
        (last - first + 1 == cols.len()).then_some(first..last + 1)
    }

    /// Calls `f` with the places of the entries of row `i` that lie in columns of `runs` (ascending, disjoint), stretch
    /// by stretch, each with the place of its first column among those of the runs.
    ///
    /// The runs of a body's chain lie in the row of any of their dofs as they are, side by side: one comparison finds
    /// that out for a whole run.
    #[inline(always)]
    pub fn for_each_common(&self, i: usize, runs: &[Run], mut f: impl FnMut(Range<usize>, usize)) {
        let row = self.row(i);
        let cols = &self.colind[row.clone()];
        let (mut at, mut before) = (0, 0);
        for r in runs {
            let (start, end) = (r.start, (r.start + r.len).min(i as u32 + 1));
            if start >= end {
                return;
            }
            let n = (end - start) as usize;
            // Most runs are the last of their rows.
            match cols.len().checked_sub(n) {
                Some(last) if cols[last] == start => at = last,
                _ => at += cols[at..].iter().take_while(|c| **c < start).count(),
            }
            let whole = cols.get(at + n - 1) == Some(&(end - 1));
            let stretch = if whole { n } else { 1 };
            while at < cols.len() && cols[at] < end {
                f(row.start + at..row.start + at + stretch, before + (cols[at] - start) as usize);
                at += stretch;
            }
            before += r.len as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// As many pairs, and the same, as by comparing each entry with each column.
        #[test]
        fn finds_all(parents in prop::collection::vec(0usize..100, 1..12), picked in prop::collection::vec(any::<bool>(), 12)) {
            let parent: Vec<_> =
                parents.iter().enumerate().map(|(i, &x)| if i == 0 || x % 5 == 0 { None } else { Some(x % i) }).collect();
            let pattern = TreePattern::new(&parent, &vec![false; parent.len()]);
            let columns: Vec<u32> = (0..parent.len() as u32).filter(|&c| picked[c as usize]).collect();
            let runs: Vec<Run> = columns
                .chunk_by(|a, b| a + 1 == *b)
                .map(|c| Run { start: c[0], len: c.len() as u32 })
                .collect();
            for i in 0..parent.len() {
                let mut got = Vec::new();
                pattern.for_each_common(i, &runs, |places, first| {
                    got.extend(places.enumerate().map(|(k, at)| (at, first + k)));
                });
                let want: Vec<_> = pattern
                    .row(i)
                    .filter_map(|at| Some((at, columns.iter().position(|&c| c == pattern.colind[at])?)))
                    .collect();
                prop_assert_eq!(got, want);
            }
        }
    }
}
