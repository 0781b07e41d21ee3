//! Who has the data: its object, a call in progress, or a callback of that call.

use super::{Access, DataCore, Inner};
use crate::error;
use mj_engine::{Data, Model};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// How long to wait before looking again whether another thread's call has ended.
const PAUSE: Duration = Duration::from_micros(50);

impl Inner {
    /// Whether another thread has a call in progress.
    fn is_elsewhere(&self) -> bool {
        self.owner.is_some_and(|owner| owner != thread::current().id())
    }
}

impl DataCore {
    /// Locks the data for a call.
    ///
    /// # Errors
    /// If another thread has a call in progress on it.
    pub fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        let guard = match self.inner.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(e)) => Some(e.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        guard.filter(|inner| !inner.is_elsewhere()).ok_or_else(|| {
            PyRuntimeError::new_err(
                "another thread has a call in progress on this MjData: give each thread an MjData of its own",
            )
        })
    }

    /// Locks the data to look at it: waits for a call in progress, with the interpreter released.
    pub fn look(&self, py: Python) -> MutexGuard<'_, Inner> {
        loop {
            let guard = self.hold(py);
            if !guard.is_elsewhere() {
                return guard;
            }
            drop(guard);
            py.detach(|| thread::sleep(PAUSE));
        }
    }

    /// Locks the data, whoever has it.
    fn hold(&self, py: Python) -> MutexGuard<'_, Inner> {
        if let Ok(guard) = self.inner.try_lock() {
            return guard;
        }
        use pyo3::sync::MutexExt;
        self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the data to a call that may call callbacks, in exchange for `data`, which must be of no use, or where
    /// `copied` for a copy. Returns whether another call on this thread had it before: it is in a callback now.
    ///
    /// # Errors
    /// Those of [`DataCore::call`].
    pub fn give(&self, m: &Model, data: &mut Data, access: Access, copied: bool) -> PyResult<bool> {
        let mut inner = self.lock()?;
        mj_engine::check_data(m, &inner.data).map_err(error::value)?;
        inner.copy_in(m, access);
        let nested = inner.owner.replace(thread::current().id()).is_some();
        if copied {
            data.clone_from(&inner.data);
        }
        std::mem::swap(&mut inner.data, data);
        Ok(nested)
    }

    /// Takes the data back at the end of a call.
    pub fn take_back(&self, py: Python, m: &Model, data: &mut Data, nested: bool) {
        let mut inner = self.hold(py);
        std::mem::swap(&mut inner.data, data);
        inner.copy_out(m);
        if !nested {
            inner.owner = None;
        }
    }

    /// Exchanges the data with a call's at the begin and the end of a callback. `f` copies arrays while the data is here.
    pub fn exchange(&self, py: Python, data: &mut Data, begin: bool, f: impl FnOnce(&mut Inner)) {
        let mut inner = self.hold(py);
        if begin {
            std::mem::swap(&mut inner.data, data);
            f(&mut inner);
        } else {
            f(&mut inner);
            std::mem::swap(&mut inner.data, data);
        }
    }
}
