//! Threads of a planner, while the calling thread handles signals.

use super::shared::locked;
use crate::pool::Pool;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often the calling thread asks for signals.
const PERIOD: Duration = Duration::from_millis(50);

/// Threads that work while the calling one waits.
pub struct Threads(Pool);

/// Tells the calling thread that the work has ended, however it does.
struct Done<'a>(&'a (Mutex<bool>, Condvar));

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *locked(&self.0.0) = true;
        self.0.1.notify_all();
    }
}

impl Threads {
    /// Makes so many threads; as many as the machine has cores with 0.
    pub fn new(count: usize) -> Self {
        Self(Pool::new(count, "mj-control"))
    }

    /// Returns how many were asked for.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Calls `work` on the threads, the interpreter released. Its argument becomes true where a signal's handler raised an
    /// exception, as it does for Ctrl-C.
    ///
    /// # Errors
    /// If threads can't be started, or the exception of the signal.
    pub fn run<R: Send>(&self, py: Python, work: impl FnOnce(&AtomicBool) -> R + Send) -> PyResult<R> {
        let pool = self.0.started()?;
        let (stop, done) = (AtomicBool::new(false), (Mutex::new(false), Condvar::new()));
        let (result, raised) = (Mutex::new(None), Mutex::new(None));
        py.detach(|| {
            pool.in_place_scope(|scope| {
                scope.spawn(|_| {
                    let _done = Done(&done);
                    let out = work(&stop);
                    *locked(&result) = Some(out);
                });
                let mut is_done = locked(&done.0);
                while !*is_done {
                    let (guard, wait) = done.1.wait_timeout(is_done, PERIOD).unwrap_or_else(PoisonError::into_inner);
                    is_done = guard;
                    if wait.timed_out() && !*is_done {
                        drop(is_done);
                        if let Err(e) = Python::attach(|py| py.check_signals()) {
                            locked(&raised).get_or_insert(e);
                            stop.store(true, Ordering::Relaxed);
                        }
                        is_done = locked(&done.0);
                    }
                }
            });
        });
        if let Some(e) = raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(e);
        }
        let result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
        result.ok_or_else(|| PyRuntimeError::new_err("the work ended without a result"))
    }
}
