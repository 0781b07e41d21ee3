//! Elliptic friction cones.
//!
//! Forces of a contact lie in K = {f : f₀ ≥ 0, Σ (f_j/μ_j)² ≤ f₀²}. The regularization is chosen
//! so that R_j μ_j² is the same for all friction rows (and fixes μ by R₀ μ² = R_j μ_j² where
//! μ = μ₁√(R₁/R₀)), so that in the variables U = diag(μ, μ₁, …) x everything is round: with
//! N = U₀ and T = |U₁…|, the minimum over f ∈ K of fᵀx + ½ fᵀR f depends on N and T only
//! (manual, "Computation: Constraint model", contact; Todorov 2014). Three zones:
//!
//! - top, N ≥ μT: x lies in the dual cone; no force;
//! - bottom, μN + T ≤ 0: the cone does not bind; ½ Σ D_j x_j², force −D x;
//! - middle: the force lies on the cone's surface. Projecting on it gives
//!   s = ½ D_m (N − μT)² with D_m = D₀ / (μ²(1 + μ²)).
//!
//! Derivatives of the middle zone, with t = U₁…/T and r = N − μT:
//!
//! ```text
//! ∂s/∂U = D_m r (1, −μ t)
//! ∂²s/∂U² = D_m [ 1        −μ tᵀ                         ]
//!               [ −μ t     μ² t tᵀ − μ (r/T)(I − t tᵀ)   ]
//! ```
//!
//! and x ↦ U is the diagonal scaling above. Since r < 0 in this zone, both terms of the lower block
//! are positive semidefinite.

use super::equality;
use super::slope::Slope;
use crate::rows::ConeRows;
use crate::state::ConstraintState;
use mj_math::MINVAL;

/// Greatest number of rows of a cone.
const MAXDIM: usize = 6;

/// Zone of (N, T) for cones of slope μ.
#[inline]
fn zone(n: f64, t: f64, mu: f64) -> ConstraintState {
    if n >= mu * t || (t <= 0.0 && n >= 0.0) {
        ConstraintState::Satisfied
    } else if mu * n + t <= 0.0 || t <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}

/// Stiffness of the middle zone: D₀ / (μ²(1 + μ²)).
#[inline]
fn middle_stiffness(d0: f64, mu: f64) -> f64 {
    d0 / (mu * mu * (1.0 + mu * mu))
}

/// Scaled violation U, with N = U₀ and T.
#[inline]
fn scaled(c: &ConeRows, x: &[f64]) -> ([f64; MAXDIM], f64) {
    let mut u = [0.0; MAXDIM];
    u[0] = x[0] * c.mu;
    let mut tt = 0.0;
    for j in 1..x.len() {
        u[j] = x[j] * c.friction[j - 1];
        tt += u[j] * u[j];
    }
    (u, tt.sqrt())
}

/// Cost of one cone.
///
/// Example: [`evaluate`].
pub fn cost(c: &ConeRows, d: &[f64], x: &[f64]) -> f64 {
    let (u, t) = scaled(c, x);
    match zone(u[0], t, c.mu) {
        ConstraintState::Satisfied => 0.0,
        ConstraintState::Cone => {
            let r = u[0] - c.mu * t;
            0.5 * middle_stiffness(d[0], c.mu) * r * r
        }
        _ => equality::cost(d, x),
    }
}

/// Cost, force and state of one cone; all its rows are in the same zone.
///
/// ```
/// use mj_problem::cost::elliptic::*;
/// use mj_problem::{ConeRows, ConstraintState};
///
/// // A contact with friction ½ that slides: the force lies on the cone's surface and opposes the sliding.
/// let cone = ConeRows { row: 0, dim: 3, contact: 0, mu: 0.5, friction: [0.5; 5] };
/// let (d, x) = ([4.0; 3], [-0.1, 1.0, 0.0]);
/// let (mut force, mut state) = ([0.0; 3], [ConstraintState::Satisfied; 3]);
/// let s = evaluate(&cone, &d, &x, &mut force, &mut state);
/// assert_eq!(state, [ConstraintState::Cone; 3]);
/// assert!(force[0] > 0.0 && force[1] < 0.0);
/// assert!((squared_size(&force[1..], &cone.friction) - force[0] * force[0]).abs() < 1e-12);
///
/// // The force is the negative slope of the cost; its Hessian is B Bᵀ.
/// let change = cost(&cone, &d, &[-0.1 + 1e-6, 1.0, 0.0]) - s;
/// assert!((change / 1e-6 + force[0]).abs() < 1e-5);
/// let mut w = [0.0; 9];
/// hessian(&cone, &d, &x, &mut w);
/// let b = curvature_root(&cone, &d, &x);
/// assert!((b[1][0] * b[0][0] - w[3]).abs() < 1e-12);
///
/// // Forces outside of the cone are brought to it: friction of at most half the normal force of 2 N.
/// let (mut a, mut b, mut c) = ([2.0, 3.0, 0.0], [3.0, 0.0], [0.1, 0.0]);
/// project(&cone.friction, &mut a);
/// project_friction(&mut b, 2.0, &cone.friction);
/// scale_to_surface(&mut c, 2.0, &cone.friction);
/// for friction in [a[1], b[0], c[0]] {
///     assert!((friction - 1.0).abs() < 1e-12);
/// }
/// assert_eq!(zone_of_force(1.0, &[1.0; 5], &[2.0, 1.0, 0.0]), ConstraintState::Satisfied);
/// ```
#[inline]
pub fn evaluate(c: &ConeRows, d: &[f64], x: &[f64], force: &mut [f64], state: &mut [ConstraintState]) -> f64 {
    let (u, t) = scaled(c, x);
    let z = zone(u[0], t, c.mu);
    let s = match z {
        ConstraintState::Satisfied => {
            force.fill(0.0);
            0.0
        }
        ConstraintState::Cone => {
            let dm = middle_stiffness(d[0], c.mu);
            let r = u[0] - c.mu * t;
            force[0] = -dm * r * c.mu;
            for j in 1..x.len() {
                force[j] = -force[0] / t * u[j] * c.friction[j - 1];
            }
            0.5 * dm * r * r
        }
        _ => equality::evaluate(d, x, force, state),
    };
    state.fill(z);
    s
}

/// Hessian of a cone in the middle zone (dim×dim, row-major).
///
/// Example: [`evaluate`].
#[inline]
pub fn hessian(c: &ConeRows, d: &[f64], x: &[f64], out: &mut [f64]) {
    let n = x.len();
    let (u, t) = scaled(c, x);
    let dm = middle_stiffness(d[0], c.mu);
    let ratio = c.mu * u[0] / t;
    out[0] = dm * c.mu * c.mu;
    for j in 1..n {
        let tj = u[j] / t;
        let scale = dm * c.friction[j - 1];
        out[j] = -c.mu * tj * scale * c.mu;
        out[j * n] = out[j];
        for k in 1..=j {
            let tk = u[k] / t;
            // μ² t tᵀ − μ (r/T)(I − t tᵀ), with μ r/T = ratio − μ².
            let mut h = ratio * tj * tk;
            if k == j {
                h += c.mu * c.mu - ratio;
            }
            let h = h * scale * c.friction[k - 1];
            out[j * n + k] = h;
            out[k * n + j] = h;
        }
    }
}

/// Square root B of the Hessian W = B Bᵀ of a cone in the middle zone, which may be singular: lower triangle.
///
/// Example: [`evaluate`].
pub fn curvature_root(c: &ConeRows, d: &[f64], x: &[f64]) -> [[f64; MAXDIM]; MAXDIM] {
    let n = x.len();
    let mut w = [0.0; MAXDIM * MAXDIM];
    hessian(c, d, x, &mut w[..n * n]);
    let mut b = [[0.0; MAXDIM]; MAXDIM];
    for j in 0..n {
        let d = w[j * n + j] - b[j][..j].iter().map(|x| x * x).sum::<f64>();
        // The rest of a direction without curvature is rounding.
        if d <= 1e-14 * w[j * n + j] {
            continue;
        }
        b[j][j] = d.sqrt();
        for i in j + 1..n {
            let s: f64 = (0..j).map(|k| b[i][k] * b[j][k]).sum();
            b[i][j] = (w[i * n + j] - s) / b[j][j];
        }
    }
    b
}

/// Σ (fⱼ/μⱼ)², squared size of friction forces in units of the normal force.
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn squared_size(friction: &[f64], mu: &[f64]) -> f64 {
    friction.iter().zip(mu).map(|(f, m)| (f / m) * (f / m)).sum()
}

/// Scales friction forces to the cone's surface at a normal force.
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn scale_to_surface(friction: &mut [f64], normal: f64, mu: &[f64]) {
    let s = squared_size(friction, mu);
    let scale = (normal * normal / s.max(MINVAL)).sqrt();
    friction.iter_mut().for_each(|f| *f *= scale);
}

/// Projects friction forces on the cone at a normal force.
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn project_friction(friction: &mut [f64], normal: f64, mu: &[f64]) {
    if squared_size(friction, mu) > normal * normal {
        scale_to_surface(friction, normal, mu);
    }
}

/// Projects a force on the cone, at the same normal force where that is positive.
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn project(mu: &[f64; 5], f: &mut [f64]) {
    if f[0] < 0.0 {
        return f.fill(0.0);
    }
    let normal = f[0];
    project_friction(&mut f[1..], normal, mu);
}

/// Zone of the cost by the force, in the coordinates that make the cone round: f₀/μ, fⱼ/μⱼ.
///
/// Example: [`evaluate`].
#[inline(always)]
pub fn zone_of_force(mu: f64, friction: &[f64; 5], f: &[f64]) -> ConstraintState {
    let n = f[0] / mu;
    let t = squared_size(&f[1..], friction).sqrt();
    if mu * n >= t {
        ConstraintState::Satisfied
    } else if n + mu * t <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}

/// A cone along a line x + αv: a handful of numbers that give its cost at any α.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    mu: f64,
    dm: f64,
    /// N at the start and its rate.
    n: [f64; 2],
    /// T² = t[0] + 2α t[1] + α² t[2].
    t: [f64; 3],
    /// The bottom zone's quadratic: q[0] + α q[1] + α² q[2].
    q: [f64; 3],
    start: ConstraintState,
    cost0: f64,
}

impl Line {
    /// The cone's cost along `x + α v`.
    #[inline]
    pub fn new(c: &ConeRows, d: &[f64], x: &[f64], v: &[f64]) -> Self {
        let mut l = Self { mu: c.mu, dm: middle_stiffness(d[0], c.mu), ..Self::default() };
        l.n = [x[0] * c.mu, v[0] * c.mu];
        for j in 0..x.len() {
            l.q[0] += 0.5 * d[j] * x[j] * x[j];
            l.q[1] += d[j] * x[j] * v[j];
            l.q[2] += 0.5 * d[j] * v[j] * v[j];
            if j > 0 {
                let (u, w) = (x[j] * c.friction[j - 1], v[j] * c.friction[j - 1]);
                l.t[0] += u * u;
                l.t[1] += u * w;
                l.t[2] += w * w;
            }
        }
        let t0 = l.t[0].sqrt();
        l.start = zone(l.n[0], t0, l.mu);
        let r = l.n[0] - l.mu * t0;
        l.cost0 = match l.start {
            ConstraintState::Satisfied => 0.0,
            ConstraintState::Cone => 0.5 * l.dm * r * r,
            _ => l.q[0],
        };
        l
    }

    /// Change of the cost and its derivatives at α.
    #[inline]
    pub fn at(&self, alpha: f64) -> Slope {
        let [n0, n1] = self.n;
        let n = n0 + alpha * n1;
        let tt = self.t[0] + alpha * (2.0 * self.t[1] + alpha * self.t[2]);
        let t = tt.max(0.0).sqrt();
        match zone(n, t, self.mu) {
            ConstraintState::Satisfied => Slope { cost: -self.cost0, d1: 0.0, d2: 0.0 },
            ConstraintState::Cone => {
                let r = n - self.mu * t;
                let t1 = (self.t[1] + alpha * self.t[2]) / t;
                let t2 = (self.t[2] - t1 * t1) / t;
                let r1 = n1 - self.mu * t1;
                let cost = if self.start == ConstraintState::Cone {
                    // r − r₀ without cancellation: T − T₀ = (T² − T₀²)/(T + T₀).
                    let t0 = self.t[0].sqrt();
                    let dt = alpha * (2.0 * self.t[1] + alpha * self.t[2]) / (t + t0);
                    let dr = alpha * n1 - self.mu * dt;
                    0.5 * self.dm * dr * (2.0 * (n0 - self.mu * t0) + dr)
                } else {
                    0.5 * self.dm * r * r - self.cost0
                };
                Slope { cost, d1: self.dm * r * r1, d2: self.dm * (r1 * r1 - self.mu * r * t2) }
            }
            _ => {
                let rest = if self.start == ConstraintState::Quadratic { 0.0 } else { self.q[0] - self.cost0 };
                Slope {
                    cost: rest + alpha * (self.q[1] + alpha * self.q[2]),
                    d1: self.q[1] + 2.0 * alpha * self.q[2],
                    d2: 2.0 * self.q[2],
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONE: ConeRows = ConeRows { row: 0, dim: 3, contact: 0, mu: 0.5, friction: [0.5, 0.5, 0.0, 0.0, 0.0] };

    fn eval(x: [f64; 3]) -> ([f64; 3], ConstraintState) {
        let (mut f, mut st) = ([0.0; 3], [ConstraintState::Satisfied; 3]);
        evaluate(&CONE, &[2.0; 3], &x, &mut f, &mut st);
        (f, st[0])
    }

    #[test]
    fn zones() {
        assert_eq!(eval([1.0, 0.1, 0.0]).1, ConstraintState::Satisfied);
        let (f, z) = eval([-1.0, 0.1, 0.1]);
        assert_eq!((f, z), ([2.0, -0.2, -0.2], ConstraintState::Quadratic));
        // Sliding: the force lies on the cone and opposes the motion.
        let (f, z) = eval([-0.2, 3.0, 4.0]);
        assert_eq!(z, ConstraintState::Cone);
        assert!((f[1].hypot(f[2]) - 0.5 * f[0]).abs() < 1e-12);
        assert!(f[0] > 0.0 && (f[1] / f[2] - 0.75).abs() < 1e-12 && f[1] < 0.0);
    }

    #[test]
    fn no_tangential_violation() {
        assert_eq!(eval([0.0, 0.0, 0.0]), ([0.0; 3], ConstraintState::Satisfied));
        assert_eq!(eval([-1.0, 0.0, 0.0]).1, ConstraintState::Quadratic);
    }
}
