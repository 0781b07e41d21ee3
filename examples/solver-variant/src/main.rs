//! Runs the humanoid with a solver that the engine doesn't know: accelerated projected gradient.
//!
//! The dual of the constraint problem is to minimize ½ fᵀ(A + R) f + fᵀ b over forces within their bounds, with
//! A = J M⁻¹ Jᵀ and b = J q̈_smooth − aref. Each step goes down the gradient by 1/L, L a bound of the greatest
//! curvature, projects on the bounds, and extrapolates (Nesterov; Beck & Teboulle, "A fast iterative
//! shrinkage-thresholding algorithm for linear inverse problems", 2009), with a restart where the
//! momentum points uphill.
#![forbid(unsafe_code)]

use mj_engine::{Data, load, step};
use mj_math::dense::dot;
use mj_problem::{ConstraintSolver, ConstraintState, Island, Problem, Solution};

/// The solver and its memory.
#[derive(Clone, Debug, Default)]
struct ProjectedGradient {
    force: Vec<f64>,
    ahead: Vec<f64>,
    gradient: Vec<f64>,
    acc: Vec<f64>,
    work: Vec<f64>,
    scale: Vec<f64>,
}

impl ProjectedGradient {
    /// Acceleration q̈_smooth + M⁻¹Jᵀ f into `acc`, and the dual gradient J q̈ − aref + R f.
    fn gradient(&mut self, p: &Problem, f: &[f64]) {
        self.acc.fill(0.0);
        p.rows.jac.mul_transposed_add(f, &mut self.acc, &mut self.work);
        p.pattern.solve(p.ld, p.dinv, &mut self.acc);
        self.acc.iter_mut().zip(p.qacc_smooth).for_each(|(a, s)| *a += s);
        p.rows.jac.mul(&self.acc, &mut self.gradient, &mut self.work);
        for i in 0..f.len() {
            self.gradient[i] += p.rows.r[i] * f[i] - p.rows.aref[i];
        }
    }

    /// Greatest eigenvalue of S (A + R) S by a few power iterations, rounded up. S makes friction cones round.
    fn curvature(&mut self, p: &Problem) -> f64 {
        let n = p.nefc();
        let mut x = vec![1.0; n];
        let mut size = 1.0;
        for _ in 0..20 {
            let f: Vec<f64> = x.iter().zip(&self.scale).map(|(x, s)| x * s).collect();
            self.acc.fill(0.0);
            p.rows.jac.mul_transposed_add(&f, &mut self.acc, &mut self.work);
            p.pattern.solve(p.ld, p.dinv, &mut self.acc);
            p.rows.jac.mul(&self.acc, &mut self.gradient, &mut self.work);
            for i in 0..n {
                x[i] = self.scale[i] * (self.gradient[i] + p.rows.r[i] * f[i]);
            }
            size = dot(&x, &x).sqrt();
            x.iter_mut().for_each(|x| *x /= size);
        }
        1.2 * size
    }
}

/// Nearest feasible force, in coordinates in which the cones are round.
fn project(p: &Problem, scale: &[f64], f: &mut [f64]) {
    let (ne, nf) = (p.rows.ne, p.rows.nf);
    for i in ne..ne + nf {
        f[i] = f[i].clamp(-p.rows.frictionloss[i], p.rows.frictionloss[i]);
    }
    let mut cones = p.rows.cones.iter().peekable();
    let mut i = ne + nf;
    while i < f.len() {
        let Some(c) = cones.next_if(|c| c.row as usize == i) else {
            f[i] = f[i].max(0.0);
            i += 1;
            continue;
        };
        let cone = i..i + c.dim as usize;
        let friction = cone.clone().skip(1).map(|k| (f[k] / scale[k]).powi(2)).sum::<f64>().sqrt();
        if friction > f[i] {
            let normal = (0.5 * (f[i] + friction)).max(0.0);
            f[i] = normal;
            f[cone.start + 1..cone.end].iter_mut().for_each(|f| *f *= normal / friction);
        }
        i = cone.end;
    }
}

impl ConstraintSolver for ProjectedGradient {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        out.reset(p);
        let n = p.nefc();
        self.acc.resize(p.nv(), 0.0);
        self.work.resize(p.nv(), 0.0);
        for v in [&mut self.force, &mut self.ahead, &mut self.gradient, &mut self.scale] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.scale.fill(1.0);
        for c in p.rows.cones {
            let first = c.row as usize + 1;
            self.scale[first..first + c.dim as usize - 1].copy_from_slice(&c.friction[..c.dim as usize - 1]);
        }
        let l = if n > 0 { self.curvature(p) } else { 1.0 };
        let (mut t, mut niter) = (1.0f64, 0);
        while niter < 20 * p.settings.iterations && n > 0 {
            niter += 1;
            let mut next = std::mem::take(&mut self.ahead);
            self.gradient(p, &next);
            for i in 0..n {
                next[i] -= self.scale[i] * self.scale[i] * self.gradient[i] / l;
            }
            project(p, &self.scale, &mut next);
            let step: Vec<f64> = next.iter().zip(&self.force).map(|(a, b)| a - b).collect();
            let uphill = dot(&self.gradient, &step) > 0.0;
            let longer = 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
            let momentum = if uphill { 0.0 } else { (t - 1.0) / longer };
            t = if uphill { 1.0 } else { longer };
            self.ahead = next.iter().zip(&step).map(|(f, s)| f + momentum * s).collect();
            self.force = next;
            if dot(&step, &step) <= (p.settings.tolerance * (1.0 + dot(&self.force, &self.force).sqrt())).powi(2) {
                break;
            }
        }
        let f = std::mem::take(&mut self.force);
        self.gradient(p, &f);
        out.qacc.copy_from_slice(&self.acc);
        p.rows.jac.mul_transposed_add(&f, &mut out.qfrc_constraint, &mut self.work);
        out.efc_state.fill(ConstraintState::Quadratic);
        out.efc_force.copy_from_slice(&f);
        out.islands.push(Island { nv: p.nv() as u32, nefc: n as u32, niter, ..Island::default() });
        out.stats.resize(niter as usize, Default::default());
        self.force = f;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    let m = load(path)?;
    let (mut newton, mut ours) = (Data::new(&m)?, Data::new(&m)?);
    ours.solver = Some(Box::new(ProjectedGradient::default()));
    println!("  time   height (Newton)   height (projected gradient)   iterations   contacts");
    for k in 0..=300 {
        if k % 50 == 0 {
            let (a, b) = (newton.state.qpos[2], ours.state.qpos[2]);
            let (n, c) = (ours.solution.niter(), ours.contacts.len());
            println!("{:6.3}   {a:15.6}   {b:27.6}   {n:10}   {c:8}", ours.state.time);
        }
        step(&m, &mut newton)?;
        step(&m, &mut ours)?;
    }
    Ok(())
}
