//! How good a solution is, by the conditions that it should meet.

use crate::cost::{Kind, elliptic};
use crate::problem::Problem;
use crate::solution::Solution;
use crate::state::ConstraintState;

/// Measures of a solution. Those of the convex problem are relative to its scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Primal cost ½ (q̈ − q̈_smooth)ᵀ M (q̈ − q̈_smooth) + s(J q̈ − aref).
    pub cost: f64,
    /// The problem's scale: the greatest force in joint space, of a dof's rows the sum of magnitudes Σ |J_ij f_i|, since
    /// forces that cancel leave their rounding.
    pub scale: f64,
    /// ‖M (q̈ − q̈_smooth) − Jᵀ f‖∞: whether the forces give the acceleration.
    pub stationarity: f64,
    /// How far a force is outside its bound, relative to the greatest force.
    pub feasibility: f64,
    /// ‖Jᵀ (f + ∇s(J q̈ − aref))‖∞: whether the forces are those of the convex model. Other models of contact
    /// have others.
    pub complementarity: f64,
    /// Greatest slip acceleration of a contact that bears a force, J q̈ − aref in its tangent rows.
    pub slip: f64,
    /// Greatest acceleration into a limit or contact, −(J q̈ − aref).
    pub penetration: f64,
}

impl Quality {
    /// Measures a solution.
    pub fn of(p: &Problem, s: &Solution) -> Self {
        let (nv, n) = (p.nv(), p.nefc());
        let mut work = vec![0.0; nv];
        let mut x = vec![0.0; n];
        p.rows.jac.mul(&s.qacc, &mut x, &mut work);
        x.iter_mut().zip(p.rows.aref).for_each(|(x, a)| *x -= a);
        let (mut convex, mut state) = (vec![0.0; n], vec![ConstraintState::Satisfied; n]);
        let soft = p.rows.evaluate(&x, &mut convex, &mut state);

        let difference: Vec<f64> = s.qacc.iter().zip(p.qacc_smooth).map(|(a, b)| a - b).collect();
        let mut inertial = vec![0.0; nv];
        p.mul_m(&difference, &mut inertial);
        let joint = |f: &[f64], work: &mut Vec<f64>| {
            let mut q = vec![0.0; nv];
            p.rows.jac.mul_transposed_add(f, &mut q, work);
            q
        };
        let (given, wanted) = (joint(&s.efc_force, &mut work), joint(&convex, &mut work));
        let largest =
            |v: &mut dyn Iterator<Item = f64>| v.fold(0.0, |m: f64, x| if x.is_nan() { x } else { m.max(x.abs()) });
        let mut exerted = vec![0.0; nv];
        for (i, f) in convex.iter().enumerate() {
            p.rows.jac.for_each_in_row(i, |c, v| exerted[c] += (v * f).abs());
        }
        let scale = largest(&mut p.qfrc_smooth.iter().copied()).max(largest(&mut exerted.into_iter())).max(1e-300);
        let cost = 0.5 * inertial.iter().zip(&difference).map(|(a, b)| a * b).sum::<f64>() + soft;
        let mut q = Self {
            cost,
            scale,
            stationarity: largest(&mut inertial.iter().zip(&given).map(|(a, b)| a - b)) / scale,
            complementarity: largest(&mut given.iter().zip(&wanted).map(|(a, b)| a - b)) / scale,
            ..Self::default()
        };
        q.rows(p, &s.efc_force, &x);
        q
    }

    /// What each row tells.
    fn rows(&mut self, p: &Problem, force: &[f64], x: &[f64]) {
        let size = force.iter().fold(1e-300, |m: f64, f| m.max(f.abs()));
        let mut outside = |by: f64| self.feasibility = self.feasibility.max(by / size);
        for (kind, a, b) in p.rows.runs() {
            let (f, x) = (&force[a..b], &x[a..b]);
            match kind {
                Kind::Equality => {}
                Kind::FrictionLoss => f.iter().zip(&p.rows.frictionloss[a..b]).for_each(|(f, l)| outside(f.abs() - l)),
                Kind::OneSided => {
                    for (f, x) in f.iter().zip(x) {
                        outside(-f);
                        self.penetration = self.penetration.max(-x);
                    }
                }
                Kind::Elliptic(c) => {
                    let round = elliptic::squared_size(&f[1..], &c.friction).sqrt();
                    outside(-f[0]);
                    outside(round - f[0]);
                    self.penetration = self.penetration.max(-x[0]);
                    if f[0] > 1e-9 * size {
                        self.slip = self.slip.max(mj_math::dense::norm(&x[1..]));
                    }
                }
            }
        }
    }
}
