//! An element of a spec as Python holds it: fields by number, with the arrays that were taken from them.

use super::tables::*;
use super::value::{Shape, Value};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Declares all kinds of elements.
macro_rules! forms {
    ($($variant:ident $name:literal $form:ident)*) => {
        /// A form of any kind.
        #[derive(Clone, Debug)]
        pub enum AnyForm {
            $(#[doc = concat!("A ", $name, ".")] $variant(Box<$form>),)*
        }

        impl AnyForm {
            /// Names of all kinds.
            pub const KINDS: &'static [&'static str] = &[$($name),*];

            /// Makes an element of a kind with built-in values.
            pub fn new(kind: &str) -> Option<Self> {
                let mut form = match kind {
                    $($name => Self::$variant(Box::default()),)*
                    _ => return None,
                };
                // Sensors of programs are computed last, unless these say otherwise.
                if let Self::Sensor(sensor) = &mut form {
                    sensor.e.needstage = mj_model::Stage::Acc;
                }
                Some(form)
            }

            /// Name of the kind.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)*
                }
            }

            /// Names and shapes of a kind's fields.
            pub fn fields(kind: &str) -> Vec<(&'static str, Shape)> {
                match kind {
                    $($name => <$form>::FIELDS.iter().map(|f| (f.name, f.shape)).collect(),)*
                    _ => Vec::new(),
                }
            }

            /// Name and shape of a field.
            pub fn field(&self, row: usize) -> Option<(&'static str, Shape)> {
                match self {
                    $(Self::$variant(_) => <$form>::FIELDS.get(row).map(|f| (f.name, f.shape)),)*
                }
            }

            /// Value of a field.
            pub fn get(&self, row: usize) -> Option<Value> {
                match self {
                    $(Self::$variant(form) => <$form>::FIELDS.get(row).map(|f| (f.get)(form)),)*
                }
            }

            /// Sets a field.
            pub fn put(&mut self, row: usize, value: Value) -> Result<(), String> {
                match self {
                    $(Self::$variant(form) => <$form>::FIELDS.get(row).map_or(Ok(()), |f| (f.put)(form, value)),)*
                }
            }

            /// Row of a field.
            pub fn row(&self, name: &str) -> Option<usize> {
                match self {
                    $(Self::$variant(_) => <$form>::FIELDS.iter().position(|f| f.name == name),)*
                }
            }

            /// The element's name, where it has one.
            pub fn name(&mut self) -> Option<&mut String> {
                match self {
                    $(Self::$variant(form) => form.name(),)*
                }
            }
        }
    };
}

forms! {
    Body "body" BodyForm
    Frame "frame" FrameForm
    Joint "joint" JointForm
    Geom "geom" GeomForm
    Site "site" SiteForm
    Camera "camera" CameraForm
    Light "light" LightForm
    Mesh "mesh" MeshForm
    Hfield "hfield" HfieldForm
    Texture "texture" TextureForm
    Material "material" MaterialForm
    Skin "skin" SkinForm
    Pair "pair" PairForm
    Exclude "exclude" ExcludeForm
    Equality "equality" EqualityForm
    Tendon "tendon" TendonForm
    Actuator "actuator" ActuatorForm
    Sensor "sensor" SensorForm
    Flex "flex" FlexForm
    Plugin "plugin" PluginForm
    Numeric "numeric" NumericForm
    Text "text" TextForm
    Tuple "tuple" TupleForm
    Key "key" KeyForm
    Compiler "compiler" CompilerForm
    Globals "globals" GlobalsForm
}

/// An element of a spec.
#[pyclass(name = "SpecElement", module = "mj._core", subclass, frozen, weakref)]
pub struct Element {
    form: Mutex<AnyForm>,
    /// Arrays and vectors that were taken, by the names of their fields: they have the values.
    held: Py<PyDict>,
}

impl Element {
    /// Makes an element of a form.
    pub fn wrap(py: Python, form: AnyForm) -> PyResult<Py<Self>> {
        Py::new(py, Self { form: Mutex::new(form), held: PyDict::new(py).unbind() })
    }

    fn lock(&self) -> MutexGuard<'_, AnyForm> {
        // Nobody holds it while Python runs.
        self.form.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the form with all that was written to arrays.
    ///
    /// # Errors
    /// If an array or a vector has what the field can't have.
    pub fn current(&self, py: Python) -> PyResult<AnyForm> {
        let mut form = self.lock().clone();
        for (name, held) in self.held.bind(py) {
            let name: String = name.extract()?;
            let Some((row, shape)) = form.row(&name).and_then(|row| Some((row, form.field(row)?.1))) else { continue };
            let value = Value::from_python(&name, shape, &held, false)?;
            form.put(row, value).map_err(PyValueError::new_err)?;
        }
        Ok(form)
    }

    /// Changes the form; what was taken shows the change.
    ///
    /// # Errors
    /// Those of `f`, and if Python has no memory.
    pub fn change<T>(&self, py: Python, f: impl FnOnce(&mut AnyForm) -> Result<T, String>) -> PyResult<T> {
        let mut form = self.current(py)?;
        let out = f(&mut form).map_err(PyValueError::new_err)?;
        *self.lock() = form.clone();
        for (name, held) in self.held.bind(py) {
            let name: String = name.extract()?;
            if let Some(value) = form.row(&name).and_then(|row| form.get(row)) {
                show(py, &held, &value)?;
            }
        }
        Ok(out)
    }

    fn at(&self, row: usize) -> PyResult<(&'static str, Shape)> {
        self.lock().field(row).ok_or_else(|| PyIndexError::new_err(format!("there is no field {row}")))
    }
}

/// Writes a value to an array or vector that was taken.
fn show(py: Python, held: &Bound<'_, PyAny>, value: &Value) -> PyResult<()> {
    let new = value.to_python(py)?;
    if held.hasattr("_assign")? {
        held.call_method1("_assign", (new,))?;
    } else {
        held.set_item(py.Ellipsis(), new)?;
    }
    Ok(())
}

/// A field in words: name, what it holds, count, enumeration.
type Described = (&'static str, &'static str, usize, &'static str);

/// Returns the names of all kinds of elements, with their fields.
#[pyfunction]
pub fn _spec_fields() -> Vec<(&'static str, Vec<Described>)> {
    let describe = |(name, shape): (&'static str, Shape)| {
        let (what, count, of) = shape.describe();
        (name, what, count, of)
    };
    AnyForm::KINDS.iter().map(|k| (*k, AnyForm::fields(k).into_iter().map(describe).collect())).collect()
}

#[pymethods]
impl Element {
    /// Makes an element of a kind, or a copy of another.
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = source.py();
        let form = if let Ok(other) = source.cast::<Self>() {
            other.get().current(py)?
        } else if let Ok(kind) = source.cast::<PyString>() {
            let kind: String = kind.extract()?;
            AnyForm::new(&kind).ok_or_else(|| PyTypeError::new_err(format!("there is no kind of element `{kind}`")))?
        } else {
            return Err(crate::args::wrong("source", "an element or the name of a kind", source));
        };
        Ok(Self { form: Mutex::new(form), held: PyDict::new(py).unbind() })
    }

    /// Name of the kind of element.
    #[getter]
    fn _kind(&self) -> &'static str {
        self.lock().kind()
    }

    /// Arrays and vectors that were taken.
    #[getter]
    fn _held<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.held.bind(py).clone()
    }

    /// Returns the value of a field; arrays stay.
    fn _get<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let (name, shape) = self.at(row)?;
        let held = self.held.bind(py);
        if let Some(value) = held.get_item(name)? {
            return Ok(value);
        }
        let value = self.lock().get(row);
        let value = value.ok_or_else(|| PyIndexError::new_err(format!("there is no field {row}")))?.to_python(py)?;
        if let Shape::Numbers(1..) | Shape::Singles(1..) | Shape::Integers(1..) = shape {
            held.set_item(name, &value)?;
        }
        Ok(value)
    }

    /// Sets a field. `keyword` is whether the value comes from an argument of that name.
    #[pyo3(signature = (row, value, keyword=false))]
    fn _set(&self, py: Python, row: usize, value: &Bound<'_, PyAny>, keyword: bool) -> PyResult<()> {
        let (name, shape) = self.at(row)?;
        let value = Value::from_python(name, shape, value, keyword)?;
        let result = self.lock().put(row, value.clone());
        result.map_err(|e| PyValueError::new_err(format!("`{name}`: {e}")))?;
        match self.held.bind(py).get_item(name)? {
            Some(held) => show(py, &held, &value),
            None => Ok(()),
        }
    }

    /// Takes all values of another element of the same kind, but for its name.
    fn _take_values(&self, py: Python, other: &Self) -> PyResult<()> {
        let mut new = other.current(py)?;
        self.change(py, |form| {
            if form.kind() != new.kind() {
                return Err(format!("a {} cannot take the values of a {}", form.kind(), new.kind()));
            }
            if let (Some(to), Some(from)) = (new.name(), form.name()) {
                to.clone_from(from);
            }
            *form = new;
            Ok(())
        })
    }
}
