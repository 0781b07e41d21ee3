//! Models and data of single simulations, models of the user's, and constants derived from parameters.

use super::call::End;
use super::expanded::{self, Expanded};
use super::{BatchCore, Inner, strict};
use crate::data::DataCore;
use crate::error;
use crate::model::ModelCore;
use mj_engine::{self as engine, Model};
use mj_math::MINVAL;
use mj_model::Column;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

impl BatchCore {
    /// Makes a model that of a simulation.
    pub fn do_get_model(&self, sim: i64, model: &Bound<'_, ModelCore>) -> PyResult<()> {
        let sim = self.sim(sim)?;
        let mut guard = self.lock()?;
        let m = own_model(&mut guard, sim)?;
        model.get().change(|to| {
            if to.structure.signature() != m.structure.signature() {
                return Err(PyValueError::new_err("`model` has another structure than the batch's"));
            }
            *to = m;
            Ok(())
        })
    }

    /// Makes data that of a simulation: its state, and its results if the batch is persistent.
    pub fn do_get_data(&self, sim: i64, data: &Bound<'_, DataCore>) -> PyResult<()> {
        let sim = self.sim(sim)?;
        let mut guard = self.lock()?;
        let m = own_model(&mut guard, sim)?;
        let shared = &guard.shared;
        let mut inner = data.get().lock()?;
        engine::check_data(&m, &inner.data).map_err(|e| PyValueError::new_err(format!("`data`: {e}")))?;
        if let Some(own) = shared.persistent.get(sim) {
            inner.data.clone_from(&own.lock().unwrap_or_else(PoisonError::into_inner));
        }
        let mut row = vec![0.0; shared.nstate];
        shared.load(&m, &mut inner.data, sim, &mut row);
        inner.copy_out(&m);
        Ok(())
    }

    /// Runs each simulation on a model of the user's: one for each, one for all, or with None the batch's.
    pub fn do_set_models(&self, py: Python, models: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut guard = self.lock()?;
        let Inner { shared, slots, .. } = &mut *guard;
        let given: Vec<Arc<Model>> = match models {
            None => Vec::new(),
            Some(one) if one.is_instance_of::<ModelCore>() => vec![one.cast::<ModelCore>()?.get().current(py)?],
            Some(list) => {
                let list = list.try_iter()?.map(|m| m?.cast::<ModelCore>()?.get().current(py));
                list.collect::<PyResult<_>>()?
            }
        };
        if models.is_some() && given.len() != self.nsim && !(given.len() == 1 && is_model(models)) {
            let told = format!("set_models needs a model per simulation, got {} for {}", given.len(), self.nsim);
            return Err(PyValueError::new_err(told));
        }
        if !given.is_empty() && !shared.expanded.is_empty() {
            return Err(error::fatal(py, "set_models: the batch has per-simulation fields (expand)"));
        }
        let signature = shared.model.structure.signature();
        if let Some(i) = given.iter().position(|m| m.structure.signature() != signature) {
            return Err(error::fatal(py, format!("set_models: model {i} has another structure than the batch's")));
        }
        shared.given = given;
        slots.iter_mut().for_each(super::Slot::forget_model);
        Ok(())
    }

    /// Computes what models derive from their parameters, for simulations; returns how many failed.
    pub fn do_set_const(&self, py: Python, ids: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let sims = strict::ids(ids, self.nsim)?;
        let names = {
            let inner = self.lock()?;
            if !inner.shared.given.is_empty() {
                return Err(error::fatal(py, "set_const: the batch runs on caller models (set_models)"));
            }
            expanded::derived(&inner.shared.model)
        };
        let found: Vec<Mutex<Vec<Column>>> = sims.iter().map(|_| Mutex::new(Vec::new())).collect();
        let failed = self.call_sims(py, &sims, &|k, _, m, _, _| {
            let mut m = m.clone();
            engine::set_const(&mut m).map_err(|e| e.to_string())?;
            if let Some(b) = m.body.ids().find(|&b| m.body.dofnum[b] > 0 && m.body.subtreemass[b] < MINVAL) {
                return Err(format!("body {} moves and has no mass", b.index()));
            }
            let columns = names.iter().filter_map(|name| expanded::find(&m, name)).map(|f| f.data).collect();
            *found[k].lock().unwrap_or_else(PoisonError::into_inner) = columns;
            Ok(End::Leave)
        })?;
        let found: Vec<Vec<Column>> = found.into_iter().map(|c| c.into_inner().unwrap_or_default()).collect();
        let mut inner = self.lock()?;
        let shared = &mut inner.shared;
        for (k, name) in names.iter().enumerate() {
            let Some(field) = expanded::find(&shared.model, name) else { continue };
            let known = shared.expanded.iter().position(|e| e.name == *name);
            let differs = || found.iter().any(|columns| columns.get(k).is_some_and(|c| *c != field.data));
            let at = match known {
                Some(at) => at,
                None if !differs() => continue,
                None => {
                    let new = Expanded::new(py, &shared.model.clone(), field, self.nsim)?;
                    shared.expanded.push(new);
                    shared.expanded.len() - 1
                }
            };
            for (&sim, columns) in sims.iter().zip(&found) {
                if let Some(column) = columns.get(k) {
                    shared.expanded[at].write(sim, column);
                }
            }
        }
        Ok(failed)
    }
}

/// Whether the user gave one model, not a sequence.
fn is_model(models: Option<&Bound<'_, PyAny>>) -> bool {
    models.is_some_and(|m| m.is_instance_of::<ModelCore>())
}

/// Makes a copy of the model of a simulation.
fn own_model(inner: &mut Inner, sim: usize) -> PyResult<Model> {
    let (mut varied, mut seen) = (None, Vec::new());
    inner.shared.model_of(sim, &mut varied, &mut seen).cloned().map_err(PyValueError::new_err)
}
