//! Keys: MuJoCo's where it has one.

use crate::capture;
use crate::keyframe;
use crate::layout::Layout;
use crate::view::View;
use eframe::egui::{Context, Key, Modifiers, ViewportCommand};
use mj_model::BodyId;
use mj_scene::{Perturb, RndFlag, VisFlag};
use mj_session::{Client, Event, Snapshot};

/// Keys of flags.
const FLAGS: &[(Key, VisFlag)] = &[
    (Key::H, VisFlag::ConvexHull),
    (Key::X, VisFlag::Texture),
    (Key::J, VisFlag::Joint),
    (Key::Q, VisFlag::Camera),
    (Key::U, VisFlag::Actuator),
    (Key::Comma, VisFlag::Activation),
    (Key::Z, VisFlag::Light),
    (Key::V, VisFlag::Tendon),
    (Key::Y, VisFlag::Rangefinder),
    (Key::E, VisFlag::Constraint),
    (Key::I, VisFlag::Inertia),
    (Key::Quote, VisFlag::ScaleInertia),
    (Key::B, VisFlag::PertForce),
    (Key::O, VisFlag::PertObj),
    (Key::C, VisFlag::ContactPoint),
    (Key::N, VisFlag::Island),
    (Key::F, VisFlag::ContactForce),
    (Key::P, VisFlag::ContactSplit),
    (Key::T, VisFlag::Transparent),
    (Key::A, VisFlag::AutoConnect),
    (Key::M, VisFlag::Com),
    (Key::D, VisFlag::Static),
    (Key::Semicolon, VisFlag::Skin),
    (Key::Backtick, VisFlag::BodyBvh),
    (Key::Backslash, VisFlag::MeshBvh),
];

/// Keys of effects.
const EFFECTS: &[(Key, RndFlag)] = &[
    (Key::S, RndFlag::Shadow),
    (Key::W, RndFlag::Wireframe),
    (Key::R, RndFlag::Reflection),
    (Key::L, RndFlag::Additive),
    (Key::K, RndFlag::Skybox),
    (Key::G, RndFlag::Fog),
    (Key::Slash, RndFlag::Haze),
];

/// Keys of groups.
const GROUPS: [Key; 6] = [Key::Num0, Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5];

/// Lines of the help.
pub(crate) const HELP: &[(&str, &str)] = &[
    ("Space", "pause, run"),
    ("Right, Left", "step forward, back"),
    ("+, -", "faster, slower"),
    ("Backspace", "reset"),
    ("Ctrl L", "reload the file"),
    ("Ctrl C", "copy the state as a keyframe"),
    ("Ctrl P", "screenshot"),
    ("Ctrl A", "free camera of the model"),
    ("[ ]", "cameras before and after"),
    ("Esc", "free camera"),
    ("Tab, Shift Tab", "left and right panel"),
    ("F1", "this help"),
    ("F3, F4", "plots of the solver, of sensors"),
    ("F5", "full screen"),
    ("Page Up", "select the parent body"),
    ("0 to 5", "groups of geoms; with Shift of sites"),
    ("Left drag", "turn; with Shift about the vertical"),
    ("Right drag", "move; with Shift along the ground"),
    ("Wheel, middle drag", "zoom"),
    ("Double click", "select a body"),
    ("Right double click", "look at a point; with Ctrl follow its body"),
    ("Ctrl left drag", "turn the selected body"),
    ("Ctrl right drag", "pull the selected body"),
    ("Letters", "flags, as listed at the right"),
];

/// Returns the key of a flag, for lists.
pub(crate) fn of_flag(flag: VisFlag) -> Option<Key> {
    FLAGS.iter().find(|(_, of)| *of == flag).map(|(key, _)| *key)
}

/// Returns the key of an effect, for lists.
pub(crate) fn of_effect(effect: RndFlag) -> Option<Key> {
    EFFECTS.iter().find(|(_, of)| *of == effect).map(|(key, _)| *key)
}

/// Returns whether a key was pressed with modifiers, for its first reader.
fn pressed(context: &Context, modifiers: Modifiers, key: Key) -> bool {
    context.input_mut(|input| input.consume_key(modifiers, key))
}

/// Does what keys ask for that need no model.
pub(crate) fn handle_layout(context: &Context, layout: &mut Layout) {
    if pressed(context, Modifiers::SHIFT, Key::Tab) {
        layout.right ^= true;
    } else if pressed(context, Modifiers::NONE, Key::Tab) {
        layout.left ^= true;
    }
    layout.help ^= pressed(context, Modifiers::NONE, Key::F1);
    if pressed(context, Modifiers::NONE, Key::F5) {
        layout.fullscreen ^= true;
        context.send_viewport_cmd(ViewportCommand::Fullscreen(layout.fullscreen));
    }
}

/// Does what keys ask for. Returns a message for the user.
pub(crate) fn handle(context: &Context, view: &mut View, client: &Client, snapshot: &Snapshot) -> Option<String> {
    if context.egui_wants_keyboard_input() {
        return None;
    }
    pace(context, client, snapshot);
    camera(context, view);
    flags(context, view);
    if pressed(context, Modifiers::NONE, Key::F3) {
        let shown = !view.plots.all[1].shown;
        view.plots.all[1..3].iter_mut().for_each(|plot| plot.shown = shown);
    }
    view.plots.all[3].shown ^= pressed(context, Modifiers::NONE, Key::F4);
    // Windows turn this key into an event of its own.
    let copies = context.input(|input| input.events.contains(&eframe::egui::Event::Copy));
    if copies {
        context.copy_text(keyframe::text(view.replica.model(), view.replica.data()));
        return Some("copied the state as a keyframe".into());
    }
    if pressed(context, Modifiers::COMMAND, Key::P) {
        return Some(capture::screenshot(view).unwrap_or_else(|error| error.to_string()));
    }
    None
}

fn pace(context: &Context, client: &Client, snapshot: &Snapshot) {
    if let Some(pace) = snapshot.pace {
        if pressed(context, Modifiers::NONE, Key::Space) {
            client.send(Event::Pause(!pace.paused));
        }
        let steps = |key| context.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as i32;
        let ways = [(steps(Key::ArrowRight), 1), (steps(Key::ArrowLeft), -1)];
        ways.into_iter().filter(|&(count, _)| count > 0).for_each(|(count, way)| client.send(Event::Step(count * way)));
        if pressed(context, Modifiers::NONE, Key::Plus) || pressed(context, Modifiers::NONE, Key::Equals) {
            client.send(Event::Speed(pace.speed * 2.0));
        }
        if pressed(context, Modifiers::NONE, Key::Minus) {
            client.send(Event::Speed(pace.speed / 2.0));
        }
    }
    if pressed(context, Modifiers::NONE, Key::Backspace) {
        client.send(Event::Reset);
    }
    if pressed(context, Modifiers::COMMAND, Key::L) {
        client.send(Event::Reload);
    }
}

fn camera(context: &Context, view: &mut View) {
    let count = view.replica.model().cam.len() as i32;
    let now = view.camera().max(-1);
    if pressed(context, Modifiers::NONE, Key::CloseBracket) {
        view.look_through(now + 1);
    }
    if pressed(context, Modifiers::NONE, Key::OpenBracket) {
        view.look_through(if now < 0 { count - 1 } else { now - 1 });
    }
    if pressed(context, Modifiers::NONE, Key::Escape) {
        view.look_through(-1);
    }
    if pressed(context, Modifiers::COMMAND, Key::A) {
        view.replica.camera = mj_scene::Camera::free(view.replica.model());
        view.stale = true;
    }
    if pressed(context, Modifiers::NONE, Key::PageUp) {
        let m = view.replica.model();
        let selected =
            usize::try_from(view.replica.perturb.select).ok().filter(|&body| body > 0 && body < m.body.len());
        if let Some(body) = selected {
            let parent = m.body.parentid[BodyId::new(body)].index() as i32;
            view.replica.perturb = Perturb { select: parent, ..Perturb::default() };
            view.stale = true;
        }
    }
}

fn flags(context: &Context, view: &mut View) {
    let options = &mut view.replica.options;
    for &(key, flag) in FLAGS {
        if pressed(context, Modifiers::NONE, key) {
            options.set_flag(flag, !options.flag(flag));
            view.stale = true;
        }
    }
    for (group, key) in GROUPS.into_iter().enumerate() {
        if pressed(context, Modifiers::SHIFT, key) {
            options.sitegroup[group] ^= true;
            view.stale = true;
        } else if pressed(context, Modifiers::NONE, key) {
            options.geomgroup[group] ^= true;
            view.stale = true;
        }
    }
    for &(key, effect) in EFFECTS {
        if pressed(context, Modifiers::NONE, key) {
            let on = view.replica.scene().flag(effect);
            view.replica.set_effect(effect, !on);
            view.stale = true;
        }
    }
}
