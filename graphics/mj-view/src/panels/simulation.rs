//! The panel of the simulation: pace, history, keyframes, files, and all that is shown.

use super::{shown, status};
use crate::places::Places;
use crate::view::View;
use crate::{capture, keyframe};
use eframe::egui::{CollapsingHeader, ScrollArea, Slider, Ui};
use mj_model::ObjType;
use mj_session::{Client, Event, Pace, Snapshot};

/// Shows the panel. Returns a message for the user.
pub(crate) fn simulation(
    ui: &mut Ui,
    view: &mut View,
    client: &Client,
    snapshot: &Snapshot,
    places: &Places,
) -> Option<String> {
    let mut notice = None;
    ScrollArea::vertical().show(ui, |ui| {
        if let Some(pace) = snapshot.pace {
            buttons(ui, client, pace, places);
        }
        ui.horizontal(|ui| {
            if ui.button("reset").clicked() {
                client.send(Event::Reset);
            }
            if ui.button("reload").clicked() {
                client.send(Event::Reload);
            }
        });
        keyframes(ui, view, client);
        ui.horizontal(|ui| {
            if ui.button("screenshot").clicked() {
                notice = Some(capture::screenshot(view).unwrap_or_else(|error| error.to_string()));
            }
            let record = match &view.recording {
                Some(recording) => format!("stop ({} frames)", recording.len()),
                None => "record".into(),
            };
            if ui.button(record).clicked() {
                notice = Some(capture::record(view).unwrap_or_else(|error| error.to_string()));
            }
            if ui.button("copy state").clicked() {
                ui.copy_text(keyframe::text(view.replica.model(), view.replica.data()));
            }
        });
        CollapsingHeader::new("Status").default_open(true).show(ui, |ui| status::status(ui, view, snapshot));
        CollapsingHeader::new("Plots").show(ui, |ui| {
            for plot in &mut view.plots.all {
                ui.checkbox(&mut plot.shown, plot.title);
            }
        });
        shown::shown(ui, view);
    });
    notice
}

fn buttons(ui: &mut Ui, client: &Client, pace: Pace, places: &Places) {
    ui.horizontal(|ui| {
        let pause = ui.button(if pace.paused { "run" } else { "pause" });
        places.keep("pause", &pause);
        if pause.clicked() {
            client.send(Event::Pause(!pace.paused));
        }
        let back = ui.button("back");
        if back.clicked() {
            client.send(Event::Step(-1));
        }
        let step = ui.button("step");
        places.keep("step", &step);
        if step.clicked() {
            client.send(Event::Step(1));
        }
    });
    let mut speed = pace.speed;
    let slider = Slider::new(&mut speed, 1.0 / 64.0..=16.0).logarithmic(true).text("speed");
    if ui.add(slider).changed() {
        client.send(Event::Speed(speed));
    }
    let newest = pace.history.saturating_sub(1);
    let mut at = newest - pace.back.min(newest);
    if ui.add(Slider::new(&mut at, 0..=newest).text("history")).changed() {
        client.send(Event::Seek(newest - at));
    }
}

fn keyframes(ui: &mut Ui, view: &View, client: &Client) {
    let count = view.replica.model().key.len();
    if count > 0 {
        ui.menu_button("keyframes", |ui| {
            ScrollArea::vertical().show(ui, |ui| {
                for key in 0..count {
                    if ui.button(view.name(ObjType::Key, key)).clicked() {
                        client.send(Event::Keyframe(key));
                        ui.close();
                    }
                }
            });
        });
    }
}
