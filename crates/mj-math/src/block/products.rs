//! Simd of a matrix of dense row blocks with vectors.

use super::{Block, BlockRows, Run};
use crate::dense;
use crate::simd::{Kernel, Simd};

/// Product of a row with a vector, run by run. Rows of tendons have runs of one or two columns, and those of flexes of
/// three, for which a loop over fours is all preparation.
#[inline(always)]
pub(super) fn dot_of_runs(runs: &[Run], values: &[f64], x: &[f64]) -> f64 {
    let (mut sum, mut at) = (0.0, 0);
    for r in runs {
        let (start, len) = (r.start as usize, r.len as usize);
        let (v, x) = (&values[at..at + len], &x[start..start + len]);
        sum += match (v, x) {
            (&[a, b, c], &[x, y, z]) => a * x + b * y + c * z,
            _ if len < 4 => v.iter().zip(x).map(|(v, x)| v * x).sum(),
            _ => dense::dot(v, x),
        };
        at += len;
    }
    sum
}

/// A row over the coordinates of two points, as edges of flexes have them: the first columns of both, and the values. Of
/// cloths most rows are of this kind, and what finds out about runs costs more than the six products.
#[inline(always)]
fn edge<'a>(rows: &'a BlockRows, b: &Block) -> Option<([usize; 2], &'a [f64; 6])> {
    if b.nrow != 1 || b.ncol != 6 || b.nrun > 2 {
        return None;
    }
    let values = rows.values.get(b.adr as usize..)?.first_chunk()?;
    let runs = rows.runs(b);
    let (first, second) = (runs.first()?, runs.get(1));
    let start = first.start as usize;
    match second {
        // Points that are neighbours have one run.
        None => Some(([start, start + 3], values)),
        Some(second) if first.len == 3 => Some(([start, second.start as usize], values)),
        Some(_) => None,
    }
}

/// y = J x.
pub(super) struct Mul<'a> {
    pub rows: &'a BlockRows,
    pub x: &'a [f64],
    pub y: &'a mut [f64],
    pub work: &'a mut [f64],
}

impl Kernel for Mul<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        let Self { rows, x, y, work } = self;
        for b in &rows.blocks {
            if let Some((columns, v)) = edge(rows, b) {
                let [i, j] = columns.map(|c| x[c..].first_chunk::<3>().expect("three columns"));
                let p = [v[0] * i[0], v[1] * i[1], v[2] * i[2], v[3] * j[0], v[4] * j[1], v[5] * j[2]];
                // Each in the order of its runs' sums.
                let one = (p[0] + p[2]) + (p[1] + p[3]) + (p[4] + p[5]);
                let two = (p[0] + p[1] + p[2]) + (p[3] + p[4] + p[5]);
                y[b.row as usize] = if b.nrun == 1 { one } else { two };
                continue;
            }
            let n = b.ncol as usize;
            let y = &mut y[b.row as usize..(b.row + b.nrow) as usize];
            if n == 0 {
                y.fill(0.0);
                continue;
            }
            if let [y] = y {
                *y = dot_of_runs(rows.runs(b), rows.values(b), x);
                continue;
            }
            let (runs, values) = (rows.runs(b), rows.values(b));
            if runs.len() > 1 && runs.iter().all(|r| r.len == 3) {
                // Numbers gathered by threes and read by fours would wait for each other.
                y.iter_mut().zip(values.chunks_exact(n)).for_each(|(y, row)| *y = dot_of_runs(runs, row, x));
                continue;
            }
            let xb = rows.gather(b, x, work);
            let (mut y4, mut v4) = (y.chunks_exact_mut(4), values.chunks_exact(4 * n));
            for (y, v) in (&mut y4).zip(&mut v4) {
                let rows = [&v[..n], &v[n..2 * n], &v[2 * n..3 * n], &v[3 * n..]];
                y.copy_from_slice(&dense::dot4::<P>(rows, xb));
            }
            for (y, row) in y4.into_remainder().iter_mut().zip(v4.remainder().chunks_exact(n)) {
                *y = dense::dot(row, xb);
            }
        }
    }
}

/// y += Jᵀ f of some blocks.
pub(super) struct MulTransposed<'a, I> {
    pub rows: &'a BlockRows,
    pub blocks: I,
    pub f: &'a [f64],
    pub y: &'a mut [f64],
    pub work: &'a mut [f64],
}

impl<'a, I: Iterator<Item = &'a Block>> Kernel for MulTransposed<'a, I> {
    type Output = ();

    #[inline(always)]
    fn run<P: Simd>(self, _: P) {
        for b in self.blocks {
            add_block::<P>(self.rows, b, self.f, self.y, self.work);
        }
    }
}

/// y += Jᵀ f of one block.
#[inline(always)]
fn add_block<P: Simd>(rows: &BlockRows, b: &Block, f: &[f64], y: &mut [f64], work: &mut [f64]) {
    if let Some((columns, v)) = edge(rows, b) {
        let f = f[b.row as usize];
        for (c, v) in columns.into_iter().zip(v.as_chunks::<3>().0) {
            let y = y[c..].first_chunk_mut::<3>().expect("three columns");
            (0..3).for_each(|k| y[k] += f * v[k]);
        }
        return;
    }
    let n = b.ncol as usize;
    let f = &f[b.row as usize..(b.row + b.nrow) as usize];
    if n == 0 || f.iter().all(|&x| x == 0.0) {
        return;
    }
    let values = rows.values(b);
    match *f {
        [s] => return add_few(rows.runs(b), [s], values, y),
        [s, t] => return add_few(rows.runs(b), [s, t], values, y),
        [s, t, u] => return add_few(rows.runs(b), [s, t, u], values, y),
        [s, t, u, v] => return add_few(rows.runs(b), [s, t, u, v], values, y),
        _ => {}
    }
    let work = &mut work[..n];
    work.fill(0.0);
    let (f4, v4) = (f.chunks_exact(4), values.chunks_exact(4 * n));
    for (&f, row) in f4.remainder().iter().zip(v4.remainder().chunks_exact(n)) {
        if f != 0.0 {
            dense::axpy(work, f, row);
        }
    }
    for (f, v) in f4.zip(v4) {
        let rows = [&v[..n], &v[n..2 * n], &v[2 * n..3 * n], &v[3 * n..]];
        dense::axpy4::<P>(work, [f[0], f[1], f[2], f[3]], rows);
    }
    let mut at = 0;
    for r in rows.runs(b) {
        let len = r.len as usize;
        let y = &mut y[r.start as usize..r.start as usize + len];
        for (y, w) in y.iter_mut().zip(&work[at..at + len]) {
            *y += w;
        }
        at += len;
    }
}

/// y += Σ fᵢ·(row i) for a few rows of a block, run by run.
#[inline(always)]
fn add_few<const R: usize>(runs: &[Run], f: [f64; R], values: &[f64], y: &mut [f64]) {
    let n = values.len() / R;
    let rows: [&[f64]; R] = std::array::from_fn(|i| &values[i * n..(i + 1) * n]);
    let mut at = 0;
    for r in runs {
        let (start, len) = (r.start as usize, r.len as usize);
        if let [x, y, z] = &mut y[start..start + len] {
            let mut sum = [0.0; 3];
            for (f, row) in f.iter().zip(&rows) {
                let row: &[f64; 3] = row[at..].first_chunk().expect("as many values as columns");
                for k in 0..3 {
                    sum[k] += f * row[k];
                }
            }
            *x += sum[0];
            *y += sum[1];
            *z += sum[2];
            at += 3;
            continue;
        }
        let (fours, rest) = y[start..start + len].as_chunks_mut::<4>();
        for y in fours {
            let mut sum = [0.0; 4];
            for i in 0..R {
                let x: &[f64] = &rows[i][at..at + 4];
                for k in 0..4 {
                    sum[k] += f[i] * x[k];
                }
            }
            for k in 0..4 {
                y[k] += sum[k];
            }
            at += 4;
        }
        for y in rest {
            *y += (0..R).map(|i| f[i] * rows[i][at]).sum::<f64>();
            at += 1;
        }
    }
}
