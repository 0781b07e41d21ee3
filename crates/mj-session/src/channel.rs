//! The two ways between a simulation and a viewer.

use crate::event::Event;
use crate::snapshot::Snapshot;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Place for the latest value: a new one replaces the one before, read or not.
#[derive(Debug, Default)]
struct Latest(Mutex<Option<Arc<Snapshot>>>);

impl Latest {
    /// Locks for as long as a pointer takes to be exchanged.
    fn exchange<R>(&self, act: impl FnOnce(&mut Option<Arc<Snapshot>>) -> R) -> R {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A viewer's end: it reads the latest snapshot and sends events. Clones are viewers of their own.
#[derive(Clone, Debug)]
pub struct Client {
    latest: Arc<Latest>,
    open: Arc<AtomicBool>,
    events: Sender<Event>,
}

impl Client {
    /// Returns the latest snapshot; None before the first.
    pub fn latest(&self) -> Option<Arc<Snapshot>> {
        self.latest.exchange(|slot| slot.clone())
    }

    /// Sends an event. It has no effect after the simulation's end.
    pub fn send(&self, event: Event) {
        let _ = self.events.send(event);
    }

    /// Returns whether the simulation's end is still there.
    pub fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire)
    }
}

/// The simulation's end.
#[derive(Debug)]
pub(crate) struct Publisher {
    latest: Arc<Latest>,
    open: Arc<AtomicBool>,
    pub(crate) events: Receiver<Event>,
}

impl Publisher {
    /// Replaces the latest snapshot.
    pub(crate) fn publish(&self, snapshot: Snapshot) {
        let snapshot = Arc::new(snapshot);
        // The old one is dropped outside the lock.
        drop(self.latest.exchange(|slot| slot.replace(snapshot)));
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.open.store(false, Ordering::Release);
    }
}

/// Makes both ends.
pub(crate) fn ends() -> (Publisher, Client) {
    let (sender, events) = channel();
    let latest = Arc::new(Latest::default());
    let open = Arc::new(AtomicBool::new(true));
    (Publisher { latest: latest.clone(), open: open.clone(), events }, Client { latest, open, events: sender })
}
