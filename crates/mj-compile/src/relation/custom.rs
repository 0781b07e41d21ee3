//! Custom numbers, texts and tuples, and keyframes.

use crate::context::Context;
use crate::messages::describe;
use mj_math::{DQuat, DVec3, quat};
use mj_model::Model;
use mj_model::model::{NumericRow, TextRow, TupleItemRow, TupleRow};
use mj_model::spec::Key;
use mj_model::{JointType, MocapId, ObjType};

/// Writes custom fields and makes their names known. Tuples may refer to anything, so they come
/// after everything else.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Numeric, spec.numerics.iter().map(|x| (x.name.as_str(), x.loc)));
    cx.register(ObjType::Text, spec.texts.iter().map(|x| (x.name.as_str(), x.loc)));
    cx.register(ObjType::Tuple, spec.tuples.iter().map(|x| (x.name.as_str(), x.loc)));
    cx.register(ObjType::Key, spec.keys.iter().map(|x| (x.name.as_str(), x.loc)));
    for x in &spec.numerics {
        if x.data.is_empty() {
            cx.error(x.loc, format!("{} has no numbers", describe("numeric", &x.name)));
        }
        m.numeric.push(NumericRow { adr: m.numeric_data.len() as u32, size: x.data.len() as u32 });
        m.numeric_data.extend_from_slice(&x.data);
    }
    for x in &spec.texts {
        if x.data.is_empty() {
            cx.error(x.loc, format!("{} is empty", describe("text", &x.name)));
        }
        m.text.push(TextRow { adr: m.text_data.len() as u32, size: x.data.len() as u32 + 1 });
        m.text_data.extend_from_slice(x.data.as_bytes());
        m.text_data.push(0);
    }
    for x in &spec.tuples {
        let what = describe("tuple", &x.name);
        if x.items.is_empty() {
            cx.error(x.loc, format!("{what} is empty"));
        }
        m.tuple.push(TupleRow { adr: m.tuple_item.len() as u32, size: x.items.len() as u32 });
        for (objtype, name, objprm) in &x.items {
            let objid = cx.find(*objtype, name, x.loc, &what).map_or(-1, |i| i as i32);
            m.tuple_item.push(TupleItemRow { objtype: *objtype, objid, objprm: *objprm });
        }
    }
}

/// Writes keyframes, with what they leave out from the reset state.
pub(crate) fn write_keys(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    let blank = Key::default();
    let missing = spec.size.nkey.saturating_sub(spec.keys.len());
    let row = m.qpos0.len() + m.dof.len() + m.na + m.control.len() + 7 * m.nmocap + 1;
    if missing.saturating_mul(row) > crate::MAX_NUMBERS {
        cx.error(mj_model::Loc::NONE, format!("`nkey` in `size`: {missing} blank keyframes are too many"));
        return;
    }
    let mut names: Vec<String> = cx.names.all(ObjType::Key).to_vec();
    names.resize(spec.keys.len() + missing, String::new());
    cx.names.set(ObjType::Key, names);

    let mocap: Vec<_> = m.body.ids().filter(|&b| m.body.mocapid[b].is_some()).collect();
    debug_assert!(mocap.iter().enumerate().all(|(i, &b)| m.body.mocapid[b] == Some(MocapId::new(i))));
    let mut ctrl0 = vec![0.0; m.control.len()];
    m.initial_ctrl(&mut ctrl0);
    for k in spec.keys.iter().chain(std::iter::repeat_n(&blank, missing)) {
        let resized = cx.resized.map(|r| r.key(k, m));
        let k = resized.as_ref().unwrap_or(k);
        let mut part = |name: &str, given: &[f64], n: usize, reset: &[f64]| {
            if !given.is_empty() && given.len() != n {
                let what = describe("keyframe", &k.name);
                let message = format!("{what}: `{name}` has {} numbers, but the model has {n}", given.len());
                // One that is too short is completed: the model may have grown since.
                if given.len() > n {
                    cx.error(k.loc, message);
                } else {
                    cx.warning(k.loc, message);
                }
            }
            let mut all = reset.to_vec();
            all.iter_mut().zip(given).filter(|(_, given)| !given.is_nan()).for_each(|(x, &given)| *x = given);
            all
        };
        let zeros = |n| vec![0.0; n];
        let (nq, nv, na, nu) = (m.qpos0.len(), m.dof.len(), m.na, m.control.len());
        let mut qpos = part("qpos", &k.qpos, nq, &m.qpos0);
        let qvel = part("qvel", &k.qvel, nv, &zeros(nv));
        let act = part("act", &k.act, na, &zeros(na));
        let ctrl = part("ctrl", &k.ctrl, nu, &ctrl0);
        // What is missing is known once springs are: see `complete_keys`.
        let plastic = part("plastic", &k.plastic, m.nplastic, &vec![f64::NAN; m.nplastic]);
        let pos0: Vec<f64> = mocap.iter().flat_map(|&b| m.body.pos[b].to_array()).collect();
        let quat0: Vec<f64> = mocap.iter().flat_map(|&b| quat::to_wxyz(m.body.quat[b])).collect();
        let mpos = part("mpos", &k.mpos, 3 * mocap.len(), &pos0);
        let mquat = part("mquat", &k.mquat, 4 * mocap.len(), &quat0);

        for j in m.jnt.ids() {
            let at = m.jnt.qposadr[j] as usize
                + match m.jnt.r#type[j] {
                    JointType::Free => 3,
                    JointType::Ball => 0,
                    JointType::Slide | JointType::Hinge => continue,
                };
            quat::write(quat::normalize(quat::read(&qpos[at..])), &mut qpos[at..]);
        }
        m.key.time.push(k.time);
        m.key.qpos.extend(qpos);
        m.key.qvel.extend(qvel);
        m.key.act.extend(act);
        m.key.ctrl.extend(ctrl);
        m.key.plastic.extend(plastic);
        m.key.mpos.extend(mpos.chunks_exact(3).map(DVec3::from_slice));
        m.key.mquat.extend(mquat.chunks_exact(4).map(|q| -> DQuat { quat::normalize(quat::read(q)) }));
    }
}

/// Fills in what keyframes leave out of the plastic state: where springs rest, which is known last.
pub(crate) fn complete_keys(m: &mut Model) {
    let mut plastic = vec![0.0; m.nplastic];
    m.initial_plastic(&mut plastic);
    if m.nplastic > 0 {
        for row in m.key.plastic.chunks_exact_mut(m.nplastic) {
            row.iter_mut().zip(&plastic).filter(|(x, _)| x.is_nan()).for_each(|(x, initial)| *x = *initial);
        }
    }
}
