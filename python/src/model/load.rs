//! From files, text and bytes to models.

use super::ModelCore;
use crate::error;
use mj_engine::{FileResolver, FileSystem, LoadError, Loaded, Spec, load_with};
use mj_model::Model;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The specification of the model that was loaded last, for `mj_saveLastXML`.
static LAST: Mutex<Option<Spec>> = Mutex::new(None);

/// Files in memory, by their path or by their name alone, and those of the disk.
pub struct Files {
    memory: HashMap<PathBuf, Vec<u8>>,
    disk: FileSystem,
}

impl Files {
    /// Files of memory, which hide those of the disk.
    ///
    /// # Errors
    /// If two have one name, whatever their folders.
    pub fn new(assets: HashMap<String, Vec<u8>>) -> PyResult<Self> {
        let mut memory = HashMap::new();
        for (name, bytes) in assets {
            let path = PathBuf::from(&name);
            let name = path.file_name().map(PathBuf::from).unwrap_or(path);
            if memory.insert(name.clone(), bytes).is_some() {
                return Err(PyValueError::new_err(format!(
                    "Repeated file name in assets: {}; files are found by their name, whatever their folder",
                    name.display()
                )));
            }
        }
        Ok(Self { memory, disk: FileSystem::default() })
    }

    fn find(&self, path: &Path) -> Option<&Vec<u8>> {
        self.memory.get(path).or_else(|| self.memory.get(Path::new(path.file_name()?)))
    }
}

impl FileResolver for Files {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        match self.find(path) {
            Some(bytes) if bytes.len() as u64 > limit => Err(io::ErrorKind::FileTooLarge.into()),
            Some(bytes) => Ok(bytes.clone()),
            None => self.disk.read(path, limit),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        self.find(path).is_some() || self.disk.exists(path)
    }

    fn is_on_disk(&self, path: &Path) -> bool {
        self.find(path).is_none()
    }
}

/// Adds the text of a model to files, under a name that none of them has.
pub fn add_text(files: &mut HashMap<String, Vec<u8>>, xml: String) -> PathBuf {
    let mut name = String::from("string.xml");
    let taken = |name: &str| files.keys().any(|k| Path::new(k).file_name() == Some(name.as_ref()));
    while taken(&name) {
        name.insert(0, '_');
    }
    files.insert(name.clone(), xml.into_bytes());
    name.into()
}

/// Loads a model through files, and keeps its specification.
pub fn load(path: &Path, files: &Files) -> Result<Model, LoadError> {
    let Loaded { model, spec, .. } = load_with(path, files)?;
    if let Some(spec) = spec {
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(spec);
    }
    Ok(model)
}

/// Returns the specification of the model that was loaded last; none if none was.
pub fn last() -> Option<Spec> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Writes the model that was loaded last as MJCF; none if none was.
#[pyfunction]
fn _last_xml() -> Option<String> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(mj_engine::write_mjcf)
}

/// Makes an empty model, with the defaults of all options.
#[pyfunction]
fn _empty_model(py: Python) -> PyResult<ModelCore> {
    ModelCore::wrap(py, mj_engine::load_str("<mujoco/>").map_err(|e| error::load(py, &e))?)
}

/// Loads MJCF or URDF text.
#[pyfunction]
fn _load_text(py: Python, xml: String, mut assets: HashMap<String, Vec<u8>>) -> PyResult<ModelCore> {
    let path = add_text(&mut assets, xml);
    let files = Files::new(assets)?;
    ModelCore::wrap(py, py.detach(|| load(&path, &files)).map_err(|e| error::load(py, &e))?)
}

/// Loads an MJCF, URDF or binary file, or an archive.
#[pyfunction]
fn _load_path(py: Python, path: PathBuf, assets: HashMap<String, Vec<u8>>) -> PyResult<ModelCore> {
    let files = Files::new(assets)?;
    ModelCore::wrap(py, py.detach(|| load(&path, &files)).map_err(|e| error::load(py, &e))?)
}

/// Adds the functions of this file.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_last_xml, module)?)?;
    module.add_function(wrap_pyfunction!(_empty_model, module)?)?;
    module.add_function(wrap_pyfunction!(_load_text, module)?)?;
    module.add_function(wrap_pyfunction!(_load_path, module)?)
}
