//! A simulation on a thread of its own.

use crate::channel::{Client, Publisher, ends};
use crate::event::Event;
use crate::host::Host;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant, SystemTime};

/// Longest time of steps between two snapshots.
const BUDGET: Duration = Duration::from_millis(12);
/// Time between two looks at the clock, where the simulation keeps pace.
const REST: Duration = Duration::from_millis(2);
/// Time between two looks for events, where it stands still.
const PATIENCE: Duration = Duration::from_millis(20);
/// Time between two looks at the model's file.
const WATCH: Duration = Duration::from_millis(500);
/// Most events between two snapshots.
const EVENTS: usize = 1000;

/// Simulation that runs on a thread until it is dropped.
pub struct Session {
    client: Client,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Host>>,
}

impl Session {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the operating system gives no thread.
    pub fn start(host: Host) -> std::io::Result<Self> {
        let (publisher, client) = ends();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = Builder::new().name("simulation".into()).spawn(move || run(host, &publisher, &stopped))?;
        Ok(Self { client, stop, thread: Some(thread) })
    }

    /// Returns a viewer's end.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Ends the thread and returns the simulation; None if it has panicked.
    pub fn finish(mut self) -> Option<Host> {
        self.join()
    }

    fn join(&mut self) -> Option<Host> {
        self.stop.store(true, Ordering::Release);
        self.thread.take()?.join().ok()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.join();
    }
}

fn run(mut host: Host, publisher: &Publisher, stop: &AtomicBool) -> Host {
    let mut watch = Watch::new(host.file());
    let mut last = Instant::now();
    publisher.publish(host.snapshot());
    while !stop.load(Ordering::Acquire) {
        let first = if host.is_paused() { publisher.events.recv_timeout(PATIENCE).ok() } else { None };
        let mut changed = false;
        for event in first.into_iter().chain(publisher.events.try_iter().take(EVENTS)) {
            host.handle(event);
            changed = true;
        }
        if watch.has_changed(host.file()) {
            host.handle(Event::Reload);
            changed = true;
        }
        let now = Instant::now();
        let steps = host.advance(now - std::mem::replace(&mut last, now), BUDGET);
        if changed || steps > 0 {
            publisher.publish(host.snapshot());
        }
        if !host.is_paused() && now.elapsed() < REST {
            sleep(REST);
        }
    }
    host
}

/// Looks now and then whether a file was written.
struct Watch {
    looked: Instant,
    modified: Option<SystemTime>,
}

impl Watch {
    fn new(file: Option<&Path>) -> Self {
        Self { looked: Instant::now(), modified: file.and_then(modified) }
    }

    /// Returns whether the file was written since the last look. Another file counts as unwritten where it isn't newer.
    fn has_changed(&mut self, file: Option<&Path>) -> bool {
        if self.looked.elapsed() < WATCH {
            return false;
        }
        self.looked = Instant::now();
        let now = file.and_then(modified);
        let before = self.modified;
        self.modified = now.or(before);
        now.is_some_and(|now| before.is_some_and(|before| now > before))
    }
}

fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|data| data.modified()).ok()
}
