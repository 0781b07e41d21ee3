//! Summary of a run, for people and for programs.

use crate::memory;
use crate::stepper::Stepper;
use mj_engine::{Convergence, Data, Model, describe_warning};
use mj_model::Warning;
use serde_json::{Value, json};
use std::fmt::Write;

/// Sums over the steps of a run.
#[derive(Default)]
pub struct Totals {
    ncon: u64,
    max_ncon: usize,
    niter: u64,
    max_niter: u32,
    convergence: Convergence,
}

impl Totals {
    /// Adds the last step.
    pub fn add(&mut self, m: &Model, d: &Data, stepper: &Stepper) {
        stepper.observe(m, d, &mut self.convergence);
        let (contacts, iterations) = (stepper.contacts(d), stepper.iterations(d));
        self.ncon += contacts as u64;
        self.max_ncon = self.max_ncon.max(contacts);
        self.niter += u64::from(iterations);
        self.max_niter = self.max_niter.max(iterations);
    }
}

/// Results of a run.
pub struct Summary<'a> {
    /// Model as it was named.
    pub name: &'a str,
    /// Model.
    pub model: &'a Model,
    /// Data after the last step.
    pub data: &'a Data,
    /// Number of steps made.
    pub steps: u64,
    /// Number of steps asked for.
    pub asked: u64,
    /// Wall time, s.
    pub wall: f64,
    /// Sums over the steps.
    pub totals: &'a Totals,
    /// Potential and kinetic energy at the start, J.
    pub energy: [f64; 2],
}

impl Summary<'_> {
    /// Returns whether a signal ended the run early.
    pub fn interrupted(&self) -> bool {
        self.steps < self.asked
    }

    fn simulated(&self) -> f64 {
        self.steps as f64 * self.model.opt.timestep
    }

    fn realtime_factor(&self) -> f64 {
        self.simulated() / self.wall.max(1e-9)
    }

    fn steps_per_second(&self) -> f64 {
        self.steps as f64 / self.wall.max(1e-9)
    }

    /// Energy at the start and at the end, J.
    fn energies(&self) -> [f64; 2] {
        [self.energy, self.data.energy].map(|[potential, kinetic]| potential + kinetic)
    }

    /// Means of contacts and iterations a step.
    fn means(&self) -> [f64; 2] {
        [self.totals.ncon, self.totals.niter].map(|sum| sum as f64 / self.steps.max(1) as f64)
    }

    fn warnings(&self) -> impl Iterator<Item = (&'static str, Warning)> {
        Warning::KEYWORDS.iter().copied().filter(|(_, kind)| self.data.warning(*kind).number > 0)
    }

    /// Returns the summary as lines of text.
    pub fn text(&self) -> String {
        let (m, d, t) = (self.model, self.data, self.totals);
        let (simulated, steps, wall) = (self.simulated(), self.steps, self.wall);
        let ([before, after], [contacts, iterations]) = (self.energies(), self.means());
        let mut s = String::new();
        let _ =
            writeln!(s, "model         {} (nv {}, {} bodies, {} geoms)", self.name, m.nv(), m.body.len(), m.geom.len());
        let _ = writeln!(s, "simulated     {simulated:.3} s in {steps} steps of {} s", m.opt.timestep);
        if self.interrupted() {
            let _ = writeln!(s, "interrupted   after {steps} of {} steps", self.asked);
        }
        let (factor, rate) = (self.realtime_factor(), self.steps_per_second());
        let _ = writeln!(s, "wall time     {wall:.3} s: {factor:.1} × real time, {rate:.0} steps/s");
        let _ = writeln!(s, "contacts      {contacts:.2} a step, at most {}", t.max_ncon);
        let _ = writeln!(s, "solver        {iterations:.2} iterations a step, at most {}", t.max_niter);
        let _ = writeln!(s, "energy        {before:.4} J to {after:.4} J, drift {:+.4} J", after - before);
        if d.sleep.count() > 0 {
            let _ = writeln!(s, "asleep        {} of {} trees at the end", d.sleep.count(), m.tree.len());
        }
        if let Some(worst) = &t.convergence.worst {
            let short = t.convergence.short;
            let _ = writeln!(s, "convergence   the solver stopped short in {short} of {steps} steps: {worst}");
        }
        if let Some(bytes) = memory::peak() {
            let _ = writeln!(s, "memory        {:.1} MB at most, the model's included", bytes as f64 / 1e6);
        }
        for (name, kind) in self.warnings() {
            let _ = writeln!(s, "warning       {name}: {}", describe_warning(m, d, kind));
        }
        if self.warnings().next().is_none() {
            let _ = writeln!(s, "warnings      none");
        }
        s
    }

    /// Returns the summary as one JSON object; the help of `mj run` describes it.
    pub fn json(&self) -> Value {
        let (m, d, t) = (self.model, self.data, self.totals);
        let ([before, after], [contacts, iterations]) = (self.energies(), self.means());
        let warnings = self.warnings().map(|(name, kind)| {
            json!({ "name": name, "number": d.warning(kind).number, "message": describe_warning(m, d, kind) })
        });
        json!({
            "model": self.name,
            "nv": m.nv(),
            "nbody": m.body.len(),
            "ngeom": m.geom.len(),
            "timestep": m.opt.timestep,
            "steps": self.steps,
            "interrupted": self.interrupted(),
            "simulated_seconds": self.simulated(),
            "wall_seconds": self.wall,
            "realtime_factor": self.realtime_factor(),
            "steps_per_second": self.steps_per_second(),
            "ncon_mean": contacts,
            "ncon_max": t.max_ncon,
            "niter_mean": iterations,
            "niter_max": t.max_niter,
            "energy_start": before,
            "energy_end": after,
            "trees_asleep": d.sleep.count(),
            "not_converged_steps": t.convergence.short,
            "memory_bytes": memory::peak(),
            "warnings": warnings.collect::<Vec<_>>(),
        })
    }
}
