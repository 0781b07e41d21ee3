//! Which worlds are solved together.

use super::{Compact, Newton, Pattern, Settings};
use crate::lane::{Kernel, Lane, NoInstructions, Width, dispatch};

/// How worlds share lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Groups in the order given; a group ends when its last world does.
    LockStep,
    /// Groups of worlds with like numbers of rows.
    Sorted,
    /// Worlds by their number of rows; a lane whose world is finished takes the next.
    Refilled,
}

/// Solution of one problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Acceleration.
    pub qacc: Vec<f64>,
    /// Force of each row.
    pub efc_force: Vec<f64>,
    /// Iterations, with the one that found the tolerance met.
    pub iterations: u32,
}

/// How well lanes were used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Iterations of groups.
    pub group_iterations: usize,
    /// Iterations of worlds in them.
    pub world_iterations: usize,
}

/// Solves all problems, which have one pattern.
///
/// # Errors
/// If the processor lacks the instructions.
pub fn solve_all(
    width: Width,
    mode: Mode,
    pattern: &Pattern,
    problems: &[Compact],
    settings: &Settings,
    out: &mut Vec<Outcome>,
) -> Result<Report, NoInstructions> {
    out.resize(problems.len(), Outcome::default());
    let mut order: Vec<usize> = (0..problems.len()).collect();
    if mode != Mode::LockStep {
        order.sort_by_key(|&w| std::cmp::Reverse(problems[w].nefc()));
    }
    dispatch(width, Solve { pattern, problems, settings, out, order: &order, refill: mode == Mode::Refilled })
}

struct Solve<'a> {
    pattern: &'a Pattern,
    problems: &'a [Compact],
    settings: &'a Settings,
    out: &'a mut [Outcome],
    order: &'a [usize],
    refill: bool,
}

impl Kernel for Solve<'_> {
    type Output = Report;

    #[inline(always)]
    fn run<L: Lane>(self, isa: L::Isa) -> Report {
        let Self { pattern, problems, settings, out, order, refill } = self;
        let mut newton = Newton::<L>::new(isa, pattern);
        let mut worlds: Vec<Option<(usize, u32)>> = vec![None; L::WIDTH];
        let mut report = Report::default();
        let mut next = 0;
        loop {
            let idle = worlds.iter().all(Option::is_none);
            let mut changed = false;
            if next < order.len() && (refill || idle) {
                for i in 0..L::WIDTH {
                    if worlds[i].is_none() && next < order.len() {
                        worlds[i] = Some((order[next], 0));
                        newton.load(i, &problems[order[next]]);
                        next += 1;
                        changed = true;
                    }
                }
            } else if idle {
                return report;
            }
            if changed {
                newton.update_pattern();
            }
            newton.iterate(settings);
            report.group_iterations += 1;
            for i in 0..L::WIDTH {
                let Some((w, count)) = &mut worlds[i] else { continue };
                *count += 1;
                report.world_iterations += 1;
                if newton.is_alive(i) && *count < settings.iterations {
                    continue;
                }
                let to = &mut out[*w];
                to.iterations = *count;
                newton.read(i, problems[*w].nefc(), &mut to.qacc, &mut to.efc_force);
                newton.retire(i);
                worlds[i] = None;
            }
        }
    }
}
