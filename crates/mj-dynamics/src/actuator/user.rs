//! Actuators whose dynamics or forces someone else defines: the types `user`.

use mj_model::{ActuatorId, Model, State};

/// State of an actuator of the types `user`, on which its law may depend.
#[derive(Clone, Copy, Debug)]
pub struct UserActuator<'a> {
    /// Model.
    pub model: &'a Model,
    /// State and inputs.
    pub state: &'a State,
    /// The actuator.
    pub actuator: ActuatorId,
    /// Its controls, delayed and within their ranges.
    pub ctrl: &'a [f64],
    /// Its activations.
    pub act: &'a [f64],
    /// Length and velocity of its first output.
    pub length: f64,
    /// Velocity.
    pub velocity: f64,
}

/// Laws of the actuators of the types `user`: force = gain · input + bias, where the input is the
/// last activation or, without one, the first control.
pub trait UserActuators {
    /// Rates of change of the activations (`dyntype="user"`), at first zero.
    fn rates(&self, _: UserActuator<'_>, _act_dot: &mut [f64]) {}
    /// Gain (`gaintype="user"`).
    fn gain(&self, _: UserActuator<'_>) -> f64 {
        1.0
    }
    /// Bias (`biastype="user"`).
    fn bias(&self, _: UserActuator<'_>) -> f64 {
        0.0
    }
}
