//! All that may be shown: cameras, flags, groups, frames, labels, effects.

use crate::keys;
use crate::view::View;
use eframe::egui::{CollapsingHeader, ComboBox, Key, Slider, Ui};
use mj_model::ObjType;
use mj_render::Shading;
use mj_scene::{FrameKind, LabelKind, RndFlag, SceneOptions, VisFlag};

/// Shows the choices, and applies them.
pub(super) fn shown(ui: &mut Ui, view: &mut View) {
    camera(ui, view);
    let mut options = view.replica.options.clone();
    CollapsingHeader::new("Flags").show(ui, |ui| {
        for &flag in VisFlag::ALL {
            ui.checkbox(&mut options.flags[flag as usize], with_key(flag.name(), keys::of_flag(flag)));
        }
    });
    CollapsingHeader::new("Groups").show(ui, |ui| groups(ui, &mut options));
    CollapsingHeader::new("Frames and labels").show(ui, |ui| {
        choose(ui, "frame", &mut options.frame, FrameKind::ALL, FrameKind::name);
        choose(ui, "label", &mut options.label, LabelKind::ALL, LabelKind::name);
    });
    if options != view.replica.options {
        view.replica.options = options;
        view.stale = true;
    }
    CollapsingHeader::new("Effects").show(ui, |ui| {
        shading(ui, view);
        for &effect in RndFlag::ALL {
            let mut on = view.replica.scene().flag(effect);
            if ui.checkbox(&mut on, with_key(effect.name(), keys::of_effect(effect))).changed() {
                view.replica.set_effect(effect, on);
                view.stale = true;
            }
        }
    });
}

/// Chooses between Phong's model and the physical one with its exposure.
fn shading(ui: &mut Ui, view: &mut View) {
    let wanted = &mut view.picture.wanted;
    let before = wanted.clone();
    let mut physical = wanted.shading == Shading::Physical;
    ui.checkbox(&mut physical, "physical shading");
    wanted.shading = if physical { Shading::Physical } else { Shading::Phong };
    if physical {
        let mut exposure = wanted.exposure;
        let response = ui.add(Slider::new(&mut exposure, -8.0..=8.0).step_by(0.5).text("exposure, stops"));
        if response.changed() {
            wanted.exposure = exposure;
        }
    }
    if *wanted != before {
        view.stale = true;
    }
}

fn with_key(name: &str, key: Option<Key>) -> String {
    key.map_or_else(|| name.to_string(), |key| format!("{name} ({})", key.symbol_or_name()))
}

fn camera(ui: &mut Ui, view: &mut View) {
    let now = view.camera();
    let mut chosen = now;
    let name = |number: i32| match number {
        -2 => "tracking".to_string(),
        0.. => view.name(ObjType::Camera, number as usize),
        _ => "free".to_string(),
    };
    ComboBox::from_label("camera").selected_text(name(now)).show_ui(ui, |ui| {
        for number in [-1, -2].into_iter().chain(0..view.replica.model().cam.len() as i32) {
            ui.selectable_value(&mut chosen, number, name(number));
        }
    });
    if chosen != now {
        view.look_through(chosen);
    }
}

fn groups(ui: &mut Ui, options: &mut SceneOptions) {
    for (kind, groups) in options.groups_mut() {
        ui.horizontal(|ui| {
            for (group, shown) in groups.iter_mut().enumerate() {
                ui.toggle_value(shown, group.to_string());
            }
            ui.label(kind);
        });
    }
}

fn choose<T: Copy + PartialEq>(ui: &mut Ui, label: &str, chosen: &mut T, all: &[T], name: impl Fn(T) -> &'static str) {
    ComboBox::from_label(label).selected_text(name(*chosen)).show_ui(ui, |ui| {
        for &kind in all {
            ui.selectable_value(chosen, kind, name(kind));
        }
    });
}
