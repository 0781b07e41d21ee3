//! How soft a constraint is: `solref` and `solimp` become stiffness, damping and impedance.
//!
//! Manual: Computation, "Solver parameters"; modelling, "Impedance" and "Reference".

use mj_math::{MINVAL, real};
use mj_model::{IntegratorType, Model, disable};

/// Least and greatest impedance: 0 would be no constraint, 1 an infinitely hard one.
pub(crate) const IMPEDANCE: (f64, f64) = (1e-4, 0.9999);

/// Softness parameters of one constraint, made valid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// Reference of the constraint (the normal, for contacts).
    pub(crate) solref: [f64; 2],
    /// Reference of a contact's friction rows; zeros: as the normal.
    pub(crate) solreffriction: [f64; 2],
    /// d₀, d_width, width, midpoint, power.
    pub(crate) solimp: [f64; 5],
    /// With the integrator `discrete` and `refsafe` on: the time step, which no spring of a limit or
    /// contact can be too stiff for.
    step: Option<f64>,
}

impl Softness {
    /// Makes parameters valid: mixed signs of a reference give way to its default; with `refsafe`
    /// on, time constants are at least two time steps (but for the integrator `discrete`, see
    /// [`Self::resolved`]); impedances stay inside (0, 1).
    pub fn new(m: &Model, solref: [f64; 2], solreffriction: [f64; 2], solimp: [f64; 5]) -> Self {
        let refsafe = !m.opt.disabled(disable::REFSAFE);
        let discrete = m.opt.integrator == IntegratorType::Discrete;
        let valid = |r: [f64; 2], default: [f64; 2]| {
            let [time, damping] = if (r[0] > 0.0) == (r[1] > 0.0) { r } else { default };
            let safe = time > 0.0 && refsafe && !discrete;
            [if safe { time.max(2.0 * m.opt.timestep) } else { time }, damping]
        };
        let impedance = |d: f64| d.max(IMPEDANCE.0).min(IMPEDANCE.1);
        let [d0, dwidth, width, midpoint, power] = solimp;
        Self {
            solref: valid(solref, [0.02, 1.0]),
            solreffriction: valid(solreffriction, [0.0; 2]),
            solimp: [impedance(d0), impedance(dwidth), width.max(0.0), impedance(midpoint), power.max(1.0)],
            step: (refsafe && discrete).then_some(m.opt.timestep),
        }
    }

    /// Impedance at the violation `x = pos − margin`, and its derivative:
    ///
    /// d(x) = d₀ + y(|x|/width) (d_width − d₀)
    ///
    /// with y a power curve through (0, 0), (midpoint, midpoint) and (1, 1).
    pub fn impedance(&self, x: f64) -> (f64, f64) {
        let [d0, dwidth, width, midpoint, power] = self.solimp;
        if d0 == dwidth || width <= MINVAL {
            return (0.5 * (d0 + dwidth), 0.0);
        }
        let r = (x / width).abs();
        if r >= 1.0 {
            return (dwidth, 0.0);
        }
        if r == 0.0 {
            return (d0, 0.0);
        }
        let (y, slope) = if power == 1.0 {
            (r, 1.0)
        } else if power == 2.0 {
            // The default, without its general powers.
            let (b, s) = (1.0 / (1.0 - midpoint), 1.0 - r);
            if r <= midpoint { (r * r / midpoint, 2.0 * r / midpoint) } else { (1.0 - b * s * s, 2.0 * b * s) }
        } else if r <= midpoint {
            let a = real::pow(midpoint, 1.0 - power);
            (a * real::pow(r, power), a * power * real::pow(r, power - 1.0))
        } else {
            let (b, s) = (real::pow(1.0 - midpoint, 1.0 - power), 1.0 - r);
            (1.0 - b * real::pow(s, power), b * power * real::pow(s, power - 1.0))
        };
        let scale = dwidth - d0;
        (d0 + y * scale, slope * scale / width * x.signum())
    }

    /// Stiffness and damping of the reference acceleration, `a = −b v − k d (pos − margin)`.
    ///
    /// A positive reference is (time constant, damping ratio): b = 2/(d_width·τ),
    /// k = 1/(d_width²·τ²·ζ²). A negative one is (−stiffness, −damping), divided by d_width² and
    /// d_width.
    pub fn stiffness_damping(&self, kind: RowKind) -> (f64, f64) {
        let own = is_own_reference(kind, self.solreffriction);
        let [time, ratio] = if own { self.solreffriction } else { self.solref };
        let dwidth = self.solimp[1];
        let k = if kind != RowKind::Positional {
            0.0
        } else if time > 0.0 {
            1.0 / (dwidth * dwidth * time * time * ratio * ratio).max(MINVAL)
        } else {
            -time / (dwidth * dwidth).max(MINVAL)
        };
        let b = if ratio > 0.0 { 2.0 / (dwidth * time).max(MINVAL) } else { -ratio / dwidth.max(MINVAL) };
        (k, b)
    }
}

impl Softness {
    /// Stiffness and damping of a limit or of a contact's normal at impedance d = `imp`, instead of
    /// `stiffness` and its damping, where the spring is stiffer than the time step h resolves, k d h² > 1
    /// (by and large: time constant times damping ratio ζ is below h). It is the stiffest spring that does
    /// not rebound,
    ///
    /// k = 1/(d h²),  b = 2 ζ √k,
    ///
    /// with b no greater than leaves the row's impedance, folded into the step, below the greatest
    /// one.
    ///
    /// A stiffness that was given as such stays.
    ///
    /// Manual: XML reference, `option/flag/refsafe`.
    pub fn resolved(&self, stiffness: f64, imp: f64) -> Option<(f64, f64)> {
        let h = self.step?;
        let [time, ratio] = self.solref;
        if time <= 0.0 || stiffness * imp * h * h <= 1.0 {
            return None;
        }
        let k = 1.0 / (imp * h * h).max(MINVAL);
        let greatest = (1.0 / least_regularization(imp) - 2.0).max(0.0) / h;
        Some((k, (2.0 * ratio * k.sqrt()).min(greatest)))
    }
}

/// Whether rows of a kind have the reference of a contact's friction.
pub(crate) fn is_own_reference(kind: RowKind, solreffriction: [f64; 2]) -> bool {
    kind == RowKind::ContactFriction && solreffriction != [0.0; 2]
}

/// Least part of the regularization R that [`discretize_rows`](crate::discretize_rows) may leave: with it, a row of impedance `imp`
/// has the greatest impedance.
pub(crate) fn least_regularization(imp: f64) -> f64 {
    let most = IMPEDANCE.1;
    (1.0 - most) / most * imp / (1.0 - imp)
}

/// Derivatives by the impedance `imp` of the stiffness and damping that [`Softness::resolved`] gives for the time step h;
/// none where it gave others.
pub(crate) fn resolved_slopes([k, b]: [f64; 2], imp: f64, h: f64) -> Option<[f64; 2]> {
    if k != 1.0 / (imp * h * h).max(MINVAL) {
        return None;
    }
    let greatest = (1.0 / least_regularization(imp) - 2.0).max(0.0) / h;
    let by_damping =
        if b < greatest { -0.5 * b / imp } else { -1.0 / (least_regularization(imp) * (1.0 - imp) * imp * h) };
    Some([-k / imp, if greatest > 0.0 { by_damping } else { 0.0 }])
}

/// Kind of a row's reference: position, or velocity alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// A position: equality, limit, contact normal, pyramid edge.
    Positional,
    /// Nothing but zero velocity: friction loss.
    Dissipative,
    /// Zero velocity with a reference of its own: friction rows of elliptic contacts.
    ContactFriction,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn softness(solimp: [f64; 5]) -> Softness {
        Softness::new(&Model::default(), [0.02, 1.0], [0.0; 2], solimp)
    }

    #[test]
    fn impedance_meets_its_three_points() {
        let s = softness([0.2, 0.9, 0.01, 0.3, 3.0]);
        assert_eq!(s.impedance(0.0).0, 0.2);
        assert_eq!(s.impedance(-0.01).0, 0.9);
        assert!((s.impedance(-0.003).0 - (0.2 + 0.3 * 0.7)).abs() < 1e-12);
    }

    #[test]
    fn critically_damped_reference() {
        let (k, b) = softness([0.9, 0.95, 0.001, 0.5, 2.0]).stiffness_damping(RowKind::Positional);
        // b² = 4k is critical damping.
        assert!((b * b / (4.0 * k) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn mixed_reference_falls_back() {
        let s = Softness::new(&Model::default(), [0.05, -1.0], [0.0; 2], [0.9, 0.95, 0.001, 0.5, 2.0]);
        assert_eq!(s.solref, [0.02, 1.0]);
    }

    /// At the authored damping ratio, unless the impedance is as great as it gets already.
    #[test]
    fn springs_that_a_step_cannot_resolve_give_way() {
        let mut m = Model::default();
        m.opt.timestep = 0.01;
        m.opt.integrator = IntegratorType::Discrete;
        let resolved = |m: &Model, solref, d| {
            let s = Softness::new(m, solref, [0.0; 2], [d, d, 0.001, 0.5, 2.0]);
            s.resolved(s.stiffness_damping(RowKind::Positional).0, d)
        };
        assert_eq!(resolved(&m, [0.021, 0.5], 0.95), None);
        assert_eq!(resolved(&m, [-1e9, -1.0], 0.95), None);
        // Up to τ ζ √d = h: as measured of the reference, while the manual speaks of τ ζ.
        assert_eq!(resolved(&m, [0.01026, 1.0], 0.95), None);
        assert!(resolved(&m, [0.01025, 1.0], 0.95).is_some());
        let (k, b) = resolved(&m, [0.004, 0.5], 0.95).unwrap();
        assert!((k * 0.95e-4 - 1.0).abs() < 1e-12 && (b - k.sqrt()).abs() < 1e-9);
        let (_, b) = resolved(&m, [0.004, 0.5], 0.9999).unwrap();
        assert_eq!(b, 0.0);
        m.opt.disableflags = disable::REFSAFE;
        assert_eq!(resolved(&m, [0.004, 0.5], 0.95), None);
    }

    proptest! {
        #[test]
        fn slope_is_the_derivative(x in 0.0001..0.0099f64, power in 1.0..5.0f64, midpoint in 0.1..0.9f64) {
            let s = softness([0.1, 0.95, 0.01, midpoint, power]);
            let h = 1e-9;
            let fd = (s.impedance(x + h).0 - s.impedance(x - h).0) / (2.0 * h);
            // Across the midpoint the curve has a kink in its curvature only.
            prop_assert!((s.impedance(x).1 - fd).abs() < 1e-3 * (1.0 + fd.abs()));
            prop_assert!((s.impedance(-x).1 + s.impedance(x).1).abs() < 1e-12);
        }
    }
}
