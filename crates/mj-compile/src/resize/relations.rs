//! Relations between elements: tendons, pairs, equality constraints. Each has the size of what it relates: a tendon that of the
//! innermost body or frame around its path; what lies between two elements, as the geometric mean of both.

use super::elements::scale_all;
use super::scales::{Measure, Scales, mean};
use super::survey::Survey;
use mj_math::DVec3;
use mj_model::spec::{Equality, PAIR_FRICTION, Pair, SOLIMP, Tendon, WrapObject};
use mj_model::{EqType, JointType, ObjType, TendonType};
use std::collections::HashMap;

/// Scales at tendons, by name, and changes of their lengths.
pub(super) type Tendons = HashMap<String, (Scales, Measure)>;

/// Rescales a tendon; what holds at it, and how its length changes.
pub(super) fn tendon(t: &mut Tendon, survey: &Survey) -> (Scales, Measure) {
    let places = t.path.iter().filter_map(|w| match &w.object {
        WrapObject::Joint { joint, .. } => survey.joint(joint).map(|j| j.container),
        WrapObject::Site { site } => Some(survey.place(ObjType::Site, site)),
        WrapObject::Geom { geom, .. } => Some(survey.place(ObjType::Geom, geom)),
        WrapObject::Pulley { .. } => None,
    });
    let scales = survey.containers[survey.common(places)].scales;
    let slides = |w: &WrapObject| {
        matches!(w, WrapObject::Joint { joint, .. }
            if survey.joint(joint).is_some_and(|j| j.r#type == JointType::Slide))
    };
    // A sum of joint coordinates is an angle if all of them are.
    let is_angle = t.r#type == TendonType::Fixed && !t.path.iter().any(|w| slides(&w.object));
    let m = if is_angle { scales.angle() } else { scales.distance(scales.length()) };

    for w in &mut t.path {
        if let WrapObject::Joint { joint, coef } = &mut w.object {
            *coef *= m.coordinate / survey.joint(joint).map_or(1.0, |j| j.measure.coordinate);
        }
    }
    for x in [&mut t.margin, &mut t.springyield, &mut t.solimp_limit[2], &mut t.solimp_friction[2]] {
        *x *= m.coordinate;
    }
    // Negative: the length in the reference configuration.
    t.springlength.iter_mut().filter(|x| **x >= 0.0).for_each(|x| *x *= m.coordinate);
    scale_all(t.range.iter_mut(), m.coordinate);
    scale_all(t.actfrcrange.iter_mut(), m.force);
    t.width *= scales.length();
    t.frictionloss *= m.force;
    t.armature *= m.force / m.unit;
    m.coefficients(&mut t.stiffness);
    m.coefficients(&mut t.damping);
    (scales, m)
}

/// Mean factors of lengths and forces at two elements.
fn between(a: Scales, b: Scales) -> (f64, f64) {
    (mean(a.length(), b.length()), mean(a.force(), b.force()))
}

/// A pair of geoms.
pub(super) fn pair(p: &mut Pair, survey: &Survey) {
    let (length, force) = between(survey.at(ObjType::Geom, &p.geom1), survey.at(ObjType::Geom, &p.geom2));
    // Lengths that are not given are the defaults, which grow, too.
    let given = p.friction.len();
    p.friction.extend(PAIR_FRICTION.iter().skip(given));
    p.friction.iter_mut().skip(2).for_each(|x| *x *= length);
    p.solimp.get_or_insert(SOLIMP)[2] *= length;
    for x in [&mut p.gap, &mut p.margin].into_iter().flatten() {
        *x *= length;
    }
    p.adhesion = p.adhesion.map(|x| x * force);
}

/// An equality constraint.
pub(super) fn equality(e: &mut Equality, survey: &Survey, tendons: &Tendons) {
    let at = |kind: ObjType, name: &str| survey.at(kind, name);
    let coordinate = |name: &str| match e.objtype {
        ObjType::Joint => survey.joint(name).map(|j| j.measure.coordinate),
        _ => tendons.get(name).map(|(_, m)| m.coordinate),
    };
    match e.r#type {
        EqType::Connect | EqType::Weld => {
            let (first, second) = (at(e.objtype, &e.name1), at(e.objtype, &e.name2));
            let of_bodies = e.objtype == ObjType::Body;
            let anchored = if e.r#type == EqType::Connect { first } else { second };
            if of_bodies {
                moved(&mut e.data[..3], anchored);
            }
            let length = mean(first.length(), second.length());
            if e.r#type == EqType::Weld {
                moved(&mut e.data[3..6], first);
                e.data[10] *= length;
            }
            // What connects bodies is anchored in the first.
            let of_first = e.r#type == EqType::Connect && of_bodies;
            e.solimp[2] *= if of_first { first.length() } else { length };
        }
        EqType::Joint | EqType::Tendon => {
            let first = coordinate(&e.name1).unwrap_or(1.0);
            let second = coordinate(&e.name2).unwrap_or(1.0);
            // q₁ is a polynomial of q₂.
            for (power, c) in e.data[..5].iter_mut().enumerate() {
                *c *= first / second.powi(power as i32);
            }
            e.solimp[2] *= first;
        }
        _ => {}
    }
}

/// Takes a vector to where the map of its scales does.
fn moved(v: &mut [f64], scales: Scales) {
    scales.map.apply(DVec3::from_slice(v)).write_to_slice(v);
}
