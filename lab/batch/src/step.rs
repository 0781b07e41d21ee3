//! A whole step: smooth stages and solver in lanes, contacts and rows world by world on the engine's functions.
//!
//! Rows are counted first. Where a world has more than there is memory for, nothing of the step is committed: memory grows, and
//! the step is made again. So no row is ever dropped.

use crate::lane::{Kernel, Lane, NoInstructions, Width, dispatch};
use crate::plan::Plan;
use crate::smooth::{Batch, Scratch, State, put, take};
use crate::solver::{MAX_DOFS, Newton, Pattern, Settings, Unsuited};
use mj_engine::{Data, DataError, Model, StepError};
use mj_math::{DMat3, DQuat, DVec3, Spatial, quat};
use mj_model::{BodyId, SameFrame};
use mj_problem::{ConstraintSolver, Solution};
use std::time::Instant;

/// Worlds of one model.
#[derive(Clone, Debug)]
pub struct Worlds {
    /// States.
    pub batch: Batch,
    /// Accelerations to start the solver from, worlds×nv.
    pub warm: Vec<f64>,
    /// Rows of a group of worlds that there is memory for; rows with equal columns share one.
    pub capacity: usize,
}

/// Where constraint problems are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// In lanes.
    Lanes,
    /// World by world, by the engine's solver.
    Engine,
}

/// How the steps went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Steps that were made again with more memory.
    pub replays: usize,
    /// Rows of all steps of all worlds.
    pub rows: usize,
    /// Seconds of the smooth stages, contacts and rows, the solver, and the integration.
    pub seconds: [f64; 4],
}

/// A step failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The processor lacks the instructions.
    #[error(transparent)]
    Instructions(#[from] NoInstructions),
    /// The engine's functions refuse the data.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The engine doesn't support the model's options.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The rows are of a kind that the solver doesn't take.
    #[error(transparent)]
    Rows(#[from] Unsuited),
}

/// Makes steps of all worlds, in groups of the given width.
///
/// # Errors
/// If the processor lacks the instructions, or rows are not for the solver.
pub fn step(
    m: &Model,
    plan: &Plan,
    (width, solver): (Width, Solver),
    settings: &Settings,
    steps: usize,
    worlds: &mut Worlds,
) -> Result<Report, Failure> {
    if solver == Solver::Lanes && plan.nv > MAX_DOFS {
        return Err(Unsuited::Size(plan.nv).into());
    }
    dispatch(width, Steps { m, plan, solver, settings, steps, worlds })?
}

struct Steps<'a> {
    m: &'a Model,
    plan: &'a Plan,
    solver: Solver,
    settings: &'a Settings,
    steps: usize,
    worlds: &'a mut Worlds,
}

impl Kernel for Steps<'_> {
    type Output = Result<Report, Failure>;

    #[inline(always)]
    fn run<L: Lane>(self, isa: L::Isa) -> Self::Output {
        let Self { m, plan, solver, settings, steps, worlds } = self;
        let pattern = Pattern { nv: plan.nv, rowadr: plan.rowadr.clone(), colind: plan.colind.clone() };
        let mut data = Data::new(m)?;
        let mut s = State::<L>::new(plan, isa);
        let mut scratch = Scratch::<L>::new(plan, isa);
        let mut newton = Newton::<L>::new(isa, &pattern);
        newton.reserve(worlds.capacity);
        let mut warm = vec![L::splat(isa, 0.0); plan.nv];
        let mut constraint = warm.clone();
        let mut newton_of_engine = (mj_solver::Newton::default(), Solution::default());
        let mut report = Report::default();
        let n = worlds.batch.worlds(plan);
        for first in (0..n).step_by(L::WIDTH) {
            for i in 0..L::WIDTH {
                let w = (first + i).min(n - 1);
                take(&mut s.qpos, i, &worlds.batch.qpos[w * plan.nq..]);
                take(&mut s.qvel, i, &worlds.batch.qvel[w * plan.nv..]);
                take(&mut s.ctrl, i, &worlds.batch.ctrl[w * plan.nu..]);
                take(&mut warm, i, &worlds.warm[w * plan.nv..]);
            }
            let count = L::WIDTH.min(n - first);
            let mut done = 0;
            while done < steps {
                let begin = Instant::now();
                scratch.forward(plan, isa, &s);
                let smooth = Instant::now();
                let (mut fits, mut alone) = (true, 0.0);
                let mut rows = 0;
                for i in 0..L::WIDTH {
                    find_rows(m, plan, &s, &scratch, i, &mut data)?;
                    if solver == Solver::Engine {
                        let begin = Instant::now();
                        rows += if i < count { data.rows.nefc() } else { 0 };
                        solve_world(m, i, &scratch, &mut data, &mut newton_of_engine, (&mut warm, &mut constraint));
                        alone += begin.elapsed().as_secs_f64();
                        continue;
                    }
                    let p = mj_engine::problem(m, &data);
                    if !p.rows.cones.is_empty() {
                        return Err(Unsuited::Cones.into());
                    }
                    fits &= newton.load_rows(i, &p.rows);
                    rows += if i < count { p.nefc() } else { 0 };
                }
                if !fits {
                    // Nothing of the state has changed.
                    newton.make_room();
                    worlds.capacity = newton.capacity();
                    report.replays += 1;
                    continue;
                }
                if solver == Solver::Lanes {
                    newton.update_pattern();
                }
                let made = Instant::now();
                if solver == Solver::Lanes {
                    newton.load_smooth(&scratch.m, &scratch.qfrc_smooth, &scratch.qacc_smooth, &warm);
                    let mut iterations = 0;
                    while newton.any_alive() && iterations < settings.iterations {
                        newton.iterate(settings);
                        iterations += 1;
                    }
                    newton.finish(&mut warm, &mut constraint);
                }
                let solved = Instant::now();
                scratch.advance(plan, isa, &mut s, Some(&constraint));
                let ends = [smooth - begin, made - smooth, solved - made, solved.elapsed()];
                report.seconds.iter_mut().zip(ends).for_each(|(t, e)| *t += e.as_secs_f64());
                report.seconds[1] -= alone;
                report.seconds[2] += alone;
                report.rows += rows;
                done += 1;
            }
            for i in 0..count {
                let w = first + i;
                put(&s.qpos, i, &mut worlds.batch.qpos[w * plan.nq..][..plan.nq]);
                put(&s.qvel, i, &mut worlds.batch.qvel[w * plan.nv..][..plan.nv]);
                put(&scratch.qacc_smooth, i, &mut worlds.batch.qacc_smooth[w * plan.nv..][..plan.nv]);
                put(&warm, i, &mut worlds.warm[w * plan.nv..][..plan.nv]);
            }
        }
        Ok(report)
    }
}

/// Solves the problem of world `i` of a group, whose rows are in `d`, by the engine's solver.
fn solve_world<L: Lane>(
    m: &Model,
    i: usize,
    w: &Scratch<L>,
    d: &mut Data,
    (solver, out): &mut (mj_solver::Newton, Solution),
    (warm, constraint): (&mut [L], &mut [L]),
) {
    put(&w.m, i, &mut d.smooth.inertia.M);
    put(&w.ld, i, &mut d.smooth.inertia.qLD);
    put(&w.dinv, i, &mut d.smooth.inertia.qLDiagInv);
    put(&w.qfrc_smooth, i, &mut d.smooth.actuation.qfrc_smooth);
    put(&w.qacc_smooth, i, &mut d.smooth.actuation.qacc_smooth);
    put(warm, i, &mut d.state.qacc_warmstart);
    solver.solve(&mj_engine::problem(m, d), out);
    take(warm, i, &out.qacc);
    take(constraint, i, &out.qfrc_constraint);
}

/// Finds contacts and rows of world `i` of a group, from the poses that the lanes computed.
fn find_rows<L: Lane>(
    m: &Model,
    plan: &Plan,
    s: &State<L>,
    w: &Scratch<L>,
    i: usize,
    d: &mut Data,
) -> Result<(), StepError> {
    put(&s.qpos, i, &mut d.state.qpos);
    put(&s.qvel, i, &mut d.state.qvel);
    let vector = |v: &[L; 3]| DVec3::new(v[0].get(i), v[1].get(i), v[2].get(i));
    let poses = &mut d.smooth.poses;
    for b in m.body.ids().skip(1) {
        let k = b.index();
        let (q, r) = (&w.xquat[k], &w.xmat[k]);
        let rot = DQuat::from_xyzw(q[1].get(i), q[2].get(i), q[3].get(i), q[0].get(i));
        let mat = DMat3::from_cols(vector(&r[0]), vector(&r[1]), vector(&r[2])).transpose();
        (poses.xpos[b], poses.xquat[b], poses.xmat[b]) = (vector(&w.xpos[k]), rot, mat);
        poses.xipos[b] = vector(&w.xipos[k]);
        let turned = m.body.sameframe[b] == SameFrame::None;
        poses.ximat[b] = if turned { quat::to_mat(quat::mul(rot, m.body.iquat[b])) } else { mat };
    }
    for body in plan.bodies.iter() {
        poses.subtree_com[BodyId::new(body.id)] = vector(&w.com[body.root]);
    }
    for (to, from) in poses.xanchor.as_mut_slice().iter_mut().zip(&w.xanchor) {
        *to = vector(from);
    }
    for (to, from) in poses.xaxis.as_mut_slice().iter_mut().zip(&w.xaxis) {
        *to = vector(from);
    }
    for (to, c) in poses.cdof.as_mut_slice().iter_mut().zip(&w.cdof) {
        *to = Spatial::new(vector(&[c[0], c[1], c[2]]), vector(&[c[3], c[4], c[5]]));
    }
    mj_dynamics::frames(m, &d.state.awake, poses);
    mj_engine::tendon(m, d)?;
    mj_engine::collision(m, d)?;
    mj_engine::make_constraint(m, d)?;
    mj_engine::reference_constraint(m, d)
}
