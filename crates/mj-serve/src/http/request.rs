//! Heads of requests, read with bounds on their length and time.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Longest head, bytes.
const LENGTH: usize = 8192;
/// Most fields.
const FIELDS: usize = 64;

/// Head of a request.
#[derive(Debug, Default)]
pub struct Request {
    path: String,
    query: String,
    fields: Vec<(String, String)>,
    /// Bytes that came after the head.
    pub rest: Vec<u8>,
}

/// Reason why a head can't be read.
#[derive(Debug, PartialEq, Eq)]
pub enum BadRequest {
    /// It is longer than any browser's.
    TooLarge,
    /// It isn't there in time.
    TooSlow,
    /// It is no request, or no `GET`.
    Malformed,
    /// The connection is gone.
    Gone,
}

impl Request {
    /// Reads a head that must be complete within a time.
    pub fn read(stream: &mut TcpStream, patience: Duration) -> Result<Self, BadRequest> {
        let end = Instant::now() + patience;
        let (mut bytes, mut part) = (Vec::new(), [0; 1024]);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
                return Err(BadRequest::TooSlow);
            }
            match stream.read(&mut part) {
                Ok(0) => return Err(BadRequest::Gone),
                Ok(n) => bytes.extend_from_slice(&part[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(BadRequest::TooSlow);
                }
                Err(_) => return Err(BadRequest::Gone),
            }
            if let Some(length) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
                let rest = bytes.split_off(length + 4);
                let text = std::str::from_utf8(&bytes[..length]).map_err(|_| BadRequest::Malformed)?;
                return Ok(Self { rest, ..Self::parse(text).ok_or(BadRequest::Malformed)? });
            }
            if bytes.len() > LENGTH {
                return Err(BadRequest::TooLarge);
            }
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if method != "GET" || version != "HTTP/1.1" || words.next().is_some() || !target.starts_with('/') {
            return None;
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let field = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_string()))
        };
        let fields: Vec<_> = lines.map(field).collect::<Option<_>>()?;
        if fields.len() > FIELDS {
            return None;
        }
        Some(Self { path: path.into(), query: query.into(), fields, rest: Vec::new() })
    }

    /// Returns the path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns a field; none where it is missing, or there several times.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().filter(|(n, _)| n == name).map(|(_, value)| value.as_str());
        values.next().filter(|_| values.next().is_none())
    }

    /// Returns whether a field is there at all.
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(n, _)| n == name)
    }

    /// Returns whether a field is a list with a word in it.
    pub fn lists(&self, name: &str, word: &str) -> bool {
        self.field(name).is_some_and(|list| list.split(',').any(|w| w.trim().eq_ignore_ascii_case(word)))
    }

    /// Returns the value of a parameter of the query.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.split('&').filter_map(|pair| pair.split_once('=')).find(|(n, _)| *n == name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_taken_apart() {
        let request =
            Request::parse("GET /stream?a=1&token=x HTTP/1.1\r\nHost: h:1\r\nConnection: keep-alive, Upgrade");
        let request = request.unwrap();
        assert_eq!((request.path(), request.parameter("token")), ("/stream", Some("x")));
        assert_eq!(request.field("host"), Some("h:1"));
        assert!(request.lists("connection", "upgrade") && !request.lists("connection", "close"));
    }

    #[test]
    fn other_texts_are_refused() {
        let many = format!("GET / HTTP/1.1{}", "\r\na: b".repeat(FIELDS + 1));
        let texts = ["", "GET", "POST / HTTP/1.1", "GET / HTTP/1.0", "GET x HTTP/1.1", "GET / HTTP/1.1\r\nno", &many];
        for text in texts {
            assert!(Request::parse(text).is_none(), "{text}");
        }
        let twice = Request::parse("GET / HTTP/1.1\r\nHost: a\r\nHost: b").unwrap();
        assert_eq!(twice.field("host"), None);
    }
}
