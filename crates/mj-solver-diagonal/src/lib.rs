//! The diagonal solver (Todorov, Erez & Tassa 2012, section II.E): the fastest and least accurate.
//!
//! A spring and damper at each contact that knows the mass it works against. The reference
//! acceleration aref is that of a critically damped approach to no penetration and no slip; each
//! row's force is what would bring about that acceleration if the row were alone,
//!
//! ```text
//! (diag(A) + R) f = −b,
//! ```
//!
//! and the forces of a contact are then brought to the nearest point of its friction cone, in the
//! metric of the same diagonal. Nothing iterates and nothing interacts, so several contacts of one
//! body know nothing of each other: where they share a load, each may carry all of it
//! ([`Diagonal::sharing`] has them share).
//!
//! It knows problems, and neither models nor the engine.
//!
//! # Example
//!
//! ```
//! use mj_problem::{ConstraintSolver, Recorded, Solution};
//! use mj_solver_diagonal::Diagonal;
//!
//! let mut solution = Solution::default();
//! Diagonal::default().solve(&Recorded::default().problem(), &mut solution);
//! assert!(solution.efc_force.is_empty());
//! ```
#![forbid(unsafe_code)]

use mj_contact_space::project::{MAX_FRICTION, cone, coupled_weights};
use mj_contact_space::{ContactSpace, Equality};
use mj_problem::{Bound, ConstraintSolver, Island, Problem, Solution, Stat};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The diagonal solver. It owns its workspace; reuse it.
#[derive(Clone, Debug, Default)]
pub struct Diagonal {
    /// Replace each diagonal entry by the sum of |A| along its row: the forces of contacts that push on
    /// one body then never add up to more than it takes. Costs the whole of A.
    pub sharing: bool,
    space: ContactSpace,
    weight: Vec<f64>,
    f: Vec<f64>,
}

impl Diagonal {
    /// A solver whose contacts share the load of the bodies that they push on.
    pub fn sharing() -> Self {
        Self { sharing: true, ..Self::default() }
    }

    /// Forces of one problem in contact space into `f` (k).
    pub fn solve_space(&mut self, space: &ContactSpace, f: &mut [f64]) {
        self.weight.clear();
        self.weight.extend(space.diagonal.iter().zip(&space.r).map(|(a, r)| a + r));
        if self.sharing {
            for i in 0..space.len() {
                self.weight[i] = space.r[i] + space.row(i).iter().map(|a| a.abs()).sum::<f64>();
            }
        }
        for u in &space.units {
            let weight = &self.weight[u.rows()];
            let f = &mut f[u.rows()];
            for ((f, w), b) in f.iter_mut().zip(weight).zip(&space.b[u.rows()]) {
                // What nothing moves needs no force.
                *f = if *w > 0.0 { -b / w } else { 0.0 };
            }
            match u.bound {
                Bound::Free => {}
                Bound::Interval(loss) => f[0] = f[0].clamp(-loss, loss),
                Bound::Positive => f[0] = f[0].max(0.0),
                Bound::Cone { dim, friction, .. } => {
                    let (mu, tangents) = (&friction[..dim - 1], &weight[1..]);
                    let mean = tangents.iter().sum::<f64>() / tangents.len() as f64;
                    let mut coupled = [0.0; MAX_FRICTION];
                    if weight[0] > 0.0 && mean > 0.0 {
                        let mu_hat2 = coupled_weights(mu, weight[0], mean, &mut coupled[..dim - 1]);
                        cone(f, mu, mu_hat2);
                    } else {
                        f.fill(0.0);
                    }
                }
            }
        }
    }
}

impl ConstraintSolver for Diagonal {
    fn solve(&mut self, p: &Problem, out: &mut Solution) {
        let mut space = std::mem::take(&mut self.space);
        if self.sharing {
            space.build(p, Equality::Hard);
        } else {
            space.begin(p, Equality::Hard);
        }
        let mut f = std::mem::take(&mut self.f);
        f.clear();
        f.resize(space.len(), 0.0);
        self.solve_space(&space, &mut f);
        space.report(p, &f, out);
        out.islands.push(Island { nv: p.nv() as u32, nefc: p.nefc() as u32, niter: 1, ..Island::default() });
        out.stats.push(Stat::default());
        (self.space, self.f) = (space, f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_problem::Unit;
    use proptest::prelude::*;

    /// A space of one unit with a diagonal A.
    fn single(a: &[f64], b: &[f64], bound: Bound) -> ContactSpace {
        let k = a.len();
        let mut s = ContactSpace::default();
        (s.diagonal, s.b, s.r) = (a.to_vec(), b.to_vec(), vec![0.0; k]);
        s.a = vec![0.0; k * k];
        for i in 0..k {
            s.a[i * k + i] = a[i];
        }
        s.units = vec![Unit { row: 0, bound }];
        s
    }

    #[test]
    fn a_lone_contact_is_stopped_exactly() {
        let s = single(&[0.5, 2.0, 2.0], &[-3.0, 0.2, -0.1], Bound::Cone { dim: 3, mu: 1.0, friction: [1.0; 5] });
        let mut f = [0.0; 3];
        Diagonal::default().solve_space(&s, &mut f);
        for i in 0..3 {
            assert!((s.diagonal[i] * f[i] + s.b[i]).abs() < 1e-15);
        }
    }

    proptest! {
        /// Forces are feasible whatever the numbers, and a lone frictionless row obeys f ≥ 0, w ≥ 0, f w = 0.
        #[test]
        fn forces_are_feasible(a in prop::collection::vec(0.0..3.0f64, 4), b in prop::collection::vec(-3.0..3.0f64, 4), mu in prop::collection::vec(0.01..2.0f64, 5)) {
            let mu = [mu[0], mu[1], mu[2], mu[3], mu[4]];
            let s = single(&a, &b, Bound::Cone { dim: 4, mu: 1.0, friction: mu });
            let mut f = [0.0; 4];
            Diagonal::default().solve_space(&s, &mut f);
            let round = f[1..].iter().zip(&mu).map(|(f, m)| (f / m).powi(2)).sum::<f64>().sqrt();
            prop_assert!(f[0] >= 0.0 && round <= f[0] * (1.0 + 1e-12));

            let s = single(&a[..1], &b[..1], Bound::Positive);
            Diagonal::default().solve_space(&s, &mut f[..1]);
            let w = a[0] * f[0] + b[0];
            prop_assert!(f[0] >= 0.0 && (f[0] == 0.0 || w.abs() < 1e-12));
        }
    }
}
