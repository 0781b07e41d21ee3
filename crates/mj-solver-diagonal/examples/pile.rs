//! A pile of weights that fall on each other: the load that each floor carries.

use mj_math::block::Run;
use mj_math::{BlockRows, TreePattern};
use mj_problem::*;
use mj_solver::Newton;
use mj_solver_diagonal::Diagonal;

fn main() {
    let n = 5;
    // Weights that move up and down; row i is the gap below weight i.
    let pattern = TreePattern::new(&vec![None; n], &vec![true; n]);
    let mut jac = BlockRows::default();
    jac.clear(n);
    for i in 0..n as u32 {
        if i == 0 {
            jac.push(1, &[Run { start: 0, len: 1 }])[0] = 1.0;
        } else {
            jac.push(1, &[Run { start: i - 1, len: 2 }]).copy_from_slice(&[-1.0, 1.0]);
        }
    }
    let (ones, gravity, r) = (vec![1.0; n], vec![-9.81; n], vec![1e-3; n]);
    let d: Vec<f64> = r.iter().map(|r| 1.0 / r).collect();
    let zeros = vec![0.0; n];
    let tree: Vec<u32> = (0..n as u32).collect();
    let problem = Problem {
        pattern: &pattern,
        m: &ones,
        stiffness: None,
        ld: &ones,
        dinv: &ones,
        tree: &tree,
        qfrc_smooth: &gravity,
        qacc_smooth: &gravity,
        qacc_warmstart: &zeros,
        rows: RowView { jac: &jac, ne: 0, nf: 0, d: &d, r: &r, aref: &zeros, frictionloss: &zeros, cones: &[] },
        settings: Settings::default(),
    };
    let show = |name: &str, solver: &mut dyn ConstraintSolver| {
        let mut out = Solution::default();
        solver.solve(&problem, &mut out);
        let forces: Vec<String> = out.efc_force.iter().map(|f| format!("{f:7.2}")).collect();
        println!("{name:9} {}   (N, ground first)", forces.join(" "));
    };
    show("newton", &mut Newton::default());
    show("diagonal", &mut Diagonal::default());
    show("sharing", &mut Diagonal::sharing());
}
