//! State that all connections share: the latest picture, who watches, and who controls.

use super::message::Act;
use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most wishes that wait for the next picture.
const WAITING: usize = 256;

/// All that a watcher needs to draw the present scene.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Number among all pictures.
    pub number: u64,
    /// Number of the stream to which the parts belong; another one begins anew.
    pub stream: u64,
    /// Description of the model.
    pub model: Arc<[u8]>,
    /// Descriptions for the scene, which only grow in a stream.
    pub parts: Vec<Arc<[u8]>>,
    /// Geoms of static bodies, and their version.
    pub still: (u64, Arc<[u8]>),
    /// Texts and images over the picture, and their version.
    pub overlay: (u64, Arc<[u8]>),
    /// State, and all that moves.
    pub frame: Arc<[u8]>,
}

/// State that all connections share.
pub struct Shared {
    most: usize,
    patience: Duration,
    stopped: AtomicBool,
    latest: Mutex<Option<Arc<Picture>>>,
    watchers: Mutex<Watchers>,
    wishes: SyncSender<Act>,
}

/// Connections by their numbers, the oldest first.
#[derive(Default)]
struct Watchers {
    next: u64,
    streams: BTreeMap<u64, TcpStream>,
    controls: Option<u64>,
}

/// Place of a watcher among the others; it is given back when it is dropped.
pub struct Place {
    id: u64,
    pub shared: Arc<Shared>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Returns the state without watchers, and the end where wishes arrive.
    pub fn new(most: usize, patience: Duration) -> (Arc<Self>, Receiver<Act>) {
        let (wishes, arriving) = sync_channel(WAITING);
        let shared = Self {
            most,
            patience: patience.max(Duration::from_millis(1)),
            stopped: AtomicBool::new(false),
            latest: Mutex::new(None),
            watchers: Mutex::default(),
            wishes,
        };
        (Arc::new(shared), arriving)
    }

    /// Returns the largest number of watchers.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Returns the time after which a connection without progress is given up.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// Ends all threads.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }

    /// Returns whether the threads end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Closes all connections.
    pub fn disconnect(&self) {
        for stream in lock(&self.watchers).streams.values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Returns the number of watchers.
    pub fn watchers(&self) -> usize {
        lock(&self.watchers).streams.len()
    }

    /// Replaces the latest picture.
    pub fn publish(&self, picture: Picture) {
        let new = Some(Arc::new(picture));
        // The old one is dropped outside the lock.
        drop(std::mem::replace(&mut *lock(&self.latest), new));
    }

    /// Returns the latest picture.
    pub fn latest(&self) -> Option<Arc<Picture>> {
        lock(&self.latest).clone()
    }

    /// Takes in a watcher; the first one controls. None: there are too many, or the system has no handle left.
    pub fn join(self: &Arc<Self>, stream: &TcpStream) -> Option<Place> {
        let mut watchers = lock(&self.watchers);
        if watchers.streams.len() >= self.most || self.is_stopped() {
            return None;
        }
        let stream = stream.try_clone().ok()?;
        let id = watchers.next;
        watchers.next += 1;
        watchers.streams.insert(id, stream);
        watchers.controls.get_or_insert(id);
        Some(Place { id, shared: self.clone() })
    }
}

impl Place {
    /// Returns whether this watcher controls.
    pub fn controls(&self) -> bool {
        lock(&self.shared.watchers).controls == Some(self.id)
    }

    /// Takes the control; a pull of the one who had it ends.
    pub fn take(&self) {
        let before = lock(&self.shared.watchers).controls.replace(self.id);
        if before != Some(self.id) {
            let _ = self.shared.wishes.send(Act::Release);
        }
    }

    /// Passes a wish on, if this watcher controls. It waits where there are too many. Returns false after the server's end.
    pub fn wish(&self, act: Act) -> bool {
        !self.controls() || self.shared.wishes.send(act).is_ok()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut watchers = lock(&self.shared.watchers);
        watchers.streams.remove(&self.id);
        if watchers.controls == Some(self.id) {
            // The oldest of the others is next.
            watchers.controls = watchers.streams.keys().next().copied();
            drop(watchers);
            let _ = self.shared.wishes.send(Act::Release);
        }
    }
}
