//! One connected problem: which coordinates it is solved in, and where its solution goes.

use crate::island::find::Islands;
use crate::island::gather::{IslandProblem, IslandSolution};
use crate::policy;
use crate::primal::descent::minimize;
use crate::primal::joint_space::{Direction, JointSpace};
use crate::primal::row_space::RowSpace;
use mj_problem::cost::elliptic;
use mj_problem::{Island, Problem, Solution, Stat};

/// Memory for one connected problem after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandSolver {
    /// Those of the last step, in turn: a step's islands are mostly those of the step before.
    gathered: Vec<IslandProblem>,
    descents: Descents,
}

#[derive(Clone, Debug, Default)]
struct Descents {
    joints: JointSpace,
    rows: RowSpace,
    cones: Vec<elliptic::Line>,
}

impl IslandSolver {
    /// Solves a problem that is one island.
    pub(crate) fn solve_whole(&mut self, p: &Problem, direction: Direction, out: &mut Solution) {
        let (island, solution) = self.descents.solve(p, direction, &mut out.stats);
        out.islands.push(island);
        out.qacc.copy_from_slice(&solution.qacc[..p.nv()]);
        out.qfrc_constraint.copy_from_slice(&solution.qfrc[..p.nv()]);
        out.efc_force.copy_from_slice(solution.force);
        out.efc_state.copy_from_slice(solution.state);
    }

    /// Solves island `i` and writes its part of the solution.
    pub(crate) fn solve_island(
        &mut self,
        p: &Problem,
        islands: &Islands,
        i: usize,
        direction: Direction,
        out: &mut Solution,
    ) {
        self.gathered.resize_with(policy::KEPT_ISLANDS, IslandProblem::default);
        let gathered = &mut self.gathered[i % policy::KEPT_ISLANDS];
        gathered.gather(p, islands, i);
        let (island, solution) = self.descents.solve(&gathered.problem(p), direction, &mut out.stats);
        out.islands.push(island);
        gathered.scatter(&solution, out);
    }
}

impl Descents {
    fn solve(&mut self, p: &Problem, direction: Direction, stats: &mut Vec<Stat>) -> (Island, IslandSolution<'_>) {
        if direction == Direction::Newton
            && policy::in_row_space(p)
            && let Some(island) = minimize(&mut self.rows, p, &mut self.cones, stats)
        {
            return (island, self.rows.solution(p));
        }
        self.joints.direction = direction;
        let island = minimize(&mut self.joints, p, &mut self.cones, stats).unwrap_or_default();
        (island, self.joints.solution())
    }
}
