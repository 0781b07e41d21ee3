//! Thread that makes pictures for all watchers.

use super::acts::act;
use super::studio::Studio;
use crate::watch::{Act, Shared};
use mj_session::{Client, Snapshot};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Most events that the simulation may have before it shows a new state.
const PENDING: usize = 500;
/// Most time between two looks whether the server stops.
const PATIENCE: Duration = Duration::from_millis(50);

/// Makes pictures until the server stops, and does what wishes ask for.
pub fn produce(client: &Client, shared: &Shared, wishes: &Receiver<Act>, rate: f64) {
    let period = Duration::from_secs_f64(1.0 / if rate > 0.0 { rate.clamp(0.1, 1000.0) } else { 30.0 });
    let mut line = Line::default();
    let mut next = Instant::now();
    while !shared.is_stopped() {
        let left = next.saturating_duration_since(Instant::now()).min(PATIENCE);
        if line.pending < PENDING {
            match wishes.recv_timeout(left) {
                Ok(wish) => line.wish(client, wish),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        } else {
            std::thread::sleep(left);
        }
        if Instant::now() >= next {
            next = (next + period).max(Instant::now());
            line.tick(client, shared);
        }
    }
}

/// State of the thread.
#[derive(Default)]
struct Line {
    studio: Option<Studio>,
    snapshot: Option<Arc<Snapshot>>,
    pictures: u64,
    streams: u64,
    /// Events since the last new state.
    pending: usize,
    /// A pull whose way grows until the next picture.
    pull: Option<Act>,
    /// Whether something else than the state has changed.
    changed: bool,
    watchers: usize,
    open: bool,
}

impl Line {
    /// Does what a wish asks for; ways of one pull are added up.
    fn wish(&mut self, client: &Client, wish: Act) {
        if let (Some(Act::Pull(eye, mode, sum)), Act::Pull(new_eye, new_mode, way)) = (&mut self.pull, &wish)
            && mode == new_mode
        {
            *eye = *new_eye;
            sum.iter_mut().zip(way).for_each(|(sum, x)| *sum += x);
            return;
        }
        self.flush(client);
        match wish {
            Act::Pull(..) => self.pull = Some(wish),
            other => self.act(client, other),
        }
    }

    fn flush(&mut self, client: &Client) {
        if let Some(pull) = self.pull.take() {
            self.act(client, pull);
        }
    }

    fn act(&mut self, client: &Client, wish: Act) {
        if let Some(studio) = &mut self.studio {
            self.pending += act(&mut studio.viewer, client, wish);
            self.changed = true;
        }
    }

    /// Makes a picture if there is something new, and somebody who watches.
    fn tick(&mut self, client: &Client, shared: &Shared) {
        self.flush(client);
        let watchers = shared.watchers();
        if watchers == 0 {
            self.watchers = 0;
            // Nobody sees what a wish did, but the simulation goes on.
            self.pending = 0;
            return;
        }
        let Some(snapshot) = client.latest() else { return };
        let new = self.snapshot.as_ref().is_none_or(|known| !Arc::ptr_eq(known, &snapshot));
        let open = client.is_open();
        let joined = std::mem::replace(&mut self.watchers, watchers) == 0;
        if !(new || self.changed || joined || self.open != open) {
            return;
        }
        if new {
            self.pending = 0;
        }
        (self.changed, self.open) = (false, open);
        if self.studio.as_ref().is_none_or(|studio| studio.viewer.is_outdated(&snapshot)) {
            self.streams += 1;
            match Studio::new(&snapshot, self.studio.as_ref(), self.streams) {
                Ok(studio) => self.studio = Some(studio),
                Err(error) => {
                    let Some(studio) = &mut self.studio else { return };
                    studio.fault = Some(error);
                }
            }
        }
        let Some(studio) = &mut self.studio else { return };
        studio.renew(self.streams + 1);
        self.streams += 1;
        if new && !studio.viewer.is_outdated(&snapshot) {
            studio.take(&snapshot);
        }
        if !open {
            studio.fault = Some("the simulation has ended".into());
        }
        self.pictures += 1;
        shared.publish(studio.picture(&snapshot, self.pictures));
        self.snapshot = Some(snapshot);
    }
}
