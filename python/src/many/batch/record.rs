//! Rollouts of a batch: many steps with given controls, with records after each.

use super::call::{End, WARNINGS};
use super::output::{Output, What, array};
use super::{BatchCore, strict};
use crate::args::Out;
use crate::error;
use crate::kind::{HasKind, Kind, with_kind};
use crate::many::threads::Pulse;
use crate::memory::{Block, Shareable};
use mj_engine::{self as engine, Data, Model, Signature, StepError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A record that is wanted: a field or components of the state, and the array.
pub type Wanted<'py> = (Option<String>, i64, Bound<'py, PyAny>);

/// Numbers kept of each step: a field, or components of the state.
enum Kept {
    Field(Output),
    State(Signature, Arc<Block>, usize),
}

impl Kept {
    /// Keeps a step in a row.
    fn write(&self, m: &Model, d: &Data, row: usize) {
        match self {
            Self::Field(output) => output.write(m, d, row, &output.scratch()),
            Self::State(signature, block, width) => {
                let mut numbers = vec![0.0; *width];
                // The row has the size of the components.
                let _ = d.state.get(m, *signature, &mut numbers);
                block.write_at(row * width, &numbers);
            }
        }
    }

    /// Repeats a row.
    fn repeat(&self, from: usize, to: usize) {
        match self {
            Self::Field(output) => output.repeat(from, to),
            Self::State(_, block, width) => block.write_at(to * width, &block.range::<f64>(from * width, *width)),
        }
    }

    fn block(&self) -> (Kind, &Block, usize) {
        match self {
            Self::Field(output) => (output.what.kind(), &output.block, output.width),
            Self::State(_, block, width) => (Kind::F64, block, *width),
        }
    }
}

/// Takes the caller's array of a type and size.
fn target<'py, T: Shareable + HasKind>(value: &Bound<'py, PyAny>, n: usize) -> PyResult<Out<'py, T>> {
    let contiguous = value.getattr("flags").and_then(|f| f.getattr("c_contiguous")).and_then(|c| c.extract());
    let out =
        Out::<T>::sized("record", value, n).map_err(|e| PyValueError::new_err(e.value(value.py()).to_string()))?;
    if contiguous.unwrap_or(false) { Ok(out) } else { Err(PyValueError::new_err("a record must be contiguous")) }
}

/// Numbers that all records of a call may have.
const MAX_NUMBERS: usize = isize::MAX as usize / 16;

impl BatchCore {
    /// Takes simulations on by steps, with controls before each and records after each: (field, 0, array) or
    /// (None, components of the state, array). A simulation in which a warning is raised ends there, and its last record is
    /// repeated. Returns how many simulations failed.
    pub fn do_rollout<'py>(
        &self,
        py: Python<'py>,
        ids: Option<&Bound<'py, PyAny>>,
        nstep: i64,
        (control, control_spec): (Option<&Bound<'py, PyAny>>, i64),
        records: &[Wanted<'py>],
    ) -> PyResult<usize> {
        let sims = strict::ids(ids, self.nsim)?;
        let n = sims.len();
        let nstep = usize::try_from(nstep).map_err(|_| PyValueError::new_err("nstep must be non-negative"))?;
        let spec = u32::try_from(control_spec).ok().map(Signature).filter(|&s| Signature::USER.contains(s));
        let spec = spec.ok_or_else(|| PyValueError::new_err("control_spec must be a subset of mjSTATE_USER"))?;
        let (m, kept) = {
            let inner = self.lock()?;
            let m = inner.shared.model.clone();
            let kept = records.iter().map(|r| kept(py, r, &m, inner.slots[0].data(), [n, nstep]));
            let kept = kept.collect::<PyResult<Vec<_>>>()?;
            (m, kept)
        };
        let ncontrol = engine::state_size(&m, spec).map_err(error::value)?;
        let control = control.map(|c| strict::read::<f64>("control", c, &[n, nstep, ncontrol])).transpose()?;
        let control = control.as_deref();
        let counts = |d: &Data| -> u64 { d.warnings[..WARNINGS].iter().map(|w| u64::from(w.number)).sum() };
        let failed = self.call_sims(py, &sims, &|k, _, m, d, pulse: &Pulse| {
            let before = counts(d);
            for step in 0..nstep {
                let row = k * nstep + step;
                if counts(d) > before {
                    kept.iter().for_each(|kept| kept.repeat(row - 1, row));
                    continue;
                }
                if pulse.stopped() {
                    return Ok(End::Leave);
                }
                if let Some(control) = control {
                    let _ = d.state.set(m, spec, &control[row * ncontrol..][..ncontrol]);
                }
                engine::step(m, d).map_err(|e: StepError| e.to_string())?;
                kept.iter().for_each(|kept| kept.write(m, d, row));
            }
            Ok(if nstep > 0 { End::Keep } else { End::Leave })
        })?;
        for (kept, (_, _, value)) in kept.iter().zip(records) {
            let (kind, block, width) = kept.block();
            with_kind!(kind, T => target::<T>(value, n * nstep * width)?.write(block.range::<T>(0, n * nstep * width))?);
        }
        Ok(failed)
    }
}

/// Makes memory for a record and checks the caller's array.
fn kept<'py>(
    py: Python<'py>,
    (name, spec, value): &Wanted<'py>,
    m: &Model,
    d: &Data,
    [n, nstep]: [usize; 2],
) -> PyResult<Kept> {
    let check = |width: usize| {
        let size = n.checked_mul(nstep).and_then(|k| k.checked_mul(width)).filter(|&k| k < MAX_NUMBERS);
        size.ok_or_else(|| {
            PyValueError::new_err(format!("{n} simulations of {nstep} steps are more than memory holds"))
        })
    };
    if let Some(name) = name {
        let what = What::find(name).ok_or_else(|| PyValueError::new_err(format!("{name} is not a field of MjData")))?;
        let size = check(what.shape(m, d).iter().product())?;
        with_kind!(what.kind(), T => target::<T>(value, size).map(drop)?);
        return Ok(Kept::Field(Output::new(py, what, m, d, &[n, nstep])?.0));
    }
    let signature = u32::try_from(*spec).ok().map(Signature).filter(|&s| engine::state_size(m, s).is_ok());
    let signature =
        signature.ok_or_else(|| PyValueError::new_err(format!("{spec} is not a combination of mjtState")))?;
    let width = engine::state_size(m, signature).map_err(error::value)?;
    target::<f64>(value, check(width)?)?;
    Ok(Kept::State(signature, array(py, Kind::F64, &[n, nstep, width])?.0, width))
}
