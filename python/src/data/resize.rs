//! Contacts, constraint rows and islands of sizes that users ask for: arrays of zeros to be filled by them, in the place of
//! those of the last call, until the next.

use super::rows::Array;
use super::{DataCore, Inner};
use crate::error;
use crate::kind::array_of;
use crate::model::derived::size;
use mj_engine::{Contact, DVec3, Data, Model};
use mj_model::{Column, GeomId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;

/// Numbers of a constraint row that the engine keeps, apart from its Jacobian.
const ROW: usize = 24;
/// Numbers of an island that the engine keeps.
const ISLAND: usize = 16;

/// Sizes that were asked for.
#[derive(Default)]
pub struct Resized {
    /// Numbers of rows and of entries of their Jacobian.
    rows: Option<(usize, usize)>,
    /// Numbers of islands and of dofs in islands.
    islands: Option<(usize, usize)>,
    /// Arrays that were read.
    arrays: HashMap<String, Py<PyAny>>,
}

impl Resized {
    /// Returns a count, if it was asked for.
    pub fn count(&self, name: &str) -> Option<usize> {
        match (name, self.rows, self.islands) {
            ("nefc", Some((nefc, _)), _) => Some(nefc),
            ("nJ", Some((_, nj)), _) => Some(nj),
            ("efm_active", Some(_), _) => Some(0),
            ("nisland", _, Some((nisland, _))) => Some(nisland),
            ("nidof", _, Some((_, nidof))) => Some(nidof),
            _ => None,
        }
    }

    /// Returns the shape of a field whose size was asked for.
    fn shape(&self, name: &str, before: &[usize]) -> Option<Vec<usize>> {
        let rows_of = |n: usize| Some([&[n], &before[1..]].concat());
        if let Some((nefc, nj)) = self.rows {
            match name {
                "efc_J" | "efc_J_colind" => return Some(vec![nj]),
                "efc_Y" | "efc_Y_colind" | "efc_AR" | "efc_AR_colind" => return Some(vec![0]),
                "map_efc2iefc" | "map_iefc2efc" => return Some(vec![nefc]),
                _ if name.starts_with("efc_") || name.starts_with("iefc_") => return rows_of(nefc),
                _ => {}
            }
        }
        let (nisland, nidof) = self.islands?;
        match name {
            _ if name.starts_with("island_") => rows_of(nisland),
            _ if name.starts_with("iacc") || name.starts_with("ifrc") => rows_of(nidof),
            _ => None,
        }
    }

    /// Returns the array of a field whose size was asked for: zeros at first, then what users wrote.
    pub fn array<'py>(
        &mut self,
        py: Python<'py>,
        name: &str,
        (shape, column): &Array,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(array) = self.arrays.get(name) {
            return Ok(Some(array.bind(py).clone()));
        }
        let Some(shape) = self.shape(name, shape) else { return Ok(None) };
        let n = shape.iter().product();
        let zeros = match column {
            Column::I32(_) => Column::I32(vec![0; n]),
            _ => Column::F64(vec![0.0; n]),
        };
        let array = array_of(py, &zeros, &shape)?;
        self.arrays.insert(name.into(), array.clone().unbind());
        Ok(Some(array))
    }
}

/// Makes a contact without numbers.
fn empty_contact() -> Contact {
    Contact {
        dist: 0.0,
        pos: DVec3::ZERO,
        frame: [DVec3::ZERO; 3],
        includemargin: 0.0,
        friction: [0.0; 5],
        solref: [0.0; 2],
        solreffriction: [0.0; 2],
        solimp: [0.0; 5],
        adhesion: 0.0,
        surfacevel: [0.0; 3],
        dim: 1,
        geom: [Some(GeomId::new(0)); 2],
        flex: [None; 2],
        elem: [-1; 2],
        vert: [-1; 2],
        in_gap: true,
    }
}

/// Removes islands, and what a solver said of them.
fn remove_islands(d: &mut Data) {
    d.solution.islands.clear();
    d.solution.stats.clear();
}

/// Removes contacts, rows and islands.
fn remove_rows(m: &Model, d: &mut Data) {
    d.contacts.list.clear();
    d.rows.clear(m);
    d.solution.efc_force.clear();
    d.solution.efc_state.clear();
    remove_islands(d);
}

/// Reads a size, and its product with the bytes of one.
fn bytes(name: &str, n: i64, of_one: usize) -> PyResult<(usize, usize)> {
    let n = usize::try_from(n).map_err(|_| PyValueError::new_err(format!("`{name}` must be at least 0, not {n}")))?;
    Ok((n, n.saturating_mul(of_one)))
}

/// Says that the memory for contacts and rows does not suffice.
fn insufficient(py: Python, m: &Model) -> PyErr {
    let memory = crate::text::number_of_bytes(size(m, "narena").unwrap_or(0) as u64);
    error::fatal(
        py,
        format!(
            "Insufficient arena memory, currently allocated memory=\"{memory}\". Increase using <size memory=\"X\"/>."
        ),
    )
}

impl Inner {
    /// Puts sizes that users ask for in the place of those of the last call.
    fn set_sizes(&mut self, m: &Model, resized: Option<Resized>) {
        self.copy_out(m);
        self.resized = resized;
    }
}

/// Makes room for so many contacts, constraint rows and entries of their Jacobian (all, if `nJ` is negative). Their numbers
/// are zero, and what is written to them can be read until the next call that computes them; no function reads rows.
///
/// # Errors
/// If they take more memory than `narena`: there are no contacts and rows then.
#[pyfunction]
#[pyo3(signature = (d, ncon, nefc, nJ = -1))]
#[allow(non_snake_case)]
pub fn _realloc_con_efc(d: &Bound<'_, DataCore>, ncon: i64, nefc: i64, nJ: i64) -> PyResult<()> {
    let py = d.py();
    let m = d.get().model.get().current(py)?;
    let (ncon, of_contacts) = bytes("ncon", ncon, size_of::<Contact>())?;
    let (nefc, of_rows) = bytes("nefc", nefc, ROW * size_of::<f64>())?;
    let entries = if nJ < 0 { i64::try_from(nefc.saturating_mul(m.nv())).unwrap_or(i64::MAX) } else { nJ };
    let (nj, of_jacobian) = bytes("nJ", entries, size_of::<f64>() + size_of::<i32>())?;
    if ncon > 0 && m.geom.is_empty() {
        return Err(PyValueError::new_err("there can be no contacts: the model has no geoms"));
    }
    let memory = of_contacts.saturating_add(of_rows).saturating_add(of_jacobian);
    let fits = memory <= size(&m, "narena").unwrap_or(0);
    let mut inner = d.get().lock()?;
    remove_rows(&m, &mut inner.data);
    if fits {
        inner.data.contacts.list.resize(ncon, empty_contact());
    }
    let sizes = Some(if fits { (nefc, nj) } else { (0, 0) });
    inner.set_sizes(&m, Some(Resized { rows: sizes, islands: Some((0, 0)), ..Resized::default() }));
    if fits { Ok(()) } else { Err(insufficient(py, &m)) }
}

/// Makes room for so many islands and dofs in islands. Their numbers are zero, and what is written to them can be read until
/// the next call that computes them; no function reads them.
///
/// # Errors
/// If they take more memory than `narena`: there are no islands then.
#[pyfunction]
pub fn _realloc_island(d: &Bound<'_, DataCore>, nisland: i64, nidof: i64) -> PyResult<()> {
    let py = d.py();
    let m = d.get().model.get().current(py)?;
    let (nisland, of_islands) = bytes("nisland", nisland, ISLAND * size_of::<i32>())?;
    let (nidof, of_dofs) = bytes("nidof", nidof, 4 * size_of::<f64>())?;
    let fits = of_islands.saturating_add(of_dofs) <= size(&m, "narena").unwrap_or(0);
    let mut inner = d.get().lock()?;
    remove_islands(&mut inner.data);
    let rows = inner.resized.take().and_then(|r| r.rows);
    let islands = Some(if fits { (nisland, nidof) } else { (0, 0) });
    inner.set_sizes(&m, Some(Resized { rows, islands, ..Resized::default() }));
    if fits { Ok(()) } else { Err(insufficient(py, &m)) }
}
