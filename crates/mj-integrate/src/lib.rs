//! Time integration of multi-joint states: accelerations in, next state out.
//!
//! - [`euler`]: semi-implicit Euler, implicit in joint damping.
//! - [`implicit`]: implicit in velocity, in all smooth forces (`implicit`) or without the bias force
//!   (`implicitfast`).
//! - [`rk4`]: fourth-order Runge-Kutta, on orientations too (Munthe-Kaas).
//! - [`discrete`]: a step whose acceleration solves the constraints in the effective inertia
//!   M + hD + h²K, [`EffectiveInertia`].
//! - [`advance`]: what all integrators end with.
//!
//! The integrators know no contacts and no pipeline: [`System`] is all they see of it.
//!
//! # Example
//!
//! ```
//! use mj_integrate::inverse_dexp;
//! use mj_math::{DMat3, DVec3};
//!
//! // At no rotation, rates of rotation vectors are angular velocities.
//! assert_eq!(inverse_dexp(DVec3::ZERO, DVec3::X), DVec3::X);
//! ```
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // field names are the reference's

mod advance;
mod discrete;
mod euler;
mod free_body;
mod implicit;
mod rk4;

pub use advance::{Rates, advance};
pub use discrete::{EffectiveInertia, discrete};
pub use euler::{EulerInputs, EulerWorkspace, euler, mul_euler};
pub use implicit::{ImplicitWorkspace, Reuse, implicit, mul_implicit};
pub use mj_math::inverse_dexp;
pub use rk4::{Rk4Workspace, rk4};

use mj_dynamics::Transmissions;
use mj_model::State;

/// A simulated system as an integrator sees it: a state, and the rates at that state once
/// [`System::forward`] has been called.
pub trait System {
    /// The state.
    fn state(&mut self) -> &mut State;
    /// Acceleration, nv, and rate of change of activation, na, of the last `forward`.
    fn rates(&self) -> (&[f64], &[f64]);
    /// The state, and the transmissions of the last `forward`.
    fn parts(&mut self) -> (&mut State, &Transmissions);
    /// Computes the rates at the present state.
    fn forward(&mut self);
}
