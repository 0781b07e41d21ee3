//! Data as a dictionary of arrays, for pickles: the fields that the engine keeps, contacts and constraint rows.
//!
//! The rows are made anew from the poses and contacts, and get their numbers back where there are as many as before.

use super::contacts::Contacts;
use super::fields::{self, Role, Source};
use super::{DataCore, statistics};
use crate::args::vector;
use crate::error;
use crate::kind::array_of;
use crate::memory::Arena;
use crate::model::ModelCore;
use mj_collide::Contact;
use mj_engine::{Data, Model, stages};
use mj_model::{Column, FlexId, GeomId};
use mj_problem::{ConstraintState, Island, Stat};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyEllipsis};

/// Numbers of a constraint row.
const ROW: usize = 13;

/// Returns an entry of a dictionary.
fn entry<'py>(state: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    state.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("the pickled data has no entry `{name}`")))
}

/// Returns the integers of an entry.
fn codes(state: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<i32>> {
    crate::args::numbers::<i32>(name, &entry(state, name)?).map(|(_, v)| v)
}

/// A row of a table of `n`; none for −1, and nothing for any other number.
fn row(code: i32, n: usize) -> Option<Option<usize>> {
    if code == -1 { Some(None) } else { usize::try_from(code).ok().filter(|&i| i < n).map(Some) }
}

/// Makes contacts of the arrays of their fields.
///
/// # Errors
/// If the arrays don't fit each other or the model.
fn contacts(m: &Model, d: &mut Data, state: &Bound<'_, PyDict>) -> PyResult<()> {
    let (dims, exclude) = (codes(state, "dim")?, codes(state, "exclude")?);
    let geoms = vector::<i32>("geom", &entry(state, "geom")?, 2 * dims.len())?;
    let pairs = |name: &str| vector::<i32>(name, &entry(state, name)?, 2 * dims.len());
    let (flexes, elems, verts) = (pairs("flex")?, pairs("elem")?, pairs("vert")?);
    let contact = |i: usize| {
        let dim = u32::try_from(dims[i]).ok().filter(|dim| [1, 3, 4, 6].contains(dim))?;
        let mut c = Contact { dim, in_gap: *exclude.get(i)? == 1, ..Contact::default() };
        for side in 0..2 {
            let of = |list: &[i32]| list[2 * i + side];
            c.geom[side] = row(of(&geoms), m.geom.len())?.map(GeomId::new);
            c.flex[side] = row(of(&flexes), m.flex.len())?.map(FlexId::new);
            (c.elem[side], c.vert[side]) = (of(&elems), of(&verts));
            let known = |f: FlexId| {
                let elem = (0..m.flex.elemnum[f] as i32).contains(&c.elem[side]);
                let vert = (0..m.flex.vertnum[f] as i32).contains(&c.vert[side]);
                if c.vert[side] == -1 { elem } else { vert && c.elem[side] == -1 }
            };
            if c.geom[side].is_some() == c.flex[side].is_some() || !c.flex[side].is_none_or(known) {
                return None;
            }
        }
        Some(c)
    };
    let list = (0..dims.len()).map(contact).collect::<Option<_>>();
    d.contacts.list = list.ok_or_else(|| PyValueError::new_err("the pickled contacts are not of this model"))?;
    let (arrays, fields) = Contacts::new(state.py(), d.contacts.len())?;
    for (name, array) in fields {
        array.set_item(PyEllipsis::get(state.py()), entry(state, name.extract()?)?)?;
    }
    arrays.read(d);
    Ok(())
}

/// Returns the numbers of all constraint rows.
fn row_numbers(d: &Data) -> Vec<f64> {
    let r = &d.rows;
    let mut out = Vec::with_capacity(r.nefc() * ROW);
    for i in 0..r.nefc() {
        out.extend([r.pos[i], r.margin[i], r.frictionloss[i], r.diag_a[i], r.d[i], r.r[i], r.vel[i], r.aref[i]]);
        out.extend(r.kbip[i]);
        out.push(d.solution.efc_force[i]);
    }
    out
}

/// Writes the numbers of all constraint rows.
fn set_row_numbers(d: &mut Data, numbers: &[f64]) {
    let r = &mut d.rows;
    for (i, v) in numbers.chunks_exact(ROW).enumerate() {
        let places = [&mut r.pos, &mut r.margin, &mut r.frictionloss, &mut r.diag_a, &mut r.d, &mut r.r, &mut r.vel];
        places.into_iter().zip(v).for_each(|(place, x)| place[i] = *x);
        r.aref[i] = v[7];
        r.kbip[i].copy_from_slice(&v[8..12]);
        d.solution.efc_force[i] = v[12];
    }
}

/// Writes a dense Jacobian into the blocks of the rows.
fn set_jacobian(d: &mut Data, dense: &[f64]) {
    let jac = &mut d.rows.jac;
    let nv = jac.ncols();
    for b in jac.blocks().to_vec() {
        let (runs, values) = jac.runs_and_values_mut(&b);
        let rows = dense[b.row as usize * nv..].chunks_exact(nv);
        for (out, row) in values.chunks_exact_mut((b.ncol as usize).max(1)).zip(rows) {
            let columns = runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize);
            out.iter_mut().zip(columns).for_each(|(x, column)| *x = row[column]);
        }
    }
}

/// Returns the numbers of an island.
fn island_codes(island: &Island) -> [i32; 5] {
    [island.nv, island.nefc, island.niter, island.stat, island.noslip].map(|n| i32::try_from(n).unwrap_or(i32::MAX))
}

/// Makes an island of its numbers.
fn island(codes: &[i32; 5]) -> Island {
    let [nv, nefc, niter, stat, noslip] = codes.map(|n| u32::try_from(n).unwrap_or(0));
    Island { nv, nefc, niter, stat, noslip }
}

/// Returns the statistics of an iteration as numbers.
fn iteration_numbers(s: &Stat) -> [f64; 7] {
    let counts = [s.nactive, s.nchange, s.neval, s.nupdate].map(f64::from);
    [s.improvement, s.gradient, s.lineslope, counts[0], counts[1], counts[2], counts[3]]
}

/// Makes the statistics of an iteration of numbers.
fn iteration(v: &[f64; 7]) -> Stat {
    let [nactive, nchange, neval, nupdate] = [v[3], v[4], v[5], v[6]].map(|x| x as u32);
    Stat { improvement: v[0], gradient: v[1], lineslope: v[2], nactive, nchange, neval, nupdate }
}

/// Returns the zone of a row's cost with this code; that without force where none has it.
fn constraint_state(code: i32) -> ConstraintState {
    use ConstraintState::*;
    [Quadratic, LinearNeg, LinearPos, Cone].into_iter().find(|s| s.code() == code).unwrap_or(Satisfied)
}

/// The fields that are read back.
fn sources() -> impl Iterator<Item = &'static Source> {
    let kept = fields::FIELDS.iter().filter(|f| f.role != Role::Asked);
    kept.chain(statistics::FIELDS.iter().filter(|f| f.name.starts_with("warning.")))
}

/// Returns the numbers of data as a dictionary of arrays.
#[pyfunction]
pub fn _state_of_data<'py>(data: &Bound<'py, DataCore>) -> PyResult<Bound<'py, PyDict>> {
    let py = data.py();
    let (out, arena) = (PyDict::new(py), Bound::new(py, Arena::default())?);
    // Arrays are made without a lock held.
    let shapes = data.get().with(py, |m, d| sources().map(|s| (s.shape)(m, d)).collect::<Vec<_>>())?;
    let arrays: Vec<_> = sources().zip(&shapes).map(|(s, shape)| s.kind.array_in(&arena, shape)).collect();
    let n = data.get().with(py, |_, d| d.contacts.len())?;
    let (contacts, contact) = Contacts::new(py, n)?;
    let (time, lists) = data.get().with(py, |m, d| {
        contacts.write(d);
        sources().zip(&arrays).for_each(|(s, (block, _))| (s.write)(m, d, block));
        let mut jac = vec![0.0; d.rows.nefc() * m.nv()];
        d.rows.jac.to_dense(&mut jac);
        let lists = [
            ("rows", Column::F64(row_numbers(d))),
            ("row types", Column::I32(d.rows.r#type.iter().map(|t| t.code()).collect())),
            ("row states", Column::I32(d.solution.efc_state.iter().map(|s| s.code()).collect())),
            ("jacobian", Column::F64(jac)),
            ("asleep", Column::I32(d.sleep.tree_asleep.as_slice().to_vec())),
            ("asleep at", Column::F64(d.sleep.kept().to_vec())),
            ("islands", Column::I32(d.solution.islands.iter().flat_map(island_codes).collect())),
            ("iterations", Column::F64(d.solution.stats.iter().flat_map(iteration_numbers).collect())),
        ];
        (d.state.time, lists)
    })?;
    out.set_item("time", time)?;
    out.set_item("contact", contact)?;
    for (source, (_, array)) in sources().zip(&arrays) {
        out.set_item(source.name, array)?;
    }
    for (name, column) in lists {
        let n = match &column {
            Column::I32(v) => v.len(),
            Column::F64(v) => v.len(),
            _ => 0,
        };
        out.set_item(name, array_of(py, &column, &[n])?)?;
    }
    Ok(out)
}

/// Makes data of a model and a dictionary that [`_state_of_data`] returned.
#[pyfunction]
pub fn _data_of_state(model: &Bound<'_, ModelCore>, state: &Bound<'_, PyDict>) -> PyResult<DataCore> {
    let py = model.py();
    let m = model.get().current(py)?;
    let mut d = Data::new(&m).map_err(error::value)?;
    let arena = Bound::new(py, Arena::default())?;
    d.state.time = entry(state, "time")?.extract()?;
    for source in sources() {
        let (block, array) = source.kind.array_in(&arena, &(source.shape)(&m, &d));
        array.set_item(PyEllipsis::get(py), entry(state, source.name)?)?;
        (source.read)(&m, &mut d, &block);
    }
    let get = |name: &str| crate::args::numbers::<f64>(name, &entry(state, name)?).map(|(_, v)| v);
    if !mj_engine::set_asleep(&m, &mut d, &codes(state, "asleep")?, &get("asleep at")?) {
        return Err(PyValueError::new_err("the pickled trees that sleep are not of this model"));
    }
    contacts(&m, &mut d, entry(state, "contact")?.cast()?)?;
    stages::make_constraint(&m, &mut d).map_err(error::value)?;
    let (rows, jacobian) = (get("rows")?, get("jacobian")?);
    let (types, states) = (codes(state, "row types")?, codes(state, "row states")?);
    let n = d.rows.nefc();
    let alike = d.rows.r#type.iter().map(|t| t.code()).eq(types);
    if alike && rows.len() == n * ROW && jacobian.len() == n * m.nv() && states.len() == n {
        set_row_numbers(&mut d, &rows);
        set_jacobian(&mut d, &jacobian);
        d.solution.efc_state.iter_mut().zip(states).for_each(|(s, code)| *s = constraint_state(code));
    }
    d.solution.islands = codes(state, "islands")?.as_chunks().0.iter().map(island).collect();
    d.solution.stats = get("iterations")?.as_chunks().0.iter().map(iteration).collect();
    DataCore::wrap(py, d, model.clone().unbind())
}
