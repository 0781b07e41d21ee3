//! Arrays that the kernels read: worlds one after another, rows found by a scan of their counts.

use crate::solver::{Compact, Outcome, Pattern};

/// Problems of one pattern in arrays.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    /// Number of dofs.
    pub nv: usize,
    /// Greatest number of rows of a world.
    pub most_rows: usize,
    /// First row of each world, worlds + 1.
    pub row_start: Vec<u32>,
    /// Lower triangles of M.
    pub m: Vec<f64>,
    /// Forces without constraints.
    pub qfrc: Vec<f64>,
    /// Accelerations without constraints.
    pub smooth: Vec<f64>,
    /// Accelerations to start from.
    pub warm: Vec<f64>,
    /// Scales of the tolerance.
    pub scale: Vec<f64>,
    /// Jacobians, rows×nv.
    pub jac: Vec<f64>,
    /// 1/R of all rows.
    pub d: Vec<f64>,
    /// Reference accelerations.
    pub aref: Vec<f64>,
    /// Lower ends of the intervals; large numbers stand for infinite ones, which not all shaders have.
    pub low: Vec<f64>,
    /// Upper ends.
    pub high: Vec<f64>,
}

/// Results of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Accelerations, worlds×nv.
    pub qacc: Vec<f64>,
    /// Forces of all rows.
    pub force: Vec<f64>,
    /// Iterations of each world.
    pub niter: Vec<u32>,
}

/// Returns how many numbers of shared memory a world needs.
pub fn shared_numbers(nv: usize, rows: usize) -> usize {
    nv * (nv + 1) / 2 + 4 * nv + rows * nv + 6 * rows
}

impl Packed {
    /// Packs problems: counts rows, scans, emits.
    pub fn new<'a>(pattern: &Pattern, problems: impl Iterator<Item = &'a Compact> + Clone) -> Self {
        let mut p = Self { nv: pattern.nv, row_start: vec![0], ..Self::default() };
        let mut at = 0;
        for c in problems.clone() {
            at += c.nefc() as u32;
            p.most_rows = p.most_rows.max(c.nefc());
            p.row_start.push(at);
        }
        for c in problems {
            let base = p.m.len();
            p.m.resize(base + p.nv * (p.nv + 1) / 2, 0.0);
            for i in 0..p.nv {
                for k in pattern.rowadr[i]..pattern.rowadr[i + 1] {
                    p.m[base + i * (i + 1) / 2 + pattern.colind[k]] = c.m[k];
                }
            }
            p.qfrc.extend(&c.qfrc_smooth);
            p.smooth.extend(&c.qacc_smooth);
            p.warm.extend(&c.qacc_warmstart);
            p.scale.push(c.scale);
            p.jac.extend(&c.jac);
            p.d.extend(&c.d);
            p.aref.extend(&c.aref);
            p.low.extend(c.interval.iter().map(|i| i[0].max(-1e30)));
            p.high.extend(c.interval.iter().map(|i| i[1].min(1e30)));
        }
        p
    }

    /// Returns the number of worlds.
    pub fn worlds(&self) -> usize {
        self.scale.len()
    }

    /// Returns how many numbers the kernel reads and writes.
    pub fn numbers(&self) -> usize {
        let read = [
            &self.m,
            &self.qfrc,
            &self.smooth,
            &self.warm,
            &self.scale,
            &self.jac,
            &self.d,
            &self.aref,
            &self.low,
            &self.high,
        ];
        read.iter().map(|v| v.len()).sum::<usize>() + self.qfrc.len() + self.d.len()
    }
}

impl Answer {
    /// Returns the largest difference of accelerations from those of the lanes, each by its world's largest.
    pub fn error(&self, nv: usize, lanes: &[Outcome]) -> f64 {
        let mut worst: f64 = 0.0;
        for (a, b) in self.qacc.chunks(nv).zip(lanes) {
            let size = b.qacc.iter().fold(1e-300f64, |m, x| m.max(x.abs()));
            for (a, b) in a.iter().zip(&b.qacc) {
                let e = (a - b).abs() / size;
                worst = if e.is_nan() { f64::INFINITY } else { worst.max(e) };
            }
        }
        worst
    }
}
