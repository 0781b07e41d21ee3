//! The panel of values: controls, joints, equalities, sensors.

use crate::places::Places;
use crate::view::View;
use eframe::egui::{CollapsingHeader, Grid, ScrollArea, Slider, Ui};
use mj_model::{ActuatorId, ControlId, EqualityId, JointId, JointType, ObjType};
use mj_session::{Client, Event};
use std::f64::consts::PI;
use std::ops::RangeInclusive;

/// Shows the panel.
pub(crate) fn values(ui: &mut Ui, view: &View, client: &Client, places: &Places) {
    ScrollArea::vertical().show(ui, |ui| {
        CollapsingHeader::new("Controls").default_open(true).show(ui, |ui| controls(ui, view, client, places));
        CollapsingHeader::new("Joints").default_open(true).show(ui, |ui| joints(ui, view, client));
        CollapsingHeader::new("Equalities").show(ui, |ui| equalities(ui, view, client));
        CollapsingHeader::new("Sensors").show(ui, |ui| sensors(ui, view));
    });
}

/// Returns a range that a slider can have.
fn range(limited: bool, [lower, upper]: [f64; 2], default: f64) -> RangeInclusive<f64> {
    let usable = limited && lower.is_finite() && upper.is_finite() && lower < upper;
    if usable { lower..=upper } else { -default..=default }
}

fn controls(ui: &mut Ui, view: &View, client: &Client, places: &Places) {
    let m = view.replica.model();
    let ctrl = &view.replica.data().state.ctrl;
    if ctrl.is_empty() {
        ui.label("none");
        return;
    }
    let zero = ui.button("zero");
    if zero.clicked() {
        (0..ctrl.len()).for_each(|i| client.send(Event::Control(i, 0.0)));
    }
    for a in m.actuator.ids() {
        let a: ActuatorId = a;
        let first = m.actuator.ctrladr[a] as usize;
        for (k, &value) in ctrl.iter().enumerate().skip(first).take(m.actuator.ctrlnum[a] as usize) {
            let mut value = value;
            let control = ControlId::new(k);
            let range = range(m.control.ctrllimited[control], m.control.ctrlrange[control], 1.0);
            let slider = Slider::new(&mut value, range).text(view.name(ObjType::Actuator, a.index()));
            let response = ui.add(slider);
            places.keep(&format!("control {k}"), &response);
            if response.changed() {
                client.send(Event::Control(k, value));
            }
        }
    }
}

fn joints(ui: &mut Ui, view: &View, client: &Client) {
    let m = view.replica.model();
    let qpos = &view.replica.data().state.qpos;
    for j in m.jnt.ids() {
        let j: JointId = j;
        let default = match m.jnt.r#type[j] {
            JointType::Hinge => PI,
            JointType::Slide => 1.0,
            _ => continue,
        };
        let address = m.jnt.qposadr[j] as usize;
        let Some(&value) = qpos.get(address) else { continue };
        let mut value = value;
        let range = range(m.jnt.limited[j], m.jnt.range[j], default);
        let slider = Slider::new(&mut value, range).text(view.name(ObjType::Joint, j.index()));
        if ui.add(slider).changed() {
            client.send(Event::Position(address, value));
        }
    }
}

fn equalities(ui: &mut Ui, view: &View, client: &Client) {
    for (i, &active) in view.replica.data().state.eq_active.iter().enumerate() {
        let mut active = active;
        let name = view.name(ObjType::Equality, EqualityId::new(i).index());
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
