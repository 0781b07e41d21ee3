//! Server: it accepts connections and gives each a thread.

use crate::error::ServeError;
use crate::http::{Access, Request, page, refuse, turn_away, upgrade};
use crate::show::{produce, web_page};
use crate::token::Token;
use crate::watch::{Shared, watch};
use mj_session::Client;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

/// Time between two looks for connections.
const PAUSE: Duration = Duration::from_millis(5);
/// Connections beside those of watchers: pages, and those that are refused.
const SPARE: usize = 32;
/// Smallest stack of a thread that serves a connection.
const STACK: usize = 256 << 10;

/// Options of a server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ServeOptions {
    /// Most watchers; further ones get the status 503.
    pub watchers: usize,
    /// Further names under which browsers may ask for the server, without a port.
    pub names: Vec<String>,
    /// Pictures a second.
    pub rate: f64,
    /// Time after which a watcher that takes no data, or a request that doesn't end, is given up.
    pub patience: Duration,
}

impl Default for ServeOptions {
    /// Returns 64 watchers, 30 pictures a second and 10 seconds.
    fn default() -> Self {
        Self { watchers: 64, names: Vec::new(), rate: 30.0, patience: Duration::from_secs(10) }
    }
}

/// Server that shows a simulation to browsers until it is dropped.
pub struct Server {
    address: SocketAddr,
    token: Token,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Starts to serve at an address, such as `"127.0.0.1:0"` for any free port of this machine alone.
    ///
    /// # Errors
    /// If the address can't be had, or the system gives no thread or no random numbers.
    pub fn start(client: Client, address: impl ToSocketAddrs, options: ServeOptions) -> Result<Self, ServeError> {
        let listener = TcpListener::bind(address).map_err(ServeError::Address)?;
        listener.set_nonblocking(true).map_err(ServeError::Address)?;
        let address = listener.local_addr().map_err(ServeError::Address)?;
        let token = Token::new()?;
        let access = Access::new(address, &options.names, token.clone());
        let (shared, commands) = Shared::new(options.watchers, options.patience);
        let mut server = Self { address, token, shared: shared.clone(), threads: Vec::new() };
        let (viewed, rate) = (shared.clone(), options.rate);
        let producer = Builder::new().name("scenes".into());
        server.threads.push(producer.spawn(move || produce(&client, &viewed, &commands, rate))?);
        let acceptor = Builder::new().name("connections".into());
        server.threads.push(acceptor.spawn(move || accept(&listener, &Arc::new(access), &shared))?);
        Ok(server)
    }

    /// Returns the address that is served.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the number of watchers.
    pub fn watchers(&self) -> usize {
        self.shared.watchers()
    }

    /// Returns the URL of the page, with its token.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        format!("http://{address}/?token={}", self.token.text())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop();
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing left to do.
            let _ = thread.join();
        }
    }
}

/// Accepts connections until the server stops.
fn accept(listener: &TcpListener, access: &Arc<Access>, shared: &Arc<Shared>) {
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    let text: Arc<str> = web_page().into();
    while !shared.is_stopped() {
        let Ok((mut stream, _)) = listener.accept() else {
            sleep(PAUSE);
            continue;
        };
        threads.retain(|thread| !thread.is_finished());
        // On some systems a connection has the listener's mode.
        let ready = stream.set_nonblocking(false).is_ok() && stream.set_write_timeout(Some(shared.patience())).is_ok();
        if !ready {
            continue;
        }
        if threads.len() >= shared.most() + SPARE {
            // A few bytes, which the system's buffer takes.
            let _ = refuse(&mut stream, "503 there are too many connections");
            continue;
        }
        let (access, shared, text) = (access.clone(), shared.clone(), text.clone());
        let serve = move || serve(stream, &access, &shared, &text);
        threads.extend(Builder::new().name("connection".into()).stack_size(STACK).spawn(serve));
    }
    shared.disconnect();
    for thread in threads {
        let _ = thread.join();
    }
}

/// Serves one connection.
fn serve(mut stream: TcpStream, access: &Access, shared: &Arc<Shared>, text: &str) {
    let request = match Request::read(&mut stream, shared.patience()) {
        Ok(request) => request,
        Err(bad) => {
            if let Some(reason) = bad.reason() {
                let _ = turn_away(&mut stream, reason);
            }
            return;
        }
    };
    if let Err(refusal) = access.check(&request) {
        let _ = turn_away(&mut stream, refusal.reason());
        return;
    }
    let host = request.field("host").unwrap_or_default();
    let _ = match request.path() {
        "/" => page(&mut stream, text, host),
        "/stream" => match shared.join(&stream) {
            None => turn_away(&mut stream, "503 there are as many watchers as this server takes"),
            Some(place) => match upgrade(&mut stream, &request) {
                Ok(true) => {
                    watch(stream, request.rest, &place);
                    Ok(())
                }
                Ok(false) => Ok(()),
                Err(error) => Err(error),
            },
        },
        _ => turn_away(&mut stream, "404 there is nothing here but the page"),
    };
}
