//! Joints: units, limits, axes.

use crate::context::Context;
use crate::frames::{self, Pose};
use crate::messages::describe;
use crate::tree::place::in_frame;
use mj_math::DVec3;
use mj_model::model::JointRow;
use mj_model::spec::Joint;
use mj_model::{JointType, Tri};

/// A joint on its way into the model.
pub(crate) struct JointBuild<'a> {
    pub src: &'a Joint,
    pub row: JointRow,
    /// Coordinate of a hinge or slide in the reference configuration.
    pub reference: f64,
    /// Coordinate of a hinge or slide at which its spring rests.
    pub spring: f64,
}

/// Compiles a joint in its body.
pub(crate) fn compile<'a>(cx: &mut Context<'a>, j: &'a Joint, body_frames: &[Pose]) -> JointBuild<'a> {
    let what = describe("joint", &j.name);
    let scalar = matches!(j.r#type, JointType::Slide | JointType::Hinge);
    let angular = matches!(j.r#type, JointType::Ball | JointType::Hinge);
    let unit = if angular && cx.compiler.degree { std::f64::consts::PI / 180.0 } else { 1.0 };

    if j.springdamper != [0.0; 2] && j.springdamper.iter().any(|&x| x.is_nan() || x <= 0.0) {
        cx.error(j.loc, format!("{what}: both numbers of `springdamper` must be positive"))
            .help("they are a time constant and a damping ratio");
    }
    if j.springyield < 0.0 {
        cx.error(j.loc, format!("{what}: `springyield` must not be negative"));
    }
    if j.springyield != 0.0 && j.r#type == JointType::Free {
        cx.error(j.loc, format!("{what}: the springs of free joints do not yield (`springyield`)"));
    }

    let (limited, mut range) = match j.r#type {
        JointType::Free => {
            if j.limited == Tri::True {
                cx.warning(j.loc, format!("{what}: a free joint has no limits"));
            }
            (false, j.range.unwrap_or_default())
        }
        // The angle of a ball joint is limited from above only, so that its range may be empty.
        JointType::Ball if j.limited == Tri::True => (true, j.range.unwrap_or_default()),
        _ => cx.limits(j.limited, j.range, j.loc, &what, "range"),
    };
    if limited {
        if j.r#type == JointType::Ball && range[0] != 0.0 {
            cx.error(j.loc, format!("{what}: the lower limit of a ball joint must be 0"));
        }
        range = range.map(|x| x * unit);
    }
    let (actfrclimited, actfrcrange) = if scalar {
        cx.limits(j.actfrclimited, j.actfrcrange, j.loc, &what, "actuatorfrcrange")
    } else {
        (false, j.actfrcrange.unwrap_or_default())
    };

    // Free and ball joints have no axis of their own, free joints no anchor either.
    let pose = in_frame(cx, j.loc, body_frames, j.frame, Pose::IDENTITY);
    let axis = if scalar { mj_math::quat::rotate(pose.quat, j.axis) } else { DVec3::Z };
    let axis = frames::unit(axis).unwrap_or_else(|| {
        cx.error(j.loc, format!("{what}: the axis has no length"));
        DVec3::Z
    });
    let pos = if j.r#type == JointType::Free { DVec3::ZERO } else { pose.point(j.pos) };

    let hinge = if j.r#type == JointType::Hinge { unit } else { 1.0 };
    let row = JointRow {
        r#type: j.r#type,
        group: j.group,
        limited,
        actfrclimited,
        actgravcomp: j.actgravcomp,
        solref: j.solref_limit,
        solimp: j.solimp_limit,
        pos,
        axis,
        stiffness: j.stiffness[0],
        stiffnesspoly: [j.stiffness[1], j.stiffness[2]],
        springyield: j.springyield * unit,
        range,
        actfrcrange,
        margin: j.margin,
        ..Default::default()
    };
    JointBuild { src: j, row, reference: j.r#ref * hinge, spring: j.springref * hinge }
}
