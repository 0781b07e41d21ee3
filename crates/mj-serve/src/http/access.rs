//! Who may ask: hosts, origins and the token.

use super::request::Request;
use crate::token::Token;
use std::net::{IpAddr, SocketAddr};

/// Rules by which requests are let in.
pub struct Access {
    address: SocketAddr,
    names: Vec<String>,
    token: Token,
}

/// Reason why a request is not let in.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It was sent to another host: a name that somebody else points at this machine.
    Host,
    /// A page of another origin sent it.
    Origin,
    /// It has no token, or a wrong one.
    Token,
}

impl Access {
    /// Makes the rules of an address; it is asked for by further names.
    pub fn new(address: SocketAddr, names: &[String], token: Token) -> Self {
        Self { address, names: names.iter().map(|n| n.to_ascii_lowercase()).collect(), token }
    }

    /// Checks a request.
    pub fn check(&self, request: &Request) -> Result<(), Refusal> {
        let host = request.field("host").filter(|host| self.knows(host)).ok_or(Refusal::Host)?;
        if request.has("origin") {
            let origin = request.field("origin").and_then(|origin| origin.strip_prefix("http://"));
            origin.filter(|origin| origin.eq_ignore_ascii_case(host)).ok_or(Refusal::Origin)?;
        }
        let token = request.parameter("token").unwrap_or_default();
        self.token.is(token).then_some(()).ok_or(Refusal::Token)
    }

    /// Returns whether a host is this server.
    fn knows(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let port = format!(":{}", self.address.port());
        let name = match host.strip_suffix(&port) {
            Some(name) => name,
            // A browser leaves out the port that HTTP has.
            None if self.address.port() == 80 => host.as_str(),
            None => return false,
        };
        let ip: Option<IpAddr> = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
        let own = self.address.ip();
        let loopback = own.is_loopback() || own.is_unspecified();
        match ip {
            Some(ip) => ip == own || own.is_unspecified() || (loopback && ip.is_loopback()),
            None => (loopback && name == "localhost") || self.names.iter().any(|n| n == name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str) -> Access {
        Access::new(address.parse().unwrap(), &["Robot.lab".into()], Token::new().unwrap())
    }

    #[test]
    fn only_own_names_are_known() {
        let known = |address: &str, host: &str| access(address).knows(host);
        for host in ["127.0.0.1:90", "localhost:90", "LOCALHOST:90", "[::1]:90", "robot.lab:90"] {
            assert!(known("127.0.0.1:90", host), "{host}");
        }
        for host in ["127.0.0.1", "localhost:91", "evil.com:90", "localhost.evil.com:90", "10.0.0.1:90", "", ":90"] {
            assert!(!known("127.0.0.1:90", host), "{host}");
        }
        assert!(known("0.0.0.0:90", "10.0.0.1:90") && !known("0.0.0.0:90", "evil.com:90"));
        assert!(known("10.0.0.1:80", "10.0.0.1") && !known("10.0.0.1:80", "localhost"));
    }
}
