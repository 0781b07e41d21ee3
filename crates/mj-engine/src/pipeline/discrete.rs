//! The integrator `discrete`: constraints solved in the effective inertia of the time step.

use crate::data::Data;
use crate::data::workspace::Discrete;
use crate::pipeline::problem::settings;
use mj_constraint::{AugmentedContacts, Rows, StepInertia, discretize_rows};
use mj_deformable::StiffnessOutput;
use mj_integrate::EffectiveInertia;
use mj_math::BlockRows;
use mj_model::{Awake, Model, SolverType, State, Warning, enable};
use mj_problem::{ConstraintSolver, ConstraintState, Problem, RowView, Solution};
use mj_solver::QuadraticCg;

/// Assembles the constraint problem of the step; couplings, if there are any, are its first rows.
fn problem_in<'a>(w: &'a Discrete, m: &'a Model, s: &'a State, tree: &'a [u32], rows: &'a Rows) -> Problem<'a> {
    let rows = if w.inertia.weight.is_empty() { rows.view() } else { w.rows.view() };
    assemble(m, s, tree, &w.inertia, [&w.qfrc, &w.qacc], rows)
}

/// The effective inertia at the present state, and the constraint rows folded into the step.
fn effective_inertia(m: &Model, d: &mut Data) {
    let w = &mut d.ws.discrete;
    let (chains, r) = (&d.plan.dynamics.chains, &d.smooth);
    // The dual solver needs an inertia of M's pattern.
    let couplings = m.opt.solver != SolverType::Pgs;
    let (stiffness, plan, flexes) = (&mut w.stiffness, &d.plan.flexes, &d.flexes);
    let lifted = w.inertia.compute(m, chains, &d.state, r, couplings, |matrix, [blocks, added, shift]| {
        let out = StiffnessOutput { matrix, blocks, added, shift };
        stiffness.compute(m, plan, &d.state, (chains, &r.poses), flexes, out);
    });
    let springs = &d.rows.passive;
    w.inertia.add_springs(m, &d.state, &springs.jac, &springs.stiffness);
    w.inertia.find_turning(m, &d.state, r, &d.rows.jac);
    if m.opt.enabled(enable::DIAGEXACT) {
        w.inertia.factor_with_diagonal(m, &mut w.ld, &mut w.dinv);
    }
    let inertia = StepInertia { m: &d.smooth.inertia.M, added: &w.inertia.added, factor: (&w.ld, &w.dinv) };
    discretize_rows(m, inertia, &d.contacts, &mut d.ws.rows, &mut d.rows);
    if let Some(dof) = lifted {
        d.warn(Warning::Inertia, dof.index());
    }
}

/// Assembles a problem in the effective inertia of a step, without constraints accelerated by `qacc` under `qfrc`.
fn assemble<'a>(
    m: &'a Model,
    s: &'a State,
    tree: &'a [u32],
    inertia: &'a EffectiveInertia,
    [qfrc, qacc]: [&'a [f64]; 2],
    rows: RowView<'a>,
) -> Problem<'a> {
    Problem {
        pattern: &m.m_pattern,
        m: &inertia.M,
        stiffness: inertia.stiffness_of_flexes(),
        ld: &inertia.qLD,
        dinv: &inertia.qLDiagInv,
        tree,
        qfrc_smooth: qfrc,
        qacc_smooth: qacc,
        qacc_warmstart: &s.qacc_warmstart,
        rows,
        settings: settings(&m.opt),
    }
}

/// The constraint problem of the step that was last computed.
pub(crate) fn problem<'a>(m: &'a Model, d: &'a Data) -> Problem<'a> {
    problem_in(&d.ws.discrete, m, &d.state, &d.plan.tree, &d.rows)
}

/// Constraint forces, and the acceleration over the step, into `d.qacc`.
pub(crate) fn solve(m: &Model, d: &mut Data) {
    prepare_problem(m, d);
    let problem = problem_in(&d.ws.discrete, m, &d.state, &d.plan.tree, &d.rows);
    match &mut d.solver {
        Some(solver) => solver.solve(&problem, &mut d.solution),
        None => d.ws.solver.solve(&problem, &mut d.solution),
    }
    take_solution(m, d);
}

/// The acceleration without constraints, into `d.qacc`; the forces of constraints are left as they are.
pub(crate) fn solve_without_constraints(m: &Model, d: &mut Data) {
    prepare_problem(m, d);
    copy_awake(&d.state.awake, &d.smooth.actuation.qacc_smooth, &mut d.qacc);
    d.ws.discrete.inertia.solve_turning(m, &d.smooth.actuation.qfrc_smooth, &mut d.qacc);
}

/// Solves the prepared problem with rows of contacts added, from the acceleration `start`: the acceleration into `d.qacc`, the
/// contacts' force into `force` (nv).
pub(crate) fn solve_with_contacts(
    m: &Model,
    d: &mut Data,
    contacts: &AugmentedContacts,
    start: &[f64],
    force: &mut Vec<f64>,
) {
    let w = &mut d.ws.discrete;
    w.rows.set(&w.inertia.coupling, &w.inertia.weight, Some(&d.rows));
    w.rows.append(&contacts.jac, &contacts.d, &contacts.aref);
    let problem = assemble(m, &d.state, &d.plan.tree, &w.inertia, [&w.qfrc, &w.qacc], w.rows.view());
    let problem = Problem { qacc_warmstart: start, ..problem };
    match &mut d.solver {
        Some(solver) => solver.solve(&problem, &mut d.solution),
        None => d.ws.solver.solve(&problem, &mut d.solution),
    }
    let first = d.solution.efc_force.len() - contacts.d.len();
    force.clear();
    force.resize(m.nv(), 0.0);
    d.ws.work.resize(m.nv(), 0.0);
    contacts.jac.mul_transposed_add(&d.solution.efc_force[first..], force, &mut d.ws.work);
    d.qacc.copy_from_slice(&d.solution.qacc);
    w.inertia.solve_turning(m, &d.smooth.actuation.qfrc_smooth, &mut d.qacc);
}

/// Solves for constraint forces and the acceleration as [`solve`] does, with a solver given as a function.
pub(crate) fn solve_by(m: &Model, d: &mut Data, solve: impl FnOnce(&Problem, &mut Solution)) {
    prepare_problem(m, d);
    solve(&problem_in(&d.ws.discrete, m, &d.state, &d.plan.tree, &d.rows), &mut d.solution);
    take_solution(m, d);
}

/// Prepares the problem of the step, and the acceleration without constraints.
fn prepare_problem(m: &Model, d: &mut Data) {
    effective_inertia(m, d);
    let w = &mut d.ws.discrete;
    w.qfrc.clear();
    w.qfrc.extend(d.smooth.actuation.qfrc_smooth.iter().zip(&w.inertia.shift).map(|(f, c)| f + c));
    w.qacc.clone_from(&w.qfrc);
    if w.inertia.stiffness_of_flexes().is_some() {
        w.rows.set(&BlockRows::default(), &[], None);
        solve_smooth(m, &d.state, &d.plan.tree, w);
        w.qacc.clone_from(&w.smooth);
    } else {
        m.m_pattern.solve(&w.inertia.qLD, &w.inertia.qLDiagInv, &mut w.qacc);
    }
    if w.inertia.weight.is_empty() {
        copy_awake(&d.state.awake, &w.qacc, &mut d.smooth.actuation.qacc_smooth);
    } else {
        w.rows.set(&w.inertia.coupling, &w.inertia.weight, None);
        solve_smooth(m, &d.state, &d.plan.tree, w);
        copy_awake(&d.state.awake, &w.smooth, &mut d.smooth.actuation.qacc_smooth);
        w.rows.set(&w.inertia.coupling, &w.inertia.weight, Some(&d.rows));
    }
}

/// Solves M̂ a = qfrc, with the couplings that are rows now: all rows are quadratic, so that the cost's Hessian is M̂.
fn solve_smooth(m: &Model, s: &State, tree: &[u32], w: &mut Discrete) {
    let problem = assemble(m, s, tree, &w.inertia, [&w.qfrc, &w.qfrc], w.rows.view());
    if QuadraticCg::suits(&problem, m.opt.solver != SolverType::Cg) {
        w.smooth.clone_from(&s.qacc_warmstart);
        if !problem.settings.warmstart {
            w.smooth.fill(0.0);
        }
        if w.iterative.solve(&problem, &mut w.smooth) {
            return;
        }
    }
    w.states.clear();
    w.states.resize(problem.nefc(), ConstraintState::Quadratic);
    w.hessian.factor(&problem, &w.qfrc, &w.states);
    w.smooth.clone_from(&w.qfrc);
    w.hessian.solve(&mut w.smooth);
}

/// Leaves the constraints' forces in the solution, and the acceleration in `d.qacc`.
fn take_solution(m: &Model, d: &mut Data) {
    let w = &d.ws.discrete;
    if !w.inertia.weight.is_empty() {
        drop_couplings(w.rows.couplings(), &d.rows.jac, &mut d.solution, &mut d.ws.work);
    }
    copy_awake(&d.state.awake, &d.solution.qacc, &mut d.qacc);
    w.inertia.solve_turning(m, &d.smooth.actuation.qfrc_smooth, &mut d.qacc);
}

/// Copies the entries of dofs that are awake: those of sleeping trees stay as they fell asleep.
fn copy_awake(awake: &Awake, from: &[f64], to: &mut [f64]) {
    for dofs in &awake.dofs {
        to[dofs.clone()].copy_from_slice(&from[dofs.clone()]);
    }
}

/// Leaves the forces of the constraint rows alone in a solution of rows with couplings before them.
fn drop_couplings(n: usize, jac: &BlockRows, solution: &mut Solution, work: &mut Vec<f64>) {
    solution.efc_force.drain(..n);
    solution.efc_state.drain(..n);
    solution.qfrc_constraint.fill(0.0);
    work.resize(jac.ncols(), 0.0);
    jac.mul_transposed_add(&solution.efc_force, &mut solution.qfrc_constraint, work);
}

/// Prepares inverse dynamics at the present state: what [`force`] needs.
pub(crate) fn prepare_inverse(m: &Model, d: &mut Data) {
    effective_inertia(m, d);
}

/// M̂ a − shift: the smooth and constraint force that gives the acceleration `d.qacc` over the step,
/// into `d.qfrc_inverse`.
pub(crate) fn force(m: &Model, d: &mut Data) {
    let inertia = &d.ws.discrete.inertia;
    inertia.mul(m, &d.qacc, &mut d.qfrc_inverse);
    for (f, c) in d.qfrc_inverse.iter_mut().zip(&inertia.shift) {
        *f -= c;
    }
}
