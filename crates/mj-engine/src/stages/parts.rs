//! The parts of the stages that depend on position and velocity, for those who need less than a stage.
//!
//! In the order of [`fwd_position`](super::fwd_position): [`kinematics`], [`com_pos`], [`camlight`], [`tendon`],
//! [`transmission`], [`make_m`], [`factor_m`], [`collision`], [`make_constraint`]; in that of
//! [`fwd_velocity`](super::fwd_velocity): [`transmission_velocity`], [`com_vel`], [`passive`], [`bias`],
//! [`reference_constraint`].

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::step::StepError;
use crate::pipeline::finite;
use crate::pipeline::forward;
use crate::pipeline::inverse;
use mj_dynamics as dynamics;
use mj_model::{Model, Warning};

macro_rules! parts {
    ($($(#[doc = $doc:literal])+ $name:ident = |$m:ident, $d:ident| $do:block)*) => {$(
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// If data and model don't fit together.
        pub fn $name($m: &Model, $d: &mut Data) -> Result<(), StepError> {
            check_data($m, $d)?;
            $do;
            Ok(())
        }
    )*};
}

parts! {
    /// Computes the poses of bodies, geoms, sites and joints (`mj_kinematics`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    kinematics = |m, d| { dynamics::kinematics(m, &d.state, &mut d.smooth.poses) }

    /// Computes centres of mass, and motions of dofs and inertias of bodies about them (`mj_comPos`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    com_pos = |m, d| { dynamics::com_pos(m, &d.state.awake, &mut d.smooth.poses) }

    /// Computes the poses of cameras and lights (`mj_camlight`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    camlight = |m, d| { dynamics::cameras_and_lights(m, &mut d.smooth.poses) }

    /// Computes lengths and Jacobians of tendons (`mj_tendon`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    tendon = |m, d| {
        let plan = &d.plan.dynamics;
        dynamics::tendons(m, &plan.tendons, &d.state, &d.smooth.poses, &mut d.ws.smooth, &mut d.smooth.transmissions);
    }

    /// Computes lengths and moment arms of actuators (`mj_transmission`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    transmission = |m, d| {
        let plan = &d.plan.dynamics;
        dynamics::transmission(m, &plan.actuators, &d.state, &plan.chains, &d.smooth.poses, &mut d.smooth.transmissions);
    }

    /// Computes the joint-space inertia (`mj_makeM`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    make_m = |m, d| {
        dynamics::crb(m, &d.state.awake, &d.smooth.poses, &mut d.smooth.inertia);
        dynamics::add_tendon_armature(m, &d.state.awake, &d.smooth.transmissions, &mut d.smooth.inertia);
    }

    /// Factors the joint-space inertia (`mj_factorM`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    factor_m = |m, d| { forward::factor_inertia(m, d) }

    /// Finds contacts (`mj_collision`). The constraint rows, which were those of other contacts, are removed.
    ///
    /// Example: [parts of stages](crate::stages#parts).
    collision = |m, d| {
        forward::collision(m, d, None);
        d.rows.clear(m);
        d.solution.efc_force.clear();
        d.solution.efc_state.clear();
    }

    /// Makes the constraint rows of the present contacts, limits, equalities and frictions (`mj_makeConstraint`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    make_constraint = |m, d| { forward::make_constraint(m, d) }

    /// Computes velocities of constraint rows and what they aim at (`mj_referenceConstraint`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    reference_constraint = |m, d| { forward::reference(m, d) }

    /// Computes velocities of tendons and actuators.
    ///
    /// Example: [parts of stages](crate::stages#parts).
    transmission_velocity = |m, d| {
        let r = &mut d.smooth;
        let plan = &d.plan.dynamics;
        dynamics::transmission_velocities(m, &plan.actuators, &d.state, &r.transmissions, &mut d.ws.smooth, &mut r.velocities);
    }

    /// Computes velocities of bodies and rates of change of the motions of dofs (`mj_comVel`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    com_vel = |m, d| { dynamics::com_vel(m, &d.state, &d.smooth.poses, &mut d.smooth.velocities) }

    /// Computes momenta of subtrees (`mj_subtreeVel`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    subtree_vel = |m, d| { dynamics::subtree_vel(m, &d.smooth.poses, &mut d.smooth.velocities) }

    /// Computes passive forces (`mj_passive`).
    ///
    /// Example: [parts of stages](crate::stages#parts).
    passive = |m, d| { forward::passive(m, d) }

    /// Computes Coriolis, centrifugal and gravitational forces into `qfrc_bias`.
    ///
    /// Example: [parts of stages](crate::stages#parts).
    bias = |m, d| { forward::bias(m, d) }

    /// Compares forward with inverse dynamics, into `solver_fwdinv` (`mj_compareFwdInv`).
    ///
    /// Example: [stages](crate::stages#example).
    compare_fwd_inv = |m, d| { inverse::compare(m, d) }

    /// Resets the state if a position is bad, and counts a warning (`mj_checkPos`).
    ///
    /// Example: [stages](crate::stages#example).
    check_pos = |m, d| { finite::vector(m, d, |d| &d.state.qpos, Warning::BadQpos) }

    /// Resets the state if a velocity is bad, and counts a warning (`mj_checkVel`).
    ///
    /// Example: [stages](crate::stages#example).
    check_vel = |m, d| { finite::vector(m, d, |d| &d.state.qvel, Warning::BadQvel) }

    /// Resets the state if an acceleration is bad, and counts a warning; computes forward dynamics then (`mj_checkAcc`).
    ///
    /// Example: [stages](crate::stages#example).
    check_acc = |m, d| {
        if finite::acceleration(m, d) && !m.opt.disabled(mj_model::disable::AUTORESET) {
            forward::evaluate(m, d, forward::Known::Nothing, true);
        }
    }
}

/// Computes the force of motion, Coriolis, centrifugal and gravitational forces included, into `result` (nv): with the
/// acceleration `d.qacc`, or without acceleration (`mj_rne`).
///
/// Example: [parts of stages](crate::stages#parts).
///
/// # Errors
/// If data and model don't fit together, or the result has another length.
pub fn rne(m: &Model, d: &mut Data, with_acceleration: bool, result: &mut [f64]) -> Result<(), StepError> {
    check_data(m, d)?;
    if result.len() != m.nv() {
        return Err(StepError::Length { vector: "result", expected: m.nv(), got: result.len() });
    }
    let qacc = with_acceleration.then_some(&d.qacc[..]);
    dynamics::rne(m, &d.state, &d.smooth.poses, &d.smooth.velocities, qacc, &mut d.ws.smooth, result);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::{fwd_constraint, fwd_position, fwd_velocity, inv_constraint};
    use crate::{Data, contact_force, load_str, rne_post_constraint, step1, step2};
    use proptest::prelude::*;

    const XML: &str = r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/>
        <body name="a" pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body name="b" pos="1 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
        <equality><weld body1="a" body2="b"/></equality></mujoco>"#;

    type Call = fn(&Model, &mut Data) -> Result<(), StepError>;

    /// Stages, and parts of stages.
    const ALL: [Call; 15] = [
        kinematics,
        com_pos,
        make_m,
        factor_m,
        collision,
        make_constraint,
        reference_constraint,
        fwd_position,
        fwd_velocity,
        fwd_constraint,
        inv_constraint,
        crate::step,
        step1,
        step2,
        |m, d| rne_post_constraint(m, d).map_err(|_| StepError::Signature),
    ];

    proptest! {
        #[test]
        fn stages_in_any_order_leave_rows_and_forces_that_fit(calls in prop::collection::vec((0..ALL.len(), 0.0..0.4), 1..30)) {
            let m = load_str(XML).unwrap();
            let mut d = Data::new(&m).unwrap();
            for (call, height) in calls {
                d.state.qpos[2] = height;
                ALL[call](&m, &mut d).unwrap();
                prop_assert_eq!(d.solution.efc_force.len(), d.rows.nefc());
                prop_assert_eq!(d.rows.aref.len(), d.rows.nefc());
                for i in 0..d.contacts.len() {
                    contact_force(&m, &d, i).unwrap();
                }
            }
        }
    }
}
