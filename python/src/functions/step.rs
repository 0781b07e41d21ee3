//! Stepping, forward and inverse dynamics, and their stages.

use super::{D, M, change, register};
use crate::args::Out;
use crate::data::Access;
use mj_engine as engine;
use mj_model::Stage;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Takes the simulation one time step on. Optionally, repeat nstep times.
#[pyfunction]
#[pyo3(signature = (m, d, nstep = 1))]
fn mj_step(m: M, d: D, nstep: i64) -> PyResult<()> {
    change(m, d, Access::Compute, |m, d| (0..nstep).try_for_each(|_| engine::step(m, d)))
}

/// Functions of model and data that compute something.
macro_rules! stages {
    ($($access:ident $(#[doc = $doc:literal])+ $name:ident = $f:expr;)*) => {$(
        $(#[doc = $doc])+
        #[pyfunction]
        fn $name(m: M, d: D) -> PyResult<()> {
            change(m, d, Access::$access, $f)
        }
    )*};
}

stages! {
    Compute
    /// Computes all results of the state: forward dynamics without integration.
    mj_forward = engine::forward;
    Change
    /// Computes the force that causes the acceleration `d.qacc`, into `d.qfrc_inverse`.
    mj_inverse = engine::inverse;
    Compute
    /// Computes the first part of a step: what depends on position and velocity, before controls are set.
    mj_step1 = engine::step1;
    Change
    /// Computes the second part of a step: forces, acceleration, integration.
    mj_step2 = engine::step2;
    Change
    /// Computes what depends on position.
    mj_fwdPosition = engine::fwd_position;
    Change
    /// Computes what depends on velocity.
    mj_fwdVelocity = engine::fwd_velocity;
    Change
    /// Computes actuator forces.
    mj_fwdActuation = engine::fwd_actuation;
    Change
    /// Adds up all forces but those of constraints, and computes the acceleration that they cause.
    mj_fwdAcceleration = engine::fwd_acceleration;
    Change
    /// Finds constraint forces and the acceleration.
    mj_fwdConstraint = engine::fwd_constraint;
    Change
    /// Computes poses, and motions of dofs, of the position.
    mj_fwdKinematics = |m, d| {
        engine::kinematics(m, d)?;
        engine::com_pos(m, d)?;
        engine::camlight(m, d)?;
        engine::tendon(m, d)
    };
    Change
    /// Computes what inverse dynamics needs of position.
    mj_invPosition = engine::inv_position;
    Change
    /// Computes what inverse dynamics needs of velocity.
    mj_invVelocity = engine::inv_velocity;
    Change
    /// Computes constraint forces at the acceleration `d.qacc`.
    mj_invConstraint = engine::inv_constraint;
    Change
    /// Compares forward with inverse dynamics, into `d.solver_fwdinv`.
    mj_compareFwdInv = engine::compare_fwd_inv;
    Change
    /// Reads the sensors that depend on position.
    mj_sensorPos = engine::sensor_pos;
    Change
    /// Reads the sensors that depend on velocity.
    mj_sensorVel = engine::sensor_vel;
    Change
    /// Reads the sensors that depend on acceleration and forces.
    mj_sensorAcc = engine::sensor_acc;
    Change
    /// Computes the potential energy.
    mj_energyPos = engine::energy_pos;
    Change
    /// Computes the kinetic energy.
    mj_energyVel = engine::energy_vel;
    Change
    /// Resets the state if a position is not finite or too large.
    mj_checkPos = engine::check_pos;
    Change
    /// Resets the state if a velocity is not finite or too large.
    mj_checkVel = engine::check_vel;
    Change
    /// Resets the state if an acceleration is not finite or too large.
    mj_checkAcc = engine::check_acc;
    Change
    /// Computes poses of the position.
    mj_kinematics = engine::kinematics;
    Change
    /// Computes inertias and motions of dofs about centres of mass.
    mj_comPos = engine::com_pos;
    Change
    /// Computes the poses of cameras and lights.
    mj_camlight = engine::camlight;
    Change
    /// Computes lengths and Jacobians of tendons.
    mj_tendon = engine::tendon;
    Change
    /// Computes lengths and moment arms of actuators.
    mj_transmission = engine::transmission;
    Change
    /// Computes composite inertias of subtrees and the joint-space inertia.
    mj_crb = engine::make_m;
    Change
    /// Computes the joint-space inertia.
    mj_makeM = engine::make_m;
    Change
    /// Factors the joint-space inertia.
    mj_factorM = engine::factor_m;
    Change
    /// Computes velocities of bodies.
    mj_comVel = engine::com_vel;
    Change
    /// Computes passive forces.
    mj_passive = engine::passive;
    Change
    /// Computes momenta of subtrees.
    mj_subtreeVel = engine::subtree_vel;
    Change
    /// Computes accelerations and forces of bodies after constraint forces are known.
    mj_rnePostConstraint = engine::rne_post_constraint;
    Change
    /// Finds contacts.
    mj_collision = engine::collision;
    Change
    /// Makes constraint rows.
    mj_makeConstraint = engine::make_constraint;
    Change
    /// Finds islands of constraints: they are found whenever `d.nisland` or a map is read.
    mj_island = |m, d| engine::check_data(m, d);
    Change
    /// Prepares the dual of the constraint problem: solvers do it when they need it, and `d.efc_AR` when it is read.
    mj_projectConstraint = |m, d| engine::check_data(m, d);
    Change
    /// Computes velocities of constraint rows and what they aim at.
    mj_referenceConstraint = engine::reference_constraint;
    Change
    /// Computes what depends on flexes: none are supported yet.
    mj_flex = |m, d| engine::check_data(m, d);
}

/// Integrators by name, whatever the model's is.
fn integrate_by(m: M, d: D, integrator: mj_model::IntegratorType) -> PyResult<()> {
    change(m, d, Access::Change, |m, d| {
        let mut m = m.clone();
        m.opt.integrator = integrator;
        engine::integrate(&m, d)
    })
}

/// Euler integrator, semi-implicit in velocity.
#[pyfunction]
fn mj_Euler(m: M, d: D) -> PyResult<()> {
    integrate_by(m, d, mj_model::IntegratorType::Euler)
}

/// Integrates by the Runge-Kutta method of order N, which must be 4.
#[pyfunction]
#[allow(non_snake_case)]
fn mj_RungeKutta(m: M, d: D, N: i64) -> PyResult<()> {
    if N != 4 {
        return Err(PyValueError::new_err(format!("mj_RungeKutta: N is 4, not {N}")));
    }
    integrate_by(m, d, mj_model::IntegratorType::Rk4)
}

/// Integrates implicitly in velocity: by `implicitfast` if the model says so, else by `implicit`.
#[pyfunction]
fn mj_implicit(m: M, d: D) -> PyResult<()> {
    let fast = m.get().current(m.py())?.opt.integrator == mj_model::IntegratorType::ImplicitFast;
    integrate_by(m, d, if fast { mj_model::IntegratorType::ImplicitFast } else { mj_model::IntegratorType::Implicit })
}

fn stage(code: i32) -> PyResult<Stage> {
    Stage::from_code(code)
        .ok_or_else(|| PyValueError::new_err(format!("`skipstage` is a member of mjtStage, 0 to 3, not {code}")))
}

/// Computes forward dynamics but the stages up to `skipstage`, and sensors unless `skipsensor` is true.
#[pyfunction]
fn mj_forwardSkip(m: M, d: D, skipstage: i32, skipsensor: i32) -> PyResult<()> {
    let skip = stage(skipstage)?;
    change(m, d, Access::Change, |m, d| engine::forward_skip(m, d, skip, skipsensor != 0))
}

/// Computes inverse dynamics but the stages up to `skipstage`, and sensors unless `skipsensor` is true.
#[pyfunction]
fn mj_inverseSkip(m: M, d: D, skipstage: i32, skipsensor: i32) -> PyResult<()> {
    let skip = stage(skipstage)?;
    change(m, d, Access::Change, |m, d| engine::inverse_skip(m, d, skip, skipsensor != 0))
}

/// Computes the force of motion: M(qpos)*qacc + C(qpos,qvel), or C alone if `flg_acc` is 0.
#[pyfunction]
fn mj_rne(m: M, d: D, flg_acc: i32, result: &Bound<'_, PyAny>) -> PyResult<()> {
    let nv = m.get().current(m.py())?.nv();
    let out = Out::<f64>::sized("result", result, nv)?;
    let mut force = vec![0.0; nv];
    change(m, d, Access::Read, |m, d| engine::rne(m, d, flg_acc != 0, &mut force))?;
    out.write(force)
}

register! {
    mj_step mj_forward mj_inverse mj_step1 mj_step2 mj_fwdPosition mj_fwdVelocity mj_fwdActuation mj_fwdAcceleration
    mj_fwdConstraint mj_fwdKinematics mj_invPosition mj_invVelocity mj_invConstraint mj_compareFwdInv mj_sensorPos
    mj_sensorVel mj_sensorAcc mj_energyPos mj_energyVel mj_checkPos mj_checkVel mj_checkAcc mj_kinematics mj_comPos
    mj_camlight mj_tendon mj_transmission mj_crb mj_makeM mj_factorM mj_comVel mj_passive mj_subtreeVel
    mj_rnePostConstraint mj_collision mj_makeConstraint mj_island mj_projectConstraint mj_referenceConstraint mj_flex
    mj_Euler mj_RungeKutta mj_implicit mj_forwardSkip mj_inverseSkip mj_rne
}
