//! Tendons: paths and limits.

use crate::context::Context;
use crate::context::material;
use crate::messages::describe;
use mj_model::Model;
use mj_model::model::{TendonRow, WrapRow};
use mj_model::spec::{Tendon, Wrap, WrapObject};
use mj_model::{JointType, ObjType, TendonType, WrapId, WrapType};
use std::collections::HashSet;

/// Writes tendons and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Tendon, spec.tendons.iter().map(|t| (t.name.as_str(), t.loc)));
    for t in &spec.tendons {
        let what = describe("tendon", &t.name);
        let adr = WrapId::new(m.wrap.len());
        check_path(cx, t, &what);
        for w in &t.path {
            let row = wrap(cx, w, &what, m);
            m.wrap.push(row);
        }
        let mut row = row(cx, t, &what, adr);
        if t.springyield > 0.0 {
            row.plasticadr = m.nplastic as i32;
            m.nplastic += 2;
        }
        m.tendon.push(row);
    }
}

fn row(cx: &mut Context, t: &Tendon, what: &str, adr: WrapId) -> TendonRow {
    let (limited, range) = cx.limits(t.limited, t.range, t.loc, what, "range");
    let (actfrclimited, actfrcrange) = cx.limits(t.actfrclimited, t.actfrcrange, t.loc, what, "actuatorfrcrange");
    if actfrclimited && (actfrcrange[0] > 0.0 || actfrcrange[1] < 0.0) {
        cx.error(t.loc, format!("{what}: `actuatorfrcrange` must contain 0"));
    }
    if t.springlength[0] > t.springlength[1] {
        cx.error(t.loc, format!("{what}: the lower `springlength` is above the upper one"));
    }
    if t.springyield < 0.0 {
        cx.error(t.loc, format!("{what}: `springyield` must not be negative"));
    }
    TendonRow {
        r#type: t.r#type,
        adr,
        num: t.path.len() as u32,
        matid: material(cx, &t.material, t.loc, what),
        group: t.group,
        plasticadr: -1,
        treeid: [-1; 2],
        limited,
        actfrclimited,
        width: t.width,
        solref_lim: t.solref_limit,
        solimp_lim: t.solimp_limit,
        solref_fri: t.solref_friction,
        solimp_fri: t.solimp_friction,
        range,
        actfrcrange,
        margin: t.margin,
        stiffness: t.stiffness[0],
        stiffnesspoly: [t.stiffness[1], t.stiffness[2]],
        damping: t.damping[0],
        dampingpoly: [t.damping[1], t.damping[2]],
        armature: t.armature,
        frictionloss: t.frictionloss,
        lengthspring: t.springlength,
        springyield: t.springyield,
        rgba: t.rgba,
        ..Default::default()
    }
}

/// Checks which objects may follow each other.
fn check_path(cx: &mut Context, t: &Tendon, what: &str) {
    let Some(first) = t.path.first() else {
        cx.error(t.loc, format!("{what}: the path is empty"));
        return;
    };
    if t.armature < 0.0 {
        cx.error(t.loc, format!("{what}: the armature must not be negative"));
    }
    let is_joint = |w: &Wrap| matches!(w.object, WrapObject::Joint { .. });
    let is_site = |w: &Wrap| matches!(w.object, WrapObject::Site { .. });
    if is_joint(first) || t.r#type == TendonType::Fixed {
        for w in t.path.iter().filter(|w| !is_joint(w)) {
            cx.error(w.loc, format!("{what}: a fixed tendon passes joints only"));
        }
        let mut passed = HashSet::new();
        for w in &t.path {
            if let WrapObject::Joint { joint, .. } = &w.object
                && !passed.insert(joint)
            {
                cx.error(w.loc, format!("{what}: joint `{joint}` is repeated"));
            }
        }
        return;
    }

    if t.path.len() < 2 {
        cx.error(t.loc, format!("{what}: a spatial tendon passes at least two objects"));
    }
    if t.width.is_nan() || t.width <= 0.0 {
        cx.error(t.loc, format!("{what}: the width must be positive"));
    }
    for (i, w) in t.path.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| &t.path[i]);
        let after = t.path.get(i + 1);
        let site_beside = |n: Option<&Wrap>| n.is_some_and(is_site);
        match &w.object {
            WrapObject::Joint { .. } => {
                cx.error(w.loc, format!("{what}: a spatial tendon passes no joints"));
            }
            WrapObject::Site { site } => {
                let lone = |n: Option<&Wrap>| n.is_none_or(|n| matches!(n.object, WrapObject::Pulley { .. }));
                if lone(before) && lone(after) {
                    cx.error(w.loc, format!("{what}: site `{site}` has no neighbour but pulleys"));
                }
                if after.is_some_and(|n| n.object == w.object) {
                    cx.error(w.loc, format!("{what}: site `{site}` is repeated"));
                }
            }
            WrapObject::Geom { geom, .. } => {
                if !site_beside(before) || !site_beside(after) {
                    cx.error(w.loc, format!("{what}: geom `{geom}` must stand between two sites"));
                }
                if t.armature > 0.0 {
                    cx.error(w.loc, format!("{what}: a tendon with armature cannot wrap around geoms"));
                }
            }
            WrapObject::Pulley { .. } => {
                if before.is_some_and(|n| matches!(n.object, WrapObject::Pulley { .. })) {
                    cx.error(w.loc, format!("{what}: a pulley cannot follow a pulley"));
                }
                if after.is_none() {
                    cx.error(w.loc, format!("{what}: the path ends with a pulley"));
                }
            }
        }
    }
}

fn wrap(cx: &mut Context, w: &Wrap, what: &str, m: &Model) -> WrapRow {
    let mut find = |kind, name: &str| cx.find(kind, name, w.loc, what).map_or(-1, |i| i as i32);
    match &w.object {
        WrapObject::Joint { joint, coef } => {
            let objid = find(ObjType::Joint, joint);
            let kind = usize::try_from(objid).ok().map(|i| m.jnt.r#type.as_slice()[i]);
            if let Some(kind @ (JointType::Ball | JointType::Free)) = kind {
                let joint_kind = if kind == JointType::Ball { "a ball joint" } else { "a free joint" };
                cx.error(w.loc, format!("{what}: joint `{joint}` is {joint_kind}"))
                    .help("fixed tendons pass hinge and slide joints, which have one coordinate");
            }
            WrapRow { r#type: WrapType::Joint, objid, prm: *coef }
        }
        WrapObject::Site { site } => WrapRow { r#type: WrapType::Site, objid: find(ObjType::Site, site), prm: 0.0 },
        WrapObject::Pulley { divisor } => {
            if *divisor <= 0.0 {
                cx.error(w.loc, format!("{what}: the divisor of a pulley must be positive, but is {divisor}"))
                    .help("the divisor is the number of strands that the tendon splits into behind the pulley");
            }
            WrapRow { r#type: WrapType::Pulley, objid: -1, prm: *divisor }
        }
        WrapObject::Geom { geom, sidesite } => {
            let objid = find(ObjType::Geom, geom);
            let side = if sidesite.is_empty() { -1 } else { find(ObjType::Site, sidesite) };
            let kind = usize::try_from(objid).ok().map(|i| m.geom.r#type.as_slice()[i]);
            let r#type = match kind {
                Some(mj_model::GeomType::Cylinder) => WrapType::Cylinder,
                Some(mj_model::GeomType::Sphere) | None => WrapType::Sphere,
                Some(other) => {
                    cx.error(w.loc, format!("{what}: geom `{geom}` is a {}", other.keyword()))
                        .help("tendons wrap around spheres and cylinders");
                    WrapType::Sphere
                }
            };
            WrapRow { r#type, objid, prm: side.into() }
        }
    }
}
