//! `MjData`: a simulation's data with the arrays that were taken from it.

mod contacts;
pub mod docs;
mod dual;
mod exchange;
pub mod fields;
mod matrices;
mod pickle;
mod resize;
pub mod rows;
mod statistics;

pub use self::pickle::{_data_of_state, _state_of_data};
pub use self::resize::{_realloc_con_efc, _realloc_island};
use crate::error;
use crate::kind::{Kind, array_of, own_array_of};
use crate::memory::{Arena, Block};
use crate::model::ModelCore;
use contacts::Contacts;
use fields::{Role, Source};
use mj_engine::{Data, Model};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use resize::Resized;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

/// An array of a field that somebody took: its numbers are copied in and out at every call.
struct Taken {
    source: &'static Source,
    block: Arc<Block>,
}

/// Data with the memory of its arrays.
pub struct Inner {
    /// The engine's data.
    pub data: Data,
    inputs: Vec<Taken>,
    results: Vec<Taken>,
    asked: Vec<Taken>,
    /// Arrays of the contacts of the last call, once somebody took them.
    contacts: Option<Contacts>,
    /// Counts calls that changed the data: contacts and constraint rows are those of the last.
    pub generation: u64,
    /// Sizes that users asked for since the last call.
    resized: Option<Resized>,
    /// The thread of a call that calls callbacks: between them, the data is not here.
    owner: Option<ThreadId>,
}

/// Tells which data a call reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It computes all results from the state: what users wrote to results is not read.
    Compute,
    /// It reads results, which users may have written, and changes some.
    Change,
    /// It reads state and results, and changes nothing.
    Read,
}

impl Inner {
    /// Copies what users may have written to arrays into the engine's data.
    pub fn copy_in(&mut self, m: &Model, access: Access) {
        for Taken { source, block } in &self.inputs {
            (source.read)(m, &mut self.data, block);
        }
        if access != Access::Compute {
            for Taken { source, block } in &self.results {
                (source.read)(m, &mut self.data, block);
            }
            if let Some(contacts) = &self.contacts {
                contacts.read(&mut self.data);
            }
        }
    }

    /// Copies the engine's data to the arrays that were taken.
    pub fn copy_out(&mut self, m: &Model) {
        self.generation += 1;
        self.contacts = None;
        self.resized = None;
        for Taken { source, block } in self.inputs.iter().chain(&self.results) {
            (source.write)(m, &self.data, block);
        }
    }
}

/// State, inputs and results of a simulation.
#[pyclass(name = "MjData", module = "mj._core", subclass, frozen)]
pub struct DataCore {
    inner: Mutex<Inner>,
    arena: Py<Arena>,
    /// The model that it was made for.
    model: Py<ModelCore>,
}

/// Finds a field by name.
pub fn find_field(name: &str) -> Option<&'static Source> {
    fields::FIELDS.iter().chain(statistics::FIELDS).find(|f| f.name == name)
}

impl DataCore {
    /// Makes an object of data.
    pub fn wrap(py: Python, data: Data, model: Py<ModelCore>) -> PyResult<Self> {
        let inner = Inner {
            data,
            inputs: Vec::new(),
            results: Vec::new(),
            asked: Vec::new(),
            contacts: None,
            generation: 0,
            resized: None,
            owner: None,
        };
        Ok(Self { inner: Mutex::new(inner), arena: Py::new(py, Arena::default())?, model })
    }

    /// Calls `f` with model and data, and none of the user's callbacks: copies in what users wrote, releases the interpreter, copies out.
    ///
    /// # Errors
    /// If another thread has a call in progress on the data, a field of the model has a value that it can't have, or data
    /// and model don't fit together.
    pub fn call<R: Send>(
        this: &Bound<'_, Self>,
        m: &Bound<'_, ModelCore>,
        access: Access,
        f: impl FnOnce(&Model, &mut Data) -> R + Send,
    ) -> PyResult<R> {
        let model = m.get().current(this.py())?;
        let mut guard = this.get().lock()?;
        let inner = &mut *guard;
        mj_engine::check_data(&model, &inner.data).map_err(error::value)?;
        inner.copy_in(&model, access);
        inner.data.timing.resume();
        let data = &mut inner.data;
        let result = this.py().detach(|| f(&model, data));
        if access != Access::Read {
            inner.copy_out(&model);
        }
        Ok(result)
    }

    /// Calls `f` with the data as it is, arrays copied in, the interpreter held.
    ///
    /// # Errors
    /// If a field of the model has a value that it can't have.
    pub fn with<R>(&self, py: Python, f: impl FnOnce(&Model, &mut Data) -> R) -> PyResult<R> {
        let model = self.model.get().current(py)?;
        let mut guard = self.look(py);
        guard.copy_in(&model, Access::Read);
        Ok(f(&model, &mut guard.data))
    }
}

#[pymethods]
impl DataCore {
    /// Makes data in the model's reset state, or a copy of data.
    #[new]
    #[pyo3(signature = (model, data = None))]
    fn new(model: &Bound<'_, ModelCore>, data: Option<&Bound<'_, Self>>) -> PyResult<Self> {
        let py = model.py();
        let m = model.get().current(py)?;
        let new = match data {
            None => py.detach(|| Data::new(&m)).map_err(error::value)?,
            Some(data) => data.get().with(py, |_, d| d.clone())?,
        };
        Self::wrap(py, new, model.clone().unbind())
    }

    /// Returns the model that the data was made for.
    #[getter]
    pub fn model(&self, py: Python) -> Py<ModelCore> {
        self.model.clone_ref(py)
    }

    /// Takes the array of a field, which shows the present value from now on.
    fn _take<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(source) = find_field(name) else {
            return Err(PyAttributeError::new_err(format!("MjData has no array `{name}`")));
        };
        let model = self.model.get().current(py)?;
        // The lock is not held while an array is made: Python may run finalizers then, which may need it.
        let shape = (source.shape)(&model, &self.look(py).data);
        if shape.iter().product::<usize>() == 0 {
            return array_of(py, &source.kind.empty(), &shape);
        }
        let (block, array) = source.kind.array_in(self.arena.bind(py), &shape);
        let mut inner = self.look(py);
        if name.starts_with("timer.") {
            // Measured from now on.
            inner.data.timing.start();
        }
        (source.write)(&model, &inner.data, &block);
        let taken = Taken { source, block };
        match source.role {
            Role::Input => inner.inputs.push(taken),
            Role::Result => inner.results.push(taken),
            Role::Asked => inner.asked.push(taken),
        }
        Ok(array)
    }

    /// Computes the present value of an array that was taken and that calls leave as it is.
    fn _refresh(&self, py: Python, name: &str) -> PyResult<()> {
        let model = self.model.get().current(py)?;
        let inner = self.look(py);
        inner
            .asked
            .iter()
            .filter(|t| t.source.name == name)
            .for_each(|t| (t.source.write)(&model, &inner.data, &t.block));
        Ok(())
    }

    /// Returns the array of a field whose size changes from call to call, as it is now.
    fn _snapshot<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let model = self.model.get().current(py)?;
        let mut inner = self.look(py);
        let of_dual = dual::snapshot(&model, &inner.data, name);
        let Some(field) = of_dual.or_else(|| rows::snapshot(&model, &inner.data, name)) else {
            return Err(PyAttributeError::new_err(format!("MjData has no array `{name}`")));
        };
        // The lock is not held while an array is made: Python may run finalizers then, which may need it.
        let (resized, made) = (inner.resized.take(), rows::is_made(&model, &inner.data, name));
        drop(inner);
        let make = if made { array_of } else { own_array_of };
        let Some(mut resized) = resized else { return make(py, &field.1, &field.0) };
        let array = resized.array(py, name, &field);
        self.look(py).resized.get_or_insert(resized);
        array?.map_or_else(|| make(py, &field.1, &field.0), Ok)
    }

    /// Returns the arrays of the present contacts, by the names of their fields.
    fn _contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let n = self.look(py).data.contacts.len();
        let (contacts, arrays) = Contacts::new(py, n)?;
        let mut inner = self.look(py);
        contacts.write(&inner.data);
        inner.contacts = Some(contacts);
        Ok(arrays)
    }

    /// Returns a count of constraint rows or islands.
    fn _count(&self, py: Python, name: &str) -> PyResult<Option<usize>> {
        let model = self.model.get().current(py)?;
        let inner = self.look(py);
        let asked_for = inner.resized.as_ref().and_then(|r| r.count(name));
        let of_dual = || dual::count(&model, &inner.data, name);
        Ok(asked_for.or_else(of_dual).or_else(|| rows::count(&model, &inner.data, name)))
    }

    /// Counts the calls that changed the data.
    #[getter]
    fn _generation(&self, py: Python) -> u64 {
        self.look(py).generation
    }

    /// An address in memory, for those who tell data apart by it.
    #[getter]
    fn _address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Simulation time, seconds.
    #[getter]
    pub fn time(&self, py: Python) -> f64 {
        self.look(py).data.state.time
    }

    #[setter]
    fn set_time(&self, py: Python, time: f64) {
        self.look(py).data.state.time = time;
    }

    /// Number of contacts.
    #[getter]
    fn ncon(&self, py: Python) -> usize {
        self.look(py).data.contacts.len()
    }

    /// Number of constraint rows.
    #[getter]
    fn nefc(&self, py: Python) -> usize {
        let inner = self.look(py);
        inner.resized.as_ref().and_then(|r| r.count("nefc")).unwrap_or_else(|| inner.data.rows.nefc())
    }

    /// Number of equality rows.
    #[getter]
    fn ne(&self, py: Python) -> usize {
        self.look(py).data.rows.ne
    }

    /// Number of friction-loss rows.
    #[getter]
    fn nf(&self, py: Python) -> usize {
        self.look(py).data.rows.nf
    }

    /// Number of limit rows.
    #[getter]
    fn nl(&self, py: Python) -> usize {
        self.look(py).data.rows.nl
    }
}

/// Returns the names of all fields whose sizes the model fixes, and whether Python must ask for their present value.
#[pyfunction]
pub fn _data_fields() -> Vec<(&'static str, bool)> {
    fields::FIELDS.iter().chain(statistics::FIELDS).map(|f| (f.name, f.role == Role::Asked)).collect()
}

impl Kind {
    /// A column without numbers.
    fn empty(self) -> mj_model::Column {
        use mj_model::Column;
        match self {
            Self::F64 => Column::F64(Vec::new()),
            Self::F32 => Column::F32(Vec::new()),
            Self::I32 => Column::I32(Vec::new()),
            Self::U8 => Column::U8(Vec::new()),
            Self::Bool => Column::Bool(Vec::new()),
        }
    }
}
