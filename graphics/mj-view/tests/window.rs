//! Uses the window as a person does, by the program `xdotool` on an X display: `cargo xtask window` runs it on a virtual one.
//!
//! The window needs the main thread, so this is a program of its own: the script runs beside it and watches the simulation
//! through its own client.

use mj_engine::Simulation;
use mj_model::BodyId;
use mj_render::{RenderOptions, Renderer};
use mj_session::{Client, Event, Host, Replica, Session, Snapshot};
use mj_view::{Places, ViewOptions};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A ball that a spring holds in the middle of the picture, and a motor.
const MODEL: &str = r#"<mujoco model="window-test"><option gravity="0 0 0"/><statistic center="0 0 0" extent="1"/>
    <asset><texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="64"/>
      <texture name="grid" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".8 .8 .8" width="64" height="64"/>
      <material name="grid" texture="grid" texrepeat="4 4"/></asset>
    <worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1" pos="0 0 -.5" material="grid"/>
      <body name="ball"><joint name="x" type="slide" axis="1 0 0" stiffness="10" damping="1"/>
        <joint name="y" type="slide" axis="0 1 0" stiffness="10" damping="1"/>
        <geom size=".2" rgba=".9 .3 .2 1" mass="1"/></body></worldbody>
    <actuator><motor name="push" joint="x" ctrllimited="true" ctrlrange="-1 1"/></actuator></mujoco>"#;

/// Longest time in which the window or the simulation does what was asked.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time that a window takes to see an event.
const PAUSE: Duration = Duration::from_millis(250);

type Outcome<T = ()> = Result<T, String>;

fn main() -> Outcome {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let sim = Simulation::from_xml(MODEL).map_err(|error| text(&error))?;
    let session = Session::start(Host::new(sim)).map_err(|error| text(&error))?;
    let (client, places) = (session.client(), Places::default());
    let options = ViewOptions {
        title: "window test".into(),
        size: [1000.0, 700.0],
        places: places.clone(),
        ..Default::default()
    };
    let script = std::thread::spawn(move || {
        let outcome = run(&Screen { client, places });
        // The window ends with the process.
        match &outcome {
            Ok(()) => println!("window: all that was asked was done"),
            Err(error) => eprintln!("window: {error}"),
        }
        std::process::exit(i32::from(outcome.is_err()));
    });
    mj_view::run(session.client(), options).map_err(|error| text(&error))?;
    script.join().map_err(|_| "the script panicked".to_string())
}

/// A person before the screen.
struct Screen {
    client: Client,
    places: Places,
}

impl Screen {
    /// Waits until a snapshot is as wanted.
    fn wait(&self, wish: &str, wanted: impl Fn(&Snapshot) -> bool) -> Outcome<Arc<Snapshot>> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(snapshot) = self.client.latest().filter(|snapshot| wanted(snapshot)) {
                return Ok(snapshot);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(format!("{wish}: it did not happen within {PATIENCE:?}"))
    }

    /// Returns the place of a widget, at a share of its width and height.
    fn at(&self, widget: &str, [across, down]: [f32; 2]) -> Outcome<[i32; 2]> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some([x, y, width, height]) = self.places.get(widget).filter(|place| place[2] > 0.0) {
                return Ok([(x + across * width) as i32, (y + down * height) as i32]);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(format!("the window shows no {widget}"))
    }

    /// Moves from place to place with a button and a key held down.
    fn drag(&self, button: u8, key: Option<&str>, from: [i32; 2], to: [i32; 2]) -> Outcome {
        if let Some(key) = key {
            xdotool(&["keydown", key])?;
        }
        move_to(from)?;
        xdotool(&["mousedown", &button.to_string()])?;
        for step in 1..=8 {
            let part = |k: usize| from[k] + (to[k] - from[k]) * step / 8;
            move_to([part(0), part(1)])?;
        }
        Ok(())
    }

    fn release(&self, button: u8, key: Option<&str>) -> Outcome {
        xdotool(&["mouseup", &button.to_string()])?;
        key.map_or(Ok(()), |key| xdotool(&["keyup", key]))
    }

    fn click(&self, widget: &str) -> Outcome {
        move_to(self.at(widget, [0.5, 0.5])?)?;
        xdotool(&["click", "1"])
    }

    /// Takes a screenshot by its key, and returns width, height and colours.
    fn screenshot(&self) -> Outcome<(u32, u32, Vec<u8>)> {
        let path = Path::new("window-test-1.png");
        let _ = std::fs::remove_file(path);
        xdotool(&["key", "ctrl+p"])?;
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            std::thread::sleep(PAUSE);
            if let Some(picture) = std::fs::File::open(path).ok().and_then(read) {
                let _ = std::fs::remove_file(path);
                return Ok(picture);
            }
        }
        Err("no screenshot was written".into())
    }

    /// Takes screenshots until their difference from a picture is as wanted: a loaded machine is slow to draw.
    fn compare(&self, wish: &str, picture: &[u8], wanted: impl Fn(f64) -> bool) -> Outcome {
        let start = Instant::now();
        loop {
            let off = difference(&self.screenshot()?.2, picture);
            if wanted(off) {
                return Ok(());
            }
            if start.elapsed() > PATIENCE {
                return Err(format!("{wish}: the picture differs by {off:.2} of 255"));
            }
        }
    }
}

fn read(file: std::fs::File) -> Option<(u32, u32, Vec<u8>)> {
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().ok()?;
    let mut rgb = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut rgb).ok()?;
    Some((info.width, info.height, rgb))
}

fn xdotool(arguments: &[&str]) -> Outcome {
    let status = Command::new("xdotool").args(arguments).status();
    std::thread::sleep(PAUSE);
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("xdotool {arguments:?}: {status}")),
        Err(error) => Err(format!("`xdotool` can't be run: {error}; `cargo xtask window` installs it")),
    }
}

fn move_to([x, y]: [i32; 2]) -> Outcome {
    xdotool(&["mousemove", &x.to_string(), &y.to_string()])
}

/// Returns the mean difference of two pictures' colours, 0 to 255.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let sum: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.len().max(1) as f64
}

fn require(holds: bool, otherwise: impl Fn() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn run(screen: &Screen) -> Outcome {
    screen.wait("the simulation runs", |snapshot| snapshot.time > 0.0)?;
    let middle = screen.at("picture", [0.5, 0.5])?;
    // Without a window manager no window has the keyboard by itself.
    xdotool(&[
        "search",
        "--sync",
        "--onlyvisible",
        "--limit",
        "1",
        "--name",
        "window test",
        "windowmove",
        "0",
        "0",
        "windowfocus",
    ])?;

    // Pause by a key, step by a button, run again.
    move_to(middle)?;
    xdotool(&["key", "space"])?;
    let paused = screen.wait("space pauses", |snapshot| snapshot.pace.is_some_and(|pace| pace.paused))?;
    screen.click("step")?;
    let stepped = screen.wait("the button steps", |snapshot| snapshot.time > paused.time)?;
    require((stepped.time - paused.time - 0.002).abs() < 1e-9, || "one click made more than one step".into())?;
    xdotool(&["key", "Left"])?;
    screen.wait("the left arrow goes back", |snapshot| snapshot.time == paused.time)?;

    // The picture is the renderer's own.
    let first = screen.screenshot()?;
    let expected = expected(&paused, first.0, first.1)?;
    let off = difference(&first.2, &expected);
    require(off < 1.0, || format!("the screenshot differs from the renderer's picture by {off:.2} of 255"))?;

    // Orbit there and back.
    let aside = [middle[0] + 120, middle[1] + 40];
    screen.drag(1, None, middle, aside)?;
    screen.release(1, None)?;
    screen.compare("dragging turns the camera", &first.2, |off| off > 2.0)?;
    xdotool(&["key", "ctrl+a"])?;
    screen.compare("the free camera is back", &first.2, |off| off < 1.0)?;

    // Select the ball and pull it while the simulation runs.
    move_to(middle)?;
    xdotool(&["click", "--repeat", "2", "--delay", "60", "1"])?;
    screen.click("pause")?;
    screen.wait("the button runs", |snapshot| snapshot.pace.is_some_and(|pace| !pace.paused))?;
    screen.drag(3, Some("Control_L"), middle, [middle[0] + 150, middle[1]])?;
    let pulled = screen.wait("the ball is pulled", |snapshot| ball(snapshot).is_some_and(|[x, y]| x.hypot(y) > 0.05));
    screen.release(3, Some("Control_L"))?;
    pulled?;
    screen.wait("the ball goes back", |snapshot| ball(snapshot).is_some_and(|[x, y]| x.hypot(y) < 0.02))?;

    // A control by its slider.
    screen.drag(1, None, screen.at("control 0", [0.2, 0.5])?, screen.at("control 0", [0.4, 0.5])?)?;
    screen.release(1, None)?;
    let set =
        screen.wait("the slider sets the control", |snapshot| control(snapshot).is_some_and(|c| c.abs() > 0.2))?;
    println!("window: control {:.2}", control(&set).unwrap_or(0.0));
    xdotool(&["key", "BackSpace"])?;
    screen.wait("backspace resets", |snapshot| control(snapshot) == Some(0.0))?;
    screen.client.send(Event::Pause(true));
    Ok(())
}

/// Returns a viewer of a snapshot.
fn viewer(snapshot: &Snapshot) -> Option<Replica> {
    let mut viewer = Replica::new(snapshot).ok()?;
    viewer.take(snapshot).ok()?;
    Some(viewer)
}

fn ball(snapshot: &Snapshot) -> Option<[f64; 2]> {
    let pos = viewer(snapshot)?.data().smooth.poses.xpos[BodyId::new(1)];
    Some([pos.x, pos.y])
}

fn control(snapshot: &Snapshot) -> Option<f64> {
    viewer(snapshot)?.data().state.ctrl.first().copied()
}

/// Returns the picture that the renderer makes of a snapshot.
fn expected(snapshot: &Snapshot, width: u32, height: u32) -> Outcome<Vec<u8>> {
    let mut viewer = viewer(snapshot).ok_or("the snapshot has no state")?;
    let text = |error: &dyn std::fmt::Display| error.to_string();
    viewer.update_scene().map_err(|error| text(&error))?;
    let mut renderer = Renderer::new(&snapshot.model, &RenderOptions::default()).map_err(|error| text(&error))?;
    Ok(renderer.render(viewer.scene(), width, height).map_err(|error| text(&error))?.rgb)
}
