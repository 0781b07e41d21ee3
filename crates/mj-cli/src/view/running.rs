//! Running simulations, in a window or in a browser.

use super::viewer::ViewArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{bundled, keyframe};
use mj_engine::Simulation;
use mj_render::{RenderOptions, Shading};
use mj_serve::{ServeOptions, Server};
use mj_session::{Event, Host, Session};
use mj_view::ViewOptions;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

/// Runs `mj view`.
pub fn show(args: &ViewArgs) -> Result<(), Failure> {
    let session = Session::start(host(args)?).map_err(|error| Failure::Usage(error.to_string()))?;
    if args.web { serve(args, &session) } else { open(args, &session) }
}

/// Opens a window, and returns when it is closed.
fn open(args: &ViewArgs, session: &Session) -> Result<(), Failure> {
    let render = args.shading.apply(RenderOptions::default())?;
    let options = ViewOptions { title: args.model.clone(), render, ..ViewOptions::default() };
    mj_view::run(session.client(), options).map_err(|error| Failure::Usage(error.to_string()))
}

/// Serves a page until the user interrupts.
fn serve(args: &ViewArgs, session: &Session) -> Result<(), Failure> {
    if args.shading.apply(RenderOptions::default())?.shading != Shading::Phong {
        return Err(Failure::Usage("--shading physical: pages know Phong's model alone; leave out --web".into()));
    }
    let interrupt = Interrupt::listen();
    let mut options = ServeOptions::default();
    if args.host.parse::<IpAddr>().is_err() {
        options.names.push(args.host.clone());
    }
    let refused = |error| Failure::Usage(format!("--host {} --port {}: {error}", args.host, args.port));
    let server = Server::start(session.client(), (args.host.as_str(), args.port), options).map_err(refused)?;
    println!("{}", server.url());
    if !server.address().ip().is_loopback() {
        eprintln!("warning: other machines can open this page, and whoever has its URL controls the simulation");
    }
    while !interrupt.heard() {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Loads the model and sets the state. A file with mistakes gives an empty simulation, until it has none.
fn host(args: &ViewArgs) -> Result<Host, Failure> {
    let path = Path::new(&args.model);
    let mut host = if path.exists() {
        Host::load(path)?
    } else {
        let model = bundled::open(&args.model)?.model;
        let failed = |reason| Failure::Data { model: args.model.clone(), reason };
        Host::new(Simulation::new(model).map_err(failed)?)
    };
    if let Some(message) = host.snapshot().message {
        eprintln!("{message}");
    }
    if let Some(name) = &args.key {
        let key = keyframe::find(host.simulation().model(), name)?;
        host.handle(Event::Keyframe(key.index()));
    }
    Ok(host)
}
