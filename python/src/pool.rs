//! Thread pools of the package.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// Threads that start at the first use, and again in a process that was forked.
pub struct Pool {
    count: usize,
    name: &'static str,
    started: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Pool {
    /// Makes a pool of so many threads, whose names begin with `name`; as many as the machine has cores with 0.
    pub fn new(count: usize, name: &'static str) -> Self {
        Self { count, name, started: Mutex::new(None) }
    }

    /// Returns how many threads were asked for.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the threads, started in this process.
    ///
    /// # Errors
    /// If they can't be started.
    pub fn started(&self) -> PyResult<Arc<ThreadPool>> {
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some((of, pool)) = &*started
            && *of == process
        {
            return Ok(pool.clone());
        }
        // The threads of a parent process don't exist in a forked child, and can't be waited for.
        std::mem::forget(started.take());
        let name = self.name;
        let pool = ThreadPoolBuilder::new().num_threads(self.count).thread_name(move |i| format!("{name}-{i}")).build();
        let pool = pool.map_err(|e| PyRuntimeError::new_err(format!("can't start {} threads: {e}", self.count)))?;
        let pool = Arc::new(pool);
        *started = Some((process, pool.clone()));
        Ok(pool)
    }
}
