//! The hybrid variable: one number a row that is a force or an acceleration, never both.
//!
//! Let Π be the map that clamps a normal force to x₀ ≥ 0, a friction loss to its interval, and the
//! friction of a contact to the disk of radius Π(x)₀. With
//!
//! ```text
//! f(x) = Π(x),      w(x) = Π(x) − x,
//! ```
//!
//! every x satisfies the laws of contact (2012, equations 4 and 5): where x₀ > 0 it is a force and
//! w₀ = 0; where x₀ ≤ 0 the force is none and w₀ = −x₀ ≥ 0; the part of x that leaves the disk is a slip
//! that opposes the friction at its bound. What remains to be found is the x that obeys dynamics,
//!
//! ```text
//! F(x) = A f(x) + b − w(x) = (A − 1) Π(x) + x + b = 0.
//! ```
//!
//! Elliptic cones are disks here because rows are scaled, friction by its coefficient and whole units
//! by their inertia (see [`Scaled`]). Π is smooth but on planes (x₀ = 0, x = ±η) and on cones (|x_F| = x₀):
//! its kinks along a line are roots of linear and quadratic equations.

use mj_contact_space::ContactSpace;
use mj_math::dense::dot;
use mj_problem::{Bound, Unit};

/// A contact-space problem in coordinates in which all cones are round and inertias near one.
#[derive(Clone, Debug, Default)]
pub struct Scaled {
    /// A, k×k.
    pub a: Vec<f64>,
    /// b, k.
    pub b: Vec<f64>,
    /// Units, with the intervals scaled.
    pub units: Vec<Unit>,
    /// Physical force = scale × scaled force; k.
    pub scale: Vec<f64>,
    /// The greatest |b|, which residuals are told relative to.
    pub magnitude: f64,
    /// Greatest acceleration into a contact or limit that no force can change. Such rows are left out: their b is 0.
    pub stuck: f64,
}

impl Scaled {
    /// Scales a problem.
    pub fn build(&mut self, space: &ContactSpace) {
        let k = space.len();
        self.scale.clear();
        self.scale.resize(k, 1.0);
        self.units.clear();
        self.units.extend_from_slice(&space.units);
        for u in &mut self.units {
            let range = u.rows();
            if let Bound::Cone { friction, .. } = u.bound {
                self.scale[u.row + 1..range.end].copy_from_slice(&friction[..range.len() - 1]);
            }
            let mean =
                range.clone().map(|i| space.row(i)[i] * self.scale[i] * self.scale[i]).sum::<f64>() / u.dim() as f64;
            // A row that nothing can move keeps its size.
            let unit = if mean > 0.0 && mean.is_finite() { 1.0 / mean.sqrt() } else { 1.0 };
            self.scale[range].iter_mut().for_each(|s| *s *= unit);
            if let Bound::Interval(loss) = &mut u.bound {
                *loss /= unit;
            }
        }
        self.a.clear();
        for i in 0..k {
            let s = self.scale[i];
            self.a.extend(space.row(i).iter().zip(&self.scale).map(|(a, t)| a * s * t));
        }
        self.b.clear();
        self.b.extend(space.b.iter().zip(&self.scale).map(|(b, s)| b * s));
        self.leave_out_stuck();
        self.magnitude = self.b.iter().fold(f64::MIN_POSITIVE, |s, b| s.max(b.abs()));
    }

    /// Residual of the laws that no forces remove, relative to the greatest |b|.
    pub fn least_residual(&self) -> f64 {
        self.stuck / self.magnitude.max(self.stuck)
    }

    /// Takes the units out whose normal no force can move, and that would have to move.
    fn leave_out_stuck(&mut self) {
        self.stuck = 0.0;
        for u in self.units.iter().filter(|u| !matches!(u.bound, Bound::Interval(_))) {
            let (row, k) = (u.row, self.b.len());
            if self.a[row * k + row] <= 0.0 && self.b[row] < 0.0 {
                self.stuck = self.stuck.max(-self.b[row]);
                self.b[row] = 0.0;
            }
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.b.len()
    }

    /// Row i of A.
    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.a[i * self.len()..(i + 1) * self.len()]
    }

    /// f = Π(x).
    pub fn force(&self, x: &[f64], f: &mut [f64]) {
        f.copy_from_slice(x);
        for u in &self.units {
            unit_force(u.bound, &mut f[u.rows()]);
        }
    }

    /// F(x) = (A + c − 1) f + x + b, given f = Π(x); c = `compliance`.
    pub fn residual(&self, x: &[f64], f: &[f64], compliance: f64, out: &mut [f64]) {
        for i in 0..self.len() {
            out[i] = dot(self.row(i), f) + (compliance - 1.0) * f[i] + x[i] + self.b[i];
        }
    }

    /// Π′(at) v, with `at` away from the kinks: the derivative of the forces along a line.
    pub fn force_along(&self, at: &[f64], v: &[f64], out: &mut [f64]) {
        for u in &self.units {
            unit_force_along(u.bound, &at[u.rows()], &v[u.rows()], &mut out[u.rows()]);
        }
    }

    /// Jacobian of F at x, k×k: (A + c − 1) Π′ + 1.
    pub fn jacobian(&self, x: &[f64], compliance: f64, out: &mut [f64]) {
        let k = self.len();
        out.fill(0.0);
        for i in 0..k {
            out[i * k + i] = 1.0;
        }
        let (mut v, mut p) = ([0.0; 6], [0.0; 6]);
        for u in &self.units {
            let (n, row) = (u.dim(), u.row);
            for j in 0..n {
                v[..n].fill(0.0);
                v[j] = 1.0;
                unit_force_along(u.bound, &x[u.rows()], &v[..n], &mut p[..n]);
                for (m, &p) in p[..n].iter().enumerate() {
                    if p == 0.0 {
                        continue;
                    }
                    for i in 0..k {
                        out[i * k + row + j] += self.a[i * k + row + m] * p;
                    }
                    out[(row + m) * k + row + j] += (compliance - 1.0) * p;
                }
            }
        }
    }

    /// Steps 0 < α < `end` at which the line x + α v meets a kink, ascending.
    pub fn kinks(&self, x: &[f64], v: &[f64], end: f64, out: &mut Vec<f64>) {
        out.clear();
        let mut push = |alpha: f64| {
            if alpha > 0.0 && alpha < end {
                out.push(alpha);
            }
        };
        for u in &self.units {
            let (x, v) = (&x[u.rows()], &v[u.rows()]);
            match u.bound {
                Bound::Free => {}
                Bound::Interval(loss) => {
                    push((loss - x[0]) / v[0]);
                    push((-loss - x[0]) / v[0]);
                }
                Bound::Positive => push(-x[0] / v[0]),
                Bound::Cone { .. } => {
                    push(-x[0] / v[0]);
                    // |x_F + α v_F|² = (x₀ + α v₀)².
                    let a = dot(&v[1..], &v[1..]) - v[0] * v[0];
                    let b = dot(&x[1..], &v[1..]) - x[0] * v[0];
                    let c = dot(&x[1..], &x[1..]) - x[0] * x[0];
                    let q = -(b + (b * b - a * c).max(0.0).sqrt().copysign(b));
                    if b * b >= a * c {
                        push(q / a);
                        push(c / q);
                    }
                }
            }
        }
        out.sort_by(f64::total_cmp);
    }
}

/// Π of one unit, in place.
pub fn unit_force(bound: Bound, f: &mut [f64]) {
    match bound {
        Bound::Free => {}
        Bound::Interval(loss) => f[0] = f[0].clamp(-loss, loss),
        Bound::Positive => f[0] = f[0].max(0.0),
        Bound::Cone { .. } => {
            let normal = f[0].max(0.0);
            f[0] = normal;
            let slip = dot(&f[1..], &f[1..]).sqrt();
            if slip > normal {
                f[1..].iter_mut().for_each(|f| *f *= normal / slip);
            }
        }
    }
}

/// Π′(x) v of one unit.
fn unit_force_along(bound: Bound, x: &[f64], v: &[f64], out: &mut [f64]) {
    match bound {
        Bound::Free => out.copy_from_slice(v),
        Bound::Interval(loss) => out[0] = if x[0].abs() <= loss { v[0] } else { 0.0 },
        Bound::Positive => out[0] = if x[0] > 0.0 { v[0] } else { 0.0 },
        Bound::Cone { .. } if x[0] <= 0.0 => out.fill(0.0),
        Bound::Cone { .. } => {
            out.copy_from_slice(v);
            let slip = dot(&x[1..], &x[1..]).sqrt();
            if slip > x[0] {
                // f_F = x₀ t with t = x_F/|x_F|: v₀ t + (x₀/|x_F|)(v_F − t tᵀv_F).
                let ratio = x[0] / slip;
                let tv = dot(&x[1..], &v[1..]) / slip;
                for j in 1..x.len() {
                    let t = x[j] / slip;
                    out[j] = v[0] * t + ratio * (v[j] - t * tv);
                }
            }
        }
    }
}
