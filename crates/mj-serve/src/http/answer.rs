//! Answers to requests.

use super::access::Refusal;
use super::request::{BadRequest, Request};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// Fields that every answer has: nothing is kept, framed, guessed or passed on.
const FIELDS: &str = "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nConnection: close\r\n";

/// Sends a page that may load nothing but what it has, and may talk to this host alone.
pub fn page(stream: &mut TcpStream, text: &str, host: &str) -> std::io::Result<()> {
    let policy = format!(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nContent-Security-Policy: {policy}\r\n{FIELDS}\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Sends the reason why a request gets nothing.
pub fn refuse(stream: &mut TcpStream, reason: &str) -> std::io::Result<()> {
    let text = reason.get(4..).unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n{FIELDS}\r\n{text}\n",
        text.len() + 1
    );
    stream.write_all(head.as_bytes())?;
    stream.flush()
}

/// Sends the reason why a request gets nothing, and waits until it has arrived: bytes that nobody reads would make the system
/// take the answer back.
pub fn turn_away(stream: &mut TcpStream, reason: &str) -> std::io::Result<()> {
    refuse(stream, reason)?;
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(100)))?;
    let mut rest = [0; 1024];
    for _ in 0..64 {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}

/// Turns a connection into one of messages. Returns whether it was asked for.
pub fn upgrade(stream: &mut TcpStream, request: &Request) -> std::io::Result<bool> {
    let asked = request.lists("upgrade", "websocket")
        && request.lists("connection", "upgrade")
        && request.field("sec-websocket-version") == Some("13");
    let Some(key) = request.field("sec-websocket-key").filter(|key| asked && key.len() == 24) else {
        turn_away(stream, "400 this address is for the page's own connection")?;
        return Ok(false);
    };
    let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.flush()?;
    Ok(true)
}

impl Refusal {
    /// Returns status and reason.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Host => "403 this host is not served; open the address that was printed",
            Self::Origin => "403 pages of other origins are not served",
            Self::Token => "403 the token is missing or wrong; open the whole address that was printed",
        }
    }
}

impl BadRequest {
    /// Returns status and reason; none where nobody listens.
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            Self::TooLarge => Some("431 the head of the request is too large"),
            Self::TooSlow => Some("408 the request took too long"),
            Self::Malformed => Some("400 expected a GET request of HTTP/1.1"),
            Self::Gone => None,
        }
    }
}
