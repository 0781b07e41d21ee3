//! Figure 1 of 2012: balls in a cube under the complementarity solver, Newton steps by contacts and friction.

use crate::text::{Error, table};
use mj_contact_space::{ContactSpace, Equality};
use mj_engine::model::GeomId;
use mj_engine::{Data, Model, forward, load_str, problem, step};
use mj_solver_complementarity::{Certificate, Complementarity};
use std::collections::HashMap;

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

/// Results of the problems with one number of contacts.
#[derive(Clone, Copy, Default)]
struct Tally {
    problems: u32,
    /// Newton steps from no force, and from the last step's.
    steps: [u32; 2],
    exact: [u32; 2],
}

impl Tally {
    fn count(&mut self, solved: [Certificate; 2]) {
        self.problems += 1;
        for ((steps, exact), c) in self.steps.iter_mut().zip(&mut self.exact).zip(solved) {
            *steps += c.iterations;
            *exact += u32::from(c.exact);
        }
    }

    /// A share of the problems, from a count.
    fn share(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.problems.max(1))
    }
}

/// Impulses of one step by the pair of geoms that touch.
type Impulses = HashMap<[GeomId; 2], [f64; 3]>;

/// Solves the paper's problem of a state, of velocities: A f + v₀ = v_C with v₀ = J (v + h M⁻¹τ) and nothing to be
/// corrected. From no force, and from the last step's impulses, which are then those of this.
fn solve(m: &Model, d: &Data, solver: &mut Complementarity, last: &mut Impulses) -> [Certificate; 2] {
    let mut p = problem(m, d);
    let velocity: Vec<f64> = d.state.qvel.iter().zip(p.qacc_smooth).map(|(v, a)| v + m.opt.timestep * a).collect();
    let none = vec![0.0; p.nefc()];
    (p.qacc_smooth, p.rows.aref) = (&velocity, &none);
    let mut space = ContactSpace::default();
    space.build(&p, Equality::Hard);
    let mut f = vec![0.0; space.len()];
    let cold = solver.solve_space(&space, p.settings.iterations, &mut f);
    let pairs = || d.contacts.list.iter().filter_map(|c| c.geoms());
    f.fill(0.0);
    for (f, pair) in f.chunks_mut(3).zip(pairs()) {
        f.copy_from_slice(last.get(&pair).unwrap_or(&[0.0; 3]));
    }
    let warm = solver.solve_space(&space, p.settings.iterations, &mut f);
    last.clear();
    last.extend(pairs().zip(f.chunks(3).map(|f| [f[0], f[1], f[2]])));
    [cold, warm]
}

/// Shakes the cube by turning gravity; what came of the steps with `contacts` ± 1 contacts.
fn shake(contacts: usize, balls: usize, friction: f64, steps: usize) -> Result<Tally, Error> {
    let mut m = cube(balls, friction)?;
    let (mut d, mut at) = (Data::new(&m)?, Data::new(&m)?);
    let mut solver = Complementarity::default();
    let (mut tally, mut last) = (Tally::default(), Impulses::new());
    for k in 0..steps {
        let (a, b) = (0.011 * k as f64, 0.007 * k as f64);
        m.opt.gravity = [9.81 * a.sin() * b.cos(), 9.81 * a.sin() * b.sin(), -9.81 * a.cos()].into();
        step(&m, &mut d)?;
        if d.contacts.list.len().abs_diff(contacts) > 2 {
            last.clear();
            continue;
        }
        at.state.clone_from(&d.state);
        forward(&m, &mut at)?;
        let solved = solve(&m, &at, &mut solver, &mut last);
        if at.contacts.list.len().abs_diff(contacts) <= 1 {
            tally.count(solved);
        }
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
            (0..2).for_each(|i| all.exact[i] += t.exact[i]);
            row.extend([
                format!("{:.1}, {:.1}", t.share(t.steps[0]), t.share(t.steps[1])),
                format!("{paper}"),
                format!("{:.1} % of {}", 100.0 * t.share(t.exact[1]), t.problems),
            ]);
        }
        rows.push(row);
    }
    let head =
        ["friction", "7 contacts", "paper", "exact", "16 contacts", "paper", "exact", "27 contacts", "paper", "exact"];
    Ok(format!(
        "Balls of 16 cm in a cube of 50 cm (3, 7 and 12 of them) whose gravity turns. At every step with as many contacts \
         (one more or less) the paper's problem of velocities (its equations 3 to 5) is solved: mean Newton steps of the \
         complementarity solver, those of all its tries included, from no force at all and from the last step's, and the \
         share solved exactly (residual at most 1e-10) from the last step's. The paper's cube and balls are not described, \
         nor where its iterations begin.\n\n{}\nOf {} problems {} are solved exactly from no force, {} from the last step's.\n",
        table(&head, rows),
        all.problems,
        all.exact[0],
        all.exact[1]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shaken_balls_touch_and_their_problems_are_solved_exactly() {
        let t = shake(7, 3, 0.5, 300).unwrap();
        assert!(t.problems > 20, "{} problems", t.problems);
        assert!(t.exact.iter().all(|&n| t.share(n) > 0.95), "{:?} of {}", t.exact, t.problems);
    }
}
