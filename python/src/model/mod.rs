//! `MjModel`: a compiled model with the arrays that were taken from it.

pub mod derived;
pub mod load;
pub mod names;
pub mod volumes;

use crate::error;
use crate::kind::{Kind, array_of, write_column};
use crate::memory::{Arena, Block};
use mj_engine::Model;
use mj_model::{Class, Field};
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An array of a field that somebody took and may write.
struct Taken {
    name: String,
    kind: Kind,
    block: Arc<Block>,
    /// Its bits when they were last compared.
    seen: Vec<u64>,
    read: Read,
}

/// When what users write to an array is taken over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    /// At every call.
    Always,
    /// Where all of the model is wanted: pictures alone read it.
    WithAll,
    /// Never: it follows from other fields.
    Never,
}

/// A model with the memory of its arrays.
struct Inner {
    model: Arc<Model>,
    taken: Vec<Taken>,
}

impl Inner {
    /// Takes over what users wrote to arrays.
    fn sync(&mut self, all: bool) -> PyResult<()> {
        let mut moved = false;
        for taken in self.taken.iter_mut().filter(|t| t.read == Read::Always || all && t.read == Read::WithAll) {
            if !taken.block.changed(&mut taken.seen) {
                continue;
            }
            let column = taken.kind.column(&taken.block);
            if let Err(e) = Arc::make_mut(&mut self.model).set_field(&taken.name, &column) {
                // Shown as it is, and told at every call until it is right.
                taken.seen.fill(!0);
                return Err(PyValueError::new_err(format!("MjModel.{}: {e}", taken.name)));
            }
            moved |= POSES.contains(&taken.name.as_str());
        }
        if moved {
            mj_model::build::set_sameframes(Arc::make_mut(&mut self.model));
        }
        Ok(())
    }

    /// Shows the model's numbers in all arrays that were taken.
    fn show(&mut self) {
        for taken in &mut self.taken {
            let field = self.model.field(&taken.name).or_else(|| derived::field(&self.model, &taken.name));
            if let Some(field) = field {
                write_column(&field.data, &taken.block);
                taken.block.changed(&mut taken.seen);
            }
        }
    }
}

/// A compiled model.
#[pyclass(name = "MjModel", module = "mj._core", subclass, frozen)]
pub struct ModelCore {
    inner: Mutex<Inner>,
    arena: Py<Arena>,
}

impl ModelCore {
    /// Makes an object of a model.
    pub fn wrap(py: Python, model: Model) -> PyResult<Self> {
        let inner = Inner { model: Arc::new(model), taken: Vec::new() };
        Ok(Self { inner: Mutex::new(inner), arena: Py::new(py, Arena::default())? })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nobody holds it while waiting for the interpreter.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the model with all that users wrote to its arrays.
    ///
    /// # Errors
    /// If a field has a value that it can't have.
    pub fn current(&self, _: Python) -> PyResult<Arc<Model>> {
        let mut inner = self.lock();
        inner.sync(false)?;
        Ok(inner.model.clone())
    }

    /// Changes the model, and shows the change in all arrays.
    ///
    /// # Errors
    /// Those of `f`, and if a field has a value that it can't have.
    pub fn change<R>(&self, f: impl FnOnce(&mut Model) -> PyResult<R>) -> PyResult<R> {
        let mut inner = self.lock();
        inner.sync(true)?;
        let result = f(Arc::make_mut(&mut inner.model));
        inner.show();
        result
    }
}

impl ModelCore {
    /// Makes an array of a derived field that shows its value after every change of the model. What users write to it is not
    /// read.
    fn follow<'py>(&self, py: Python<'py>, field: Field) -> Bound<'py, PyAny> {
        let kind = Kind::of(&field.data);
        let (block, array) = kind.array_in(self.arena.bind(py), &field.shape);
        write_column(&field.data, &block);
        let mut seen = vec![0; block.words()];
        block.changed(&mut seen);
        self.lock().taken.push(Taken { name: field.name, kind, block, seen, read: Read::Never });
        array
    }
}

/// Poses of which the engine takes shortcuts where frames coincide (`body_sameframe` and its like).
const POSES: [&str; 6] = ["body_ipos", "body_iquat", "geom_pos", "geom_quat", "site_pos", "site_quat"];

/// The marks of these shortcuts. Programs that move frames write zeros to them; here they follow the poses.
const WRITTEN_IN_VAIN: [&str; 4] = ["body_sameframe", "body_simple", "geom_sameframe", "site_sameframe"];

/// Returns the names of all fields, with the first line of what each is and what happens when it is edited.
#[pyfunction]
pub fn _model_fields() -> Vec<(String, &'static str, String)> {
    let infos = Model::field_infos();
    infos.into_iter().map(|(name, info)| (name, info.doc.trim(), format!("{:?}", info.class).to_lowercase())).collect()
}

#[pymethods]
impl ModelCore {
    /// Makes another object of a model; they share memory until one is changed.
    #[new]
    fn new(model: &Bound<'_, Self>) -> PyResult<Self> {
        let py = model.py();
        let mut inner = model.get().lock();
        inner.sync(true)?;
        let inner = Inner { model: inner.model.clone(), taken: Vec::new() };
        Ok(Self { inner: Mutex::new(inner), arena: Py::new(py, Arena::default())? })
    }

    /// Takes the array of a field, which shows the present value from now on.
    fn _take<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        // The lock is not held while an array is made: Python may run finalizers then, which may need it.
        let model = self.lock().model.clone();
        if let Some(Field { name, shape, data }) = derived::field(&model, name) {
            if name == "bvh_aabb" && !data.is_empty() {
                return Ok(self.follow(py, Field { name, shape, data }));
            }
            let array = array_of(py, &data, &shape)?;
            array.call_method1("setflags", (false,))?;
            return Ok(array);
        }
        let Some(field) = model.field(name) else {
            return Err(PyAttributeError::new_err(format!("MjModel has no array `{name}`")));
        };
        let kind = Kind::of(&field.data);
        if field.data.is_empty() {
            return array_of(py, &field.data, &field.shape);
        }
        let (block, array) = kind.array_in(self.arena.bind(py), &field.shape);
        write_column(&field.data, &block);
        if WRITTEN_IN_VAIN.contains(&name) {
            // Not read.
        } else if model.class(name) != Some(Class::Structure) {
            let mut seen = vec![0; block.words()];
            block.changed(&mut seen);
            let read = if field.name == "tex_data" { Read::WithAll } else { Read::Always };
            self.lock().taken.push(Taken { name: field.name, kind, block, seen, read });
        } else {
            array.call_method1("setflags", (false,))?;
        }
        Ok(array)
    }

    /// Returns a size, by name; none if there is no such size.
    fn _size(&self, name: &str) -> Option<usize> {
        derived::size(&self.lock().model, name)
    }

    /// Returns the names of all sizes.
    fn _sizes(&self) -> Vec<&'static str> {
        derived::size_names(&self.lock().model)
    }

    /// Returns the names of all arrays, with shape and type.
    fn _fields(&self) -> Vec<(String, Vec<usize>)> {
        let mut out = Vec::new();
        self.lock().model.visit(&mut |f| out.push((f.name, f.shape)));
        out
    }

    /// Returns the bytes of all names, each ended by a zero, the model's first.
    fn _names<'py>(&self, py: Python<'py>) -> Bound<'py, pyo3::types::PyBytes> {
        pyo3::types::PyBytes::new(py, &names::Bytes::of(&self.lock().model).names)
    }

    /// Returns the name of an element; empty if it has none.
    fn _name(&self, kind: i32, row: usize) -> String {
        let Some(kind) = mj_model::ObjType::from_code(kind) else { return String::new() };
        self.lock().model.names.get(kind, row).to_string()
    }

    /// Returns the row of a name.
    fn _find(&self, kind: i32, name: &str) -> Option<usize> {
        self.lock().model.names.find(mj_model::ObjType::from_code(kind)?, name)
    }

    /// Returns all names of a kind of element, in the order of rows.
    fn _all_names(&self, kind: i32) -> Vec<String> {
        mj_model::ObjType::from_code(kind).map(|kind| self.lock().model.names.all(kind).to_vec()).unwrap_or_default()
    }

    /// Returns the options of rendering that the model gives: element, attribute, numbers.
    fn _visual(&self) -> Vec<(String, String, Vec<f64>)> {
        let given = &self.lock().model.vis.attributes;
        given.iter().map(|a| (a.element.clone(), a.name.clone(), a.value.clone())).collect()
    }

    /// Returns the file of a texture; empty if it has none.
    fn _texture_file(&self, number: usize) -> String {
        self.lock().model.tex_file.list.get(number).map(|file| file.path.clone()).unwrap_or_default()
    }

    /// Replaces the options of rendering.
    fn _set_visual(&self, given: Vec<(String, String, Vec<f64>)>) -> PyResult<()> {
        let attribute = |(element, name, value)| mj_model::VisualAttribute { element, name, value };
        self.change(|m| {
            m.vis.attributes = given.into_iter().map(attribute).collect();
            Ok(())
        })
    }

    /// Returns the model in its binary form.
    fn _bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        let mut inner = self.lock();
        inner.sync(true)?;
        Ok(pyo3::types::PyBytes::new(py, &inner.model.to_bytes()))
    }

    /// Makes a model from its binary form.
    #[staticmethod]
    fn _of_bytes(py: Python, bytes: &[u8]) -> PyResult<Self> {
        let mut model = Model::from_bytes(bytes).map_err(error::value)?;
        model.bind_plugins(&mj_engine::builtin_plugins()).map_err(error::value)?;
        Self::wrap(py, model)
    }

    /// A number that tells models of one structure from others.
    #[getter]
    fn signature(&self) -> u64 {
        self.lock().model.structure.signature()
    }

    /// An address in memory, for those who tell models apart by it.
    #[getter]
    fn _address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}
