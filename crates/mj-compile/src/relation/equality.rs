//! Equality constraints: what they tie together. Anchors and relative poses that follow from the
//! reference configuration are filled in later.

use crate::context::Context;
use crate::messages::describe;
use mj_math::quat;
use mj_model::Model;
use mj_model::model::EqualityRow;
use mj_model::spec::Equality;
use mj_model::{EqType, JointId, JointType, ObjType};

/// Writes equality constraints and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Equality, spec.equalities.iter().map(|e| (e.name.as_str(), e.loc)));
    for e in &spec.equalities {
        if let Some(row) = row(cx, e, m) {
            m.eq.push(row);
        }
    }
}

fn row(cx: &mut Context, e: &Equality, m: &Model) -> Option<EqualityRow> {
    let what = describe(&format!("{} constraint", e.r#type.keyword()), &e.name);
    let kind = match e.r#type {
        EqType::Connect | EqType::Weld if matches!(e.objtype, ObjType::Body | ObjType::Site) => e.objtype,
        EqType::Connect | EqType::Weld => {
            cx.error(e.loc, format!("{what}: it ties bodies or sites"));
            return None;
        }
        EqType::Joint => ObjType::Joint,
        EqType::Tendon => ObjType::Tendon,
        EqType::Flex | EqType::FlexStrain => ObjType::Flex,
        EqType::FlexVert => {
            cx.error(e.loc, "constraints of flexes' vertices were removed from MuJoCo");
            return None;
        }
        EqType::Distance => {
            cx.error(e.loc, "distance constraints were removed from MuJoCo");
            return None;
        }
    };
    let first = cx.find(kind, &e.name1, e.loc, &what)?;
    let second = match e.name2.as_str() {
        "" if kind == ObjType::Body => Some(0),
        "" if kind == ObjType::Site => {
            cx.error(e.loc, format!("{what}: the second site is missing"));
            return None;
        }
        "" => None,
        name => Some(cx.find(kind, name, e.loc, &what)?),
    };
    if second == Some(first) {
        cx.error(e.loc, format!("{what} ties {} to itself", describe(kind.keyword(), &e.name1)));
    }
    if kind == ObjType::Joint {
        for j in [Some(first), second].into_iter().flatten() {
            if matches!(m.jnt.r#type[JointId::new(j)], JointType::Free | JointType::Ball) {
                let joint = cx.names.describe(kind, j);
                cx.error(e.loc, format!("{what}: {joint} is neither a hinge nor a slide"));
            }
        }
    }
    Some(EqualityRow {
        r#type: e.r#type,
        obj1id: first as i32,
        obj2id: second.map_or(-1, |i| i as i32),
        // Only where there is a choice.
        objtype: if matches!(kind, ObjType::Body | ObjType::Site) { kind } else { ObjType::Unknown },
        active0: e.active,
        solref: e.solref,
        solimp: e.solimp,
        data: e.data,
    })
}

/// Puts in order the parameters of connects and welds: of those between sites nothing but the scale of torque is read;
/// a weld between bodies that gives no relative pose is marked, so that it gets that of the reference configuration.
pub(crate) fn complete(m: &mut Model) {
    for e in m.eq.ids() {
        let connect = m.eq.r#type[e] == EqType::Connect;
        if !connect && m.eq.r#type[e] != EqType::Weld {
            continue;
        }
        let data = &mut m.eq.data[e];
        if m.eq.objtype[e] != ObjType::Body {
            let torquescale = data[10];
            *data = [0.0; 12];
            if !connect {
                (data[1], data[10]) = (1.0, torquescale);
            }
        } else if !connect && data[6..10] == [0.0; 4] {
            data[11] = 1.0;
        } else if !connect {
            let q = quat::normalize(quat::read(&data[6..10]));
            quat::write(q, &mut data[6..10]);
        }
    }
}
