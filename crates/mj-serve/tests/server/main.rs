//! Robustness of the server, by real sockets.

mod access;
mod support;
mod watchers;
