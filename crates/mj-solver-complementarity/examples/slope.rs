//! A block on slopes around the friction angle, by Coulomb's law and by the convex model.

use mj_math::block::Run;
use mj_math::{BlockRows, TreePattern};
use mj_problem::*;
use mj_solver::Newton;
use mj_solver_complementarity::Complementarity;

fn main() {
    let friction = 0.5;
    let pattern = TreePattern::new(&[None, Some(0), Some(1)], &[true; 3]);
    let mut jac = BlockRows::default();
    jac.clear(3);
    // Normal and tangents are the axes.
    let values = jac.push(3, &[Run { start: 0, len: 3 }]);
    for k in 0..3 {
        values[4 * k] = 1.0;
    }
    let (d, r) = ([1e7; 3], [1e-7; 3]);
    let cones = [ConeRows { row: 0, dim: 3, contact: 0, mu: friction, friction: [friction; 5] }];
    let (mut exact, mut newton) = (Complementarity::default(), Newton::default());
    let mut solution = Solution::default();
    println!("slope   coulomb   complementarity   convex   residual");
    for slope in [0.3f64, 0.45, 0.499, 0.501, 0.55, 0.8] {
        let (sin, cos) = slope.atan().sin_cos();
        let gravity = [-9.81 * cos, 9.81 * sin, 0.0];
        let rows =
            RowView { jac: &jac, ne: 0, nf: 0, d: &d, r: &r, aref: &[0.0; 3], frictionloss: &[0.0; 3], cones: &cones };
        let problem = Problem {
            pattern: &pattern,
            m: &[1.0; 3],
            stiffness: None,
            ld: &[1.0; 3],
            dinv: &[1.0; 3],
            tree: &[0; 3],
            qfrc_smooth: &gravity,
            qacc_smooth: &gravity,
            qacc_warmstart: &[0.0; 3],
            rows,
            settings: Settings { tolerance: 1e-12, ..Settings::default() },
        };
        let coulomb = (9.81 * (sin - friction * cos)).max(0.0);
        exact.solve(&problem, &mut solution);
        let ours = solution.qacc[1];
        newton.solve(&problem, &mut solution);
        let residual = exact.certificate().residual;
        println!("{slope:5.3}   {coulomb:7.3}   {ours:15.3}   {:6.3}   {residual:.1e}", solution.qacc[1]);
    }
}
