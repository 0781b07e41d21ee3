//! Changes that events make to the state and inputs of a simulation.

use crate::event::Event;
use mj_engine::{Data, Model};
use mj_model::{BodyId, EqualityId};
use mj_scene::{Perturb, apply_perturb_force, apply_perturb_pose};

/// Sets the control, coordinate or constraint that an event names. Returns whether there is one.
pub(crate) fn edit(d: &mut Data, event: &Event) -> bool {
    let state = &mut d.state;
    let (number, value) = match *event {
        Event::Control(i, value) => (state.ctrl.get_mut(i), value),
        Event::Position(i, value) => (state.qpos.get_mut(i), value),
        Event::Equality(i, on) => {
            let exists = i < state.eq_active.len();
            if exists {
                state.eq_active[EqualityId::new(i)] = on;
            }
            return exists;
        }
        _ => return false,
    };
    let number = number.filter(|_| value.is_finite());
    number.map(|number| *number = value).is_some()
}

/// The body that a user pulls, and how.
#[derive(Debug, Default)]
pub(crate) struct Pull(Perturb);

impl Pull {
    /// Returns whether a body is pulled.
    pub fn is_active(&self) -> bool {
        self.0.active | self.0.active2 != 0
    }

    /// Pulls as a new perturbation says; the forces of the one before end.
    pub fn replace(&mut self, m: &Model, d: &mut Data, perturb: Perturb) {
        self.release(m, d);
        let body = usize::try_from(perturb.select).unwrap_or(usize::MAX);
        let numbers = [perturb.refpos, perturb.refselpos, perturb.localpos];
        let finite = numbers.iter().all(|v| v.is_finite()) && perturb.refquat.is_finite();
        let valid = finite && perturb.localmass.is_finite() && body < m.body.len();
        self.0 = if valid { perturb } else { Perturb::default() };
    }

    /// Ends the forces.
    fn release(&self, m: &Model, d: &mut Data) {
        if self.is_active()
            && let Some(body) = usize::try_from(self.0.select).ok().filter(|&body| body < m.body.len())
        {
            d.state.xfrc_applied[BodyId::new(body)] = [0.0; 6];
        }
    }

    /// Writes forces for the next step and moves mocap bodies.
    pub fn apply(&self, m: &Model, d: &mut Data) {
        if self.is_active() {
            self.release(m, d);
            apply_perturb_pose(m, d, &self.0, false);
            apply_perturb_force(m, d, &self.0);
        }
    }

    /// Moves the body itself, where the simulation stands still.
    pub fn place(&self, m: &Model, d: &mut Data) {
        apply_perturb_pose(m, d, &self.0, true);
    }
}
