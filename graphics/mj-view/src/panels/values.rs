//! The panel of values: controls, joints, equalities, sensors.

use crate::places::Places;
use crate::view::View;
use eframe::egui::{CollapsingHeader, Grid, Response, ScrollArea, Slider, Ui};
use mj_model::{JointId, ObjType};
use mj_session::{Client, Event, inputs};

/// Shows the panel.
pub(crate) fn values(ui: &mut Ui, view: &View, client: &Client, places: &Places) {
    ScrollArea::vertical().show(ui, |ui| {
        CollapsingHeader::new("Controls").default_open(true).show(ui, |ui| controls(ui, view, client, places));
        CollapsingHeader::new("Joints").default_open(true).show(ui, |ui| joints(ui, view, client));
        CollapsingHeader::new("Equalities").show(ui, |ui| equalities(ui, view, client));
        CollapsingHeader::new("Sensors").show(ui, |ui| sensors(ui, view));
    });
}

/// Shows a slider. Returns its new value, if it was moved.
fn slider(ui: &mut Ui, slider: &inputs::Slider, value: f64) -> (Response, Option<f64>) {
    let mut value = value;
    let [lower, upper] = slider.range;
    let response = ui.add(Slider::new(&mut value, lower..=upper).text(&slider.name));
    let moved = response.changed().then_some(value);
    (response, moved)
}

fn controls(ui: &mut Ui, view: &View, client: &Client, places: &Places) {
    let ctrl = &view.replica.data().state.ctrl;
    if ctrl.is_empty() {
        ui.label("none");
        return;
    }
    if ui.button("zero").clicked() {
        (0..ctrl.len()).for_each(|i| client.send(Event::Control(i, 0.0)));
    }
    for (control, &value) in view.controls.iter().zip(ctrl) {
        let (response, moved) = slider(ui, control, value);
        places.keep(&format!("control {}", control.id), &response);
        moved.into_iter().for_each(|value| client.send(Event::Control(control.id, value)));
    }
}

fn joints(ui: &mut Ui, view: &View, client: &Client) {
    let (m, qpos) = (view.replica.model(), &view.replica.data().state.qpos);
    for joint in &view.joints {
        let Some(place) = inputs::coordinate(m, JointId::new(joint.id)) else { continue };
        let moved = slider(ui, joint, qpos.get(place).copied().unwrap_or_default()).1;
        moved.into_iter().for_each(|value| client.send(Event::Position(place, value)));
    }
}

fn equalities(ui: &mut Ui, view: &View, client: &Client) {
    for (i, &active) in view.replica.data().state.eq_active.iter().enumerate() {
        let mut active = active;
        let name = view.name(ObjType::Equality, i);
        if ui.checkbox(&mut active, name).changed() {
            client.send(Event::Equality(i, active));
        }
    }
}

fn sensors(ui: &mut Ui, view: &View) {
    let names = &view.plots.all[3].names;
    Grid::new("sensors").striped(true).show(ui, |ui| {
        for (name, value) in names.iter().zip(&view.replica.data().sensordata) {
            ui.label(name);
            ui.label(format!("{value:.4}"));
            ui.end_row();
        }
    });
}
