//! A simulation goes on in a changed model: state by the names of what it belongs to.

use crate::Model;
use crate::enums::ObjType;
use crate::ids::*;
use crate::state::vector::State;
use std::collections::HashMap;

/// Identity of an element in both models: its name, or its kind and place in a named body.
type Key = (String, usize);

impl State {
    /// This state of one model as a state of another, which the first was edited into: joints,
    /// actuators, constraints and mocap bodies keep what they have, those that are new start from the
    /// reset state. Time goes on; user data stays where its length does. Delay histories and the plastic
    /// state start anew.
    ///
    /// An element is found again by its name and type; a joint without one by its body's name and its
    /// number in the body, an actuator or constraint without one by its number among those without. The state of plugins goes
    /// on where both models have the same.
    #[must_use]
    pub fn remap(&self, from: &Model, to: &Model) -> State {
        let mut out = State::new(to);
        out.time = self.time;
        if self.userdata.len() == out.userdata.len() {
            out.userdata.clone_from(&self.userdata);
        }

        if from.plugin_data == to.plugin_data && self.plugin_state.len() == out.plugin_state.len() {
            out.plugin_state.clone_from(&self.plugin_state);
        }

        let old: HashMap<Key, JointId> = from.jnt.ids().map(|j| (joint_key(from, j), j)).collect();
        for j in to.jnt.ids() {
            let Some(&was) = old.get(&joint_key(to, j)) else { continue };
            if from.jnt.r#type[was] != to.jnt.r#type[j] {
                continue;
            }
            let (nq, nv) = to.jnt.r#type[j].sizes();
            let q = |m: &Model, j| m.jnt.qposadr[j] as usize;
            let v = |m: &Model, j| m.jnt.dofadr[j].index();
            copy(&self.qpos, &mut out.qpos, q(from, was), q(to, j), nq);
            for (a, b) in [
                (&self.qvel, &mut out.qvel),
                (&self.qacc_warmstart, &mut out.qacc_warmstart),
                (&self.qfrc_applied, &mut out.qfrc_applied),
            ] {
                copy(a, b, v(from, was), v(to, j), nv);
            }
        }

        let old = rows(from, ObjType::Actuator, from.actuator.len());
        let new = rows(to, ObjType::Actuator, to.actuator.len());
        for (key, &i) in &new {
            let Some(&was) = old.get(key) else { continue };
            let (a, b) = (ActuatorId::new(was), ActuatorId::new(i));
            let place = |m: &Model, a| (m.actuator.actadr[a], m.actuator.actnum[a] as usize);
            let ((f, n), (t, k)) = (place(from, a), place(to, b));
            if let (Ok(f), Ok(t)) = (usize::try_from(f), usize::try_from(t))
                && n == k
            {
                copy(&self.act, &mut out.act, f, t, n);
            }
            let inputs = |m: &Model, a| (m.actuator.ctrladr[a] as usize, m.actuator.ctrlnum[a] as usize);
            let ((f, n), (t, k)) = (inputs(from, a), inputs(to, b));
            if n == k {
                copy(&self.ctrl, &mut out.ctrl, f, t, n);
            }
        }

        let old = rows(from, ObjType::Equality, from.eq.len());
        for (key, i) in rows(to, ObjType::Equality, to.eq.len()) {
            if let Some(&was) = old.get(&key)
                && from.eq.r#type[EqualityId::new(was)] == to.eq.r#type[EqualityId::new(i)]
            {
                out.eq_active[EqualityId::new(i)] = self.eq_active[EqualityId::new(was)];
            }
        }

        for b in to.body.ids() {
            let name = to.names.get(ObjType::Body, b.index());
            let Some(was) = from.names.find(ObjType::Body, name).map(BodyId::new).filter(|_| !name.is_empty()) else {
                continue;
            };
            out.xfrc_applied[b] = self.xfrc_applied[was];
            if let (Some(a), Some(c)) = (from.body.mocapid[was], to.body.mocapid[b]) {
                out.mocap_pos[c] = self.mocap_pos[a];
                out.mocap_quat[c] = self.mocap_quat[a];
            }
        }
        out
    }
}

/// A joint by its name, or by its body's name and its number in the body.
fn joint_key(m: &Model, j: JointId) -> Key {
    match m.names.get(ObjType::Joint, j.index()) {
        "" => {
            let b = m.jnt.bodyid[j];
            let first = m.body.jntadr[b].map_or(0, JointId::index);
            (format!("/{}", m.names.get(ObjType::Body, b.index())), j.index() - first + 1)
        }
        name => (name.to_string(), 0),
    }
}

/// Rows of a kind by name, or by number among those without a name.
fn rows(m: &Model, kind: ObjType, n: usize) -> HashMap<Key, usize> {
    let mut unnamed = 0;
    let key = |i| match m.names.get(kind, i) {
        "" => {
            unnamed += 1;
            (String::new(), unnamed)
        }
        name => (name.to_string(), 0),
    };
    (0..n).map(key).zip(0..n).collect()
}

fn copy(from: &[f64], to: &mut [f64], a: usize, b: usize, n: usize) {
    if let (Some(from), Some(to)) = (from.get(a..a + n), to.get_mut(b..b + n)) {
        to.copy_from_slice(from);
    }
}
