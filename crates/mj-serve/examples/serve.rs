//! Serves a model to browsers: `cargo run -p mj-serve --example serve -- MODEL [ADDRESS [SECONDS]]`. The URL is printed.

use mj_serve::{ServeOptions, Server};
use mj_session::{Host, Session};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().ok_or("expected a model: serve MODEL [ADDRESS [SECONDS]]")?;
    let address = arguments.next().unwrap_or("127.0.0.1:0".into());
    let seconds = arguments.next().map_or(Ok(f64::INFINITY), |s| s.parse())?;
    let session = Session::start(Host::load(model)?)?;
    let server = Server::start(session.client(), address.as_str(), ServeOptions::default())?;
    println!("{}", server.url());
    let mut left = seconds;
    while left > 0.0 {
        std::thread::sleep(Duration::from_millis(100));
        left -= 0.1;
    }
    Ok(())
}
