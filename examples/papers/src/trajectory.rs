//! Tables 2 and 3 of 2012: the cost of a trajectory through inverse dynamics, its gradient and Hessian by clouds of
//! finite differences.
//!
//! At each of 30 steps of a cyclic motion the control force depends on three postures of 18 coordinates: 54, of which
//! two say where on the floor all of it happens, which changes nothing. A cloud is the state, each of the other 52
//! displaced both ways (105 states a step, 3,150 in all; a Gauss-Newton Hessian), and in the quadratic cloud each pair
//! of them displaced together (1,326 more, 42,930 in all; the Hessian itself). These are the paper's numbers of states.

use crate::text::{Error, table, thousands};
use mj_engine::{Model, State, load_str};
use mj_impulse::{Options, Pipeline};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Steps of the cyclic trajectory.
const STEPS: usize = 30;
/// Displacement of a coordinate.
const DELTA: f64 = 1e-4;
/// How much more a force at the free trunk costs, which nothing can give, than a torque of a motor.
const ROOT_WEIGHT: f64 = 10.0;

/// Displaced states of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cloud {
    /// Each coordinate both ways.
    Linear,
    /// And each pair together.
    Quadratic,
}

/// Cost of a trajectory, its gradient (n) and Hessian (n×n), with n = steps × dofs.
struct Derivatives {
    cost: f64,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
    states: usize,
}

/// Derivatives of one step's cost by the displacements of its cloud.
struct Local {
    step: usize,
    cost: f64,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
    states: usize,
}

/// The biped with `contacts` (6, 4 or 0) points on the floor, and a cyclic motion.
fn problem(contacts: usize) -> Result<(Model, Vec<Vec<f64>>), Error> {
    let mut m = load_str(include_str!("../models/biped.xml"))?;
    if contacts == 4 {
        for g in m.geom.ids() {
            if m.names.get(mj_engine::model::ObjType::Geom, g.index()).ends_with("toe_in") {
                m.geom.contype[g] = 0;
                m.geom.conaffinity[g] = 0;
            }
        }
    }
    let lift = if contacts == 0 { 0.5 } else { 0.0 };
    let start = State::new(&m).qpos;
    let motion = (0..STEPS)
        .map(|t| {
            let phase = std::f64::consts::TAU * t as f64 / STEPS as f64;
            let bend = 0.3 + 0.1 * phase.sin();
            let mut q = start.clone();
            q[0] = 0.01 * phase.cos();
            q[2] += lift - 0.8 * (1.0 - bend.cos());
            for leg in [7, 13] {
                // Hip, knee, ankle: the foot stays level.
                q[leg + 2] -= bend;
                q[leg + 3] += 2.0 * bend;
                q[leg + 4] -= bend;
            }
            q
        })
        .collect();
    Ok((m, motion))
}

/// The 52 coordinates of a step: where each acts in the 54 of three postures. A horizontal displacement of the posture
/// before or after is one against the posture between, whose own doesn't count.
fn coordinates(nv: usize) -> Vec<Vec<(usize, f64)>> {
    (0..3 * nv)
        .filter(|&k| k != nv && k != nv + 1)
        .map(|k| if k % nv < 2 { vec![(k, 1.0), (nv + k % nv, -1.0)] } else { vec![(k, 1.0)] })
        .collect()
}

/// The cost of one step at displaced postures.
struct Evaluator<'a> {
    m: &'a Model,
    pipeline: Pipeline,
    state: State,
    postures: [&'a [f64]; 3],
    displaced: [Vec<f64>; 3],
    displacement: Vec<f64>,
    next: Vec<f64>,
}

impl<'a> Evaluator<'a> {
    fn new(m: &'a Model, postures: [&'a [f64]; 3], pipeline: Pipeline) -> Self {
        let nv = m.nv();
        Self {
            m,
            pipeline,
            state: State::new(m),
            postures,
            displaced: postures.map(<[f64]>::to_vec),
            displacement: vec![0.0; 3 * nv],
            next: vec![0.0; nv],
        }
    }

    /// Residuals √w u of the control force u (nv) where the postures are displaced, into `out`; half their square.
    fn residuals(&mut self, displaced: &[(usize, f64)], out: &mut [f64]) -> Result<f64, Error> {
        let (m, nv, h) = (self.m, self.m.nv(), self.m.opt.timestep);
        self.displacement.fill(0.0);
        displaced.iter().for_each(|&(k, x)| self.displacement[k] = x);
        for i in 0..3 {
            self.displaced[i].copy_from_slice(self.postures[i]);
            let by = &self.displacement[i * nv..(i + 1) * nv];
            if by.iter().any(|&x| x != 0.0) {
                mj_dynamics::integrate_pos(m, &mut self.displaced[i], by, 1.0);
            }
        }
        let [before, now, after] = &self.displaced;
        self.state.qpos.copy_from_slice(now);
        mj_dynamics::differentiate_pos(m, &mut self.state.qvel, h, before, now);
        mj_dynamics::differentiate_pos(m, &mut self.next, h, now, after);
        self.pipeline.inverse(m, &self.state, &self.next)?;
        for (i, (out, u)) in out.iter_mut().zip(&self.pipeline.qfrc_inverse).enumerate() {
            *out = if i < 6 { ROOT_WEIGHT.sqrt() * u } else { *u };
        }
        Ok(0.5 * out.iter().map(|r| r * r).sum::<f64>())
    }
}

/// Cost, gradient and Hessian of one step by its cloud.
fn local(e: &mut Evaluator, step: usize, cloud: Cloud) -> Result<Local, Error> {
    let nv = e.m.nv();
    let n = 3 * nv - 2;
    // Which coordinate of the three postures each of the cloud is.
    let index: Vec<usize> = coordinates(nv).iter().map(|c| c[0].0).collect();
    let (mut r, mut up, mut down) = (vec![0.0; nv], vec![0.0; nv], vec![0.0; nv]);
    let cost = e.residuals(&[], &mut r)?;
    let mut states = 1;
    let mut out = Local { step, cost, gradient: vec![0.0; n], hessian: vec![0.0; n * n], states: 0 };
    let (mut jacobian, mut ups) = (vec![0.0; n * nv], vec![0.0; n]);
    for k in 0..n {
        ups[k] = e.residuals(&[(index[k], DELTA)], &mut up)?;
        let lower = e.residuals(&[(index[k], -DELTA)], &mut down)?;
        states += 2;
        let row = &mut jacobian[k * nv..(k + 1) * nv];
        row.iter_mut().zip(up.iter().zip(&down)).for_each(|(j, (a, b))| *j = (a - b) / (2.0 * DELTA));
        out.gradient[k] = mj_math::dense::dot(row, &r);
        out.hessian[k * n + k] = (ups[k] - 2.0 * cost + lower) / (DELTA * DELTA);
    }
    for i in 0..n {
        let diagonal = if cloud == Cloud::Linear { i + 1 } else { i };
        for j in 0..diagonal {
            let h = match cloud {
                Cloud::Linear => mj_math::dense::dot(&jacobian[i * nv..(i + 1) * nv], &jacobian[j * nv..(j + 1) * nv]),
                Cloud::Quadratic => {
                    states += 1;
                    let both = e.residuals(&[(index[i], DELTA), (index[j], DELTA)], &mut up)?;
                    (both - ups[i] - ups[j] + cost) / (DELTA * DELTA)
                }
            };
            (out.hessian[i * n + j], out.hessian[j * n + i]) = (h, h);
        }
    }
    out.states = states;
    Ok(out)
}

/// Cost, gradient and Hessian of the whole trajectory on `threads` threads.
fn derivatives(m: &Model, motion: &[Vec<f64>], pipelines: &[Pipeline], cloud: Cloud) -> Result<Derivatives, Error> {
    let turn = AtomicUsize::new(0);
    let work = |pipeline: &Pipeline| -> Result<Vec<Local>, String> {
        let mut done = Vec::new();
        loop {
            let t = turn.fetch_add(1, Ordering::Relaxed);
            if t >= STEPS {
                return Ok(done);
            }
            let postures = [(t + STEPS - 1) % STEPS, t, (t + 1) % STEPS].map(|k| &motion[k][..]);
            let mut e = Evaluator::new(m, postures, pipeline.clone());
            done.push(local(&mut e, t, cloud).map_err(|e| e.to_string())?);
        }
    };
    let locals: Vec<Local> = std::thread::scope(|scope| {
        let threads: Vec<_> = pipelines.iter().map(|p| scope.spawn(|| work(p))).collect();
        threads
            .into_iter()
            .map(|t| t.join().map_err(|_| "a thread panicked".to_string())?)
            .collect::<Result<Vec<_>, _>>()
    })?
    .into_iter()
    .flatten()
    .collect();
    Ok(assemble(m.nv(), &locals))
}

/// Sums the steps' derivatives over the postures that they share.
fn assemble(nv: usize, locals: &[Local]) -> Derivatives {
    let (coordinates, size) = (coordinates(nv), STEPS * nv);
    let n = coordinates.len();
    let mut out = Derivatives { cost: 0.0, gradient: vec![0.0; size], hessian: vec![0.0; size * size], states: 0 };
    // In the order of the steps, so that sums don't depend on threads.
    let mut ordered: Vec<&Local> = locals.iter().collect();
    ordered.sort_by_key(|l| l.step);
    for l in ordered {
        let place = |k: usize| ((l.step + STEPS - 1 + k / nv) % STEPS) * nv + k % nv;
        out.cost += l.cost;
        out.states += l.states;
        for (a, from) in coordinates.iter().enumerate() {
            for &(i, x) in from {
                out.gradient[place(i)] += x * l.gradient[a];
                for (b, to) in coordinates.iter().enumerate() {
                    for &(j, y) in to {
                        out.hessian[place(i) * size + place(j)] += x * y * l.hessian[a * n + b];
                    }
                }
            }
        }
    }
    out
}

/// Pipelines, one a thread.
fn pipelines(m: &Model, threads: usize) -> Result<Vec<Pipeline>, Error> {
    let one = Pipeline::new(m, Options { epsilon: 0.1, ..Options::default() })?;
    Ok(vec![one; threads])
}

/// Both tables.
pub fn section() -> Result<String, Error> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let paper = [[[1.096, 0.742, 0.245], [0.071, 0.046, 0.014]], [[0.111, 0.075, 0.027], [0.008, 0.006, 0.003]]];
    let paper_rates = [[42_000.0, 63_000.0, 200_000.0], [390_000.0, 549_000.0, 1_320_000.0]];
    let (mut seconds, mut rates) = (Vec::new(), Vec::new());
    for (row, threads) in [1, all].into_iter().enumerate() {
        let label = [threads.to_string(), format!("{threads} (paper: 24)")][row].clone();
        let mut rate = vec![label.clone()];
        for (column, cloud) in [Cloud::Quadratic, Cloud::Linear].into_iter().enumerate() {
            let mut cells = vec![label.clone()];
            for (k, contacts) in [6, 4, 0].into_iter().enumerate() {
                let (m, motion) = problem(contacts)?;
                let p = pipelines(&m, threads)?;
                let mut best = f64::INFINITY;
                let mut states = 0;
                for _ in 0..5 {
                    let start = Instant::now();
                    states = derivatives(&m, &motion, &p, cloud)?.states;
                    best = best.min(start.elapsed().as_secs_f64());
                }
                if k == 0 {
                    cells.push(thousands(states as f64));
                }
                cells.extend([format!("{best:.4}"), format!("{:.3}", paper[row][column][k])]);
                if cloud == Cloud::Quadratic {
                    rate.push(thousands((states as f64 / best / 1000.0).round() * 1000.0));
                    rate.push(thousands(paper_rates[row][k]));
                }
            }
            seconds.push(cells);
        }
        rates.push(rate);
    }
    let head = ["threads", "states", "6 contacts", "paper", "4 contacts", "paper", "0 contacts", "paper"];
    let rate_head = ["threads", "6 contacts", "paper", "4 contacts", "paper", "0 contacts", "paper"];
    Ok(format!(
        "Seconds for the cost of a cyclic trajectory of {STEPS} steps of a biped of 18 dofs, its gradient and its \
         Hessian (540×540), through inverse dynamics. At each step the control force depends on three postures, 54 \
         coordinates less the 2 of where on the floor it happens; the linear cloud displaces each of the 52 both ways \
         (a Gauss-Newton Hessian), the quadratic one also each pair: the paper's 3,150 and 42,930 states. Ours is the \
         inverse of 2014, in closed form; the paper's was an interior-point method, on two six-core Intel X5680 at \
         3.33 GHz. Ours had {all} cores.\n\nTable 2, seconds:\n\n{}\nTable 3, evaluations a second:\n\n{}",
        table(&head, seconds),
        table(&rate_head, rates)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of states and contacts are the paper's.
    #[test]
    fn clouds_have_the_papers_sizes() {
        for contacts in [6, 4, 0] {
            let (m, motion) = problem(contacts).unwrap();
            assert_eq!(m.nv(), 18);
            let mut p = pipelines(&m, 1).unwrap().remove(0);
            for q in &motion {
                let mut s = State::new(&m);
                s.qpos.copy_from_slice(q);
                p.forward(&m, &s);
                assert_eq!(p.rows.cones.len(), contacts);
            }
            let d = derivatives(&m, &motion, &pipelines(&m, 2).unwrap(), Cloud::Linear).unwrap();
            assert_eq!(d.states, 3150);
        }
        // Pairs of the 52 coordinates come in addition.
        assert_eq!(STEPS * (105 + 52 * 51 / 2), 42_930);
    }

    /// Gradient and Hessian against differences of the cost and of the gradient along a direction that bends all
    /// postures, where no contact switches.
    #[test]
    fn derivatives_are_those_of_the_cost() {
        let (m, motion) = problem(0).unwrap();
        let p = pipelines(&m, 2).unwrap();
        let d = derivatives(&m, &motion, &p, Cloud::Quadratic).unwrap();
        assert_eq!(d.states, 42_930);
        let mut random = crate::random::Random(5);
        let size = d.gradient.len();
        let direction: Vec<f64> = (0..size).map(|_| random.next()).collect();
        let at = |step: f64| {
            let moved: Vec<Vec<f64>> = motion
                .iter()
                .zip(direction.chunks(m.nv()))
                .map(|(q, v)| {
                    let mut q = q.clone();
                    mj_dynamics::integrate_pos(&m, &mut q, v, step);
                    q
                })
                .collect();
            derivatives(&m, &moved, &p, Cloud::Linear).unwrap()
        };
        let eps = 1e-5;
        let (a, b) = (at(eps), at(-eps));
        let along = mj_math::dense::dot(&d.gradient, &direction);
        let want = (a.cost - b.cost) / (2.0 * eps);
        assert!((along - want).abs() < 1e-4 * want.abs(), "{along} {want}");
        let curvature: f64 = (0..size)
            .map(|i| direction[i] * mj_math::dense::dot(&d.hessian[i * size..(i + 1) * size], &direction))
            .sum();
        let want =
            (mj_math::dense::dot(&a.gradient, &direction) - mj_math::dense::dot(&b.gradient, &direction)) / (2.0 * eps);
        assert!((curvature - want).abs() < 1e-2 * want.abs(), "{curvature} {want}");
    }
}
