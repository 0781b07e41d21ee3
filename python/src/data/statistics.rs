//! Statistics of a simulation: warnings, timers, iterations of the solver.

use super::fields::{Role, Source};
use crate::kind::Kind;
use mj_engine::{Data, StageTimer};
use mj_problem::Stat;

/// Number of kinds of warnings that the reference has.
const WARNINGS: usize = 7;

/// Number of islands of which statistics are shown.
const ISLANDS: usize = 20;

/// Number of iterations of an island of which statistics are shown.
const ITERATIONS: usize = 200;

/// Number of timers (`mjNTIMER`).
const TIMERS: usize = 15;

/// Statistics of warnings, which users may reset.
macro_rules! warning {
    ($name:literal, $field:ident) => {
        Source {
            name: $name,
            kind: Kind::I32,
            role: Role::Input,
            shape: |_, _| vec![WARNINGS],
            write: |_, d, block| block.write(&d.warnings[..WARNINGS].iter().map(|w| w.$field).collect::<Vec<u32>>()),
            read: |_, d, block| {
                for (i, w) in d.warnings[..WARNINGS].iter_mut().enumerate() {
                    w.$field = u32::try_from(block.get::<i32>(i)).unwrap_or(w.$field);
                }
            },
        }
    };
}

/// Numbers of all islands or all iterations that are shown.
macro_rules! shown {
    ($role:ident $name:literal: $kind:ident [$n:expr] = $f:expr) => {
        Source {
            name: $name,
            kind: Kind::$kind,
            role: Role::$role,
            shape: |_, _| vec![$n],
            write: |_, d, block| {
                let f: fn(&Data) -> Vec<_> = $f;
                block.write(&f(d));
            },
            read: |_, _, _| {},
        }
    };
}

/// Numbers of the iterations of every island, row by row.
fn iterations<T: Copy + Default>(d: &Data, get: fn(&Stat) -> T) -> Vec<T> {
    let mut out = vec![T::default(); ISLANDS * ITERATIONS];
    for (row, island) in out.chunks_exact_mut(ITERATIONS).zip(&d.solution.islands) {
        let of_island = d.solution.stats.iter().skip(island.stat as usize).take(island.niter as usize);
        row.iter_mut().zip(of_island).for_each(|(x, stat)| *x = get(stat));
    }
    out
}

/// Numbers of islands.
fn islands(d: &Data, get: fn(&mj_problem::Island) -> u32) -> Vec<i32> {
    let shown = d.solution.islands.iter().map(|i| get(i) as i32);
    shown.chain(std::iter::repeat(0)).take(ISLANDS).collect()
}

/// The stages that each timer of the reference measures, and the stage whose count is the number of its calls. Ours measure
/// no parts of collision detection, and constraints with their Jacobians in one.
const TIMED: [(&[StageTimer], StageTimer); TIMERS] = {
    use StageTimer::*;
    [
        (
            &[Kinematics, Inertia, Collision, Constraint, Velocity, Actuation, Solver, Sensor, Integrate, Other],
            Integrate,
        ),
        (&[Kinematics, Inertia, Collision, Constraint, Velocity, Actuation, Solver, Sensor], Solver),
        (&[], Other),
        (&[Kinematics, Inertia, Collision, Constraint], Kinematics),
        (&[Velocity], Velocity),
        (&[Actuation], Actuation),
        (&[Solver], Solver),
        (&[Integrate], Integrate),
        (&[Kinematics], Kinematics),
        (&[Inertia], Inertia),
        (&[Collision], Collision),
        (&[Constraint], Kinematics),
        (&[], Kinematics),
        (&[], Collision),
        (&[], Collision),
    ]
};

/// Seconds of each timer.
fn durations(d: &Data) -> Vec<f64> {
    let total = |stages: &[StageTimer]| stages.iter().map(|&s| d.timing.total[s as usize].as_secs_f64()).sum();
    TIMED.iter().map(|(stages, _)| total(stages)).collect()
}

/// Number of calls of each timer.
fn counts(d: &Data) -> Vec<i32> {
    let count = |&(stages, counted): &(&[StageTimer], StageTimer)| match stages {
        [] => 0,
        _ => i32::try_from(d.timing.count[counted as usize]).unwrap_or(i32::MAX),
    };
    TIMED.iter().map(count).collect()
}

/// All fields of statistics.
pub static FIELDS: &[Source] = &[
    warning!("warning.lastinfo", lastinfo),
    warning!("warning.number", number),
    shown!(Result "timer.duration": F64[TIMERS] = durations),
    shown!(Result "timer.number": I32[TIMERS] = counts),
    shown!(Asked "solver.improvement": F64[ISLANDS * ITERATIONS] = |d| iterations(d, |s| s.improvement)),
    shown!(Asked "solver.gradient": F64[ISLANDS * ITERATIONS] = |d| iterations(d, |s| s.gradient)),
    shown!(Asked "solver.lineslope": F64[ISLANDS * ITERATIONS] = |d| iterations(d, |s| s.lineslope)),
    shown!(Asked "solver.nactive": I32[ISLANDS * ITERATIONS] = |d| iterations(d, |s| s.nactive as i32)),
    shown!(Asked "solver.nchange": I32[ISLANDS * ITERATIONS] = |d| iterations(d, |s| s.nchange as i32)),
    shown!(Asked "solver.neval": I32[ISLANDS * ITERATIONS] = |d| iterations(d, |s| s.neval as i32)),
    shown!(Asked "solver.nupdate": I32[ISLANDS * ITERATIONS] = |d| iterations(d, |s| s.nupdate as i32)),
    shown!(Asked "solver_niter": I32[ISLANDS] = |d| islands(d, |i| i.niter)),
    // The entries of the solver's factors are not counted.
    shown!(Asked "solver_nnz": I32[ISLANDS] = |d| islands(d, |_| 0)),
];
