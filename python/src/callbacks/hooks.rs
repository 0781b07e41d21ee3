//! Callbacks as the engine's hooks: they give the data back to its Python object while a callback runs.

use super::{Callback, Callbacks};
use crate::data::{Access, DataCore};
use crate::model::ModelCore;
use mj_collide::ContactFilter;
use mj_engine::{Data, Hooks, UserActuator};
use mj_model::{ActuatorId, BiasType, DynType, GainType, GeomId, Model, Stage, State};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Numbers that the user's functions returned for an actuator.
#[derive(Clone, Debug, Default)]
struct Law {
    act_dot: Vec<f64>,
    gain: f64,
    bias: f64,
}

/// The end of a call: what a callback raised, and the state then.
#[derive(Debug)]
pub struct Failure {
    pub error: PyErr,
    pub state: Option<State>,
}

/// The hooks of one call of a function on one `MjData`.
#[derive(Debug)]
pub struct Lent {
    callbacks: Callbacks,
    model: Py<ModelCore>,
    data: Py<DataCore>,
    laws: Mutex<Vec<Law>>,
    failure: Mutex<Option<Failure>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lent {
    /// Makes the hooks of a call.
    pub fn new(callbacks: Callbacks, model: Py<ModelCore>, data: Py<DataCore>) -> Self {
        Self { callbacks, model, data, laws: Mutex::default(), failure: Mutex::default() }
    }

    /// Makes the filter of contacts, if there is a callback for it.
    pub fn filter(self: &Arc<Self>) -> Option<ContactFilter> {
        self.callbacks.get(Callback::ContactFilter)?;
        let lent = self.clone();
        Some(ContactFilter::new(move |_, a, b| lent.may_touch(a, b)))
    }

    /// Takes what a callback raised.
    pub fn take_failure(&self) -> Option<Failure> {
        locked(&self.failure).take()
    }

    fn fail(&self, error: PyErr, state: Option<State>) {
        locked(&self.failure).get_or_insert(Failure { error, state });
    }

    /// Calls a callback with arrays that show the data. After one has raised, none is called.
    fn lend<R>(
        &self,
        which: Callback,
        m: &Model,
        d: &mut Data,
        f: impl FnOnce(&Bound<'_, PyAny>, &Py<ModelCore>, &Py<DataCore>) -> PyResult<R>,
    ) -> Option<R> {
        let callback = self.callbacks.get(which)?;
        if locked(&self.failure).is_some() {
            return None;
        }
        Python::attach(|py| {
            let core = self.data.get();
            // A copy that the callback makes of the data has callbacks of its own.
            let (hooks, filter) = (d.hooks.take(), d.contact_filter().cloned());
            d.set_contact_filter(None);
            core.exchange(py, d, true, |inner| inner.copy_out(m));
            let result = f(callback.bind(py), &self.model, &self.data);
            core.exchange(py, d, false, |inner| inner.copy_in(m, Access::Change));
            d.hooks = hooks;
            d.set_contact_filter(filter);
            result.map_err(|e| self.fail(e, Some(d.state.clone()))).ok()
        })
    }

    /// Asks the user's function whether two geoms may touch. Arrays show the data as it was before the call.
    fn may_touch(&self, a: GeomId, b: GeomId) -> bool {
        let Some(callback) = self.callbacks.get(Callback::ContactFilter) else { return true };
        if locked(&self.failure).is_some() {
            return true;
        }
        Python::attach(|py| {
            let result = callback.bind(py).call1((&self.model, &self.data, a.index(), b.index()));
            match result.and_then(|r| r.is_truthy()) {
                Ok(out) => !out,
                Err(e) => {
                    self.fail(e, None);
                    true
                }
            }
        })
    }

    /// Calls a function of an actuator.
    fn actuator(&self, which: Callback, m: &Model, d: &mut Data, id: ActuatorId) -> Option<f64> {
        self.lend(which, m, d, |f, m, d| f.call1((m, d, id.index()))?.extract::<f64>())
    }

    /// Returns the rates of an actuator's activations: of one, what the function returns; of more, what it writes to
    /// `d.act_dot`.
    fn rates(&self, m: &Model, d: &mut Data, id: ActuatorId) -> Vec<f64> {
        let (first, n) = (m.actuator.actadr[id], m.actuator.actnum[id] as usize);
        if n == 1 {
            return self.actuator(Callback::ActDyn, m, d, id).into_iter().collect();
        }
        self.lend(Callback::ActDyn, m, d, |f, m, d| f.call1((m, d, id.index())).map(drop));
        let first = usize::try_from(first).unwrap_or(0);
        d.smooth.actuation.act_dot.get(first..first + n).map(<[f64]>::to_vec).unwrap_or_default()
    }
}

impl Hooks for Lent {
    fn control(&self, m: &Model, d: &mut Data) {
        self.lend(Callback::Control, m, d, |f, m, d| f.call1((m, d)).map(drop));
    }

    fn passive(&self, m: &Model, d: &mut Data) {
        self.lend(Callback::Passive, m, d, |f, m, d| f.call1((m, d)).map(drop));
    }

    fn before_actuation(&self, m: &Model, d: &mut Data) {
        let table = &m.actuator;
        let mut laws = vec![Law::default(); table.len()];
        for (id, law) in m.actuator.ids().zip(&mut laws) {
            if table.dyntype[id] == DynType::User {
                law.act_dot = self.rates(m, d, id);
            }
            if table.gaintype[id] == GainType::User {
                law.gain = self.actuator(Callback::ActGain, m, d, id).unwrap_or(1.0);
            }
            if table.biastype[id] == BiasType::User {
                law.bias = self.actuator(Callback::ActBias, m, d, id).unwrap_or(0.0);
            }
        }
        *locked(&self.laws) = laws;
    }

    fn act_dot(&self, a: UserActuator<'_>, act_dot: &mut [f64]) {
        if let Some(law) = locked(&self.laws).get(a.actuator.index()) {
            act_dot.iter_mut().zip(&law.act_dot).for_each(|(out, x)| *out = *x);
        }
    }

    fn gain(&self, a: UserActuator<'_>) -> f64 {
        locked(&self.laws).get(a.actuator.index()).map_or(1.0, |law| law.gain)
    }

    fn bias(&self, a: UserActuator<'_>) -> f64 {
        locked(&self.laws).get(a.actuator.index()).map_or(0.0, |law| law.bias)
    }

    fn after_sensors(&self, m: &Model, d: &mut Data, stage: Stage) {
        self.lend(Callback::Sensor, m, d, |f, m, d| {
            let stages = f.py().import("mj")?.getattr("mjtStage")?;
            f.call1((m, d, stages.call1((stage.code(),))?)).map(drop)
        });
    }
}
