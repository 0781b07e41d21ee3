//! A step of the dual problem within the face of the feasible set that the present forces lie in.
//!
//! Gauss–Seidel finds which forces are at their bounds, and then needs as many sweeps as the problem is
//! ill conditioned to settle the others. With the bounds that are met held, the others minimize a
//! smooth function, and conjugate gradients find its minimum in about as many products with A as there
//! are dofs: A has no greater rank. The step is brought back to what is feasible and taken if it
//! lowers the cost, so that sweeps and steps together never lose ground (Moré & Toraldo, "On the
//! solution of large quadratic programming problems with bound constraints", 1991; with
//! Gauss–Seidel: Silcowitz, Niebe & Erleben, "A nonsmooth nonlinear conjugate gradient method for
//! interactive contact force problems", 2010).
//!
//! A force on the boundary of its elliptic cone, f₀ = ‖t‖ with t_j = f_j/μ_j, moves in the tangent
//! plane: its friction q is free and its normal force changes by Σ w_j q_j, w_j = t̂_j/μ_j. The gradient
//! there is λ(1, −w), λ ≥ 0, and the cone's curvature adds λ (I − t̂t̂ᵀ)/‖t‖ to the Hessian in t.

use crate::dual::state::DualState;
use crate::dual::unit::DualUnit;
use mj_math::simd::Separate;
use mj_problem::Bound;

/// Part of the largest friction by which a force may be inside its cone and still count as on its
/// boundary.
const ON_BOUNDARY: f64 = 1e-9;

/// Greatest number of products with A.
const PRODUCTS: usize = 300;

/// Greatest number of faces in one call.
const ROUNDS: usize = 10;

/// Residual of the linear system, relative to its right side, at which it counts as solved.
const SOLVED: f64 = 1e-13;

/// How a unit may move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Motion {
    Held,
    Free,
    /// Along the boundary of its cone; the multiplier λ over ‖t‖.
    Boundary(f64),
}

/// Memory of the step: vectors over the rows of the island.
#[derive(Clone, Debug, Default)]
pub struct SubspaceCg {
    motion: Vec<Motion>,
    /// w of cones on their boundaries.
    tangent: Vec<f64>,
    gradient: Vec<f64>,
    /// The problem in the coordinates of the face: solution, residual, direction, its image, 1/diagonal.
    x: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    image: Vec<f64>,
    inverse: Vec<f64>,
    /// A direction as forces.
    force: Vec<f64>,
}

impl SubspaceCg {
    /// Moves the forces of an island towards the minimum over their face; returns by how much the cost fell. Where
    /// the minimum lies beyond bounds, the first of them is met and the smaller face is next.
    pub fn step(&mut self, dual: &mut DualState, units: &[DualUnit]) -> f64 {
        self.resize(dual.force.len());
        let mut gain = 0.0;
        for _ in 0..ROUNDS {
            self.describe(dual, units);
            if !self.solve(dual, units) {
                break;
            }
            let reach = self.reach(dual, units);
            // All of the step, cut off by the bounds, may be good too; if not, it is up to the first bound.
            let mut taken = None;
            for alpha in [1.0, reach, 0.1 * reach, 0.01 * reach] {
                self.bounded(dual, units, alpha);
                let change = self.cost_change(dual, units);
                if change < 0.0 {
                    taken = Some((alpha, change));
                    break;
                }
            }
            let Some((alpha, change)) = taken else { break };
            gain -= change;
            each(units, |i| dual.set::<Separate>(i, dual.force[i] + self.force[i]));
            if alpha == 1.0 {
                break;
            }
        }
        gain
    }

    /// The part of the step, at most 1, up to the first bound, and a little beyond so that it is met.
    fn reach(&mut self, dual: &DualState, units: &[DualUnit]) -> f64 {
        self.force.copy_from_slice(&self.x);
        self.unfold(units, 1.0);
        let mut reach = 1.0f64;
        let mut until = |room: f64, speed: f64| {
            if speed > 0.0 {
                reach = reach.min(room / speed);
            }
        };
        for (u, motion) in units.iter().zip(&self.motion).filter(|(_, m)| **m != Motion::Held) {
            let a = u.row as usize;
            let (f, d) = (dual.force[a], self.force[a]);
            match u.bound {
                Bound::Free => {}
                Bound::Interval(loss) => until(loss - f * d.signum(), d.abs()),
                Bound::Positive => until(f, -d),
                Bound::Cone { .. } if *motion != Motion::Free => until(f, -d),
                // ‖t + α ṫ‖ = f₀ + α d.
                Bound::Cone { friction, .. } => {
                    let [mut t2, mut tv, mut v2] = [0.0; 3];
                    for (k, m) in friction[..u.dim() - 1].iter().enumerate() {
                        let (t, v) = (dual.force[a + 1 + k] / m, self.force[a + 1 + k] / m);
                        (t2, tv, v2) = (t2 + t * t, tv + t * v, v2 + v * v);
                    }
                    let (room, half, bend) = (f * f - t2, tv - f * d, v2 - d * d);
                    until(room, half + (half * half + bend * room).max(0.0).sqrt());
                }
            }
        }
        (reach * (1.0 + 1e-12)).min(1.0)
    }

    fn resize(&mut self, n: usize) {
        for v in [
            &mut self.tangent,
            &mut self.gradient,
            &mut self.x,
            &mut self.residual,
            &mut self.direction,
            &mut self.image,
            &mut self.inverse,
            &mut self.force,
        ] {
            v.resize(n, 0.0);
        }
    }

    /// Finds how each unit may move, the gradient, and the diagonal of the Hessian on the face.
    fn describe(&mut self, dual: &DualState, units: &[DualUnit]) {
        self.motion.clear();
        for u in units {
            let (a, n) = (u.row as usize, u.dim());
            for i in a..a + n {
                self.gradient[i] = dual.residual::<Separate>(i) + dual.r[i] * dual.force[i];
                self.inverse[i] = 1.0 / (dual.a(u, i - a, i - a) + dual.r[i]);
            }
            let f = dual.force[a];
            let motion = match u.bound {
                Bound::Free => Motion::Free,
                Bound::Interval(loss) if f.abs() < loss => Motion::Free,
                Bound::Positive if f > 0.0 => Motion::Free,
                Bound::Cone { ref friction, .. } if f > 0.0 => self.describe_cone(friction, dual, u),
                _ => Motion::Held,
            };
            self.motion.push(motion);
        }
    }

    fn describe_cone(&mut self, friction: &[f64; 5], dual: &DualState, u: &DualUnit) -> Motion {
        let (a, n) = (u.row as usize, u.dim());
        let (f, mu) = (&dual.force[a..a + n], &friction[..n - 1]);
        let size = f[1..].iter().zip(mu).map(|(f, m)| (f / m) * (f / m)).sum::<f64>().sqrt();
        if size < f[0] * (1.0 - ON_BOUNDARY) {
            return Motion::Free;
        }
        let curvature = self.gradient[a].max(0.0) / size;
        let normal = dual.a(u, 0, 0) + dual.r[a];
        self.inverse[a] = 0.0;
        for (j, m) in mu.iter().enumerate() {
            let (i, t) = (a + 1 + j, f[1 + j] / (m * size));
            let w = t / m;
            self.tangent[i] = w;
            let own = dual.a(u, 1 + j, 1 + j) + dual.r[i] + curvature * (1.0 - t * t) / (m * m);
            self.inverse[i] = 1.0 / (own + w * (2.0 * dual.a(u, 0, 1 + j) + w * normal));
        }
        Motion::Boundary(curvature)
    }

    /// Minimizes over the face by conjugate gradients with the diagonal; whether there is a step.
    fn solve(&mut self, dual: &mut DualState, units: &[DualUnit]) -> bool {
        for (u, motion) in units.iter().zip(&self.motion) {
            let (a, n) = (u.row as usize, u.dim());
            self.x[a..a + n].fill(0.0);
            for i in a..a + n {
                self.residual[i] = if *motion == Motion::Held { 0.0 } else { -self.gradient[i] };
            }
            if let Motion::Boundary(_) = motion {
                for i in a + 1..a + n {
                    self.residual[i] += self.tangent[i] * self.residual[a];
                }
                self.residual[a] = 0.0;
            }
            for i in a..a + n {
                self.direction[i] = self.inverse[i] * self.residual[i];
            }
        }
        let size = |s: &Self| sum(units, |i| s.residual[i] * s.residual[i] * s.inverse[i]);
        let start = size(self);
        let mut square = start;
        for _ in 0..PRODUCTS {
            if square.is_nan() || square <= start * SOLVED * SOLVED {
                break;
            }
            self.multiply(dual, units);
            let curvature = sum(units, |i| self.direction[i] * self.image[i]);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let alpha = square / curvature;
            each(units, |i| {
                self.x[i] += alpha * self.direction[i];
                self.residual[i] -= alpha * self.image[i];
            });
            let before = std::mem::replace(&mut square, size(self));
            let beta = square / before;
            each(units, |i| self.direction[i] = self.inverse[i] * self.residual[i] + beta * self.direction[i]);
        }
        start > 0.0
    }

    /// The Hessian of the face times the direction.
    fn multiply(&mut self, dual: &mut DualState, units: &[DualUnit]) {
        self.force.copy_from_slice(&self.direction);
        self.unfold(units, 1.0);
        dual.multiply::<Separate>(&self.force, &mut self.image);
        for (u, motion) in units.iter().zip(&self.motion) {
            let (a, n) = (u.row as usize, u.dim());
            for i in a..a + n {
                self.image[i] += dual.r[i] * self.force[i];
            }
            match *motion {
                Motion::Held => self.image[a..a + n].fill(0.0),
                Motion::Free => {}
                Motion::Boundary(curvature) => {
                    let Bound::Cone { friction: mu, .. } = &u.bound else { continue };
                    // t̂ᵀq in t, where w_j = t̂_j/μ_j and q_j = μ_j t_j: Σ w_j q_j.
                    let along = self.force[a];
                    for (i, m) in (a + 1..a + n).zip(mu) {
                        let bent = curvature * (self.force[i] / (m * m) - self.tangent[i] * along);
                        self.image[i] += bent + self.tangent[i] * self.image[a];
                    }
                    self.image[a] = 0.0;
                }
            }
        }
    }

    /// Makes of coordinates of the face, in `force`, the forces that `alpha` times they stand for.
    fn unfold(&mut self, units: &[DualUnit], alpha: f64) {
        for (u, motion) in units.iter().zip(&self.motion) {
            let (a, n) = (u.row as usize, u.dim());
            self.force[a..a + n].iter_mut().for_each(|f| *f *= alpha);
            match motion {
                Motion::Held => self.force[a..a + n].fill(0.0),
                Motion::Free => {}
                Motion::Boundary(_) => {
                    self.force[a] = (a + 1..a + n).map(|i| self.tangent[i] * self.force[i]).sum();
                }
            }
        }
    }

    /// The change of the forces by `alpha` times the step, brought back to what is feasible, in `force`.
    fn bounded(&mut self, dual: &DualState, units: &[DualUnit], alpha: f64) {
        self.force.copy_from_slice(&self.x);
        self.unfold(units, alpha);
        for u in units {
            let (a, n) = (u.row as usize, u.dim());
            let mut f = [0.0; 6];
            for (k, f) in f[..n].iter_mut().enumerate() {
                *f = dual.force[a + k] + self.force[a + k];
            }
            u.bound.project(&mut f[..n]);
            for (k, f) in f[..n].iter().enumerate() {
                self.force[a + k] = f - dual.force[a + k];
            }
        }
    }

    /// Change of the cost by `force`.
    fn cost_change(&mut self, dual: &mut DualState, units: &[DualUnit]) -> f64 {
        dual.multiply::<Separate>(&self.force, &mut self.image);
        sum(units, |i| {
            let f = self.force[i];
            f * (self.gradient[i] + 0.5 * (self.image[i] + dual.r[i] * f))
        })
    }
}

/// Calls `f` with each row of the units.
fn each(units: &[DualUnit], mut f: impl FnMut(usize)) {
    for u in units {
        (u.row as usize..u.row as usize + u.dim()).for_each(&mut f);
    }
}

fn sum(units: &[DualUnit], f: impl Fn(usize) -> f64) -> f64 {
    let mut s = 0.0;
    each(units, |i| s += f(i));
    s
}
