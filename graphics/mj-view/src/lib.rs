//! Window that shows a simulation of `mj-session`: a user looks around, pulls at bodies, moves joints and controls, goes back
//! in time, and plots readings.
//!
//! The window is a viewer like any other. It reads snapshots, computes what follows from them in a
//! [`Replica`](mj_session::Replica), draws it with the renderer of `mj-render`, and sends events.
//!
//! It knows messages of sessions, and not how a simulation steps.
#![forbid(unsafe_code)]

mod app;
mod capture;
mod error;
mod keyframe;
mod keys;
mod labels;
mod layout;
mod mouse;
mod panels;
mod picture;
mod places;
mod plots;
mod recording;
mod view;

pub use error::ViewError;
pub use places::Places;

use app::App;
use eframe::egui::ViewportBuilder;
use mj_render::RenderOptions;
use mj_session::Client;

/// Options of a window.
#[derive(Clone, Debug)]
pub struct ViewOptions {
    /// Title.
    pub title: String,
    /// Width and height of the window, points.
    pub size: [f32; 2],
    /// Adapter, shading and exposure of the pictures; the user may choose another shading.
    pub render: RenderOptions,
    /// Places of the widgets, for programs that drive the window.
    pub places: Places,
}

impl Default for ViewOptions {
    /// Returns a window of 1280×800 points.
    fn default() -> Self {
        Self { title: "mj".into(), size: [1280.0, 800.0], render: RenderOptions::default(), places: Places::default() }
    }
}

/// Opens a window and returns when it is closed. It must be called from the main thread.
///
/// # Errors
/// If there is no display, or no graphics driver.
pub fn run(client: Client, options: ViewOptions) -> Result<(), ViewError> {
    let native = eframe::NativeOptions {
        viewport: ViewportBuilder::default().with_inner_size(options.size).with_drag_and_drop(true),
        ..eframe::NativeOptions::default()
    };
    let title = options.title.clone();
    eframe::run_native(&title, native, Box::new(|_| Ok(Box::new(App::new(client, options)))))?;
    Ok(())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
