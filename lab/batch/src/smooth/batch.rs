//! Worlds in blocks of lanes, and stages over all of them.

use super::{Scratch, State};
use crate::lane::{Kernel, Lane, NoInstructions, Width, dispatch};
use crate::plan::Plan;
use std::time::Instant;

/// States of many worlds, each world's numbers side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Positions, worlds×nq.
    pub qpos: Vec<f64>,
    /// Velocities, worlds×nv.
    pub qvel: Vec<f64>,
    /// Controls, worlds×nu.
    pub ctrl: Vec<f64>,
    /// Acceleration without constraints of the last step, worlds×nv.
    pub qacc_smooth: Vec<f64>,
}

impl Batch {
    /// Makes states of zeros.
    pub fn new(plan: &Plan, worlds: usize) -> Self {
        let zeros = |n| vec![0.0; worlds * n];
        Self { qpos: zeros(plan.nq), qvel: zeros(plan.nv), ctrl: zeros(plan.nu), qacc_smooth: zeros(plan.nv) }
    }

    /// Returns the number of worlds of a plan.
    pub fn worlds(&self, plan: &Plan) -> usize {
        self.qpos.len() / plan.nq.max(1)
    }
}

/// A part of a step that is timed apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Poses of bodies.
    Kinematics,
    /// Centres of mass, inertias and motions about them.
    Com,
    /// Composite inertias and M.
    Inertia,
    /// Factor of M.
    Factor,
    /// Velocities.
    Velocity,
    /// Bias, springs, dampers, actuators.
    Forces,
    /// Acceleration without constraints.
    Solve,
    /// Next state.
    Integrate,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 8] = [
        Self::Kinematics,
        Self::Com,
        Self::Inertia,
        Self::Factor,
        Self::Velocity,
        Self::Forces,
        Self::Solve,
        Self::Integrate,
    ];
}

/// Makes steps without constraints of all worlds, in groups of the given width. A last group that isn't full repeats its
/// last world.
///
/// # Errors
/// If the processor lacks the instructions.
pub fn step_batch(plan: &Plan, width: Width, steps: usize, worlds: &mut Batch) -> Result<(), NoInstructions> {
    dispatch(width, Steps { plan, steps, worlds })
}

struct Steps<'a> {
    plan: &'a Plan,
    steps: usize,
    worlds: &'a mut Batch,
}

impl Kernel for Steps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self, isa: L::Isa) {
        let Self { plan, steps, worlds } = self;
        let mut s = State::<L>::new(plan, isa);
        let mut scratch = Scratch::<L>::new(plan, isa);
        let n = worlds.worlds(plan);
        for first in (0..n).step_by(L::WIDTH) {
            gather(&mut s, worlds, plan, first, n);
            for _ in 0..steps {
                scratch.forward(plan, isa, &s);
                scratch.advance(plan, isa, &mut s, None);
            }
            for i in 0..L::WIDTH.min(n - first) {
                put(&s.qpos, i, &mut worlds.qpos[(first + i) * plan.nq..][..plan.nq]);
                put(&s.qvel, i, &mut worlds.qvel[(first + i) * plan.nv..][..plan.nv]);
                put(&scratch.qacc_smooth, i, &mut worlds.qacc_smooth[(first + i) * plan.nv..][..plan.nv]);
            }
        }
    }
}

/// Reads a group of worlds.
#[inline(always)]
fn gather<L: Lane>(s: &mut State<L>, worlds: &Batch, plan: &Plan, first: usize, n: usize) {
    for i in 0..L::WIDTH {
        let w = (first + i).min(n - 1);
        take(&mut s.qpos, i, &worlds.qpos[w * plan.nq..]);
        take(&mut s.qvel, i, &worlds.qvel[w * plan.nv..]);
        take(&mut s.ctrl, i, &worlds.ctrl[w * plan.nu..]);
    }
}

/// Sets lane `i` of each number.
#[inline(always)]
pub(crate) fn take<L: Lane>(to: &mut [L], i: usize, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(t, f)| t.set(i, *f));
}

/// Returns lane `i` of each number.
#[inline(always)]
pub(crate) fn put<L: Lane>(from: &[L], i: usize, to: &mut [f64]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t = f.get(i));
}

/// Times each stage on the worlds' states, which stay: returns seconds a world and call, in the order of [`Stage::ALL`].
///
/// # Errors
/// If the processor lacks the instructions.
pub fn time_stages(plan: &Plan, width: Width, repeats: usize, worlds: &Batch) -> Result<[f64; 8], NoInstructions> {
    dispatch(width, Times { plan, repeats, worlds })
}

struct Times<'a> {
    plan: &'a Plan,
    repeats: usize,
    worlds: &'a Batch,
}

impl Kernel for Times<'_> {
    type Output = [f64; 8];

    #[inline(always)]
    fn run<L: Lane>(self, isa: L::Isa) -> [f64; 8] {
        let Self { plan, repeats, worlds } = self;
        let mut s = State::<L>::new(plan, isa);
        let mut w = Scratch::<L>::new(plan, isa);
        let n = worlds.worlds(plan);
        let mut seconds = [0.0; 8];
        let mut groups = 0;
        for first in (0..n).step_by(L::WIDTH) {
            gather(&mut s, worlds, plan, first, n);
            groups += 1;
            let start = s.clone();
            // A macro: a closure would be compiled without the vector instructions.
            macro_rules! clock {
                ($stage:ident, $do:expr) => {
                    let begin = Instant::now();
                    for _ in 0..repeats {
                        $do;
                    }
                    seconds[Stage::$stage as usize] += begin.elapsed().as_secs_f64();
                };
            }
            clock!(Kinematics, w.place(plan, isa, &s));
            clock!(Com, w.centre(plan, isa));
            clock!(Inertia, w.inertia(plan, isa));
            clock!(Factor, w.factor(plan, isa));
            clock!(Velocity, w.velocities(plan, isa, &s));
            clock!(Forces, w.forces(plan, isa, &s));
            clock!(Solve, w.accelerate(plan));
            clock!(Integrate, w.advance(plan, isa, &mut s, None));
            s = start;
        }
        seconds.map(|t| t / (groups * L::WIDTH * repeats) as f64)
    }
}
