//! Figure 1 of 2012: balls in a cube under the complementarity solver, Newton steps by contacts and friction.

use crate::{Error, table};
use mj_engine::{Data, Model, forward, load_str, problem, step};
use mj_solver::{ConstraintSolver, Solution};
use mj_solver_complementarity::Complementarity;

/// Numbers of contacts, with a number of balls that often has as many.
const CONTACTS: [(usize, usize); 3] = [(7, 3), (16, 7), (27, 12)];
/// Friction coefficients, with the paper's numbers of iterations for 7, 16 and 27 contacts.
const PAPER: [(f64, [f64; 3]); 4] =
    [(0.1, [3.8, 4.8, 6.5]), (0.5, [2.6, 5.3, 7.5]), (1.0, [2.8, 4.9, 10.2]), (2.0, [2.9, 4.6, 16.2])];

/// Balls of 0.16 m across in a cube of 0.5 m.
fn cube(balls: usize, friction: f64) -> Result<Model, Error> {
    let walls = [
        "0 0 0|0 0 1",
        "0 0 .5|0 0 -1",
        "-.25 0 .25|1 0 0",
        ".25 0 .25|-1 0 0",
        "0 -.25 .25|0 1 0",
        "0 .25 .25|0 -1 0",
    ];
    let mut world: String = walls
        .iter()
        .filter_map(|w| w.split_once('|'))
        .map(|(pos, axis)| format!("<geom type='plane' size='1 1 1' pos='{pos}' zaxis='{axis}'/>"))
        .collect();
    // In three columns of four; a little off, so that nothing is symmetric.
    for k in 0..balls {
        let [x, y, z] = [k % 3, k / 3 % 2, k / 6].map(|i| i as f64);
        let off = 0.003 * (k as f64).sin();
        world += &format!(
            "<body pos='{} {} {}'><freejoint/><geom size='0.08'/></body>",
            0.165 * (x - 1.0) + off,
            0.2 * (y - 0.5) - off,
            0.15 + 0.2 * z
        );
    }
    Ok(load_str(&format!(
        "<mujoco><option timestep='0.005' cone='elliptic'/><default><geom friction='{friction} 0 0'/></default>\
         <worldbody>{world}</worldbody></mujoco>"
    ))?)
}

/// What came of the problems with one number of contacts.
#[derive(Clone, Copy, Default)]
struct Tally {
    problems: u32,
    iterations: u32,
    exact: u32,
}

/// Shakes the cube by turning gravity, and solves afresh the problem of every step with `contacts` ± 1 contacts. The
/// problem is the paper's, of velocities: A f + v₀ = v_C with v₀ = J (v + h M⁻¹τ) and nothing to be corrected.
fn shake(contacts: usize, balls: usize, friction: f64, steps: usize) -> Result<Tally, Error> {
    let mut m = cube(balls, friction)?;
    let mut d = Data::new(&m)?;
    let mut solver = Complementarity::default();
    let (mut tally, mut solution) = (Tally::default(), Solution::default());
    for k in 0..steps {
        let (a, b) = (0.011 * k as f64, 0.007 * k as f64);
        m.opt.gravity = [9.81 * a.sin() * b.cos(), 9.81 * a.sin() * b.sin(), -9.81 * a.cos()].into();
        step(&m, &mut d);
        if d.contacts.list.len().abs_diff(contacts) > 1 {
            continue;
        }
        let mut at = d.clone();
        forward(&m, &mut at);
        let mut p = problem(&m, &at);
        let velocity: Vec<f64> = at.state.qvel.iter().zip(p.qacc_smooth).map(|(v, a)| v + m.opt.timestep * a).collect();
        let none = vec![0.0; p.nefc()];
        (p.qacc_smooth, p.rows.aref) = (&velocity, &none);
        p.settings.warmstart = false;
        solver.solve(&p, &mut solution);
        let c = solver.certificate();
        tally.problems += 1;
        tally.iterations += c.iterations;
        tally.exact += u32::from(c.exact);
    }
    Ok(tally)
}

/// The table.
pub fn section() -> Result<String, Error> {
    let mut rows = Vec::new();
    let mut all = Tally::default();
    for (friction, paper) in PAPER {
        let mut row = vec![format!("{friction}")];
        for ((contacts, balls), paper) in CONTACTS.into_iter().zip(paper) {
            let t = shake(contacts, balls, friction, 2500)?;
            all.problems += t.problems;
            all.exact += t.exact;
            let mean = f64::from(t.iterations) / f64::from(t.problems.max(1));
            row.extend([
                format!("{mean:.1}"),
                format!("{paper}"),
                format!("{:.1} % of {}", 100.0 * f64::from(t.exact) / f64::from(t.problems.max(1)), t.problems),
            ]);
        }
        rows.push(row);
    }
    let head =
        ["friction", "7 contacts", "paper", "exact", "16 contacts", "paper", "exact", "27 contacts", "paper", "exact"];
    Ok(format!(
        "Balls of 16 cm in a cube of 50 cm (3, 7 and 12 of them) whose gravity turns. At every step with as many contacts \
         (one more or less) the paper's problem of velocities (its equations 3 to 5) is solved: mean Newton steps of the \
         complementarity solver from no force at all, those of the continuation included, and the share solved exactly \
         (residual at most 1e-10). The paper's cube and balls are not described.\n\n{}\nSolved exactly: {} of {} problems.\n",
        table(&head, rows),
        all.exact,
        all.problems
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shaken_balls_touch_and_most_problems_are_solved_exactly() {
        let t = shake(7, 3, 0.5, 300).unwrap();
        assert!(t.problems > 20, "{} problems", t.problems);
        assert!(f64::from(t.exact) > 0.9 * f64::from(t.problems), "{} of {}", t.exact, t.problems);
    }
}
