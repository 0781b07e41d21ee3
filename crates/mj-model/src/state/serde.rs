//! States in the formats of the serde ecosystem.
//!
//! A state is a map of its fields by name. Orientations have w first, as everywhere outside of the program. Which trees
//! are awake is left out: whoever steps finds it anew. Numbers come back bit for bit where the format keeps them so:
//! `serde_json` reads the last bit right with its feature `float_roundtrip`.

use crate::ids::IdVec;
use crate::state::vector::State;
use mj_math::{DVec3, quat};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The fields of a state as plain numbers.
#[derive(Serialize, Deserialize)]
#[serde(rename = "State", deny_unknown_fields)]
struct Numbers {
    time: f64,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    history: Vec<f64>,
    plastic: Vec<f64>,
    #[serde(default)]
    plugin_state: Vec<f64>,
    qacc_warmstart: Vec<f64>,
    ctrl: Vec<f64>,
    qfrc_applied: Vec<f64>,
    xfrc_applied: Vec<[f64; 6]>,
    eq_active: Vec<bool>,
    mocap_pos: Vec<[f64; 3]>,
    mocap_quat: Vec<[f64; 4]>,
    userdata: Vec<f64>,
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let s = self;
        let numbers = Numbers {
            time: s.time,
            qpos: s.qpos.clone(),
            qvel: s.qvel.clone(),
            act: s.act.clone(),
            history: s.history.clone(),
            plastic: s.plastic.clone(),
            plugin_state: s.plugin_state.clone(),
            qacc_warmstart: s.qacc_warmstart.clone(),
            ctrl: s.ctrl.clone(),
            qfrc_applied: s.qfrc_applied.clone(),
            xfrc_applied: s.xfrc_applied.as_slice().to_vec(),
            eq_active: s.eq_active.as_slice().to_vec(),
            mocap_pos: s.mocap_pos.iter().map(DVec3::to_array).collect(),
            mocap_quat: s.mocap_quat.iter().map(|&q| quat::to_wxyz(q)).collect(),
            userdata: s.userdata.clone(),
        };
        numbers.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let n = Numbers::deserialize(deserializer)?;
        Ok(Self {
            time: n.time,
            qpos: n.qpos,
            qvel: n.qvel,
            act: n.act,
            history: n.history,
            plastic: n.plastic,
            plugin_state: n.plugin_state,
            qacc_warmstart: n.qacc_warmstart,
            ctrl: n.ctrl,
            qfrc_applied: n.qfrc_applied,
            xfrc_applied: IdVec::from(n.xfrc_applied),
            eq_active: IdVec::from(n.eq_active),
            mocap_pos: n.mocap_pos.into_iter().map(DVec3::from_array).collect(),
            mocap_quat: n.mocap_quat.into_iter().map(quat::from_wxyz).collect(),
            userdata: n.userdata,
            awake: Default::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::ids::*;
    use crate::state::signature::{Signature, state_size};

    #[test]
    fn a_state_goes_to_text_and_back() {
        let mut m = Model { nuserdata: 3, na: 2, nplastic: 2, nhistory: 4, nmocap: 1, ..Model::default() };
        m.eq.push(crate::model::EqualityRow { active0: true, ..Default::default() });
        let mut s = State::new(&m);
        s.mocap_pos = IdVec::filled(1, DVec3::ZERO);
        s.mocap_quat = IdVec::filled(1, Default::default());
        let n = state_size(&m, Signature::INTEGRATION).unwrap();
        let numbers: Vec<f64> = (0..n).map(|i| 1.0 / (3.0 + i as f64)).collect();
        s.set(&m, Signature::INTEGRATION, &numbers).unwrap();
        let text = serde_json::to_string(&s).unwrap();
        let back: State = serde_json::from_str(&text).unwrap();
        assert_eq!(State { awake: s.awake.clone(), ..back }, s);
        // w first.
        let q = quat::to_wxyz(s.mocap_quat[MocapId::new(0)]);
        assert!(text.contains(&format!("\"mocap_quat\":[[{},", q[0])), "{text}");
        assert!(serde_json::from_str::<State>("{\"time\":0.0}").is_err());
    }
}
