//! The constraint problem of a state.

use mj_constraint::Rows;
use mj_dynamics::Smooth;
use mj_model::*;
use mj_problem::{Problem, Settings};

/// Assembles the constraint problem from the results of the stages before. `tree` is the kinematic tree of each dof.
pub(crate) fn constraint_problem<'a>(
    m: &'a Model,
    s: &'a State,
    tree: &'a [u32],
    smooth: &'a Smooth,
    rows: &'a Rows,
) -> Problem<'a> {
    let Smooth { inertia, actuation, .. } = smooth;
    Problem {
        pattern: &m.m_pattern,
        m: &inertia.M,
        stiffness: None,
        ld: &inertia.qLD,
        dinv: &inertia.qLDiagInv,
        tree,
        qfrc_smooth: &actuation.qfrc_smooth,
        qacc_smooth: &actuation.qacc_smooth,
        qacc_warmstart: &s.qacc_warmstart,
        rows: rows.view(),
        settings: settings(&m.opt),
    }
}

/// Returns what a model's options ask of a solver.
pub(crate) fn settings(o: &Options) -> Settings {
    let count = |n: i32| u32::try_from(n).unwrap_or(0);
    Settings {
        iterations: count(o.iterations),
        tolerance: o.tolerance,
        ls_iterations: count(o.ls_iterations),
        ls_tolerance: o.ls_tolerance,
        warmstart: !o.disabled(disable::WARMSTART),
        islands: !o.disabled(disable::ISLAND),
    }
}
