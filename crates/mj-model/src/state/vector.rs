//! State of a simulation: the numbers that change from step to step, and its inputs.

use crate::Model;
use crate::ids::*;
use crate::state::awake::Awake;
use mj_math::{DQuat, DVec3};

crate::buffers! {
    /// The state of a simulation with its inputs (the manual's "State and control").
    pub struct State {
        /// Simulation time, seconds.
        pub time: f64,
        /// Position, nq.
        pub qpos: Vec<f64>,
        /// Velocity, nv.
        pub qvel: Vec<f64>,
        /// Actuator activation, na.
        pub act: Vec<f64>,
        /// Delay history, nhistory.
        pub history: Vec<f64>,
        /// Plastic state, nplastic.
        pub plastic: Vec<f64>,
        /// State of plugins, npluginstate.
        pub plugin_state: Vec<f64>,
        /// Acceleration from which the constraint solver starts, nv.
        pub qacc_warmstart: Vec<f64>,
        /// Control, nu.
        pub ctrl: Vec<f64>,
        /// Applied generalized force, nv.
        pub qfrc_applied: Vec<f64>,
        /// Applied force (3) and torque (3) at each body's centre of mass, world frame.
        pub xfrc_applied: IdVec<BodyId, [f64; 6]>,
        /// Whether each equality constraint is on.
        pub eq_active: IdVec<EqualityId, bool>,
        /// Positions of mocap bodies.
        pub mocap_pos: IdVec<MocapId, DVec3>,
        /// Orientations of mocap bodies.
        pub mocap_quat: IdVec<MocapId, DQuat>,
        /// User data, nuserdata: not touched by the engine.
        pub userdata: Vec<f64>,
        ..
        /// Parts of the model that take part in a step. The function that steps keeps it; all of the model unless trees sleep.
        pub awake: Awake,
    }
}

impl State {
    /// The reset state of a model: `qpos0`, at rest, no control, mocap bodies where the model put
    /// them.
    pub fn new(m: &Model) -> Self {
        let mut s = Self::default();
        s.reset(m);
        s
    }

    /// Makes it the reset state. Allocates only if the sizes change.
    pub fn reset(&mut self, m: &Model) {
        let zero = |v: &mut Vec<f64>, n| {
            v.clear();
            v.resize(n, 0.0);
        };
        self.time = 0.0;
        self.awake.wake_all(m);
        self.qpos.clone_from(&m.qpos0);
        zero(&mut self.qvel, m.nv());
        zero(&mut self.act, m.na);
        zero(&mut self.history, m.nhistory);
        crate::history::reset(m, &mut self.history);
        zero(&mut self.plastic, m.nplastic);
        m.initial_plastic(&mut self.plastic);
        zero(&mut self.plugin_state, m.npluginstate());
        m.initial_plugin_state(&mut self.plugin_state);
        zero(&mut self.qacc_warmstart, m.nv());
        zero(&mut self.ctrl, m.nu());
        m.initial_ctrl(&mut self.ctrl);
        zero(&mut self.qfrc_applied, m.nv());
        zero(&mut self.userdata, m.nuserdata);
        self.xfrc_applied.resize(m.body.len(), [0.0; 6]);
        self.xfrc_applied.as_mut_slice().fill([0.0; 6]);
        self.eq_active.clone_from(&m.eq.active0);
        self.mocap_pos.resize(m.nmocap, DVec3::ZERO);
        self.mocap_quat.resize(m.nmocap, DQuat::IDENTITY);
        for b in m.body.ids() {
            if let Some(i) = m.body.mocapid[b] {
                self.mocap_pos[i] = m.body.pos[b];
                self.mocap_quat[i] = mj_math::quat::normalize(m.body.quat[b]);
            }
        }
    }

    /// Makes it keyframe `k` of the model (its missing parts being the reset state's).
    pub fn set_key(&mut self, m: &Model, k: KeyId) {
        self.reset(m);
        let key = &m.key;
        let take = |to: &mut [f64], from: &[f64]| {
            let at = k.index() * to.len();
            to.copy_from_slice(&from[at..at + to.len()]);
        };
        self.time = key.time[k];
        take(&mut self.qpos, &key.qpos);
        take(&mut self.qvel, &key.qvel);
        take(&mut self.act, &key.act);
        take(&mut self.ctrl, &key.ctrl);
        take(&mut self.plastic, &key.plastic);
        for i in 0..m.nmocap {
            let at = k.index() * m.nmocap + i;
            self.mocap_pos[MocapId::new(i)] = key.mpos[at];
            self.mocap_quat[MocapId::new(i)] = key.mquat[at];
        }
    }
}
