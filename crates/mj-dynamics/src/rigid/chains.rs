//! Kinematic chains as contiguous runs of dofs, and Jacobians over them.

use mj_math::block::Run;
use mj_model::*;

/// For each body, the runs of dofs that move it, root first. Depends only on the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chains {
    adr: Vec<u32>,
    runs: Vec<Run>,
}

impl Chains {
    /// Chains of all bodies of a model.
    pub fn new(m: &Model) -> Self {
        let mut c = Self { adr: vec![0], runs: Vec::new() };
        let mut dofs = Vec::new();
        for b in m.body.ids() {
            dofs.clear();
            // The last dof of the nearest ancestor that has any.
            let mut owner = b;
            while m.body.dofnum[owner] == 0 && owner != BodyId::WORLD {
                owner = m.body.parentid[owner];
            }
            let mut d = m.body.dofadr[owner].map(|a| DofId::new(a.index() + m.body.dofnum[owner] as usize - 1));
            while let Some(i) = d {
                dofs.push(i.index() as u32);
                d = m.dof.parentid[i];
            }
            let first = c.runs.len();
            for &d in dofs.iter().rev() {
                match c.runs[first..].last_mut() {
                    Some(r) if r.start + r.len == d => r.len += 1,
                    _ => c.runs.push(Run { start: d, len: 1 }),
                }
            }
            c.adr.push(c.runs.len() as u32);
        }
        c
    }

    /// Runs of dofs that move body `b`, ascending.
    #[inline]
    pub fn of(&self, b: BodyId) -> &[Run] {
        &self.runs[self.adr[b.index()] as usize..self.adr[b.index() + 1] as usize]
    }
}

/// Sorted union of two chains (or symmetric difference, where `skip_common`), into `out`.
///
/// Dofs common to two bodies move a point that both share alike, so a relative Jacobian at one
/// point can leave them out.
pub fn merge_chains(a: &[Run], b: &[Run], skip_common: bool, out: &mut Vec<Run>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    let (mut ra, mut rb) = (a.first().copied(), b.first().copied());
    let mut push = |start: u32, len: u32| match out.last_mut() {
        Some(r) if r.start + r.len == start => r.len += len,
        _ => out.push(Run { start, len }),
    };
    // Takes `n` dofs off the front of a run, going on to the next when it is used up.
    let take = |r: &mut Option<Run>, i: &mut usize, list: &[Run], n: u32| {
        if let Some(x) = r {
            x.start += n;
            x.len -= n;
            if x.len == 0 {
                *i += 1;
                *r = list.get(*i).copied();
            }
        }
    };
    loop {
        match (ra, rb) {
            (None, None) => return,
            (Some(x), None) => {
                push(x.start, x.len);
                take(&mut ra, &mut i, a, x.len);
            }
            (None, Some(y)) => {
                push(y.start, y.len);
                take(&mut rb, &mut j, b, y.len);
            }
            (Some(x), Some(y)) if x.start == y.start => {
                let n = x.len.min(y.len);
                if !skip_common {
                    push(x.start, n);
                }
                take(&mut ra, &mut i, a, n);
                take(&mut rb, &mut j, b, n);
            }
            (Some(x), Some(y)) if x.start < y.start => {
                let n = x.len.min(y.start - x.start);
                push(x.start, n);
                take(&mut ra, &mut i, a, n);
            }
            (Some(x), Some(y)) => {
                let n = y.len.min(x.start - y.start);
                push(y.start, n);
                take(&mut rb, &mut j, b, n);
            }
        }
    }
}

/// The dofs of chain `a` that chain `b` lacks: its end, since chains part once and for all.
pub(crate) fn difference<'a>(a: &'a [Run], b: &'a [Run]) -> impl Iterator<Item = Run> + 'a {
    // Where they part: the first run that is not the same in both.
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (rest, other) = (&a[same..], b.get(same));
    rest.iter().enumerate().filter_map(move |(i, r)| {
        let shared = match other {
            Some(o) if i == 0 && o.start == r.start => o.len.min(r.len),
            _ => 0,
        };
        (r.len > shared).then(|| Run { start: r.start + shared, len: r.len - shared })
    })
}

/// The dofs of `dofs` that are among `columns`, run by run, each with the place of its first among them.
pub(crate) fn columns_of(dofs: Run, columns: &[Run]) -> impl Iterator<Item = (u32, Run)> + '_ {
    let mut before = 0;
    columns.iter().filter_map(move |c| {
        let first = before;
        before += c.len;
        let (start, end) = (dofs.start.max(c.start), (dofs.start + dofs.len).min(c.start + c.len));
        (start < end).then(|| (first + start - c.start, Run { start, len: end - start }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn runs(set: &[bool]) -> Vec<Run> {
        let mut out: Vec<Run> = Vec::new();
        for (i, _) in set.iter().enumerate().filter(|(_, x)| **x) {
            match out.last_mut() {
                Some(r) if r.start + r.len == i as u32 => r.len += 1,
                _ => out.push(Run { start: i as u32, len: 1 }),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn merge_is_set_union(a in prop::collection::vec(any::<bool>(), 20), b in prop::collection::vec(any::<bool>(), 20)) {
            let mut out = Vec::new();
            merge_chains(&runs(&a), &runs(&b), false, &mut out);
            prop_assert_eq!(&out, &runs(&a.iter().zip(&b).map(|(x, y)| x | y).collect::<Vec<_>>()));
            merge_chains(&runs(&a), &runs(&b), true, &mut out);
            prop_assert_eq!(&out, &runs(&a.iter().zip(&b).map(|(x, y)| x ^ y).collect::<Vec<_>>()));
        }
    }
}
