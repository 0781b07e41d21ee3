//! Laws of your own in the pipeline.

use super::Data;
use mj_constraint::CustomRows;
use mj_dynamics::{UserActuator, UserActuators};
use mj_model::{Model, SensorId, Stage};
use std::fmt::Debug;

/// Functions of the user's that the pipeline calls at fixed stages. Every method has a default, which does
/// what the pipeline does without hooks; where none are installed, nothing is paid.
///
/// Install them with `data.hooks = Some(Arc::new(…))`; copies of the data, as rollouts make, share
/// them. A hook is called once an evaluation: Runge-Kutta's method evaluates four times a step, and
/// a step in which trees fall asleep twice.
///
/// ```
/// use mj_engine::{Data, Hooks, Model, load_str, step};
/// use std::sync::Arc;
///
/// /// Holds a pendulum up.
/// #[derive(Debug)]
/// struct Balance;
///
/// impl Hooks for Balance {
///     fn control(&self, _: &Model, d: &mut Data) {
///         d.state.ctrl[0] = -20.0 * d.state.qpos[0] - 2.0 * d.state.qvel[0];
///     }
/// }
///
/// let m = load_str(r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0"/>
///   <geom size=".1" pos="0 0 .5" mass="1"/></body></worldbody>
///   <actuator><motor joint="j"/></actuator></mujoco>"#)?;
/// let mut d = Data::new(&m)?;
/// d.hooks = Some(Arc::new(Balance));
/// d.state.qpos[0] = 0.1;
/// for _ in 0..2000 {
///     step(&m, &mut d)?;
/// }
/// assert!(d.state.qpos[0].abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Hooks: Debug + Send + Sync {
    /// Sets controls, or applied forces, once positions and velocities are known and before actuators
    /// act. Not called while actuation is disabled.
    fn control(&self, _: &Model, _: &mut Data) {}

    /// Adds equality constraints of the program's own, with their Jacobians, once positions are known. Their rows come behind
    /// those of the model's equalities. Not called while equalities are disabled; derivatives of a step with hooks are by
    /// differences.
    fn equality(&self, _: &Model, _: &Data, _: &mut CustomRows) {}

    /// Adds passive forces in joint space to those of the model, which are in `d.smooth.velocities.qfrc_passive` (nv).
    fn passive(&self, _: &Model, _: &mut Data) {}

    /// Called before actuator forces are computed: a place to compute what `act_dot`, `gain` and `bias` return from more
    /// of the data than these are given.
    fn before_actuation(&self, _: &Model, _: &mut Data) {}

    /// Rates of change of the activations of an actuator with `dyntype="user"`.
    fn act_dot(&self, _: UserActuator<'_>, _act_dot: &mut [f64]) {}

    /// Gain of an actuator with `gaintype="user"`.
    fn gain(&self, _: UserActuator<'_>) -> f64 {
        1.0
    }

    /// Bias of an actuator with `biastype="user"`.
    fn bias(&self, _: UserActuator<'_>) -> f64 {
        0.0
    }

    /// Reading of a sensor of type `user`, zero at first, at the stage that the model says it needs.
    /// The sensor's cutoff comes after. Momenta of subtrees are there at the velocity stage,
    /// accelerations and forces of bodies at the acceleration stage.
    fn sensor(&self, _: &Model, _: &Data, _: SensorId, _out: &mut [f64]) {}

    /// Called once a stage that has sensors of type `user`, after all its sensors were read; may write
    /// `d.sensordata`. The cutoffs of the sensors of type `user` come after.
    fn after_sensors(&self, _: &Model, _: &mut Data, _: Stage) {}
}

/// Hooks as the actuation stage sees them.
#[derive(Debug)]
pub(crate) struct Laws<'a>(pub &'a dyn Hooks);

impl UserActuators for Laws<'_> {
    fn rates(&self, a: UserActuator<'_>, act_dot: &mut [f64]) {
        self.0.act_dot(a, act_dot);
    }
    fn gain(&self, a: UserActuator<'_>) -> f64 {
        self.0.gain(a)
    }
    fn bias(&self, a: UserActuator<'_>) -> f64 {
        self.0.bias(a)
    }
}
