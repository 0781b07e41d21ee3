//! The face of the feasible set that forces lie in, and steps along it.
//!
//! A force on the boundary of its elliptic cone, f₀ = ‖t‖ with t_j = f_j/μ_j, moves in the tangent
//! plane: its friction q is free and its normal force changes by Σ w_j q_j, w_j = t̂_j/μ_j. The gradient
//! there is λ(1, −w), λ ≥ 0, and the cone's curvature adds λ (I − t̂t̂ᵀ)/‖t‖ to the Hessian in t.

use crate::dual::state::DualState;
use crate::dual::unit::DualUnit;
use mj_math::simd::Simd;
use mj_problem::Bound;

/// Part of the largest friction by which a force may be inside its cone and still count as on its
/// boundary.
const ON_BOUNDARY: f64 = 1e-9;

/// How a unit may move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    Held,
    Free,
    /// Along the boundary of its cone; the multiplier λ over ‖t‖.
    Boundary(f64),
}

/// A face, with vectors over the rows of the island.
#[derive(Clone, Debug, Default)]
pub struct Face {
    /// Motion of each unit.
    pub motion: Vec<Motion>,
    /// w of cones on their boundaries.
    pub tangent: Vec<f64>,
    /// Gradient of the dual cost.
    pub gradient: Vec<f64>,
    /// The step in the coordinates of the face.
    pub x: Vec<f64>,
    /// A change of the forces.
    pub force: Vec<f64>,
    /// A times it.
    pub image: Vec<f64>,
}

impl Face {
    /// Finds how each unit may move, and the gradient.
    #[inline(always)]
    pub fn describe<P: Simd>(&mut self, dual: &DualState, units: &[DualUnit]) {
        let n = dual.force.len();
        for v in [&mut self.tangent, &mut self.x, &mut self.force, &mut self.image] {
            v.resize(n, 0.0);
        }
        self.gradient.clear();
        self.gradient.extend((0..n).map(|i| dual.residual::<P>(i) + dual.r[i] * dual.force[i]));
        self.motion.clear();
        for u in units {
            let f = dual.force[u.row as usize];
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
        for (j, m) in mu.iter().enumerate() {
            self.tangent[a + 1 + j] = f[1 + j] / (m * m * size);
        }
        Motion::Boundary(self.gradient[a].max(0.0) / size)
    }

    /// Returns the part of the step, at most 1, up to the first bound, and a little beyond so that it is met.
    pub fn reach(&mut self, dual: &DualState, units: &[DualUnit]) -> f64 {
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

    /// Makes of `alpha` times the step the forces that its coordinates stand for, in `force`.
    pub fn unfold(&mut self, units: &[DualUnit], alpha: f64) {
        for (u, motion) in units.iter().zip(&self.motion) {
            let (a, n) = (u.row as usize, u.dim());
            let (force, x) = (&mut self.force[a..a + n], &self.x[a..a + n]);
            if *motion == Motion::Held {
                force.fill(0.0);
                continue;
            }
            force.iter_mut().zip(x).for_each(|(f, x)| *f = alpha * x);
            if let Motion::Boundary(_) = motion {
                force[0] = force[1..].iter().zip(&self.tangent[a + 1..]).map(|(f, w)| w * f).sum();
            }
        }
    }

    /// Computes the change of the forces by `alpha` times the step, brought back to what is feasible, in `force`.
    pub fn bound_step(&mut self, dual: &DualState, units: &[DualUnit], alpha: f64) {
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

    /// Returns the change of the cost by `force`.
    #[inline(always)]
    pub fn cost_change<P: Simd>(&mut self, dual: &mut DualState) -> f64 {
        dual.multiply::<P>(&self.force, &mut self.image);
        let terms = self.force.iter().zip(&self.gradient).zip(&self.image).zip(&dual.r);
        terms.map(|(((f, g), a), r)| f * (g + 0.5 * (a + r * f))).sum()
    }
}
