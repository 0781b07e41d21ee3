//! Connection of one watcher: the latest picture goes out, wishes come in.

use super::message::Wish;
use super::shared::{Picture, Place};
use serde::Serialize;
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

/// Largest message of a watcher, bytes.
const LENGTH: usize = 4096;
/// Most messages between two pictures.
const MESSAGES: usize = 64;
/// Longest wait for messages between two looks for a picture.
const WAIT: Duration = Duration::from_millis(8);
/// Time between two questions whether the watcher is still there, and time for the answer.
const ASK: Duration = Duration::from_secs(15);
const ANSWER: Duration = Duration::from_secs(60);

/// Kinds of messages to a watcher: their first byte.
const MODEL: u8 = 0;
const PART: u8 = 1;
const STILL: u8 = 2;
const FRAME: u8 = 3;
const OVERLAY: u8 = 4;

/// Role of a watcher among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Standing {
    control: bool,
    watchers: usize,
}

/// Parts of pictures that a watcher has.
#[derive(Default)]
struct Known {
    picture: Option<u64>,
    stream: Option<u64>,
    parts: usize,
    still: Option<u64>,
    overlay: Option<u64>,
}

/// Serves a watcher until the connection or the server ends; `early` are bytes that it sent already.
pub fn watch(stream: TcpStream, early: Vec<u8>, place: &Place) {
    let ready = stream.set_read_timeout(Some(WAIT)).is_ok() && stream.set_nodelay(true).is_ok();
    if !ready {
        return;
    }
    let config = WebSocketConfig::default()
        .read_buffer_size(LENGTH)
        .write_buffer_size(16 << 10)
        .max_message_size(Some(LENGTH))
        .max_frame_size(Some(LENGTH));
    let mut socket = WebSocket::from_partially_read(stream, early, Role::Server, Some(config));
    // Whatever ends it, there is nobody to tell.
    let _ = talk(&mut socket, place);
    let _ = socket.close(None);
    let _ = socket.flush();
}

fn talk(socket: &mut WebSocket<TcpStream>, place: &Place) -> Result<(), Error> {
    let shared = &place.shared;
    let (mut known, mut standing) = (Known::default(), None);
    let (mut heard, mut asked) = (Instant::now(), Instant::now());
    while !shared.is_stopped() {
        for _ in 0..MESSAGES {
            match socket.read() {
                Ok(Message::Text(text)) => {
                    heard = Instant::now();
                    if !obey(text.as_str(), place) {
                        return Ok(());
                    }
                }
                Ok(Message::Close(_)) => return Ok(()),
                Ok(_) => heard = Instant::now(),
                Err(Error::Io(e)) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break,
                Err(error) => return Err(error),
            }
        }
        if heard.elapsed() > ANSWER {
            return Ok(());
        }
        if asked.elapsed() > ASK {
            asked = Instant::now();
            socket.send(Message::Ping(Bytes::new()))?;
        }
        let now = Standing { control: place.controls(), watchers: shared.watchers() };
        if standing != Some(now) {
            standing = Some(now);
            socket.send(Message::text(serde_json::to_string(&now).unwrap_or_default()))?;
        }
        if let Some(picture) = shared.latest().filter(|p| known.picture != Some(p.number)) {
            send(socket, &picture, &mut known)?;
        }
    }
    Ok(())
}

/// Does what a message asks for; one that says nothing is ignored. Returns false after the server's end.
fn obey(text: &str, place: &Place) -> bool {
    match Wish::read(text) {
        None => true,
        Some(Wish::Take) => {
            place.take();
            true
        }
        Some(Wish::Act(act)) => place.wish(act),
    }
}

/// Sends of a picture what the watcher doesn't have.
fn send(socket: &mut WebSocket<TcpStream>, picture: &Picture, known: &mut Known) -> Result<(), Error> {
    let mut write = |kind: u8, bytes: &[u8]| {
        let mut message = Vec::with_capacity(1 + bytes.len());
        message.push(kind);
        message.extend_from_slice(bytes);
        socket.send(Message::Binary(message.into()))
    };
    if known.stream != Some(picture.stream) {
        *known = Known { stream: Some(picture.stream), ..Known::default() };
        write(MODEL, &picture.model)?;
    }
    for part in picture.parts.iter().skip(known.parts) {
        write(PART, part)?;
    }
    known.parts = picture.parts.len();
    let (version, still) = &picture.still;
    if known.still != Some(*version) {
        write(STILL, still)?;
        known.still = Some(*version);
    }
    let (version, overlay) = &picture.overlay;
    if known.overlay != Some(*version) {
        write(OVERLAY, overlay)?;
        known.overlay = Some(*version);
    }
    known.picture = Some(picture.number);
    write(FRAME, &picture.frame)
}
