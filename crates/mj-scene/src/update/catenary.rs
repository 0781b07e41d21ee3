//! Tendons that hang like a cord.

use mj_engine::{Data, Model};
use mj_math::{DVec3, MINVAL, real};
use mj_model::{TendonId, TrnType, disable};

/// Residual at which the equation of the catenary is solved.
const TOLERANCE: f64 = 1e-9;

/// Returns the length of a tendon that hangs between two sites: one that nothing but its greatest length holds, by a spring
/// or a limit. None: it is straight.
pub(super) fn hanging_length(m: &Model, d: &Data, t: TendonId) -> Option<f64> {
    let tendon = &m.tendon;
    let stiff = tendon.stiffness[t] != 0.0 || tendon.stiffnesspoly[t] != [0.0; 2];
    let damped = tendon.damping[t] != 0.0 || tendon.dampingpoly[t] != [0.0; 2];
    let ([rest, stretched], [lower, upper]) = (tendon.lengthspring[t], tendon.range[t]);
    let by_spring = stiff && rest == 0.0 && stretched > 0.0;
    let by_limit = !stiff && tendon.limited[t] && lower == 0.0 && d.smooth.transmissions.ten_length[t] < upper;
    let falls = !m.opt.disabled(disable::GRAVITY) && m.opt.gravity.length() > MINVAL;
    let pulled = || {
        let driven = |a| m.actuator.trntype[a] == TrnType::Tendon && m.actuator.trnid[a][0] == t.index() as i32;
        m.actuator.ids().any(driven)
    };
    let free = !damped && tendon.frictionloss[t] == 0.0;
    let hangs = falls && tendon.num[t] == 2 && by_spring != by_limit && free && !pulled();
    hangs.then_some(if by_limit { upper } else { stretched })
}

/// Returns points along a cord between two points: a straight line where it is too short, two lines where the points are nearly above each other,
/// `count` points of a catenary otherwise.
pub(super) fn catenary([from, to]: [DVec3; 2], gravity: DVec3, length: f64, count: usize) -> Vec<DVec3> {
    let way = to - from;
    if way.length() > length || !length.is_finite() {
        return vec![from, to];
    }
    let up = -gravity.normalize_or_zero();
    let level = way - up * up.dot(way);
    let across = if level.length() < MINVAL { DVec3::ZERO } else { level.normalize() };
    // Width and height of the suspension.
    let (h, v) = (way.dot(across), way.dot(up));
    if length > 100.0 * h {
        let down = -0.5 * ((length * length - h * h).sqrt() - v);
        let aside = h * down / (2.0 * down - v);
        return vec![from, from + up * down + across * aside, to];
    }
    // The cord is the graph of s cosh((x − x0)/s) + y0.
    let s = flatness(v, h, length) * h;
    let x0 = -0.5 * (2.0 * (v / length).atanh() * s - h);
    let y0 = -cosh(x0 / s) * s;
    let inner = (1..count.saturating_sub(1)).map(|i| {
        let x = i as f64 * h / count as f64;
        from + across * x + up * (s * cosh((x - x0) / s) + y0)
    });
    std::iter::once(from).chain(inner).chain([to]).collect()
}

fn cosh(x: f64) -> f64 {
    let e = real::exp(x);
    0.5 * (e + 1.0 / e)
}

fn sinh(x: f64) -> f64 {
    let e = real::exp(x);
    0.5 * (e - 1.0 / e)
}

/// Returns b of 2 b sinh(1/(2b)) = √(length² − v²)/h, by Newton's method on (2 b sinh(1/(2b)) − 1)^(−1/2), which is nearly
/// linear in b.
fn flatness(v: f64, h: f64, length: f64) -> f64 {
    let target = 1.0 / ((length * length - v * v).sqrt() / h - 1.0).sqrt();
    let residual = |b: f64| 1.0 / (2.0 * b * sinh(0.5 / b) - 1.0).sqrt() - target;
    let mut b = target / 24.0_f64.sqrt();
    for _ in 0..50 {
        let r = residual(b);
        if r.abs() < TOLERANCE || !r.is_finite() {
            break;
        }
        let a = 0.5 / b;
        let slope = (a * cosh(a) - sinh(a)) * real::pow(2.0 * b * sinh(a) - 1.0, -1.5);
        let mut step = -r / slope;
        for _ in 0..10 {
            if residual(b + step).abs() < r.abs() {
                break;
            }
            step *= 0.5;
        }
        b += step;
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(points: &[DVec3]) -> f64 {
        points.windows(2).map(|w| w[0].distance(w[1])).sum()
    }

    #[test]
    fn a_hanging_cord_has_its_length() {
        let ends = [DVec3::new(0.0, 0.0, 1.0), DVec3::new(1.0, 0.5, 1.4)];
        let points = catenary(ends, DVec3::NEG_Z * 9.81, 2.0, 100);
        assert_eq!((points[0], points[99]), (ends[0], ends[1]));
        // The last stretch is longer than the others, a hundredth of the width.
        assert!((total(&points) - 2.0).abs() < 2e-3, "{}", total(&points));
    }

    #[test]
    fn a_cord_that_is_too_short_is_straight() {
        let ends = [DVec3::ZERO, DVec3::X];
        assert_eq!(catenary(ends, DVec3::NEG_Z, 0.9, 10), ends);
    }

    #[test]
    fn a_cord_whose_ends_coincide_hangs_straight_down() {
        let points = catenary([DVec3::Z; 2], DVec3::NEG_Z, 1.0, 10);
        assert_eq!(points.len(), 3);
        assert!((points[1] - DVec3::new(0.0, 0.0, 0.5)).length() < 1e-12);
    }
}
