//! The minimum over a face by conjugate gradients with the Hessian's diagonal.

use super::face::{Face, Motion};
use crate::dual::state::DualState;
use crate::dual::unit::DualUnit;
use mj_math::simd::Separate;
use mj_problem::Bound;

/// Greatest number of products with A.
const PRODUCTS: usize = 300;

/// Residual of the linear system, relative to its right side, at which it counts as solved.
const SOLVED: f64 = 1e-13;

/// Vectors over the rows of the island, in the coordinates of the face.
#[derive(Clone, Debug, Default)]
pub struct ConjugateGradients {
    solution: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    /// 1 / diagonal of the Hessian.
    inverse: Vec<f64>,
}

impl ConjugateGradients {
    /// Finds the step to the minimum over the face; returns whether there is one.
    pub fn solve(&mut self, face: &mut Face, dual: &mut DualState, units: &[DualUnit]) -> bool {
        self.start(face, dual, units);
        let size = |s: &Self| s.residual.iter().zip(&s.inverse).map(|(r, i)| r * r * i).sum::<f64>();
        let start = size(self);
        let mut square = start;
        for _ in 0..PRODUCTS {
            if square.is_nan() || square <= start * SOLVED * SOLVED {
                break;
            }
            face.x.copy_from_slice(&self.direction);
            multiply(face, dual, units);
            let curvature = mj_math::dense::dot(&self.direction, &face.image);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let alpha = square / curvature;
            for i in 0..self.residual.len() {
                self.solution[i] += alpha * self.direction[i];
                self.residual[i] -= alpha * face.image[i];
            }
            let before = std::mem::replace(&mut square, size(self));
            let beta = square / before;
            for i in 0..self.residual.len() {
                self.direction[i] = self.inverse[i] * self.residual[i] + beta * self.direction[i];
            }
        }
        face.x.copy_from_slice(&self.solution);
        start > 0.0
    }

    /// Begins at no step: the residual is the gradient of the face, downwards.
    fn start(&mut self, face: &Face, dual: &DualState, units: &[DualUnit]) {
        let n = dual.force.len();
        for v in [&mut self.solution, &mut self.residual, &mut self.direction, &mut self.inverse] {
            v.clear();
            v.resize(n, 0.0);
        }
        for (u, motion) in units.iter().zip(&face.motion).filter(|(_, m)| **m != Motion::Held) {
            let (a, n) = (u.row as usize, u.dim());
            for i in a..a + n {
                self.residual[i] = -face.gradient[i];
                self.inverse[i] = 1.0 / (dual.a(u, i - a, i - a) + dual.r[i]);
            }
            if let (Motion::Boundary(curvature), Bound::Cone { friction, .. }) = (motion, &u.bound) {
                let normal = dual.a(u, 0, 0) + dual.r[a];
                for (j, m) in friction[..n - 1].iter().enumerate() {
                    let (i, w) = (a + 1 + j, face.tangent[a + 1 + j]);
                    let own = dual.a(u, 1 + j, 1 + j) + dual.r[i] + curvature * (1.0 / (m * m) - w * w);
                    self.inverse[i] = 1.0 / (own + w * (2.0 * dual.a(u, 0, 1 + j) + w * normal));
                    self.residual[i] += w * self.residual[a];
                }
                (self.inverse[a], self.residual[a]) = (0.0, 0.0);
            }
        }
        let start = self.inverse.iter().zip(&self.residual).map(|(i, r)| i * r);
        self.direction.iter_mut().zip(start).for_each(|(d, x)| *d = x);
    }
}

/// The Hessian of the face times `x`, in `image`.
fn multiply(face: &mut Face, dual: &mut DualState, units: &[DualUnit]) {
    face.unfold(units, 1.0);
    dual.multiply::<Separate>(&face.force, &mut face.image);
    for (u, motion) in units.iter().zip(&face.motion) {
        let (a, n) = (u.row as usize, u.dim());
        for i in a..a + n {
            face.image[i] += dual.r[i] * face.force[i];
        }
        match *motion {
            Motion::Held => face.image[a..a + n].fill(0.0),
            Motion::Free => {}
            Motion::Boundary(curvature) => {
                let Bound::Cone { friction: mu, .. } = &u.bound else { continue };
                // t̂ᵀq in t, where w_j = t̂_j/μ_j and q_j = μ_j t_j: Σ w_j q_j.
                let along = face.force[a];
                for (i, m) in (a + 1..a + n).zip(mu) {
                    let bent = curvature * (face.force[i] / (m * m) - face.tangent[i] * along);
                    face.image[i] += bent + face.tangent[i] * face.image[a];
                }
                face.image[a] = 0.0;
            }
        }
    }
}
