//! Errors of servers.

/// Reason why a simulation can't be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is not one of this machine, or its port is taken.
    #[error("this address can't be served: {0}")]
    Address(std::io::Error),
    /// The system gives no thread.
    #[error("no thread for the server: {0}")]
    Thread(#[from] std::io::Error),
    /// The system gives no random numbers for the token.
    #[error("no random numbers for the token: {0}")]
    Random(getrandom::Error),
}
