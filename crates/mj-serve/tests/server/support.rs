//! Server of a small model, and clients of bare sockets.

use mj_engine::Simulation;
use mj_serve::{ServeOptions, Server};
use mj_session::{Host, Session};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const MODEL: &str = r#"<mujoco><worldbody><geom type="plane" size="0 0 1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".2"/></body>
    <body pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="box" size=".1 .1 .3"/></body></worldbody>
    <equality><joint joint1="hinge" active="false"/></equality>
    <actuator><motor joint="hinge"/></actuator><keyframe><key time="3"/></keyframe></mujoco>"#;

/// Simulation that is served.
pub struct Served {
    pub session: Session,
    pub server: Server,
}

/// Serves the small model.
pub fn serve(change: impl FnOnce(&mut ServeOptions)) -> Served {
    serve_model(MODEL, change)
}

/// Serves a model.
pub fn serve_model(text: &str, change: impl FnOnce(&mut ServeOptions)) -> Served {
    let session = Session::start(Host::new(Simulation::from_xml(text).unwrap())).unwrap();
    let mut options = ServeOptions::default();
    change(&mut options);
    let server = Server::start(session.client(), "127.0.0.1:0", options).unwrap();
    Served { session, server }
}

impl Served {
    /// Returns `127.0.0.1` with the port.
    pub fn host(&self) -> String {
        self.server.address().to_string()
    }

    /// Returns the token.
    pub fn token(&self) -> String {
        self.server.url().split_once("token=").unwrap().1.to_string()
    }

    /// Sends bytes, and returns all that comes back.
    pub fn ask(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Opens a connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Returns the head of a request for messages, with a place for further fields.
    pub fn upgrade(&self, host: &str, token: &str, fields: &str) -> String {
        format!(
            "GET /stream?token={token} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{fields}\r\n"
        )
    }

    /// Joins as a watcher. Returns the connection, or the refusal's first line.
    pub fn watch(&self) -> Result<Watcher, String> {
        let mut stream = self.connect();
        stream.write_all(self.upgrade(&self.host(), &self.token(), "").as_bytes()).unwrap();
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read(&mut byte) {
                Ok(1) => head.push(byte[0]),
                other => return Err(format!("{other:?} after {}", String::from_utf8_lossy(&head))),
            }
        }
        let head = String::from_utf8(head).unwrap();
        if head.starts_with("HTTP/1.1 101 ") { Ok(Watcher(stream)) } else { Err(head) }
    }

    /// Returns the time of the simulation, s.
    pub fn time(&self) -> f64 {
        self.session.client().latest().map_or(0.0, |s| s.time)
    }
}

/// Connection of a watcher.
pub struct Watcher(pub TcpStream);

impl Watcher {
    /// Sends a message of a kind: 1 for text, 2 for bytes.
    pub fn send(&mut self, kind: u8, bytes: &[u8]) -> std::io::Result<()> {
        let mut message = vec![0x80 | kind];
        match bytes.len() {
            n @ ..126 => message.push(0x80 | n as u8),
            n => {
                message.push(0x80 | 126);
                message.extend((n as u16).to_be_bytes());
            }
        }
        // A mask of zeros is one.
        message.extend([0; 4]);
        message.extend_from_slice(bytes);
        self.0.write_all(&message)
    }

    /// Receives a message: its kind and bytes; none at the end.
    pub fn receive(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).ok()?;
        let length = match head[1] {
            126 => {
                let mut n = [0; 2];
                self.0.read_exact(&mut n).ok()?;
                usize::from(u16::from_be_bytes(n))
            }
            127 => {
                let mut n = [0; 8];
                self.0.read_exact(&mut n).ok()?;
                u64::from_be_bytes(n) as usize
            }
            n => usize::from(n),
        };
        let mut bytes = vec![0; length];
        self.0.read_exact(&mut bytes).ok()?;
        Some((head[0] & 15, bytes))
    }

    /// Receives until a frame comes. Returns its description of the state; none at the end.
    pub fn frame(&mut self) -> Option<serde_json::Value> {
        loop {
            let (kind, bytes) = self.receive()?;
            if kind == 2 && bytes.first() == Some(&3) {
                let length = u32::from_le_bytes(bytes[1..5].try_into().unwrap()) as usize;
                return serde_json::from_slice(&bytes[5..5 + length]).ok();
            }
        }
    }

    /// Receives frames until one is as it should be.
    pub fn until(&mut self, what: &str, test: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        let end = Instant::now() + Duration::from_secs(20);
        while Instant::now() < end {
            let state = self.frame().unwrap_or_else(|| panic!("the connection ended before: {what}"));
            if test(&state) {
                return state;
            }
        }
        panic!("not seen in time: {what}");
    }
}

/// Waits until something is so.
pub fn wait(what: &str, test: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !test() {
        assert!(Instant::now() < end, "not seen in time: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
