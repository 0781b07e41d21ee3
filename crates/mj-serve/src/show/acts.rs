//! Acts of the watcher who controls.

use crate::watch::{Act, Eye, Mode};
use mj_engine::DVec3;
use mj_model::JointId;
use mj_scene::{Camera, FrameKind, LabelKind, MouseAction, SceneOptions, VisFlag, pert};
use mj_session::inputs::coordinate;
use mj_session::{Client, Event, Replica};

/// Most steps that one message asks for.
const STEPS: i32 = 100;
/// Longest way of a pointer in one message, heights of the picture.
const WAY: f64 = 10.0;

/// Does what an act asks for. Returns how many events went to the simulation.
pub fn act(viewer: &mut Replica, client: &Client, act: Act) -> usize {
    let event = match act {
        Act::Pause(on) => Some(Event::Pause(on)),
        Act::Step(n) => Some(Event::Step(n.clamp(-STEPS, STEPS))),
        Act::Seek(back) => Some(Event::Seek(back)),
        Act::Speed(speed) => Some(Event::Speed(speed)),
        Act::Reset => Some(Event::Reset),
        Act::Reload => Some(Event::Reload),
        Act::Press(key) => Some(Event::Press(key)),
        Act::Key(key) => Some(Event::Keyframe(key)),
        Act::Control(id, value) => Some(Event::Control(id, value)),
        Act::Joint(id, value) => {
            let m = viewer.model();
            let place = (id < m.jnt.len()).then(|| coordinate(m, JointId::new(id))).flatten();
            place.map(|place| Event::Position(place, value))
        }
        Act::Equality(id, on) => Some(Event::Equality(id, on)),
        Act::Flag(name, on) => {
            if let Some(flag) = VisFlag::find(&name) {
                viewer.options.set_flag(flag, on);
            }
            None
        }
        Act::Group(kind, group, on) => {
            set_group(&mut viewer.options, &kind, group, on);
            None
        }
        Act::Label(name) => {
            viewer.options.label = LabelKind::find(&name).unwrap_or(viewer.options.label);
            None
        }
        Act::Frame(name) => {
            viewer.options.frame = FrameKind::find(&name).unwrap_or(viewer.options.frame);
            None
        }
        Act::Select(eye, place) => {
            select(viewer, &eye, place);
            None
        }
        Act::Pull(eye, mode, way) => pull(viewer, &eye, mode, way),
        Act::Release => (viewer.perturb.active != 0).then(|| viewer.stop_pulling()),
    };
    let sent = usize::from(event.is_some());
    event.into_iter().for_each(|event| client.send(event));
    sent
}

/// Shows or hides a group of a kind of element; nothing where there is none.
fn set_group(options: &mut SceneOptions, kind: &str, group: usize, on: bool) {
    let found = options.groups_mut().into_iter().find(|(name, _)| *name == kind);
    if let Some(shown) = found.and_then(|(_, groups)| groups.get_mut(group)) {
        *shown = on;
    }
}

fn select(viewer: &mut Replica, eye: &Eye, place: [f64; 2]) {
    let inside = place.iter().all(|x| (0.0..=1.0).contains(x));
    if inside && viewer.perturb.active == 0 {
        // A failure selects nothing.
        let _ = seen_by(viewer, eye, |viewer| viewer.select(eye.aspect, place).ok());
    }
}

fn pull(viewer: &mut Replica, eye: &Eye, mode: Mode, way: [f64; 2]) -> Option<Event> {
    if !way.iter().all(|x| x.abs() <= WAY) {
        return None;
    }
    let (action, kind) = match mode {
        Mode::Turn => (MouseAction::RotateV, pert::ROTATE),
        Mode::TurnH => (MouseAction::RotateH, pert::ROTATE),
        Mode::Move => (MouseAction::MoveV, pert::TRANSLATE),
        Mode::MoveH => (MouseAction::MoveH, pert::TRANSLATE),
    };
    seen_by(viewer, eye, |viewer| {
        if viewer.perturb.active != kind {
            viewer.start_pulling(kind);
        }
        (viewer.perturb.active == kind).then(|| viewer.pull(action, way))
    })
    .flatten()
}

/// Acts with the scene as a watcher's camera sees it; nothing where the camera is none.
fn seen_by<R>(viewer: &mut Replica, eye: &Eye, act: impl FnOnce(&mut Replica) -> R) -> Option<R> {
    let numbers = [eye.distance, eye.azimuth, eye.elevation, eye.aspect];
    let sane = numbers.iter().chain(&eye.lookat).all(|x| x.abs() < 1e9) && eye.aspect > 0.0;
    let camera = match eye.camera {
        Some(id) if id < viewer.model().cam.len() => Camera::fixed(id as i32),
        Some(_) => return None,
        None => Camera {
            lookat: DVec3::from(eye.lookat),
            distance: eye.distance,
            azimuth: eye.azimuth,
            elevation: eye.elevation,
            ..Camera::default()
        },
    };
    if !sane {
        return None;
    }
    let own = std::mem::replace(&mut viewer.camera, camera);
    let result = viewer.update_scene().is_ok().then(|| act(viewer));
    viewer.camera = own;
    result
}
