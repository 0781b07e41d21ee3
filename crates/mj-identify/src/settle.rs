//! Initial states of windows, fitted with the parameters held.
//!
//! A log's noise puts a body into another, or a loop apart, by much more than stiff constraints leave: from there a descent ends
//! in a false minimum. The end of the window before obeys the constraints, and is mostly near.

use crate::descent::Work;
use crate::error::IdentifyError;
use crate::window::Window;

/// Greatest number of steps of each window.
const STEPS: usize = 4;

/// Steps go on while they lower the sum of squares of all windows by this part.
const PROGRESS: f64 = 1e-2;

impl Work<'_> {
    /// Takes each window's initial state towards its own optimum: by a damped Gauss-Newton step, or to the end of the window
    /// before, where that lowers the window's sum of squares. Returns by how much the sum over all windows fell, as a part.
    pub(crate) fn settle(&mut self) -> Result<f64, IdentifyError> {
        if !self.free {
            return Ok(0.0);
        }
        let (mut first, mut last) = (f64::INFINITY, f64::INFINITY);
        for k in 0..STEPS {
            self.rows = self.simulate(&self.model, &self.windows, true)?;
            let before = self.sum();
            if k == 0 {
                first = before;
            }
            let stepped = self.stepped();
            let better = self.take_better(stepped)?;
            for (damping, better) in self.damping_of.iter_mut().zip(better) {
                *damping = (*damping * if better { 0.1 } else { 3.0 }).clamp(1e-12, 1e9);
            }
            let chained = self.chained();
            self.take_better(chained)?;
            last = self.sum();
            if last > before * (1.0 - PROGRESS) {
                break;
            }
        }
        self.damping_of.iter_mut().for_each(|d| *d = d.min(1.0));
        Ok(if first.is_finite() { 1.0 - last / first } else { 1.0 })
    }

    /// Takes those of other windows that fit better; returns which.
    fn take_better(&mut self, candidates: Vec<Window>) -> Result<Vec<bool>, IdentifyError> {
        let rows = self.simulate(&self.model, &candidates, false)?;
        let mut better = Vec::with_capacity(rows.len());
        for (i, (candidate, rows)) in candidates.into_iter().zip(rows).enumerate() {
            better.push(rows.square() < self.rows[i].square());
            if better[i] {
                (self.windows[i], self.rows[i]) = (candidate, rows);
            }
        }
        Ok(better)
    }

    fn sum(&self) -> f64 {
        self.rows.iter().map(|r| r.square().min(1e30)).sum()
    }

    /// Windows after a damped Gauss-Newton step of each initial state.
    fn stepped(&self) -> Vec<Window> {
        let n = self.values.len();
        let (mut h, mut g, still) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n]);
        let mut windows = self.windows.clone();
        for ((w, normal), damping) in windows.iter_mut().zip(&mut self.normals()).zip(&self.damping_of) {
            normal.eliminate(*damping, &mut h, &mut g);
            w.shift(&self.model, &normal.step(&still));
        }
        windows
    }

    /// Windows that begin where the simulation of the window before ends.
    fn chained(&self) -> Vec<Window> {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let mut windows = self.windows.clone();
        for (w, rows) in windows[1..].iter_mut().zip(&self.rows).filter(|(_, rows)| !rows.diverged) {
            let [qpos, qvel, _] = &rows.simulated;
            w.start.qpos.copy_from_slice(&qpos[qpos.len() - nq..]);
            w.start.qvel.copy_from_slice(&qvel[qvel.len() - nv..]);
        }
        windows
    }
}
