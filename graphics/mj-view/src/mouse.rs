//! Movements of the mouse over the picture: as in MuJoCo, they move the camera, select, and pull.

use crate::view::View;
use eframe::egui::{PointerButton, Pos2, Response};
use mj_scene::{Camera, CameraKind, MouseAction, pert, select};
use mj_session::Client;

/// Heights of the picture by which a point of the wheel zooms.
const WHEEL: f64 = 1e-3;

/// Does what the mouse asks for.
pub(crate) fn handle(view: &mut View, client: &Client, response: &Response) {
    let context = &response.ctx;
    let height = f64::from(response.rect.height().max(1.0));
    let (way, modifiers, wheel) =
        context.input(|input| (input.pointer.delta(), input.modifiers, input.smooth_scroll_delta().y));
    if response.hovered() && wheel != 0.0 {
        view.replica.move_camera(MouseAction::Zoom, [0.0, -WHEEL * f64::from(wheel)]);
        view.stale = true;
    }
    if response.double_clicked_by(PointerButton::Primary)
        && let Some(place) = place(response)
    {
        let selected = view.replica.select(aspect(response), place);
        view.stale |= selected.is_ok();
    }
    if response.double_clicked_by(PointerButton::Secondary) {
        look_at(view, response, modifiers.command);
    }
    let buttons = [PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle];
    let Some(button) = buttons.into_iter().find(|&button| response.dragged_by(button)) else {
        if response.drag_stopped() && view.replica.perturb.active != 0 {
            client.send(view.replica.stop_pulling());
            view.stale = true;
        }
        return;
    };
    if response.drag_started() && modifiers.command {
        let kind = if button == PointerButton::Secondary { pert::TRANSLATE } else { pert::ROTATE };
        view.replica.start_pulling(kind);
    }
    let action = match (button, modifiers.shift) {
        (PointerButton::Primary, false) => MouseAction::RotateV,
        (PointerButton::Primary, true) => MouseAction::RotateH,
        (PointerButton::Secondary, false) => MouseAction::MoveV,
        (PointerButton::Secondary, true) => MouseAction::MoveH,
        _ => MouseAction::Zoom,
    };
    let way = [f64::from(way.x) / height, f64::from(way.y) / height];
    if view.replica.perturb.active != 0 {
        client.send(view.replica.pull(action, way));
    } else {
        view.replica.move_camera(action, way);
    }
    view.stale = true;
}

/// Returns the mouse's place in the picture, x to the right and y up from its lower left corner, 0 to 1.
fn place(response: &Response) -> Option<[f64; 2]> {
    let Pos2 { x, y } = response.interact_pointer_pos()?;
    let rect = response.rect;
    Some([(x - rect.left()) / rect.width(), (rect.bottom() - y) / rect.height()].map(f64::from))
}

fn aspect(response: &Response) -> f64 {
    f64::from(response.rect.aspect_ratio())
}

/// Turns the camera to what is under the mouse, and lets it follow the body where that is asked for.
fn look_at(view: &mut View, response: &Response, follow: bool) {
    let replica = &mut view.replica;
    let Some(place) = place(response) else { return };
    let found = select(replica.model(), replica.data(), &replica.options, aspect(response), place, replica.scene());
    if let Ok(Some(found)) = found {
        let camera = Camera { lookat: found.point, ..replica.camera.clone() };
        replica.camera = match follow && found.body.index() > 0 {
            true => Camera { r#type: CameraKind::Tracking, trackbodyid: found.body.index() as i32, ..camera },
            false => Camera { r#type: CameraKind::Free, ..camera },
        };
        view.stale = true;
    }
}
