//! Calls on the simulations of a batch: each takes its row of the state, runs, and puts the row back.

use super::expanded::Expanded;
use super::output::Output;
use crate::many::threads::{Pool, Pulse, chunk_of, share};
use crate::memory::Block;
use mj_engine::{self as engine, Data, Model, Signature};
use mj_model::Column;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Kinds of warnings that are counted for each simulation.
pub const WARNINGS: usize = 7;

/// Workspace of a thread.
pub struct Slot {
    /// Data that one simulation after the other uses, where none has its own.
    data: Data,
    /// Copy of the model with the parameters of the present simulation.
    varied: Option<Model>,
    /// Numbers that the copy has in each expanded field.
    seen: Vec<Option<Column>>,
    /// Row of the state.
    row: Vec<f64>,
    /// Memory for one row of each output.
    scratch: Vec<Block>,
}

impl Slot {
    /// Makes a slot with data.
    pub fn new(data: Data, nstate: usize) -> Self {
        Self { data, varied: None, seen: Vec::new(), row: vec![0.0; nstate], scratch: Vec::new() }
    }

    /// Data of the model, in whatever state.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Forgets the copy of the model: another model was set.
    pub fn forget_model(&mut self) {
        self.varied = None;
        self.seen.clear();
    }
}

/// Arguments of a call, shared by the simulations.
pub struct Shared {
    /// The model that all use but for expanded fields.
    pub model: Arc<Model>,
    /// Models that the user gave: none, one for all, or one for each.
    pub given: Vec<Arc<Model>>,
    /// Expanded fields.
    pub expanded: Vec<Expanded>,
    /// Results to be shown.
    pub outputs: Vec<Output>,
    /// Data of each simulation, if they persist.
    pub persistent: Vec<Mutex<Data>>,
    /// Rows of the state.
    pub state: Arc<Block>,
    /// Counts of warnings: simulations × kinds × (last, number).
    pub warning: Arc<Block>,
    /// Whether the last call failed in each simulation.
    pub status: Arc<Block>,
    /// Numbers of a row of the state.
    pub nstate: usize,
}

/// How the work on one simulation ended.
pub enum End {
    /// Its state and its results are to be kept.
    Keep,
    /// Its state is to be kept; results were not computed.
    KeepState,
    /// It changed nothing that is to be kept, or was interrupted.
    Leave,
}

/// Work of a call on one simulation: position in the call, number of the simulation, model, data.
pub type Work<'a> = dyn Fn(usize, usize, &Model, &mut Data, &Pulse) -> Result<End, String> + Sync + 'a;

impl Shared {
    /// Returns the model of a simulation, with its values of expanded fields.
    ///
    /// # Errors
    /// If a field has a value that it can't have.
    pub fn model_of<'a>(
        &'a self,
        sim: usize,
        varied: &'a mut Option<Model>,
        seen: &mut Vec<Option<Column>>,
    ) -> Result<&'a Model, String> {
        if let Some(given) = self.given.get(if self.given.len() == 1 { 0 } else { sim }) {
            return Ok(given);
        }
        if self.expanded.is_empty() {
            return Ok(&self.model);
        }
        let m = varied.get_or_insert_with(|| (*self.model).clone());
        seen.resize(self.expanded.len(), None);
        for (field, seen) in self.expanded.iter().zip(seen) {
            field.apply(m, sim, seen)?;
        }
        Ok(m)
    }

    /// Puts the state of a simulation into data.
    pub fn load(&self, m: &Model, d: &mut Data, sim: usize, row: &mut [f64]) {
        self.state.read_at(sim * self.nstate, row);
        // The row has the state's size.
        let _ = d.state.set(m, Signature::INTEGRATION, row);
        d.warnings = Default::default();
        for (kind, w) in d.warnings[..WARNINGS].iter_mut().enumerate() {
            let at = 2 * (sim * WARNINGS + kind);
            w.lastinfo = self.warning.get::<i32>(at).cast_unsigned();
            w.number = u32::try_from(self.warning.get::<i32>(at + 1)).unwrap_or(0);
        }
    }

    /// Puts the state of data into the row of a simulation.
    fn save(&self, m: &Model, d: &Data, sim: usize, row: &mut [f64]) {
        let _ = d.state.get(m, Signature::INTEGRATION, row);
        self.state.write_at(sim * self.nstate, row);
        for (kind, w) in d.warnings[..WARNINGS].iter().enumerate() {
            let number = i32::try_from(w.number).unwrap_or(i32::MAX);
            self.warning.write_at(2 * (sim * WARNINGS + kind), &[w.lastinfo.cast_signed(), number]);
        }
    }

    /// Computes results that are shown and that no step computes unless a sensor reads them.
    fn complete(&self, m: &Model, d: &mut Data) -> Result<(), String> {
        let shown = |names: &[&str]| self.outputs.iter().any(|output| output.what.is_one_of(names));
        if shown(&["cacc", "cfrc_int", "cfrc_ext"]) {
            engine::rne_post_constraint(m, d).map_err(|e| e.to_string())?;
        }
        if shown(&["subtree_linvel", "subtree_angmom"]) {
            engine::subtree_vel(m, d).map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Does the work on one simulation.
    fn one(&self, slot: &mut Slot, k: usize, sim: usize, pulse: &Pulse, work: &Work) -> Result<(), String> {
        let Slot { data, varied, seen, row, scratch } = slot;
        let m = self.model_of(sim, varied, seen)?;
        let mut own = self.persistent.get(sim).map(|d| d.lock().unwrap_or_else(PoisonError::into_inner));
        let d = own.as_deref_mut().unwrap_or(data);
        self.load(m, d, sim, row);
        let end = work(k, sim, m, d, pulse)?;
        if !matches!(end, End::Leave) {
            self.save(m, d, sim, row);
        }
        if matches!(end, End::Keep) {
            self.complete(m, d)?;
            scratch.extend(self.outputs.iter().skip(scratch.len()).map(Output::scratch));
            self.outputs.iter().zip(scratch).for_each(|(output, scratch)| output.write(m, d, sim, scratch));
        }
        Ok(())
    }

    /// Does the work on simulations, and returns the errors with their simulations, in order.
    ///
    /// # Errors
    /// If the call is interrupted. Each simulation has then its state of before or of after the call.
    pub fn call(
        &self,
        py: Python,
        pool: &Pool,
        slots: &mut [Slot],
        sims: &[usize],
        work: &Work,
    ) -> PyResult<Vec<(usize, String)>> {
        let failed = Mutex::new(Vec::new());
        let chunk = chunk_of(sims.len(), slots.len());
        share(py, pool, slots, (sims.len(), chunk), |slot, k, pulse| {
            let sim = sims[k];
            let result = self.one(slot, k, sim, pulse, work);
            self.status.write_at(sim, &[i32::from(result.is_err())]);
            if let Err(e) = result {
                failed.lock().unwrap_or_else(PoisonError::into_inner).push((sim, e));
            }
        })?;
        let mut failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.sort_unstable();
        Ok(failed)
    }
}
