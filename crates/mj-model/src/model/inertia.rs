//! The inertia of a body as a whole, and its log-Cholesky coordinates.
//!
//! A body whose density is positive has the pseudo-inertia
//!
//! ```text
//! J = | Σ + m c cᵀ  m c |,   Σ = ½ tr(I) 1 − I,
//!     |   m cᵀ       m  |
//! ```
//!
//! which is positive definite, and each positive definite J is that of a body. So J = U Uᵀ with
//!
//! ```text
//!           | exp d1   s12     s13    t1 |
//! U = exp α |   0     exp d2   s23    t2 |
//!           |   0       0     exp d3  t3 |
//!           |   0       0       0      1 |
//! ```
//!
//! gives ten coordinates without bounds (Rucker and Wensing, "Smooth Parameterization of Rigid-Body Inertia", RA-L 2022).
//! It follows that m = exp 2α, c = t and Σ = m L Lᵀ, where L is the block of d and s.

use crate::ids::BodyId;
use crate::model::compiled::Model;
use mj_math::real::{exp, log};
use mj_math::{DMat3, DVec3, eig3, quat};

/// Greatest loss of digits in a factor: a matrix that is closer to a singular one has no coordinates.
const LEAST: f64 = 1e-13;

/// Mass, centre of mass and inertia of a body in its frame, or a change of these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidInertia {
    /// Mass.
    pub mass: f64,
    /// Centre of mass.
    pub center: DVec3,
    /// Inertia matrix about the centre of mass, with the axes of the body's frame.
    pub inertia: DMat3,
}

impl RigidInertia {
    /// No mass or inertia, or no change of these.
    pub const ZERO: Self = Self { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };

    /// Collects the inertia of a body.
    pub fn of(m: &Model, b: BodyId) -> Self {
        let axes = quat::to_mat(m.body.iquat[b]);
        let inertia = axes * DMat3::from_diagonal(m.body.inertia[b]) * axes.transpose();
        Self { mass: m.body.mass[b], center: m.body.ipos[b], inertia }
    }

    /// Writes it to a body, with principal moments in decreasing order. Constants follow when `set_const` is called.
    pub fn write(&self, m: &mut Model, b: BodyId) {
        let (moments, axes) = eig3::symmetric(self.inertia);
        (m.body.mass[b], m.body.ipos[b]) = (self.mass, self.center);
        (m.body.inertia[b], m.body.iquat[b]) = (moments, axes);
    }
}

/// Log-Cholesky coordinates of an inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogCholesky(pub [f64; 10]);

impl LogCholesky {
    /// Names of the coordinates.
    pub const NAMES: [&str; 10] = ["alpha", "d1", "d2", "d3", "s12", "s23", "s13", "t1", "t2", "t3"];

    /// Finds the coordinates of an inertia; none unless its mass is positive and each principal moment less than the sum
    /// of the other two.
    pub fn of(i: &RigidInertia) -> Option<Self> {
        let trace = 0.5 * (i.inertia.x_axis.x + i.inertia.y_axis.y + i.inertia.z_axis.z);
        let sigma = (DMat3::from_diagonal(DVec3::splat(trace)) - i.inertia) * i.mass.recip();
        let at = |row: usize, column: usize| sigma.col(column)[row];
        let least = LEAST * trace / i.mass;
        let root = |x: f64| (x > least).then(|| x.sqrt());
        let l33 = root(at(2, 2)).filter(|_| i.mass > 0.0)?;
        let (s13, s23) = (at(0, 2) / l33, at(1, 2) / l33);
        let l22 = root(at(1, 1) - s23 * s23)?;
        let s12 = (at(0, 1) - s13 * s23) / l22;
        let l11 = root(at(0, 0) - s12 * s12 - s13 * s13)?;
        let DVec3 { x, y, z } = i.center;
        Some(Self([0.5 * log(i.mass), log(l11), log(l22), log(l33), s12, s23, s13, x, y, z]))
    }

    /// Returns the inertia.
    pub fn inertia(&self) -> RigidInertia {
        let [alpha, .., x, y, z] = self.0;
        let (mass, l) = (exp(2.0 * alpha), self.factor());
        RigidInertia { mass, center: DVec3::new(x, y, z), inertia: rotational(l * l.transpose()) * mass }
    }

    /// Returns the derivative of the inertia by coordinate `k`.
    pub fn slope(&self, k: usize) -> RigidInertia {
        let RigidInertia { mass, inertia, .. } = self.inertia();
        if k == 0 {
            return RigidInertia { mass: 2.0 * mass, inertia: inertia * 2.0, ..RigidInertia::ZERO };
        }
        if k >= 7 {
            return RigidInertia { center: DVec3::AXES[k - 7], ..RigidInertia::ZERO };
        }
        let (row, column) = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)][k - 1];
        let l = self.factor();
        let mut change = DMat3::ZERO;
        change.col_mut(column)[row] = if row == column { l.col(column)[row] } else { 1.0 };
        let half = change * l.transpose();
        RigidInertia { inertia: rotational(half + half.transpose()) * mass, ..RigidInertia::ZERO }
    }

    /// Returns a typical change of coordinate `k`: 1 for a logarithm, the radius of gyration for a length.
    pub fn typical_change(&self, k: usize) -> f64 {
        let l = self.factor();
        let square = l.to_cols_array().into_iter().map(|x| x * x).sum::<f64>();
        if k < 4 { 1.0 } else { (square / 1.5).sqrt() }
    }

    /// L.
    fn factor(&self) -> DMat3 {
        let [_, d1, d2, d3, s12, s23, s13, ..] = self.0;
        DMat3::from_cols(DVec3::new(exp(d1), 0.0, 0.0), DVec3::new(s12, exp(d2), 0.0), DVec3::new(s13, s23, exp(d3)))
    }
}

/// I = tr(Σ) 1 − Σ.
fn rotational(sigma: DMat3) -> DMat3 {
    let trace = sigma.x_axis.x + sigma.y_axis.y + sigma.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - sigma
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::BodyRow;
    use proptest::prelude::*;

    fn close(a: &RigidInertia, b: &RigidInertia, tolerance: f64) -> bool {
        let size = b.inertia.to_cols_array().into_iter().fold(0.0, |x: f64, y| x.max(y.abs()));
        (a.mass - b.mass).abs() <= tolerance * b.mass.abs().max(1e-300)
            && (a.center - b.center).length() <= tolerance * b.center.length().max(1.0)
            && (a.inertia - b.inertia).to_cols_array().iter().all(|x| x.abs() <= tolerance * size)
    }

    proptest! {
        /// Any ten numbers are an inertia, whose coordinates they are, and the inertia's numbers go through a model.
        #[test]
        fn coordinates_are_those_of_a_body(theta in prop::array::uniform10(-1.0..1.0f64)) {
            let given = LogCholesky(theta);
            let inertia = given.inertia();
            let found = LogCholesky::of(&inertia).unwrap();
            prop_assert!(found.0.iter().zip(theta).all(|(a, b)| (a - b).abs() < 1e-9), "{:?}", found.0);

            let mut m = Model::default();
            let b = m.body.push(BodyRow::default());
            inertia.write(&mut m, b);
            let moments = m.body.inertia[b];
            prop_assert!(m.body.mass[b] > 0.0 && moments.min_element() > 0.0);
            prop_assert!(moments.element_sum() > 2.0 * moments.max_element());
            prop_assert!(close(&RigidInertia::of(&m, b), &inertia, 1e-12));
        }

        #[test]
        fn slopes_are_those_of_differences(theta in prop::array::uniform10(-1.0..1.0f64), k in 0..10usize) {
            let at = |h: f64| {
                let mut theta = theta;
                theta[k] += h;
                LogCholesky(theta).inertia()
            };
            let (plus, minus, h) = (at(1e-5), at(-1e-5), 2e-5);
            let slope = LogCholesky(theta).slope(k);
            let size = 1.0 + plus.inertia.x_axis.length() + plus.inertia.y_axis.length() + plus.mass;
            prop_assert!((slope.mass - (plus.mass - minus.mass) / h).abs() < 1e-8 * size);
            prop_assert!((slope.center - (plus.center - minus.center) / h).length() < 1e-8 * size);
            let wanted = (plus.inertia - minus.inertia) * h.recip();
            prop_assert!((slope.inertia - wanted).to_cols_array().iter().all(|x| x.abs() < 1e-8 * size));
        }
    }

    #[test]
    fn only_a_positive_density_has_coordinates() {
        let of = |mass: f64, moments: [f64; 3]| {
            let inertia = DMat3::from_diagonal(DVec3::from_array(moments));
            LogCholesky::of(&RigidInertia { mass, center: DVec3::X, inertia })
        };
        assert!(of(1.0, [1.0, 1.0, 1.5]).is_some());
        // A flat body, a rod, one that can't be, and none.
        for moments in [[1.0, 1.0, 2.0], [1.0, 1.0, 0.0], [1.0, 1.0, 3.0], [0.0; 3]] {
            assert!(of(1.0, moments).is_none(), "{moments:?}");
        }
        assert!(of(0.0, [1.0; 3]).is_none() && of(-1.0, [1.0; 3]).is_none());
    }
}
