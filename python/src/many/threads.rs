//! Threads that share the simulations of a call, and stop when the user interrupts it.

use crate::pool;
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the calling thread asks for signals while it works or waits.
const PERIOD: Duration = Duration::from_millis(50);

/// Greatest number of threads of a pool.
pub const MAX_THREADS: usize = 4096;

/// Threads beside the calling one.
pub struct Pool(Option<pool::Pool>);

impl Pool {
    /// Makes a pool of so many threads, the calling one among them.
    pub fn new(threads: usize) -> Self {
        Self((threads > 1).then(|| pool::Pool::new(threads - 1, "mj")))
    }

    /// Returns how many threads there are beside the calling one.
    fn count(&self) -> usize {
        self.0.as_ref().map_or(0, pool::Pool::count)
    }

    /// Returns the threads beside the calling one; none if it is alone.
    fn helpers(&self) -> PyResult<Option<Arc<ThreadPool>>> {
        self.0.as_ref().map(pool::Pool::started).transpose()
    }
}

/// Says whether a call was interrupted.
#[derive(Default)]
struct Watch {
    stop: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Watch {
    /// Lets Python handle signals; an exception stops the call.
    fn ask(&self) {
        if let Err(e) = Python::attach(|py| py.check_signals()) {
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// A thread's view of whether to go on.
pub struct Pulse<'a> {
    watch: &'a Watch,
    /// When the calling thread asked for signals; none in other threads.
    asked: Option<Cell<Instant>>,
}

impl Pulse<'_> {
    /// Returns whether the call was interrupted. Called between steps.
    pub fn stopped(&self) -> bool {
        if let Some(asked) = &self.asked
            && asked.get().elapsed() > PERIOD
        {
            self.watch.ask();
            asked.set(Instant::now());
        }
        self.watch.stop.load(Ordering::Relaxed)
    }
}

/// Counts a thread as done when it ends, however it does.
struct Done<'a>(&'a (Mutex<usize>, Condvar));

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.1.notify_all();
    }
}

/// Number of items that a thread takes at a time: few enough that none waits long for the last.
pub fn chunk_of(items: usize, threads: usize) -> usize {
    (items / (threads.max(1) * 50)).max(1)
}

/// Calls `work` with the number of each item, `chunk` items at a time, on the threads of a pool, with the interpreter
/// released. Each thread has a slot of its own, the calling one the first.
///
/// # Errors
/// If threads can't be started, or a signal's handler raised an exception, as it does for Ctrl-C.
pub fn share<S: Send>(
    py: Python,
    pool: &Pool,
    slots: &mut [S],
    (items, chunk): (usize, usize),
    work: impl Fn(&mut S, usize, &Pulse) + Sync,
) -> PyResult<()> {
    let Some((first, others)) = slots.split_first_mut() else { return Ok(()) };
    let chunk = chunk.clamp(1, items.max(1));
    let useful = items.div_ceil(chunk).saturating_sub(1).min(pool.count()).min(others.len());
    let others = &mut others[..useful];
    let helpers = if others.is_empty() { None } else { pool.helpers()? };
    let watch = Watch::default();
    let next = AtomicUsize::new(0);
    let take = |slot: &mut S, pulse: &Pulse| {
        loop {
            let start = next.fetch_add(chunk, Ordering::Relaxed);
            for i in start..start.saturating_add(chunk).min(items) {
                if pulse.stopped() {
                    return;
                }
                work(slot, i, pulse);
            }
            if start >= items {
                return;
            }
        }
    };
    py.detach(|| {
        let own = |watch| Pulse { watch, asked: Some(Cell::new(Instant::now())) };
        let Some(helpers) = helpers else { return take(first, &own(&watch)) };
        let left = (Mutex::new(others.len()), Condvar::new());
        let (take, watch, left) = (&take, &watch, &left);
        helpers.in_place_scope(|scope| {
            for slot in others {
                scope.spawn(move |_| {
                    let _done = Done(left);
                    take(slot, &Pulse { watch, asked: None });
                });
            }
            take(first, &own(watch));
            let mut n = left.0.lock().unwrap_or_else(PoisonError::into_inner);
            while *n > 0 {
                let (guard, wait) = left.1.wait_timeout(n, PERIOD).unwrap_or_else(PoisonError::into_inner);
                n = guard;
                if wait.timed_out() && *n > 0 {
                    drop(n);
                    watch.ask();
                    n = left.0.lock().unwrap_or_else(PoisonError::into_inner);
                }
            }
        });
    });
    watch.error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}
