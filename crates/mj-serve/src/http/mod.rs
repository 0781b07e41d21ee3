//! Requests by HTTP: their heads, who may ask, and answers.

mod access;
mod answer;
mod request;

pub use access::Access;
pub use answer::{page, refuse, turn_away, upgrade};
pub use request::Request;
