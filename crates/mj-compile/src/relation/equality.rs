//! Equality constraints: what they tie together. Anchors and relative poses that follow from the
//! reference configuration are filled in later.

use crate::context::Context;
use crate::messages::describe;
use mj_math::quat;
use mj_model::Model;
use mj_model::model::EqualityRow;
use mj_model::spec::{Equality, Flex};
use mj_model::{Elastic2d, EqType, JointId, JointType, ObjType};

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
    if e.r#type == EqType::FlexStrain
        && let Err(wrong) = check_cell(&cx.spec.flexes[first], e)
    {
        cx.error(e.loc, format!("{what}: {wrong}"));
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

/// Checks the cell of a flex whose strain is constrained; of a shell, the face.
fn check_cell(f: &Flex, e: &Equality) -> Result<(), String> {
    if f.node.is_empty() {
        return Err("its flex has no nodes: strain is that of interpolated flexes".into());
    }
    let n = f.cellcount.map(i64::from);
    let [x, y, z] = [e.data[0], e.data[1], e.data[2]];
    let inside = |x: f64, count: i64| x >= 0.0 && x < count as f64;
    if f.elasticity.elastic2d != Elastic2d::None {
        let faces = 2 * (n[1] * n[2] + n[0] * n[2] + n[0] * n[1]);
        return if y >= 0.0 || z >= 0.0 {
            Err(format!("`cell` is {x} {y} {z}, but a shell has faces: give the number of one, and -1 -1"))
        } else if inside(x, faces) {
            Ok(())
        } else {
            Err(format!("`cell` is face {x}, but there are {faces}, counted from 0"))
        };
    }
    if inside(x, n[0]) && inside(y, n[1]) && inside(z, n[2]) {
        return Ok(());
    }
    Err(format!("`cell` is {x} {y} {z}, but there are {} x {} x {} cells, counted from 0", n[0], n[1], n[2]))
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
