//! Ctrl-C: the first ends a run early, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run that was ended by a signal, as shells have it for Ctrl-C.
pub const EXIT_CODE: u8 = 130;

/// Listener for Ctrl-C and requests to terminate.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts to listen. Where the system has no signals, nothing is ever heard.
    pub fn listen() -> Self {
        let heard = Arc::new(AtomicBool::new(false));
        let own = Self(heard.clone());
        // It fails where a handler is there already, which then keeps its effect.
        let _ = ctrlc::set_handler(move || {
            if heard.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_CODE.into());
            }
        });
        own
    }

    /// Returns whether a signal has come.
    pub fn heard(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
