//! Windows over the picture: failures, notices, help.

use crate::keys::HELP;
use eframe::egui::{Align2, Context, Grid, RichText, ScrollArea, Window, vec2};

/// Shows a long text, such as the diagnostics of a model.
pub(crate) fn message(context: &Context, title: &str, text: &str) {
    Window::new(title).anchor(Align2::CENTER_TOP, vec2(0.0, 20.0)).collapsible(true).show(context, |ui| {
        ScrollArea::both().max_height(300.0).show(ui, |ui| ui.label(RichText::new(text).monospace()));
    });
}

/// Shows a short text until the user has read it. Returns whether that is so.
pub(crate) fn notice(context: &Context, text: &str) -> bool {
    let window = Window::new("Notice").title_bar(false).anchor(Align2::CENTER_BOTTOM, vec2(0.0, -20.0));
    let read = window.show(context, |ui| {
        ui.horizontal(|ui| {
            ui.label(text);
            ui.button("OK").clicked()
        })
        .inner
    });
    read.and_then(|read| read.inner).unwrap_or(false)
}

/// Shows the keys.
pub(crate) fn help(context: &Context) {
    Window::new("Help").anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0)).show(context, |ui| {
        Grid::new("keys").striped(true).show(ui, |ui| {
            for (key, effect) in HELP {
                ui.label(RichText::new(*key).strong());
                ui.label(*effect);
                ui.end_row();
            }
        });
    });
}
