//! A step of the dual problem within the face of the feasible set that the present forces lie in.
//!
//! Gauss–Seidel finds which forces are at their bounds, and then needs as many sweeps as the problem is
//! ill conditioned to settle the others. With the bounds that are met held, the others minimize a
//! smooth function. Where A is formed a Cholesky factor gives its minimum; where it is not, conjugate gradients find it
//! in about as many products with A as there are dofs: A has no greater rank. The step is brought back to what is
//! feasible and taken if it lowers the cost, so that sweeps and steps together never lose ground (Moré & Toraldo, "On
//! the solution of large quadratic programming problems with bound constraints", 1991; with
//! Gauss–Seidel: Silcowitz, Niebe & Erleben, "A nonsmooth nonlinear conjugate gradient method for
//! interactive contact force problems", 2010).

mod conjugate;
mod direct;
mod face;

use crate::dual::state::DualState;
use crate::dual::unit::DualUnit;
use conjugate::ConjugateGradients;
use direct::FaceFactor;
use face::Face;
use mj_math::simd::Simd;

/// Greatest number of faces in one call.
const ROUNDS: usize = 10;

/// Memory of the step.
#[derive(Clone, Debug, Default)]
pub struct SubspaceStep {
    face: Face,
    conjugate: ConjugateGradients,
    factor: FaceFactor,
}

impl SubspaceStep {
    /// Moves the forces of an island towards the minimum over their face; returns by how much the cost fell. Where
    /// the minimum lies beyond bounds, the first of them is met and the smaller face is next.
    #[inline(always)]
    pub fn step<P: Simd>(&mut self, dual: &mut DualState, units: &[DualUnit]) -> f64 {
        let face = &mut self.face;
        let mut gain = 0.0;
        for _ in 0..ROUNDS {
            face.describe::<P>(dual, units);
            let solved = match dual.formed() {
                Some(a) => self.factor.solve::<P>(face, a, &dual.r, units),
                None => self.conjugate.solve(face, dual, units),
            };
            if !solved {
                break;
            }
            let reach = face.reach(dual, units);
            // All of the step, cut off by the bounds, may be good too; if not, it is up to the first bound.
            let mut taken = None;
            for alpha in [1.0, reach, 0.1 * reach, 0.01 * reach] {
                face.bound_step(dual, units, alpha);
                let change = face.cost_change::<P>(dual);
                if change < 0.0 {
                    taken = Some((alpha, change));
                    break;
                }
            }
            let Some((alpha, change)) = taken else { break };
            gain -= change;
            dual.advance::<P>(&face.force, &face.image);
            if alpha == 1.0 {
                break;
            }
        }
        gain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dual::state::gradient;
    use crate::dual::state::tests::forest;
    use crate::dual::unit::find_units;
    use crate::island::find::Islands;
    use mj_math::simd::Fused;
    use mj_problem::ConstraintState;
    use proptest::prelude::*;

    proptest! {
        /// The factor and conjugate gradients find one minimum over a face, and a step never raises the cost.
        #[test]
        fn both_solvers_agree(sizes in prop::collection::vec(1usize..9, 1..4), pairs in prop::collection::vec((0usize..4, 0usize..4), 1..6), seed in prop::collection::vec(-1.0..1.0f64, 97)) {
            let own = forest(&sizes, &pairs, &seed);
            let p = own.problem();
            let (mut islands, mut units, mut work, mut grad) = (Islands::default(), Vec::new(), Vec::new(), Vec::new());
            islands.find(&p);
            gradient(&p, p.qacc_smooth, &mut work, &mut grad);
            // Forces of which some are at their bounds, cones' on their boundaries among them.
            let mut force = vec![0.0; p.nefc()];
            let mut states = vec![ConstraintState::default(); p.nefc()];
            p.rows.evaluate(&grad, &mut force, &mut states);
            for i in 0..islands.count() {
                find_units(&p, &islands, i, &mut units);
                let mut dual = DualState::default();
                dual.load::<Fused>(&p, (&islands, i), &mut units, &force, &grad);
                let (mut one, mut other) = (Face::default(), Face::default());
                one.describe::<Fused>(&dual, &units);
                other.describe::<Fused>(&dual, &units);
                let Some(a) = dual.formed() else { continue };
                let solved = FaceFactor::default().solve::<Fused>(&mut one, a, &dual.r, &units);
                // Conjugate gradients tell of a step only where there is a gradient.
                let moves = ConjugateGradients::default().solve(&mut other, &mut dual, &units);
                prop_assert!(solved || !moves);
                one.unfold(&units, 1.0);
                other.unfold(&units, 1.0);
                let size = one.force.iter().fold(0.0, |x: f64, f| x.max(f.abs()));
                for (x, y) in one.force.iter().zip(&other.force).filter(|_| solved) {
                    prop_assert!((x - y).abs() <= 1e-8 * size, "{x} {y}");
                }
                prop_assert!(SubspaceStep::default().step::<Fused>(&mut dual, &units) >= 0.0);
            }
        }
    }
}
