//! Watchers: what they share, one of them who controls, and the messages of each.

mod message;
mod shared;
mod watcher;

pub use message::{Act, Eye, Mode};
pub use shared::{Picture, Shared};
pub use watcher::watch;
