//! A small solver: gradient descent with the inertia matrix as the metric, on a block that is dragged over the floor.

use mj_math::block::Run;
use mj_math::dense::dot;
use mj_math::{BlockRows, TreePattern};
use mj_problem::{ConeRows, ConstraintSolver, Island, Problem, Quality, RowView, Settings, Solution};

/// Gradient descent; the step is halved until the cost decreases enough.
#[derive(Default)]
struct Descent {
    jar: Vec<f64>,
    gradient: Vec<f64>,
    direction: Vec<f64>,
    trial: Vec<f64>,
    work: Vec<f64>,
}

impl Descent {
    /// Cost at `qacc`; sets forces and states of the rows in `out`, and the gradient M q̈ − qfrc_smooth − Jᵀ f.
    fn cost(&mut self, p: &Problem, qacc: &[f64], out: &mut Solution) -> f64 {
        p.rows.jac.mul(qacc, &mut self.jar, &mut self.work);
        self.jar.iter_mut().zip(p.rows.aref).for_each(|(x, a)| *x -= a);
        let soft = p.rows.evaluate(&self.jar, &mut out.efc_force, &mut out.efc_state);
        out.qfrc_constraint.fill(0.0);
        p.rows.jac.mul_transposed_add(&out.efc_force, &mut out.qfrc_constraint, &mut self.work);
        p.pattern.mul(p.m, qacc, &mut self.gradient);
        self.gradient.iter_mut().zip(p.qfrc_smooth).for_each(|(g, f)| *g -= f);
        let difference: Vec<f64> = qacc.iter().zip(p.qacc_smooth).map(|(a, s)| a - s).collect();
        let inertial = 0.5 * dot(&difference, &self.gradient);
        self.gradient.iter_mut().zip(&out.qfrc_constraint).for_each(|(g, f)| *g -= f);
        inertial + soft
    }
}

impl ConstraintSolver for Descent {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        out.reset(p);
        for (v, n) in [(&mut self.jar, p.nefc()), (&mut self.gradient, p.nv()), (&mut self.work, p.nv())] {
            v.resize(n, 0.0);
        }
        let mut qacc = p.qacc_smooth.to_vec();
        let mut niter = 0;
        while niter < p.settings.iterations {
            let cost = self.cost(p, &qacc, out);
            self.direction.clone_from(&self.gradient);
            p.pattern.solve(p.ld, p.dinv, &mut self.direction);
            let slope = dot(&self.direction, &self.gradient);
            if slope <= p.settings.tolerance * p.settings.tolerance {
                break;
            }
            let mut step = 1.0;
            loop {
                self.trial.clear();
                self.trial.extend(qacc.iter().zip(&self.direction).map(|(a, d)| a - step * d));
                let trial = std::mem::take(&mut self.trial);
                let new = self.cost(p, &trial, out);
                self.trial = trial;
                if new <= cost - 0.25 * step * slope || step < 1e-9 {
                    break;
                }
                step *= 0.5;
            }
            qacc.clone_from(&self.trial);
            niter += 1;
        }
        self.cost(p, &qacc, out);
        out.qacc.copy_from_slice(&qacc);
        out.islands.push(Island { nv: p.nv() as u32, nefc: p.nefc() as u32, niter, ..Island::default() });
    }
}

fn main() {
    // Normal and tangents are the axes of a point mass.
    let pattern = TreePattern::new(&[None, Some(0), Some(1)], &[true; 3]);
    let mut jac = BlockRows::default();
    jac.clear(3);
    let values = jac.push(3, &[Run { start: 0, len: 3 }]);
    for k in 0..3 {
        values[4 * k] = 1.0;
    }
    let cones = [ConeRows { row: 0, dim: 3, contact: 0, mu: 0.5, friction: [0.5; 5] }];
    let mut solution = Solution::default();
    println!("drag   acceleration   normal  friction  steps  stationarity");
    for drag in [0.0, 2.0, 4.0, 6.0, 8.0] {
        let force = [-9.81, drag, 0.0];
        let problem = Problem {
            pattern: &pattern,
            m: &[1.0; 3],
            stiffness: None,
            ld: &[1.0; 3],
            dinv: &[1.0; 3],
            tree: &[0; 3],
            qfrc_smooth: &force,
            qacc_smooth: &force,
            qacc_warmstart: &[0.0; 3],
            rows: RowView {
                jac: &jac,
                ne: 0,
                nf: 0,
                d: &[20.0; 3],
                r: &[0.05; 3],
                aref: &[0.0; 3],
                frictionloss: &[0.0; 3],
                cones: &cones,
            },
            settings: Settings { iterations: 1000, tolerance: 1e-6, ..Settings::default() },
        };
        Descent::default().solve(&problem, &mut solution);
        let (q, f) = (&solution.qacc, &solution.efc_force);
        let quality = Quality::of(&problem, &solution);
        println!(
            "{drag:4.1} {:14.4} {:8.4} {:9.4} {:6}  {:.0e}",
            q[1],
            f[0],
            f[1],
            solution.niter(),
            quality.stationarity
        );
    }
}
