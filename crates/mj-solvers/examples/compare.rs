//! A mass pushed against a wall, by every solver: `cargo run -p mj-solvers --example compare`.
//!
//! One dof of 2 kg is driven by −10 N into a frictionless contact that keeps the acceleration from being negative; R is
//! small, so the wall pushes with nearly 10 N.

use mj_math::block::Run;
use mj_math::{BlockRows, TreePattern};
use mj_problem::{Quality, Recorded, Solution};

fn main() {
    let mut jac = BlockRows::default();
    jac.clear(1);
    jac.push(1, &[Run { start: 0, len: 1 }])[0] = 1.0;
    let wall = Recorded {
        pattern: TreePattern { rowadr: vec![0], rownnz: vec![1], colind: vec![0] },
        m: vec![2.0],
        ld: vec![2.0],
        dinv: vec![0.5],
        tree: vec![0],
        qfrc_smooth: vec![-10.0],
        qacc_smooth: vec![-5.0],
        qacc_warmstart: vec![0.0],
        jac,
        d: vec![1e4],
        r: vec![1e-4],
        aref: vec![0.0],
        frictionloss: vec![0.0],
        ..Recorded::default()
    };
    for entry in mj_solvers::ALL {
        let Ok(mut solver) = mj_solvers::by_name(entry.name) else { continue };
        let (problem, mut out) = (wall.problem(), Solution::default());
        mj_problem::ConstraintSolver::solve(&mut solver, &problem, &mut out);
        let cost = Quality::of(&problem, &out).cost;
        println!("{:17} force {:.6} N, cost {cost:.6}, {}", entry.name, out.efc_force[0], entry.about);
    }
}
