//! Where shapes and other elements are in their bodies.

use crate::context::Context;
use crate::frames::{self, Pose};
use crate::tree::shape;
use mj_math::DVec3;
use mj_model::spec::Orientation;
use mj_model::{GeomType, Loc};

/// Where and how large a shape was written to be.
pub(crate) struct Placed<'s> {
    pub pos: DVec3,
    pub orientation: &'s Orientation,
    pub fromto: Option<&'s [f64; 6]>,
    pub size: [f64; 3],
}

/// Pose and size of a shape, which `fromto` may give instead of position, orientation and length.
pub(crate) fn place(cx: &mut Context, loc: Loc, what: &str, kind: GeomType, p: Placed) -> (Pose, DVec3) {
    let mut size = p.size;
    let mut pose = Pose { pos: p.pos, ..Pose::IDENTITY };
    match p.fromto {
        None => pose.quat = orientation(cx, p.orientation, loc, what),
        Some(ft) => {
            let long = matches!(kind, GeomType::Capsule | GeomType::Cylinder);
            if !long && !matches!(kind, GeomType::Ellipsoid | GeomType::Box) {
                cx.error(loc, format!("{what}: a {} has no `fromto`", kind.keyword()))
                    .help("capsules, cylinders, boxes and ellipsoids have");
            }
            if p.pos != DVec3::ZERO {
                cx.error(loc, format!("{what}: `fromto` gives the position, so `pos` must not"));
            }
            match frames::from_to(ft) {
                None => {
                    cx.error(loc, format!("{what}: the points of `fromto` coincide"));
                    return (pose, DVec3::ONE);
                }
                Some((between, half)) if long => (pose, size[1]) = (between, half),
                Some((between, half)) => (pose, size[1], size[2]) = (between, size[0], half),
            }
        }
    }
    let needed = shape::size_count(kind);
    // A plane may be infinite across, but must have a grid spacing.
    let check = if kind == GeomType::Plane { 2..3 } else { 0..needed };
    if let Some(i) = check.into_iter().find(|&i| size[i].is_nan() || size[i] <= 0.0) {
        cx.error(loc, format!("{what}: number {} of `size` must be positive", i + 1)).help(format!(
            "a {} has {needed} {}",
            kind.keyword(),
            if needed == 1 { "size" } else { "sizes" }
        ));
        size = [1.0; 3];
    }
    (pose, DVec3::from_array(size))
}

/// An orientation, or the identity and an error.
pub(crate) fn orientation(cx: &mut Context, o: &Orientation, loc: Loc, what: &str) -> mj_math::DQuat {
    frames::orientation(o, cx.compiler).unwrap_or_else(|e| {
        cx.error(loc, format!("{what}: {e}"));
        mj_math::DQuat::IDENTITY
    })
}

/// Pose in the body of what has `pose` in one of the body's frames.
pub(crate) fn in_frame(cx: &mut Context, loc: Loc, frames: &[Pose], frame: Option<usize>, pose: Pose) -> Pose {
    match frame.map(|f| frames.get(f)) {
        None => pose,
        Some(Some(f)) => f.then(pose),
        Some(None) => {
            cx.error(loc, "the frame of this element is not one of its body");
            pose
        }
    }
}
