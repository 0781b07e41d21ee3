//! State and inputs of a simulation.

use super::Simulation;
use crate::Data;
use crate::entry::check_data;
use crate::errors::element::ElementKey;
use crate::errors::query::{QueryError, check_length};
use crate::errors::step::StepError;
use crate::query::views::{ActuatorView, JointView};
use crate::reset;
use mj_math::DVec3;
use mj_model::*;

impl Simulation {
    /// Returns the time, seconds.
    pub fn time(&self) -> f64 {
        self.data.state.time
    }

    /// Returns the positions, nq.
    pub fn qpos(&self) -> &[f64] {
        &self.data.state.qpos
    }

    /// Returns the positions, nq, for setting.
    pub fn qpos_mut(&mut self) -> &mut [f64] {
        &mut self.data.state.qpos
    }

    /// Returns the velocities, nv.
    pub fn qvel(&self) -> &[f64] {
        &self.data.state.qvel
    }

    /// Returns the velocities, nv, for setting.
    pub fn qvel_mut(&mut self) -> &mut [f64] {
        &mut self.data.state.qvel
    }

    /// Returns the controls, nu.
    pub fn ctrl(&self) -> &[f64] {
        &self.data.state.ctrl
    }

    /// Returns the controls, nu, for setting.
    pub fn ctrl_mut(&mut self) -> &mut [f64] {
        &mut self.data.state.ctrl
    }

    /// Returns the applied generalized force, nv, for setting. It stays until it is set again.
    pub fn qfrc_applied_mut(&mut self) -> &mut [f64] {
        &mut self.data.state.qfrc_applied
    }

    /// Returns the readings of all sensors, nsensordata.
    pub fn sensordata(&self) -> &[f64] {
        &self.data.sensordata
    }

    /// Resets to the model's reset state (`mj_resetData`). Warnings stay counted. Data that don't fit the model, since
    /// one of both was exchanged, are made anew.
    pub fn reset(&mut self) {
        if check_data(&self.model, &self.data).is_err()
            && let Ok(mut fresh) = Data::new(&self.model)
        {
            fresh.take_over(&self.data);
            self.data = fresh;
        }
        self.data.reset(&self.model);
    }

    /// Resets to a keyframe (`mj_resetDataKeyframe`).
    ///
    /// # Errors
    /// If there is no such keyframe, or data and model don't fit together.
    pub fn reset_to_key(&mut self, key: impl ElementKey<KeyId>) -> Result<(), QueryError> {
        reset::reset_to_key(&self.model, &mut self.data, key)
    }

    /// Returns a copy of the state, with which [`Simulation::restore`] goes on bit by bit.
    pub fn save(&self) -> State {
        self.data.state.clone()
    }

    /// Makes a saved state the present one; see [`restore_state`](crate::restore_state).
    ///
    /// # Errors
    /// If the state is of another model.
    pub fn restore(&mut self, state: &State) -> Result<(), StepError> {
        reset::restore_state(&self.model, &mut self.data, state)
    }

    /// Returns the components of a signature as one vector (`mj_getState`).
    ///
    /// # Errors
    /// If the signature is not valid, or data and model don't fit together.
    pub fn get_state(&self, signature: Signature) -> Result<Vec<f64>, QueryError> {
        let mut out = vec![0.0; state_size(&self.model, signature)?];
        reset::get_state(&self.model, &self.data, signature, &mut out)?;
        Ok(out)
    }

    /// Sets the components of a signature from a vector (`mj_setState`).
    ///
    /// # Errors
    /// If the signature is not valid, the vector has another length, or data and model don't fit together.
    pub fn set_state(&mut self, signature: Signature, from: &[f64]) -> Result<(), QueryError> {
        reset::set_state(&self.model, &mut self.data, signature, from)
    }

    /// Sets the control of an actuator.
    ///
    /// # Errors
    /// If there is no such actuator, or it has more than one control.
    pub fn set_ctrl(&mut self, actuator: impl ElementKey<ActuatorId>, ctrl: f64) -> Result<(), QueryError> {
        let range = ActuatorView::new(&self.model, &self.data, actuator)?.ctrl_range();
        check_length("ctrl", 1, range.len())?;
        self.data.state.ctrl[range].fill(ctrl);
        Ok(())
    }

    /// Sets the position of a joint: 7 numbers of a free joint (position, then orientation with w first), 4 of a ball
    /// joint, else 1.
    ///
    /// # Errors
    /// If there is no such joint, or it has another number of coordinates.
    pub fn set_qpos(&mut self, joint: impl ElementKey<JointId>, qpos: &[f64]) -> Result<(), QueryError> {
        let range = JointView::new(&self.model, &self.data, joint)?.qpos_range();
        check_length("qpos", qpos.len(), range.len())?;
        self.data.state.qpos[range].copy_from_slice(qpos);
        Ok(())
    }

    /// Sets the velocity of a joint: 6 numbers of a free joint, 3 of a ball joint, else 1.
    ///
    /// # Errors
    /// If there is no such joint, or it has another number of dofs.
    pub fn set_qvel(&mut self, joint: impl ElementKey<JointId>, qvel: &[f64]) -> Result<(), QueryError> {
        let range = JointView::new(&self.model, &self.data, joint)?.dof_range();
        check_length("qvel", qvel.len(), range.len())?;
        self.data.state.qvel[range].copy_from_slice(qvel);
        Ok(())
    }

    /// Sets the force and torque applied at a body's centre of mass, world frame (`xfrc_applied`). They stay until they
    /// are set again.
    ///
    /// # Errors
    /// If there is no such body, or data and model don't fit together.
    pub fn set_xfrc_applied(
        &mut self,
        body: impl ElementKey<BodyId>,
        force: DVec3,
        torque: DVec3,
    ) -> Result<(), QueryError> {
        crate::entry::check_data(&self.model, &self.data)?;
        let body = body.resolve(&self.model)?;
        let (f, t) = (force.to_array(), torque.to_array());
        self.data.state.xfrc_applied[body] = [f[0], f[1], f[2], t[0], t[1], t[2]];
        Ok(())
    }
}
