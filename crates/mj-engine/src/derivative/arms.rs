//! Terms of ∂r and ∂g by position that come from changing moment arms of tendons and actuators.
//!
//! A force f along a row J of moment arms, with slope s by the velocity Jv, changes with dof j by f ∂_j J + s (∂_j J v) J;
//! and the matrix of `implicitfast` and `implicit`, M̂ = M − h s JᵀJ, by −h (∂_j s JᵀJ + s ∂_j Jᵀ J + s Jᵀ ∂_j J).

use super::Nominal;
use crate::data::Data;
use mj_dynamics::{
    ArmDerivative, actuator_curvature, actuator_slopes, is_free_without_children, tendon_passive_force, tendon_slopes,
};
use mj_math::block::Run;
use mj_model::*;

/// Whether the moment arms of an actuator depend on position (those on tendons count with the tendon).
fn changes(m: &Model, a: ActuatorId) -> bool {
    let round = |a: ActuatorId| {
        let j = JointId::new(m.actuator.trnid[a][0] as usize);
        matches!(m.jnt.r#type[j], JointType::Ball | JointType::Free)
    };
    match m.actuator.trntype[a] {
        TrnType::Site | TrnType::SliderCrank => true,
        TrnType::JointInParent => round(a),
        _ => false,
    }
}

/// Adds all of it, but for what actuators do to dofs whose actuator force is `held` at a limit. Fails with a word where a
/// path has a corner.
pub(super) fn add(
    m: &Model,
    d: &Data,
    n: &Nominal,
    arms: &mut ArmDerivative,
    held: &[bool],
    force: &mut [f64],
    step: &mut [f64],
) -> Result<(), &'static str> {
    let r = &d.smooth;
    let actuated = n.equation.has_actuators();
    let of = |a: ActuatorId| {
        let o = OutputId::new(m.actuator.outadr[a] as usize);
        (o, d.smooth.actuation.actuator_force[o], actuator_slopes(m, &d.state, r, a)[1])
    };
    for t in m.tendon.ids().filter(|&t| m.tendon.r#type[t] == TendonType::Spatial) {
        let slope = -tendon_slopes(m, &d.state, &r.transmissions, &r.velocities, t)[1];
        let passive = [tendon_passive_force(m, &d.state, &r.transmissions, &r.velocities, t), slope];
        let mut all = passive;
        let on_this =
            |a: &ActuatorId| m.actuator.trntype[*a] == TrnType::Tendon && m.actuator.trnid[*a][0] == t.index() as i32;
        for a in m.actuator.ids().filter(|a| actuated && on_this(a)) {
            let (o, f, s) = of(a);
            let gear = m.output.gear[o][0];
            all[0] += gear * f;
            all[1] += gear * gear * s;
        }
        if [passive, all] == [[0.0; 2]; 2] {
            continue;
        }
        if !arms.of_tendon(m, &d.plan.dynamics.chains, &r.poses, &r.transmissions, t) {
            return Err("a tendon's path with a corner");
        }
        add_row(m, n, arms, r.transmissions.ten_J.row(t.index()), |dof| if held[dof] { passive } else { all }, force);
        add_to_matrix(m, n, arms, r.transmissions.ten_J.row(t.index()), all[1], step);
    }
    for a in m.actuator.ids().filter(|&a| actuated && changes(m, a)) {
        let (o, pull, slope) = of(a);
        let all = [pull, slope];
        if all == [0.0; 2] {
            continue;
        }
        if !arms.of_actuator(m, &d.plan.dynamics.chains, &r.poses, &r.transmissions, a) {
            return Err("moment arms that have no derivative");
        }
        let row = r.transmissions.actuator_moment.row(o.index());
        add_row(m, n, arms, row, |dof| if held[dof] { [0.0; 2] } else { all }, force);
        add_to_matrix(m, n, arms, row, slope, step);
    }
    Ok(())
}

/// Adds a row with a force along it and the force's slope by the row's velocity, as each dof feels them.
fn add_row(
    m: &Model,
    n: &Nominal,
    arms: &ArmDerivative,
    (runs, row): (&[Run], &[f64]),
    felt: impl Fn(usize) -> [f64; 2],
    force: &mut [f64],
) {
    let nv = m.nv();
    for (j, (dof, changes)) in dofs(runs).zip(arms.values.chunks_exact(row.len().max(1))).enumerate() {
        let speed = arms.change_along(j, runs, &n.state.qvel);
        let out = &mut force[dof * nv..(dof + 1) * nv];
        for ((k, change), arm) in dofs(runs).zip(changes).zip(row) {
            let [pull, slope] = felt(k);
            out[k] -= pull * change + slope * speed * arm;
        }
    }
}

/// Adds what the integrator's matrix holds of a slope by a row's velocity.
fn add_to_matrix(
    m: &Model,
    n: &Nominal,
    arms: &ArmDerivative,
    (runs, row): (&[Run], &[f64]),
    slope: f64,
    step: &mut [f64],
) {
    if !n.equation.is_step() || !in_matrix(m) || slope == 0.0 {
        return;
    }
    let (nv, dofs) = (m.nv(), || dofs(runs));
    for (dof, changes) in dofs().zip(arms.values.chunks_exact(row.len().max(1))) {
        let out = &mut step[dof * nv..(dof + 1) * nv];
        for ((i, change_i), arm_i) in dofs().zip(changes).zip(row) {
            for ((k, change_k), arm_k) in dofs().zip(changes).zip(row).filter(|((k, _), _)| coupled(m, i, *k)) {
                out[i] += m.opt.timestep * slope * (change_i * arm_k + arm_i * change_k) * n.over_step[k];
            }
        }
    }
}

/// Adds the part of the slopes of actuators in ∂g, where they change and the integrator's matrix holds them: a muscle's with its length
/// and velocity. `step` has the columns of positions and of velocities.
pub(super) fn add_curvature(m: &Model, d: &Data, n: &Nominal, arms: &mut ArmDerivative, step: &mut [f64]) {
    if !in_matrix(m) {
        return;
    }
    let (nv, h) = (m.nv(), m.opt.timestep);
    let r = &d.smooth;
    let (by_position, by_velocity) = step.split_at_mut(nv * nv);
    for a in m.actuator.ids() {
        let [by_length, by_speed] = actuator_curvature(m, &d.state, r, a);
        if by_length == 0.0 && by_speed == 0.0
            || !arms.of_actuator(m, &d.plan.dynamics.chains, &r.poses, &r.transmissions, a)
        {
            continue;
        }
        let (runs, row) = r.transmissions.actuator_moment.row(m.actuator.outadr[a] as usize);
        for (j, (dof, arm)) in dofs(runs).zip(row).enumerate() {
            let slope_by_position = by_length * arm + by_speed * arms.change_along(j, runs, &n.state.qvel);
            add_damped(m, n, (runs, row), h * slope_by_position, &mut by_position[dof * nv..(dof + 1) * nv]);
            add_damped(m, n, (runs, row), h * by_speed * arm, &mut by_velocity[dof * nv..(dof + 1) * nv]);
        }
    }
}

/// Adds scale·JᵀJ a', as far as the integrator's matrix has it, for one row J.
pub(super) fn add_damped(m: &Model, n: &Nominal, (runs, row): (&[Run], &[f64]), scale: f64, out: &mut [f64]) {
    if scale == 0.0 {
        return;
    }
    for (i, x) in dofs(runs).zip(row) {
        for (k, y) in dofs(runs).zip(row).filter(|(k, _)| coupled(m, i, *k)) {
            out[i] += scale * x * y * n.over_step[k];
        }
    }
}

fn dofs(runs: &[Run]) -> impl Iterator<Item = usize> + '_ {
    runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize)
}

/// Whether the integrator's matrix holds slopes by velocity.
fn in_matrix(m: &Model) -> bool {
    matches!(m.opt.integrator, IntegratorType::Implicit | IntegratorType::ImplicitFast)
}

/// Whether the integrator's matrix has an entry for two dofs: that of `implicitfast` has the pattern of M and blocks of free
/// bodies, that of `implicit` couples each dof with all its ancestors.
fn coupled(m: &Model, i: usize, k: usize) -> bool {
    let (above, below) = (i.min(k), i.max(k));
    if m.opt.integrator == IntegratorType::ImplicitFast {
        let joint = m.dof.jntid[DofId::new(i)];
        if joint == m.dof.jntid[DofId::new(k)] && is_free_without_children(m, joint) {
            return true;
        }
        return m.m_pattern.colind[m.m_pattern.row(below)].contains(&(above as u32));
    }
    let mut d = Some(DofId::new(below));
    while let Some(at) = d.filter(|d| d.index() > above) {
        d = m.dof.parentid[at];
    }
    d.is_some_and(|d| d.index() == above)
}
