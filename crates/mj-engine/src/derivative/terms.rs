//! The columns of ∂r and ∂g, block by block: in closed form, or by differences.

use super::arms;
use super::differences::{Block, by_differences};
use super::discrete::has_one_acceleration;
use super::{Columns, Nominal, Parts};
use crate::checks::coverage::{Differences, has_length, matrix_by_input};
use crate::data::Data;
use crate::pipeline::discrete;
use crate::pipeline::problem::constraint_problem;
use mj_collide::{
    CcdWorkspace, Contact, ContactMotion, PreContacts, Query, Touching, ccd_options, detection_margin, sdf_options,
};
use mj_constraint::derivative::{At, StepDiagonals};
use mj_dynamics::{
    BiasCurvature, BiasOf, FluidDerivative, FluidPart, Motion, actuator_slopes, input_slopes, is_joint_saturated,
    joint_spring_derivative, tendon_slopes,
};
use mj_math::block::Run;
use mj_math::{DVec3, Spatial, TreePattern};
use mj_model::*;

/// Finds what columns by state and by parameters need, both: residuals of the rows, and dofs whose actuator force is held.
pub(super) fn prepare(m: &Model, d: &Data, n: &Nominal, p: &mut Parts) {
    p.constraint.find_residuals(m, at(d, n, None));
    find_held(m, d, n, &mut p.held);
}

/// Fills all columns, and M + JᵀHJ, after [`prepare`]. Differences come last, since they overwrite results.
pub(super) fn fill(m: &Model, d: &mut Data, n: &Nominal, p: &mut Parts, out: &mut Columns, why: &mut Differences) {
    let nv = m.nv();
    let over_step = m.opt.integrator == IntegratorType::Discrete;
    if over_step {
        let outcome = p.step.add(m, d, n, &mut p.arms, &mut out.force);
        if let Some(fluid) = &mut p.fluid {
            p.step.add_drag(m, d, fluid);
        }
        why.position = why.position.or(outcome.err());
    }
    let actuated = n.equation.has_actuators();
    let lifts = |j: JointId| m.jnt.actgravcomp[j] && (!actuated || p.held[m.jnt.dofadr[j].index()]);
    if m.jnt.ids().any(lifts) {
        why.position = why.position.or(Some("gravity compensation through actuators that are off or at their limit"));
    }
    p.constraint.by_motion(m, at(d, n, p.step.diagonals(m)));
    if !n.equation.is_step() {
        p.constraint.by_acceleration(m, at(d, n, None), &mut p.by_acceleration);
        add_inertia(m, d, &mut p.by_acceleration);
    } else if nv > 0 && over_step {
        p.hessian.factor(&discrete::problem(m, d), &n.qacc, &p.step.states);
    } else if nv > 0 {
        p.hessian.factor(
            &constraint_problem(m, &d.state, &d.plan.tree, &d.smooth, &d.rows),
            &n.qacc,
            &d.solution.efc_state,
        );
    }

    if why.position.is_none() {
        why.position = constraints_by_position(m, d, n, p, why).err();
    }
    let (position, rest) = out.force.split_at_mut(nv * nv);
    if why.position.is_none() {
        let step = &mut out.step[..nv * nv];
        bodies_by_position(m, d, n, p, position, step);
        why.position = arms::add(m, d, n, &mut p.arms, &p.held, position, step).err();
    }
    let (velocity, inputs) = rest.split_at_mut(nv * nv);
    let is_step = n.equation.is_step();
    if why.velocity.is_none() {
        by_velocity(m, d, p, velocity);
    }
    if is_step && (why.position.is_none() || why.velocity.is_none()) {
        // Blocks that are found by differences are written anew.
        arms::add_curvature(m, d, n, &mut p.arms, &mut out.step[..2 * nv * nv]);
    }
    if is_step {
        turning(m, d, n, p, [&mut *position, &mut *velocity], &mut out.step);
    }
    if let Some(fluid) = &mut p.fluid {
        through_fluid(m, d, n, fluid, [&mut *position, &mut *velocity], &mut out.step);
    }
    if let Some(diagonals) = p.step.diagonals(m) {
        let (change, at) = (p.step.added_by_rest(), at(d, n, Some(diagonals)));
        p.constraint.add_by_diagonal(m, at, diagonals, &change[..nv * nv], velocity);
        p.constraint.add_by_diagonal(m, at, diagonals, &change[nv * nv..], inputs);
    }
    let closed = [why.position.is_none().then_some(position), why.velocity.is_none().then_some(velocity)];
    transmissions(m, d, &p.held, actuated, closed);
    if is_step && why.activation.is_none() && why.control.is_none() {
        let (step, act) = (&mut out.step[2 * nv * nv..], &mut out.act[2 * nv * m.na..]);
        let unsaid = by_input(m, d, n, &p.held, inputs, step, act);
        (why.activation, why.control) = (unsaid, unsaid);
    }

    let blocks = [
        (why.control.filter(|_| is_step), Block::Control),
        (why.activation.filter(|_| is_step), Block::Activation),
        (why.velocity, Block::Velocity),
        (why.position, Block::Position),
    ];
    if blocks.iter().all(|(reason, _)| reason.is_none()) {
        return;
    }
    with_matrices_kept(d, p, |d| {
        for (_, block) in blocks.into_iter().filter(|(reason, _)| reason.is_some()) {
            by_differences(m, d, n, block, out);
        }
    });
}

/// Runs differences, which overwrite results, and puts back the matrices, which are needed as they are at the step's
/// beginning.
pub(super) fn with_matrices_kept(d: &mut Data, p: &mut Parts, differences: impl FnOnce(&mut Data)) {
    p.matrices.0.clone_from(&d.smooth.inertia.M);
    p.matrices.3.clone_from(d.ws.discrete.inertia());
    (p.matrices.1, p.matrices.2) = (d.ws.euler.clone(), d.ws.implicit.clone());
    differences(d);
    d.smooth.inertia.M.clone_from(&p.matrices.0);
    std::mem::swap(&mut d.ws.euler, &mut p.matrices.1);
    std::mem::swap(&mut d.ws.implicit, &mut p.matrices.2);
    d.ws.discrete.restore(&mut p.matrices.3);
}

/// Rows and forces at the step's beginning.
pub(super) fn at<'a>(d: &'a Data, n: &'a Nominal, step: Option<StepDiagonals<'a>>) -> At<'a> {
    At {
        chains: &d.plan.dynamics.chains,
        poses: &d.smooth.poses,
        contacts: &d.contacts,
        rows: &d.rows,
        force: &d.solution.efc_force,
        state: &d.solution.efc_state,
        state_vector: &n.state,
        trans: &d.smooth.transmissions,
        qacc: &n.qacc,
        qvel: &n.state.qvel,
        step,
    }
}

/// Constraint forces by position, and the contacts' wrenches.
fn constraints_by_position(
    m: &Model,
    d: &mut Data,
    n: &Nominal,
    p: &mut Parts,
    why: &mut Differences,
) -> Result<(), &'static str> {
    // Contacts that no closed form knows are found again, with what the pair's function may need.
    let mut ccd = CcdWorkspace::default();
    let mut found = PreContacts::new();
    let (ws, poses) = (&d.ws.collide, &d.smooth.poses);
    let mut numeric = 0;
    let motion = |c: &Contact| {
        // Models with flexes don't come here.
        let geoms = c.geoms()?;
        let [a, b] = geoms.map(|g| ws.place(m, &poses.geom_xpos, &poses.geom_xmat, g));
        let touching = Touching { shapes: [&a, &b], dist: c.dist, pos: c.pos, frame: c.frame };
        ContactMotion::closed_form(&touching).or_else(|| {
            numeric += 1;
            // A contact at its margin goes; but a greater margin may find others.
            let margin = detection_margin(m, geoms);
            [margin, margin.max(c.dist + 1e-5)].into_iter().find_map(|margin| {
                let query = Query { margin, ccd: ccd_options(m), sdf: sdf_options(m) };
                ContactMotion::by_differences(&touching, &ws.colliders, &query, &mut ccd, &mut found)
            })
        })
    };
    let outcome = p.constraint.by_position(m, at(d, n, p.step.diagonals(m)), motion);
    why.contacts = numeric;
    outcome
}

/// Inverse dynamics and springs by position, with the contacts' wrenches as forces from outside.
fn bodies_by_position(m: &Model, d: &Data, n: &Nominal, p: &mut Parts, force: &mut [f64], step: &mut [f64]) {
    let (nv, s) = (m.nv(), &n.state);
    force.iter_mut().zip(&p.constraint.by_position).for_each(|(x, y)| *x += y);
    applied_forces(m, d, &mut p.constraint.wrenches, force);
    let outside = p.constraint.wrenches.as_slice();
    p.position.compute(
        m,
        s,
        &d.smooth.poses,
        &d.smooth.inertia,
        Motion::Moving(&d.smooth.velocities),
        &n.qacc,
        outside,
    );
    scatter(&p.position.pattern, &p.position.lower, &p.position.upper, 1.0, force);
    if !m.opt.disabled(disable::SPRING) {
        for j in m.jnt.ids().filter(|&j| m.jnt.stiffness[j] != 0.0 || m.jnt.stiffnesspoly[j] != [0.0; 2]) {
            joint_spring_derivative(m, s, j, |moved, dof, x| force[moved * nv + dof] += x);
        }
    }
    if has_one_acceleration(m) || !n.equation.is_step() {
        return;
    }
    // g = M a − M̂ a', of which M alone changes.
    p.change.clear();
    p.change.extend(n.qacc.iter().zip(&n.over_step).map(|(a, b)| a - b));
    p.position.compute(m, s, &d.smooth.poses, &d.smooth.inertia, Motion::FromRest, &p.change, &p.wrenchless);
    scatter(&p.position.pattern, &p.position.lower, &p.position.upper, 1.0, step);
}

/// Adds the forces applied to bodies, gravity compensation among them, to the wrenches, and to ∂r what their
/// points of application do: they move with the bodies, and the forces keep their direction.
fn applied_forces(m: &Model, d: &Data, wrenches: &mut IdVec<BodyId, Spatial>, out: &mut [f64]) {
    let passive = !(m.opt.disabled(disable::SPRING) && m.opt.disabled(disable::DAMPER));
    let lifted = passive && !m.opt.disabled(disable::GRAVITY);
    let cdof = d.smooth.poses.cdof.as_slice();
    for b in m.body.ids().skip(1) {
        let applied = d.state.xfrc_applied[b];
        let lift = if lifted { m.opt.gravity * -(m.body.mass[b] * m.body.gravcomp[b]) } else { DVec3::ZERO };
        let force = DVec3::from_slice(&applied[..3]) + lift;
        let torque = DVec3::from_slice(&applied[3..]);
        if force == DVec3::ZERO && torque == DVec3::ZERO {
            continue;
        }
        let arm = d.smooth.poses.xipos[b] - d.smooth.poses.subtree_com[m.body.rootid[b]];
        wrenches[b] += Spatial::new(torque, force).force_at(-arm);
        let dofs = || d.plan.dynamics.chains.of(b).iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize);
        for k in dofs() {
            let turn = cdof[k].motion_at(arm).lin.cross(force);
            for j in dofs() {
                out[k * m.nv() + j] -= cdof[j].rot.dot(turn);
            }
        }
    }
}

/// Bias force, dampers and constraint forces by velocity.
fn by_velocity(m: &Model, d: &Data, p: &mut Parts, out: &mut [f64]) {
    out.iter_mut().zip(&p.constraint.by_velocity).for_each(|(x, y)| *x += y);
    p.velocity.compute_without_transmissions(m, &d.plan.dynamics.chains, &d.state, &d.smooth);
    scatter(&p.velocity.pattern, &p.velocity.lower, &p.velocity.upper, -1.0, out);
}

/// Adds what the integrator's matrix holds of the bias force, along the acceleration that it is multiplied with: to r with
/// `discrete`, to g with the others. `force` has the columns of positions and of velocities, `step` all.
fn turning(m: &Model, d: &Data, n: &Nominal, p: &mut Parts, force: [&mut [f64]; 2], step: &mut [f64]) {
    let (nv, h) = (m.nv(), m.opt.timestep);
    let (by_position, rest) = step.split_at_mut(nv * nv);
    let into_step = [by_position, &mut rest[..nv * nv]];
    let alone = |first: &DofId| first.index()..first.index() + 6;
    let free = || p.velocity.free.iter().map(alone).collect();
    let (bodies, dofs, sign, out): (_, Vec<_>, _, _) = match m.opt.integrator {
        IntegratorType::Implicit => (BiasOf::All, std::iter::once(0..nv).collect(), -h, into_step),
        IntegratorType::ImplicitFast => (BiasOf::FreeBodies, free(), -h, into_step),
        IntegratorType::Discrete => {
            (BiasOf::FreeBodies, d.ws.discrete.inertia().turning().iter().map(alone).collect(), h, force)
        }
        _ => return,
    };
    if dofs.is_empty() {
        return;
    }
    let [by_position, by_velocity] = out;
    let curvature = p.curvature.get_or_insert_with(|| BiasCurvature::new(m));
    curvature.compute(m, &n.state, &d.smooth, &n.over_step, bodies);
    for dofs in dofs {
        curvature.for_each(dofs, |moved, dof, [by_q, by_v]| {
            by_position[moved * nv + dof] += sign * by_q;
            by_velocity[moved * nv + dof] += sign * by_v;
        });
    }
}

/// Adds the fluid's forces by position, and what the integrator's matrix holds of their slope, along the acceleration that it
/// is multiplied with, as in [`turning`].
fn through_fluid(
    m: &Model,
    d: &Data,
    n: &Nominal,
    fluid: &mut FluidDerivative,
    [by_position, by_velocity]: [&mut [f64]; 2],
    step: &mut [f64],
) {
    let (nv, h, r, chains) = (m.nv(), m.opt.timestep, &d.smooth, &d.plan.dynamics.chains);
    fluid.by_position(m, chains, &n.state, r, |moved, dof, x| by_position[moved * nv + dof] -= x);
    if !n.equation.is_step() {
        return;
    }
    let (step_by_position, rest) = step.split_at_mut(nv * nv);
    let into_step = [step_by_position, &mut rest[..nv * nv]];
    let (part, sign, [by_position, by_velocity]) = match m.opt.integrator {
        IntegratorType::Implicit => (FluidPart::All, h, into_step),
        IntegratorType::ImplicitFast => (FluidPart::Symmetric, h, into_step),
        IntegratorType::Discrete => (FluidPart::Drag, -h, [by_position, by_velocity]),
        _ => return,
    };
    fluid.of_slope(m, chains, &n.state, r, &n.over_step, part, |moved, dof, [by_q, by_v]| {
        by_position[moved * nv + dof] += sign * by_q;
        by_velocity[moved * nv + dof] += sign * by_v;
    });
}

/// Adds the inertia, whole.
fn add_inertia(m: &Model, d: &Data, out: &mut [f64]) {
    let nv = m.nv();
    for i in 0..nv {
        let row = m.m_pattern.row(i);
        for (&j, x) in m.m_pattern.colind[row.clone()].iter().zip(&d.smooth.inertia.M[row]) {
            out[i * nv + j as usize] += x;
            if j as usize != i {
                out[j as usize * nv + i] += x;
            }
        }
    }
}

/// Adds a matrix in a tree's pattern to one that has a row for each dof that moves.
fn scatter(pattern: &TreePattern, lower: &[f64], upper: &[f64], scale: f64, out: &mut [f64]) {
    let nv = pattern.n();
    for i in 0..nv {
        let row = pattern.row(i);
        let columns = &pattern.colind[row.clone()];
        for (&j, x) in columns.iter().zip(&lower[row.clone()]) {
            out[j as usize * nv + i] += scale * x;
        }
        let own = &mut out[i * nv..(i + 1) * nv];
        for (&j, x) in columns[..columns.len() - 1].iter().zip(&upper[row]) {
            own[j as usize] += scale * x;
        }
    }
}

/// Marks the dofs whose actuator force is at the limit of their joint, so that nothing changes it.
pub(super) fn find_held(m: &Model, d: &Data, n: &Nominal, held: &mut Vec<bool>) {
    held.clear();
    held.resize(m.nv(), false);
    if !n.equation.has_actuators() {
        return;
    }
    for j in m.jnt.ids().filter(|&j| is_joint_saturated(m, &d.smooth.actuation.qfrc_actuator, j)) {
        held[m.jnt.dofadr[j].index()] = true;
    }
}

/// Forces along tendons and, where they count, actuators by position and by velocity, where those are in closed form.
fn transmissions(m: &Model, d: &Data, held: &[bool], actuated: bool, mut out: [Option<&mut [f64]>; 2]) {
    let r = &d.smooth;
    let mut add = |slopes: [f64; 2], row: (&[Run], &[f64]), held: &[bool]| {
        for (slope, out) in slopes.into_iter().zip(&mut out) {
            if let Some(out) = out.as_deref_mut().filter(|_| slope != 0.0) {
                add_outer(row, slope, m.nv(), held, out);
            }
        }
    };
    for t in m.tendon.ids() {
        add(tendon_slopes(m, &d.state, &r.transmissions, &r.velocities, t), r.transmissions.ten_J.row(t.index()), &[]);
    }
    for a in m.actuator.ids().filter(|_| actuated) {
        let [by_length, by_velocity] = actuator_slopes(m, &d.state, r, a).map(|x| -x);
        let slopes = [if has_length(m, a) { by_length } else { 0.0 }, by_velocity];
        let first = m.actuator.outadr[a] as usize;
        for o in first..first + m.actuator.outnum[a] as usize {
            add(slopes, r.transmissions.actuator_moment.row(o), held);
        }
    }
}

/// Adds scale·jᵀj, but not to the columns of dofs that are held.
fn add_outer((runs, vals): (&[Run], &[f64]), scale: f64, nv: usize, held: &[bool], out: &mut [f64]) {
    let entries = || runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize).zip(vals);
    for (i, x) in entries() {
        for (j, y) in entries().filter(|(j, _)| !held.get(*j).is_some_and(|&is| is)) {
            out[i * nv + j] += scale * x * y;
        }
    }
}

/// Actuator forces and activations by activation and by control. Returns why not, where it can't.
fn by_input(
    m: &Model,
    d: &Data,
    n: &Nominal,
    held: &[bool],
    force: &mut [f64],
    step: &mut [f64],
    act: &mut [f64],
) -> Option<&'static str> {
    let (nv, na) = (m.nv(), m.na);
    let r = &d.smooth;
    for a in m.actuator.ids() {
        let Some(slopes) = input_slopes(m, &d.state, r, a) else { return Some("activations of muscles") };
        let control = na + m.actuator.ctrladr[a] as usize;
        let state = usize::try_from(m.actuator.actadr[a]).ok().filter(|_| m.actuator.actnum[a] > 0);
        let input = state.unwrap_or(control);
        let (runs, vals) = r.transmissions.actuator_moment.row(m.actuator.outadr[a] as usize);
        let dofs = runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize);
        for (dof, x) in dofs.zip(vals).filter(|(dof, _)| !held[*dof]) {
            force[input * nv + dof] -= slopes.force * x;
        }
        // The slope by velocity is in the integrator's matrix.
        if matrix_by_input(m, a) {
            let scale = m.opt.timestep * slopes.slope;
            arms::add_damped(m, n, (runs, vals), scale, &mut step[input * nv..(input + 1) * nv]);
        }
        if let Some(i) = state {
            (act[i * na + i], act[control * na + i]) = slopes.activation.into();
        }
    }
    None
}
