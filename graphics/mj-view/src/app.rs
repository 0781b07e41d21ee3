//! The window: panels about the picture.

use crate::ViewOptions;
use crate::error::ViewError;
use crate::layout::Layout;
use crate::view::View;
use crate::{keys, labels, mouse, panels};
use eframe::egui::{self, CentralPanel, Context, Frame, Panel, Sense, Ui, pos2};
use mj_session::{Client, Event, Snapshot};
use std::sync::Arc;
use std::time::Duration;

/// Time between two pictures.
const INTERVAL: Duration = Duration::from_millis(16);

/// Viewer of a simulation.
pub(crate) struct App {
    client: Client,
    options: ViewOptions,
    seen: Option<Arc<Snapshot>>,
    view: Option<View>,
    layout: Layout,
    /// Short text for the user.
    notice: Option<String>,
}

impl App {
    pub fn new(client: Client, options: ViewOptions) -> Self {
        let layout = Layout { left: true, right: true, help: false, fullscreen: false };
        Self { client, options, seen: None, view: None, layout, notice: None }
    }

    /// Takes the latest snapshot, if it is new.
    fn receive(&mut self) -> Result<(), ViewError> {
        let Some(latest) = self.client.latest() else { return Ok(()) };
        if self.seen.as_ref().is_some_and(|seen| Arc::ptr_eq(seen, &latest)) {
            return Ok(());
        }
        self.seen = Some(latest.clone());
        if self.view.as_ref().is_none_or(|view| view.replica.is_outdated(&latest)) {
            let before = self.view.take();
            let chosen = before.as_ref().map_or(&self.options.render, |view| &view.picture.wanted);
            let mut view = View::new(&latest, chosen)?;
            if let Some(before) = before {
                view.replica.options = before.replica.options;
            }
            self.view = Some(view);
        }
        self.view.as_mut().map_or(Ok(()), |view| view.take(&latest))
    }

    fn load_dropped_file(&self, context: &Context) {
        let dropped = context.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()));
        if let Some(path) = dropped {
            self.client.send(Event::Load(path));
        }
    }

    fn picture(&mut self, ui: &mut Ui) -> Result<(), ViewError> {
        let size = ui.available_size();
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        self.options.places.keep("picture", &response);
        let Some(view) = &mut self.view else { return Ok(()) };
        mouse::handle(view, &self.client, &response);
        let scale = ui.pixels_per_point();
        let pixels = [rect.width(), rect.height()].map(|side| (side * scale).round().max(1.0) as u32);
        if view.stale || pixels != view.picture.size {
            view.picture.draw(ui.ctx(), &mut view.replica, pixels)?;
            view.stale = false;
        }
        if let Some(texture) = view.picture.texture() {
            let whole = egui::Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture.id(), rect, whole, egui::Color32::WHITE);
        }
        labels::write(&ui.painter_at(rect), rect, view.replica.scene());
        Ok(())
    }

    /// Shows all that a user can change of the model at both sides of the picture.
    fn panels(&mut self, ui: &mut Ui) {
        let (Some(view), Some(snapshot)) = (&mut self.view, &self.seen) else { return };
        let places = &self.options.places;
        if self.layout.left {
            Panel::left("simulation").show(ui, |ui| {
                if let Some(notice) = panels::simulation(ui, view, &self.client, snapshot, places) {
                    self.notice = Some(notice);
                }
            });
        }
        if self.layout.right {
            Panel::right("values").show(ui, |ui| panels::values(ui, view, &self.client, places));
        }
        if view.plots.all.iter().any(|plot| plot.shown) {
            Panel::bottom("plots").resizable(true).default_size(200.0).show(ui, |ui| panels::plots(ui, view));
        }
    }

    /// Shows failures and the help over the picture.
    fn windows(&mut self, context: &Context) {
        if let Some(message) = self.seen.as_ref().and_then(|seen| seen.message.clone()) {
            panels::message(context, "Failure", &message);
        }
        if let Some(notice) = self.notice.clone()
            && panels::notice(context, &notice)
        {
            self.notice = None;
        }
        if self.layout.help {
            panels::help(context);
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        self.options.places.clear();
        self.load_dropped_file(&context);
        keys::handle_layout(&context, &mut self.layout);
        let mut failure = self.receive().err();
        if let (Some(view), Some(snapshot)) = (&mut self.view, &self.seen)
            && let Some(notice) = keys::handle(&context, view, &self.client, snapshot)
        {
            self.notice = Some(notice);
        }
        self.panels(ui);
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
            if let Err(error) = self.picture(ui) {
                failure = Some(error);
            }
        });
        if let Some(failure) = failure {
            self.notice = Some(failure.to_string());
        }
        self.windows(&context);
        context.request_repaint_after(INTERVAL);
    }
}
