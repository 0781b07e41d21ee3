//! Simulations that a program steps, beside a window or a page that shows them.

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use mj_engine::{Data, Model};
use mj_serve::{ServeOptions, Server};
use mj_session::{Client, Passive};
use mj_view::ViewOptions;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where a simulation is shown.
pub struct Screen {
    passive: Passive,
    model: Arc<Model>,
    /// When the simulation began, and at which of its times.
    begin: Option<(Instant, f64)>,
    interrupt: Interrupt,
}

impl Screen {
    /// Shows the present state, takes what users do to it, and waits until the simulated time has passed. Returns whether anybody
    /// watches.
    pub fn show(&mut self, d: &mut Data) -> bool {
        self.passive.sync(&self.model, d);
        let (begin, first) = *self.begin.get_or_insert((Instant::now(), d.state.time));
        let due = Duration::try_from_secs_f64(d.state.time - first).unwrap_or_default();
        std::thread::sleep(due.saturating_sub(begin.elapsed()));
        self.passive.is_watched() && !self.interrupt.heard()
    }

    /// Shows the last state until nobody watches.
    fn stay(&mut self, d: &mut Data) {
        while self.show(d) {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Runs `work` on a thread of its own, beside a window that ends it when it is closed, or with `web` a page that Ctrl-C ends. What it
/// leaves is shown until then.
pub fn run<R: Send>(
    model: Arc<Model>,
    title: &str,
    web: bool,
    work: impl FnOnce(&mut Screen) -> Result<(R, Data), Failure> + Send,
) -> Result<R, Failure> {
    let (passive, client) = Passive::new();
    let mut screen = Screen { passive, model, begin: None, interrupt: Interrupt::listen() };
    let wrong = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let server = if web {
        let server = Server::start(client.clone(), "127.0.0.1:0", ServeOptions::default()).map_err(|e| wrong(&e))?;
        println!("{}", server.url());
        Some(server)
    } else {
        None
    };
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let (found, mut d) = work(&mut screen)?;
            screen.stay(&mut d);
            Ok(found)
        });
        let shown = if server.is_none() { open(client, title) } else { Ok(()) };
        let found = worker.join().unwrap_or_else(|e| std::panic::resume_unwind(e));
        shown.and(found)
    })
}

fn open(client: Client, title: &str) -> Result<(), Failure> {
    let options = ViewOptions { title: title.into(), ..ViewOptions::default() };
    mj_view::run(client, options).map_err(|error| Failure::Usage(error.to_string()))
}
