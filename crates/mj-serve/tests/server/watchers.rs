//! Watchers: one who controls, many who look, and those that misbehave.

use crate::support::{Served, Watcher, serve, serve_model, wait};
use serde_json::json;
use std::time::{Duration, Instant};

fn say(watcher: &mut Watcher, wish: serde_json::Value) {
    watcher.send(1, wish.to_string().as_bytes()).unwrap();
}

#[test]
fn the_one_who_controls_is_obeyed() {
    let served = serve(|_| ());
    let mut first = served.watch().unwrap();
    first.until("time", |s| s["time"].as_f64() > Some(0.01));
    say(&mut first, json!({"pause": true}));
    first.until("a pause", |s| s["paused"] == true);
    say(&mut first, json!("reset"));
    first.until("a reset", |s| s["time"] == 0.0);
    say(&mut first, json!({"step": 3}));
    first.until("steps", |s| s["time"].as_f64() > Some(0.005));
    say(&mut first, json!({"step": -1}));
    say(&mut first, json!({"control": [0, 0.5]}));
    first.until("a control", |s| s["ctrl"][0] == 0.5);
    say(&mut first, json!({"joint": [1, 0.25]}));
    first.until("a joint", |s| s["joints"][0] == 0.25);
    say(&mut first, json!({"equality": [0, true]}));
    let flags = first.until("an equality", |s| s["equalities"][0] == true)["flags"].as_u64().unwrap();
    say(&mut first, json!({"flag": ["joint", true]}));
    first.until("a flag", |s| s["flags"].as_u64() == Some(flags | 4));
    say(&mut first, json!({"group": ["geom", 4, true]}));
    first.until("a group", |s| s["groups"][0] == 0b10111);
    say(&mut first, json!({"key": 0}));
    first.until("a keyframe", |s| s["time"] == 3.0);

    // From the side; the ball is in the middle.
    let eye = json!({"camera": null, "lookat": [0, 0, 1], "distance": 3, "azimuth": 90, "elevation": 0, "aspect": 1});
    say(&mut first, json!({"select": [eye, [0.5, 0.5]]}));
    let at = first.until("a selection", |s| s["selected"]["name"] == "ball")["selected"]["pos"][0].as_f64().unwrap();
    say(&mut first, json!({"pause": false}));
    say(&mut first, json!({"pull": [eye, "move", [0.5, 0]]}));
    first.until("a body that moves", |s| s["selected"]["pos"][0].as_f64() > Some(at + 0.1));
    say(&mut first, json!("release"));
    first.until("the pull's end", |s| s["selected"]["pulled"] == false);

    // Another watcher is obeyed when it has the control.
    let mut second = served.watch().unwrap();
    say(&mut second, json!({"pause": true}));
    say(&mut second, json!({"speed": 2}));
    say(&mut first, json!({"speed": 0.5}));
    let state = second.until("the first's speed", |s| s["speed"] == 0.5);
    assert_eq!(state["paused"], false);
    say(&mut second, json!("take"));
    say(&mut second, json!({"pause": true}));
    second.until("a pause", |s| s["paused"] == true);
    // It leaves, and the first has it again.
    drop(second);
    wait("one watcher", || served.server.watchers() == 1);
    say(&mut first, json!({"pause": false}));
    first.until("that it runs", |s| s["paused"] == false);
}

#[test]
fn fifty_watch_and_more_are_refused() {
    let served = serve(|options| options.watchers = 50);
    let mut watchers: Vec<Watcher> = (0..50).map(|_| served.watch().unwrap()).collect();
    for watcher in &mut watchers {
        watcher.until("time", |s| s["time"].as_f64() > Some(0.0));
    }
    assert!(served.watch().err().unwrap().starts_with("HTTP/1.1 503"));
    watchers.truncate(10);
    wait("those who left", || served.server.watchers() == 10);
    assert!(served.watch().unwrap().frame().is_some());
}

#[test]
fn one_who_stops_reading_blocks_nobody() {
    // Frames of 40 kB, as many as there can be.
    let geoms: String =
        (0..1000).map(|k| format!("<geom size='.01' pos='0 0 {k}' contype='0' conaffinity='0'/>")).collect();
    let text = format!("<mujoco><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>");
    let served = serve_model(&text, |options| (options.patience, options.rate) = (Duration::from_millis(500), 1000.0));
    let silent = served.watch().unwrap();
    let mut busy = served.watch().unwrap();
    busy.until("time", |s| s["time"].as_f64() > Some(0.0));
    let before = memory();
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    while served.server.watchers() == 2 {
        let last = Instant::now();
        assert!(busy.frame().is_some());
        longest = longest.max(last.elapsed());
        assert!(start.elapsed() < Duration::from_secs(60), "the silent one was not given up");
    }
    assert!(longest < Duration::from_millis(400), "a frame came after {longest:?}");
    let grown = memory().saturating_sub(before);
    assert!(grown < 16 << 20, "{grown} bytes more");
    assert!(busy.frame().is_some());
    drop(silent);
}

/// Returns the memory of this process, bytes; 0 where the system doesn't tell.
fn memory() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).map_or(0, |pages| pages * 4096)
}

#[test]
fn random_messages_do_no_harm() {
    let served = serve(|_| ());
    let mut random = Random(7);
    let words = [
        "pause", "step", "seek", "speed", "reset", "reload", "key", "control", "joint", "equality", "flag", "group",
        "label", "frame", "select", "pull", "release", "take", "x",
    ];
    let mut watcher = served.watch().unwrap();
    let mut connections = 1;
    for round in 0..1000 {
        let bytes = match round % 3 {
            0 => (0..random.below(300)).map(|_| random.below(256) as u8).collect(),
            1 => json!({ words[random.below(words.len())]: random.value(4) }).to_string().into_bytes(),
            _ => {
                let eye = json!({"camera": random.value(0), "lookat": [random.number(), random.number(), random.number()],
                    "distance": random.number(), "azimuth": random.number(), "elevation": random.number(),
                    "aspect": random.number()});
                let way = json!([random.number(), random.number()]);
                let mode = ["turn", "turnh", "move", "moveh"][random.below(4)];
                let wish = if random.below(2) == 0 {
                    json!({"pull": [eye, mode, way]})
                } else {
                    json!({"select": [eye, way]})
                };
                wish.to_string().into_bytes()
            }
        };
        let kind = if random.below(8) == 0 { random.below(16) as u8 } else { 1 };
        if watcher.send(kind, &bytes).is_err() {
            // Whoever breaks the rules of the connection is put out.
            watcher = served.watch().unwrap();
            connections += 1;
        }
        if round % 10 == 0 {
            watcher = served.watch().unwrap();
            connections += 1;
        }
    }
    assert!(connections > 100);
    drop(watcher);
    let mut calm = served.watch().unwrap();
    say(&mut calm, json!("take"));
    say(&mut calm, json!({"speed": 1}));
    say(&mut calm, json!({"pause": false}));
    say(&mut calm, json!("reset"));
    calm.until("that it runs", |s| s["paused"] == false);
    let now = served.time();
    wait("time", || served.time() != now);
    // A message larger than any wish ends the connection.
    let mut large = served.watch().unwrap();
    let _ = large.send(1, &[b' '; 60_000]);
    while large.receive().is_some() {}
}

/// Numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn number(&mut self) -> f64 {
        match self.below(6) {
            0 => 0.0,
            1 => -1.0,
            2 => 1e300,
            3 => f64::MIN_POSITIVE,
            _ => (self.next() as f64 / u64::MAX as f64 - 0.5) * 10.0,
        }
    }

    fn value(&mut self, depth: usize) -> serde_json::Value {
        match self.below(if depth > 0 { 8 } else { 6 }) {
            0 => json!(null),
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(5) as i64 - 2),
            3 => json!(self.number()),
            4 => json!("geom"),
            5 => json!(self.next()),
            _ => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
        }
    }
}

#[test]
fn programs_hear_keys_and_show_texts() {
    use mj_engine::Simulation;
    use mj_session::{Event, Overlay, OverlayText, Passive};
    let mut simulation = Simulation::from_xml("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>").unwrap();
    let model = simulation.shared_model().clone();
    let (mut passive, client) = Passive::new();
    let server = mj_serve::Server::start(client, ("127.0.0.1", 0), mj_serve::ServeOptions::default()).unwrap();
    let text = OverlayText { gridpos: 3, left: "speed".into(), right: "2".into(), ..OverlayText::default() };
    passive.overlay = std::sync::Arc::new(Overlay { texts: vec![text], images: Vec::new() });
    passive.sync(&model, simulation.parts().1);
    // The session isn't the one that is served.
    let served = Served { server, ..serve(|_| ()) };
    let mut watcher = served.watch().unwrap();
    let mut heard = Vec::new();
    let mut shown = String::new();
    while shown.is_empty() {
        let (_, bytes) = watcher.receive().expect("is served");
        if bytes.first() == Some(&4) {
            shown = String::from_utf8_lossy(&bytes[5..]).into_owned();
        }
    }
    assert!(shown.contains(r#"{"big":false,"place":3,"left":"speed","right":"2"}"#), "{shown}");
    say(&mut watcher, json!({"press": 257}));
    let end = Instant::now() + Duration::from_secs(20);
    while heard.is_empty() {
        assert!(Instant::now() < end, "no key was heard");
        heard = passive.sync(&model, simulation.parts().1);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(heard, [Event::Press(257)]);
}
