//! Pictures of the simulation for all watchers, and what the one who controls does to it.

mod acts;
mod describe;
mod overlay;
mod page;
mod produce;
mod state;
mod studio;

pub use page::web_page;
pub use produce::produce;
