//! One iteration loop for every descent on the primal cost: start, direction, line search, update, convergence,
//! statistics.
//!
//! The cost is convex, once continuously differentiable and piecewise quadratic (with elliptic cones: piecewise
//! smooth). On a piece, Newton's step is exact; the line search carries it across pieces (manual, "Computation:
//! Algorithms").

use crate::primal::line_search::Line;
use mj_math::MINVAL;
use mj_problem::cost::elliptic;
use mj_problem::{ConstraintState, Island, Problem, Stat};

/// The rows along a search direction: `jar + α jv`, and the Gauss cost α slope + ½ α² curvature.
pub(crate) struct Motion<'a> {
    /// J q̈ − aref.
    pub jar: &'a [f64],
    /// Its rate.
    pub jv: &'a [f64],
    /// First and second derivative of the Gauss cost at α = 0.
    pub gauss: [f64; 2],
    /// Length of the search direction.
    pub length: f64,
}

/// An iterate of a descent with the search direction from it, in some coordinates of the acceleration.
pub(crate) trait Descent {
    /// Returns whether steps come from the Hessian of the cost.
    fn is_newton(&self) -> bool;

    /// Starts from the better of the warm start and the smooth acceleration; returns the length of the gradient there.
    fn start(&mut self, p: &Problem) -> f64;
    /// Returns gᵀM⁻¹g for the gradient g.
    fn squared_by_inertia(&mut self, p: &Problem) -> f64;
    /// Assembles and factors the Hessian; returns whether it could.
    fn factor(&mut self, p: &Problem) -> bool;
    /// Follows a change of row states in the factor of the Hessian; returns the number of rows, nefc, if
    /// it factored anew.
    fn update(&mut self, p: &Problem) -> u32;
    /// Computes the search direction; returns by how much the quadratic model of the cost falls along it.
    fn direct(&mut self, p: &Problem) -> f64;
    /// Computes the motion of the rows along the search direction.
    fn motion(&mut self, p: &Problem) -> Motion<'_>;
    /// Moves by `alpha` along the search direction, and evaluates the rows there; returns the length of the gradient.
    fn advance(&mut self, p: &Problem, alpha: f64) -> f64;
    /// States of the rows, now and before the last move.
    fn states(&self) -> [&[ConstraintState]; 2];
}

/// Minimizes the cost of one connected problem and appends its statistics; nothing if the Hessian can't be factored in
/// these coordinates.
pub(crate) fn minimize(
    d: &mut impl Descent,
    p: &Problem,
    cones: &mut Vec<elliptic::Line>,
    stats: &mut Vec<Stat>,
) -> Option<Island> {
    let set = &p.settings;
    let mut done = Island { nv: p.nv() as u32, nefc: p.nefc() as u32, stat: stats.len() as u32, ..Island::default() };
    // Cost and gradient are compared after division by the trace of M: accelerations.
    let scale = 1.0 / p.trace();
    let newton = d.is_newton();
    // The cost is at least as curved as M, so ½ gᵀM⁻¹g bounds how far it is from its minimum. For Newton's method the
    // gradient's criterion keeps forces of stiff rows exact too.
    let small_gradient = scale * d.start(p) < set.tolerance;
    if (small_gradient || !newton) && 0.5 * scale * d.squared_by_inertia(p) < set.tolerance {
        return Some(done);
    }
    if !d.factor(p) {
        return None;
    }
    if scale * d.direct(p) < set.tolerance && small_gradient {
        return Some(done);
    }
    while done.niter < set.iterations {
        let Motion { jar, jv, gauss, length } = d.motion(p);
        if length < MINVAL {
            break;
        }
        let gtol = set.tolerance * set.ls_tolerance * length / scale;
        // Newton's own step is α = 1.
        let first = newton.then_some(1.0);
        let found = Line::new(p.rows, jar, jv, gauss, cones).search(first, gtol, set.ls_iterations);
        if found.alpha == 0.0 {
            break;
        }
        let gradient = d.advance(p, found.alpha);
        done.niter += 1;
        let [state, old] = d.states();
        let mut stat = Stat::of_states(state, old);
        stat.improvement = scale * found.improvement;
        stat.gradient = scale * gradient;
        stat.lineslope = found.slope * scale / length;
        stat.neval = found.neval;
        let mut converged = (stat.improvement > 0.0 && stat.improvement < set.tolerance)
            || stat.gradient < set.tolerance
            || done.niter == set.iterations;
        if !converged {
            stat.nupdate = d.update(p);
            let predicted = scale * d.direct(p);
            converged = newton && predicted < set.tolerance;
        }
        stats.push(stat);
        if converged {
            break;
        }
    }
    Some(done)
}
