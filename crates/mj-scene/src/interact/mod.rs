//! What a mouse does: move the camera and the model, select and perturb bodies.

mod apply;
mod camera;
mod flex;
mod model;
mod perturb;
mod select;

pub use apply::{apply_perturb_force, apply_perturb_pose};
pub use perturb::Perturb;
pub use select::{Selection, select};

use crate::codes::MouseAction;
use mj_math::DVec3;

/// Returns the vector of a movement (right, down) of the mouse, in a frame that is turned about z to the direction `forward`.
fn movement(action: MouseAction, [dx, dy]: [f64; 2], forward: DVec3) -> Option<DVec3> {
    let vector = match action {
        MouseAction::RotateV => DVec3::new(dy, 0.0, dx),
        MouseAction::RotateH => DVec3::new(dy, dx, 0.0),
        MouseAction::MoveV | MouseAction::MoveVRel => DVec3::new(dx, 0.0, -dy),
        MouseAction::MoveH | MouseAction::MoveHRel => DVec3::new(dx, -dy, 0.0),
        _ => return None,
    };
    // Looking straight down, any horizontal direction is ahead.
    let ahead = forward.truncate().try_normalize().unwrap_or(mj_math::DVec2::X);
    let right = mj_math::DVec2::new(ahead.y, -ahead.x);
    Some((right * vector.x + ahead * vector.y).extend(vector.z))
}
