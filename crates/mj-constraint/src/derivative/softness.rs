//! How a constraint's reference and regularization change with `solref` and `solimp`.
//!
//! With r = |x|/width and the power curve y(r), the impedance d = d₀ + y (d_width − d₀) changes by
//!
//! ```text
//! ∂d = (1 − y) ∂d₀ + y ∂d_width + (d_width − d₀) (∂y − y' r ∂width/width),
//! ```
//!
//! and stiffness and damping, which are powers of d_width, time constant and damping ratio, by their logarithms (manual,
//! Modeling, "Impedance" and "Reference").

use crate::softness::{IMPEDANCE, RowKind, Softness, is_own_reference};
use mj_math::MINVAL;
use mj_math::real::{exp, log, slope_of_greater};
use mj_model::{IntegratorType, Model, disable};

/// Numbers of a constraint's softness, or a change of these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Numbers {
    pub solref: [f64; 2],
    pub solreffriction: [f64; 2],
    pub solimp: [f64; 5],
}

/// Changes of a row's stiffness, damping and impedance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SoftnessSlopes {
    pub stiffness: f64,
    pub damping: f64,
    pub impedance: f64,
}

impl Numbers {
    /// Changes of a row of a kind along `along`, at the argument `x` of the impedance. Not with the integrator `discrete`.
    pub fn slopes(&self, m: &Model, along: &Self, kind: RowKind, x: f64) -> SoftnessSlopes {
        let softness = Softness::new(m, self.solref, self.solreffriction, self.solimp);
        let along = self.valid(m, along);
        let dwidth = softness.solimp[1];
        let hardening = along.solimp[1] / dwidth;
        let own = is_own_reference(kind, softness.solreffriction);
        let ([time, ratio], [dt, dr]) =
            if own { (softness.solreffriction, along.solreffriction) } else { (softness.solref, along.solref) };
        let (k, b) = softness.stiffness_damping(kind);
        let stiffness = match kind {
            RowKind::Positional if time > 0.0 => -2.0 * k * (hardening + dt / time + dr / ratio),
            RowKind::Positional => -dt / (dwidth * dwidth) - 2.0 * k * hardening,
            _ => 0.0,
        };
        let damping = if ratio > 0.0 { -b * (hardening + dt / time) } else { -dr / dwidth - b * hardening };
        SoftnessSlopes { stiffness, damping, impedance: impedance(&softness, along.solimp, x) }
    }

    /// The part of a change that is left where numbers are made valid.
    fn valid(&self, m: &Model, along: &Self) -> Self {
        let safe = !m.opt.disabled(disable::REFSAFE) && m.opt.integrator != IntegratorType::Discrete;
        let reference = |r: [f64; 2], change: [f64; 2]| {
            if (r[0] > 0.0) != (r[1] > 0.0) {
                return [0.0; 2];
            }
            let free = if safe && r[0] > 0.0 { slope_of_greater(r[0], 2.0 * m.opt.timestep) } else { 1.0 };
            [free * change[0], change[1]]
        };
        let [d0, dwidth, width, midpoint, power] = self.solimp;
        let inside = |d: f64| slope_of_greater(d, IMPEDANCE.0) * slope_of_greater(IMPEDANCE.1, d);
        let wide = slope_of_greater(width, 0.0);
        let free = [inside(d0), inside(dwidth), wide, inside(midpoint), slope_of_greater(power, 1.0)];
        Self {
            solref: reference(self.solref, along.solref),
            solreffriction: reference(self.solreffriction, along.solreffriction),
            solimp: std::array::from_fn(|i| free[i] * along.solimp[i]),
        }
    }
}

/// Change of the impedance.
fn impedance(s: &Softness, along: [f64; 5], x: f64) -> f64 {
    let [d0, dwidth, width, midpoint, power] = s.solimp;
    let [by_d0, by_dwidth, by_width, by_midpoint, by_power] = along;
    if width <= MINVAL {
        return 0.5 * (by_d0 + by_dwidth);
    }
    let r = (x / width).abs();
    if r == 0.0 || r >= 1.0 {
        return if r == 0.0 { by_d0 } else { by_dwidth };
    }
    // From either end, y or 1 − y is e = u^p / m^(p − 1).
    let (u, m) = if r <= midpoint { (r, midpoint) } else { (1.0 - r, 1.0 - midpoint) };
    let e = m * exp(log(u / m) * power);
    let side = if r <= midpoint { 1.0 } else { -1.0 };
    let y = if side > 0.0 { e } else { 1.0 - e };
    let curve = -(power - 1.0) * e / m * by_midpoint + side * e * log(u / m) * by_power;
    let slope = power * e / u;
    (1.0 - y) * by_d0 + y * by_dwidth + (dwidth - d0) * (curve - slope * r * by_width / width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slopes_are_those_of_differences(
            times in prop::sample::select(vec![[0.02, 0.7], [-300.0, -20.0]]),
            friction in prop::sample::select(vec![[0.0, 0.0], [0.03, 1.2]]),
            midpoint in 0.2..0.8f64, power in 1.2..4.0f64, x in -0.012..0.012f64, k in 0..9usize, kind in 0..3usize,
        ) {
            let m = Model::default();
            let numbers = Numbers { solref: times, solreffriction: friction, solimp: [0.6, 0.9, 0.01, midpoint, power] };
            let moved = |h: f64| {
                let mut n = numbers;
                let to = n.solref.iter_mut().chain(&mut n.solreffriction).chain(&mut n.solimp).nth(k).unwrap();
                let by = h * to.abs();
                *to += by;
                (n, by)
            };
            let kind = [RowKind::Positional, RowKind::Dissipative, RowKind::ContactFriction][kind];
            let at = |n: &Numbers| {
                let s = Softness::new(&m, n.solref, n.solreffriction, n.solimp);
                let (k, b) = s.stiffness_damping(kind);
                [k, b, s.impedance(x).0]
            };
            let ((plus, by), (minus, _)) = (moved(1e-6), moved(-1e-6));
            prop_assume!(by != 0.0);
            let mut along = Numbers::default();
            *along.solref.iter_mut().chain(&mut along.solreffriction).chain(&mut along.solimp).nth(k).unwrap() = 1.0;
            let got = numbers.slopes(&m, &along, kind, x);
            let (a, b, size) = (at(&plus), at(&minus), at(&numbers));
            for (i, got) in [got.stiffness, got.damping, got.impedance].into_iter().enumerate() {
                let want = (a[i] - b[i]) / (2.0 * by);
                prop_assert!((got - want).abs() <= 1e-5 * (want.abs() + size[i].abs()), "{i}: {got} for {want}");
            }
        }
    }
}
